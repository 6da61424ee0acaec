/** Makes the pages that a plan does not keep, in this process and in workers. */
import type { BuildInput, BuildOptions } from "./input.ts";
import { folded } from "../model/address/possible-names.ts";
import { folderOfPath } from "./output/output-path.ts";
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
  /** Each error that was logged while pages were made, with the first page and the number of others. */
  readonly warnings: readonly string[];
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

/** @param fingerprint of this build; a worker with another one is not used */
export async function makePages(
  context: BuildInput & RenderContext,
  options: BuildOptions,
  fingerprint: string,
  jobs: readonly Job[],
): Promise<MadePages> {
  const { source, dependencies, use } = context;
  const pages = new Map<number, BuiltPage>();
  const failures: Failure[] = [];
  const logged = new Map<string, Logged>();
  let [written, done] = [0, 0];
  const workers = (source.content && context.workersFor?.(jobs.length, options.out)) ?? [];
  await renderInPool({
    jobs,
    contentId: workers.length > 0 ? `${fingerprint} ${source.content?.()}` : "",
    workers,
    aside: context.aside,
    make: (some) => buildPages(context, options, some),
    numberOf: dependencies.number,
    setOf: (set) => use.known(set) ?? -1,
    done(outcome) {
      const { at, page, failure, errors = [] } = outcome;
      if (page) {
        pages.set(at, page);
        source.trust(context.pages[at]!, page.hash);
      } else if (failure) failures[at] = failure;
      for (const error of errors) {
        const { first, count } = logged.get(error) ?? { first: at, count: 0 };
        logged.set(error, { first: Math.min(first, at), count: count + 1 });
      }
      written += outcome.written;
      options.progress?.(++done, jobs.length);
    },
  });
  const warnings = Array.from(logged, ([error, which]) => warningOf(error, which, context.pages));
  return { pages, failures: failures.filter(Boolean), warnings: warnings.sort(), written };
}

/** The pages in whose making an error was logged: the position of the first, and how many. */
interface Logged {
  readonly first: number;
  readonly count: number;
}

function warningOf(error: string, { first, count }: Logged, pages: readonly Listing[]): string {
  const others = count === 1 ? "" : ` and ${count - 1} more ${count === 2 ? "page" : "pages"}`;
  return `${pages[first]?.path} (${pages[first]?.language_code})${others}: ${error}`;
}

/**
 * The folder of each page, by position. A page fails when its path cannot be a folder, or differs from that of an earlier
 * page by case alone: the service that the pages come from may be of another version.
 */
export function pageFolders(
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
