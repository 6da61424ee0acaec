/** What may stay as it is: the pages of an earlier build for which nothing has changed that had a say in them. */
import type { Output } from "./output.ts";
import { fileIn } from "./place.ts";
import type { Questions } from "./questions.ts";
import type { Listing, Source } from "./source.ts";
import type { BuiltPage, State } from "./state.ts";
import type { TemplateUse } from "./template-use.ts";

export interface Ground {
  readonly source: Source;
  readonly questions: Questions;
  readonly output: Output;
  readonly use: TemplateUse;
  /** Folders of pages. */
  readonly places: ReadonlyMap<Listing, string>;
}

/** The pages to keep, as the next state has them. Questions keep the numbers they had. */
export async function keepable(before: State, ground: Ground): Promise<ReadonlyMap<Listing, BuiltPage>> {
  const { source, questions, output, use, places } = ground;
  await source.prepare?.(before.questions.map(({ asked }) => asked));
  questions.adopt(before.questions.map(({ asked }) => asked));
  const same = sameAnswers(before, ground);
  const sets = before.templates.map((set) => use.known(set));
  const byPath = new Map(before.pages.map((page) => [page.path, page]));
  // First every hash, since what templates asked is often a list of pages.
  const unchanged: { readonly page: Listing; readonly built: BuiltPage }[] = [];
  for (const page of source.pages) {
    const built = byPath.get(page.path);
    if (!built || built.permalink !== page.permalink || built.language_code !== page.language_code || !isIntact(built, output, places.get(page))) continue;
    const now = await asItIs(page, built, same, ground);
    if (now) unchanged.push({ page, built: now });
  }
  const kept = new Map<Listing, BuiltPage>();
  for (const { page, built } of unchanged) {
    const templates = sets[built.templates];
    if (templates === undefined || !built.asks.every(same)) continue;
    kept.set(page, templates === built.templates ? built : { ...built, templates });
  }
  return kept;
}

/**
 * The page with what its payload is made of today; undefined when that is another payload.
 *
 * One that reads other records than then may come out the same, and must be known by those from here on.
 */
async function asItIs(page: Listing, built: BuiltPage, same: (at: number) => boolean, { source, questions }: Ground): Promise<BuiltPage | undefined> {
  if (built.reads.length === 0) return (await source.hash(page)) === built.hash ? built : undefined;
  if (built.reads.every(same)) {
    source.trust(page, built.id, built.hash);
    return built;
  }
  const { value, noted } = await questions.gather(() => source.make(page));
  return value.hash === built.hash ? { ...built, reads: noted } : undefined;
}

/** Whether a question of an earlier build, by its number, has the same answer today; then it is known from here on. */
function sameAnswers(before: State, { source, questions }: Ground): (at: number) => boolean {
  const known: (boolean | undefined)[] = [];
  return (at) => {
    if (known[at] !== undefined) return known[at];
    const { asked, digest } = before.questions[at]!;
    const isSame = source.digest(asked) === digest;
    if (isSame) questions.answered(at, digest);
    return (known[at] = isSame);
  };
}

/** The page's files lie there as they were left, as far as a look at the folder tells. */
function isIntact({ files }: BuiltPage, { found, unsure }: Output, folder: string | undefined): boolean {
  if (folder === undefined) return false;
  for (const name in files) {
    const path = fileIn(folder, name);
    if (found.get(path) !== files[name] || unsure.has(path)) return false;
  }
  return true;
}
