/** What may stay as it is: the pages of an earlier build for which nothing has changed that had a say in them. */
import type { Output } from "./output.ts";
import { fileIn, folderOfPath } from "./place.ts";
import type { Questions } from "./questions.ts";
import type { Listing, Source } from "./source.ts";
import type { BuiltPage, State } from "./state.ts";
import type { TemplateUse } from "./template-use.ts";

export interface Ground {
  readonly source: Source;
  readonly questions: Questions;
  readonly output: Output;
  readonly use: TemplateUse;
  readonly mediaUrl: string;
}

/** The pages to keep, as the next state has them. */
export async function keepable(before: State, ground: Ground): Promise<ReadonlyMap<Listing, BuiltPage>> {
  const { source, questions, output, use } = ground;
  await source.prepare?.(before.questions.map(({ asked }) => asked));
  const same = sameAnswers(before, ground);
  const sets = before.templates.map((set) => use.known(set));
  const byPath = new Map(before.pages.map((page) => [page.path, page]));
  const candidates = source.pages.flatMap((page) => {
    const built = byPath.get(page.path);
    return built && built.permalink === page.permalink && built.language_code === page.language_code && isIntact(built, output, ground.mediaUrl) ? [{ page, built }] : [];
  });
  // First every hash, since what templates asked is often a list of pages.
  const unchanged: typeof candidates = [];
  for (const candidate of candidates) {
    const { page, built } = candidate;
    if (built.reads.length > 0 && built.reads.every(same)) source.trust(page, built.id, built.hash);
    else if ((await source.hash(page)) !== built.hash) continue;
    unchanged.push(candidate);
  }
  const renumbered = (numbers: readonly number[]): number[] =>
    numbers.map((at) => {
      const { asked, digest } = before.questions[at]!;
      const number = questions.number(asked);
      if (same(at)) questions.answered(number, digest);
      return number;
    });
  return new Map(
    unchanged.flatMap(({ page, built }) => {
      const templates = sets[built.templates];
      if (templates === undefined || !built.asks.every(same)) return [];
      return [[page, { ...built, templates, reads: renumbered(built.reads), asks: renumbered(built.asks) }] as const];
    }),
  );
}

/** Whether a question of an earlier build, by its number, has the same answer today. */
function sameAnswers(before: State, { source }: Ground): (at: number) => boolean {
  const known: (boolean | undefined)[] = [];
  return (at) => (known[at] ??= source.digest(before.questions[at]!.asked) === before.questions[at]!.digest);
}

/** The page's files lie there as they were left, as far as a look at the folder tells. */
function isIntact(page: BuiltPage, output: Output, mediaUrl: string): boolean {
  const folder = folderOfPath(page.path, mediaUrl);
  return folder !== undefined && Object.entries(page.files).every(([name, size]) => output.found.get(fileIn(folder, name)) === size && !output.unsure.has(fileIn(folder, name)));
}
