/** The pages that are rendered: which ones, into which folders, by this process and its workers. */
import type { BuildInput, BuildOptions } from "./input.ts";
import { folded, folderOfPath } from "./output/output-path.ts";
import { buildPages, type RenderContext } from "./page-files.ts";
import type { Plan } from "./plan.ts";
import type { Failure } from "./report.ts";
import type { BuiltPage, Listing } from "./state/state.ts";
import { renderInPool } from "./workers/pool.ts";
import type { Job } from "./workers/protocol.ts";

export interface MadePages {
  /** By position in the source's list. */
  readonly pages: ReadonlyMap<number, BuiltPage>;
  readonly failures: readonly Failure[];
  /** How many files changed. */
  readonly written: number;
}

/** The pages a plan does not keep. */
export function jobsOf({ pages, kept, folders }: Plan): Job[] {
  const jobs: Job[] = [];
  for (let at = 0; at < pages.length; at++) {
    const folder = kept[at]! < 0 ? folders[at] : undefined;
    if (folder !== undefined) jobs.push([at, folder]);
  }
  return jobs;
}

/** Renders pages in this process and in workers. */
export async function makePages(
  context: BuildInput & RenderContext,
  options: BuildOptions,
  fingerprint: string,
  jobs: readonly Job[],
): Promise<MadePages> {
  const { source, dependencies, use } = context;
  const pages = new Map<number, BuiltPage>();
  const failures: Failure[] = [];
  let [written, done] = [0, 0];
  const workers = (source.content && context.workersFor?.(jobs.length, options.out)) ?? [];
  await renderInPool({
    jobs,
    contentId: workers.length > 0 ? `${fingerprint} ${source.content!()}` : "",
    workers,
    aside: context.aside,
    make: (some) => buildPages(context, options, some),
    numberOf: dependencies.number,
    setOf: (set) => use.known(set) ?? -1,
    done(outcome) {
      const { at, page, failure } = outcome;
      if (page) {
        pages.set(at, page);
        source.trust(page, page.id, page.hash);
      } else if (failure) failures[at] = failure;
      written += outcome.written;
      options.progress?.(++done, jobs.length);
    },
  });
  return { pages, failures: failures.filter(Boolean), written };
}

/** Each page's folder, by the page's place. One that has no safe one, or whose folder differs from another's by case alone, fails. */
export function foldersOf(
  pages: readonly Listing[],
  mediaUrl: string,
  failures: Failure[],
): readonly (string | undefined)[] {
  const taken = new Set<string>();
  return pages.map((page) => {
    const folder = folderOfPath(page.path, mediaUrl);
    const key = folder && folded(folder);
    const isFree = key !== undefined && !taken.has(key);
    if (key !== undefined) taken.add(key);
    if (isFree) return folder;
    const message =
      folder === undefined
        ? `No file can have the path ${page.path}.`
        : `${page.path} differs from another page's path by case alone.`;
    failures.push({ path: page.path, language: page.language_code, template: null, line: null, message });
    return undefined;
  });
}
