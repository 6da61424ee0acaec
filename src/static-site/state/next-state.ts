/** The state for the next build. */
import { openDependencies, TABLE } from "../dependencies.ts";
import type { BuildInput } from "../input.ts";
import type { MadePages } from "../make-pages.ts";
import { nextChange } from "../next-change.ts";
import type { Plan } from "../plan.ts";
import type { BuiltPage, Dependency, NextChange, State, StoredDependencies } from "./state.ts";

/** The pages of the next state: those that were rendered, and those that are kept. */
export function nextPages(
  { pages, kept, altered, sets }: Plan,
  made: MadePages,
  before: State | undefined,
): readonly BuiltPage[] {
  return pages.flatMap((_, at) => {
    const last = before?.pages[kept[at]!];
    const keptPage = last && { ...last, templates: sets[last.templates]! };
    return made.pages.get(at) ?? altered.get(at) ?? keptPage ?? [];
  });
}

interface Next {
  readonly fingerprint: string;
  readonly names: State["names"];
  readonly epoch: State["epoch"];
  readonly pages: readonly BuiltPage[];
  readonly files: State["files"];
  readonly templates: State["templates"];
  /** The last state; its dependencies have the first numbers. */
  readonly before: State | undefined;
  /** What the schedule of the content changes next. */
  readonly scheduled: NextChange | undefined;
}

export function nextState(
  { config, dependencies, source }: BuildInput,
  { fingerprint, names, epoch, pages, files, templates, before, scheduled }: Next,
): State {
  const { server_time, redirects } = source;
  const stored = before?.dependencies ?? { all: [], digests: [] };
  const used = new Uint8Array(stored.all.length + dependencies.all.length);
  for (const { payloadDeps, renderDeps } of pages)
    for (const list of [payloadDeps, renderDeps]) for (const number of list) used[number] = 1;
  const { next, numbers } = nextDependencies(stored, used, dependencies.all, source.digest);
  const renumbered = (list: readonly number[]): number[] => list.map((number) => numbers[number]!);
  const numbered = pages.map((page) => ({
    ...page,
    payloadDeps: renumbered(page.payloadDeps),
    renderDeps: renumbered(page.renderDeps),
  }));
  const tablesOf = new Map(Object.entries(before?.tablesOf ?? {}));
  for (const [name, kinds] of source.tablesOf?.() ?? [])
    tablesOf.set(name, [...new Set([...(tablesOf.get(name) ?? []), ...kinds])]);
  const tables = Object.fromEntries(
    [...new Set([...tablesOf.values()].flat())].map((kind) => [kind, source.digest([TABLE, "", kind])]),
  );
  return {
    fingerprint,
    names,
    server_time,
    epoch,
    next_change: nextChange({ pages: numbered, dependencies: next }, scheduled, source.now, config.locales.timeZone),
    pages: numbered,
    redirects,
    dependencies: next,
    tables,
    tablesOf: Object.fromEntries(tablesOf),
    templates,
    files,
  };
}

/**
 * The dependencies of the next state: the stored ones that pages still have, then those first noted in this build.
 *
 * @param used flags by number, stored dependencies first
 * @param fresh those noted in this build, used or not; one that is stored, too, has a new number all the same
 * @returns also the numbers in the next state by those in this build
 */
export function nextDependencies(
  stored: StoredDependencies,
  used: Uint8Array,
  fresh: readonly Dependency[],
  digest: (dependency: Dependency) => string,
): { readonly next: StoredDependencies; readonly numbers: Uint32Array } {
  const numbers = new Uint32Array(used.length);
  const next = openDependencies();
  const digests: string[] = [];
  for (const [number, dependency] of stored.all.entries()) {
    if (!used[number]) continue;
    numbers[number] = next.number(dependency);
    // The digests of the dependencies of kept pages are unchanged.
    digests.push(stored.digests[number]!);
  }
  for (const [at, dependency] of fresh.entries()) {
    const number = stored.all.length + at;
    if (!used[number]) continue;
    numbers[number] = next.number(dependency);
    if (next.all.length > digests.length) digests.push(digest(dependency));
  }
  return { next: { all: next.all, digests }, numbers };
}
