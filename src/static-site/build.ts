/**
 * A static site with exactly the pages that the service would serve; only what changed since the last build is rendered.
 *
 * Every page is rendered by the code of the HTML route. Its dependencies are recorded, and it is kept only while each of
 * them has the same digest: an incremental build and a full one produce the same bytes.
 */
import objectHash from "object-hash";
import type { Config } from "../config.ts";
import { PROGRAM } from "../version.ts";
import { ROBOTS } from "../views/site-files/sitemap.ts";
import type { BuildInput, BuildOptions } from "./input.ts";
import { pageFolders, jobsOf, makePages, type MadePages } from "./make-pages.ts";
import { copiedFilesOf, type CopiedFiles } from "./copied-files.ts";
import { builtFolder, fileIn, folderAbove } from "./output/output-path.ts";
import { openOutput, type Output } from "./output/output.ts";
import { namesOf, type OutputFormats } from "./page-files.ts";
import { keepIntact, planAll, planChanged, type Plan } from "./plan.ts";
import type { Failure, Report } from "./report.ts";
import { siteNames, writeSiteFiles, type WrittenFiles } from "./site-files.ts";
import { publishedStatics } from "./static-files.ts";
import { shownChange } from "./next-change.ts";
import { nextPages, nextState } from "./state/next-state.ts";
import { readBuildState, writeState } from "./state/state-file.ts";
import type { BuiltPage, State } from "./state/state.ts";
import { openTemplateUse, type TemplateUse } from "./template-use.ts";
import type { Job } from "./workers/protocol.ts";

/** A build that has announced its changes and not yet made any. */
interface Preparation {
  readonly input: BuildInput;
  readonly options: BuildOptions;
  readonly failures: Failure[];
  readonly fingerprint: string;
  readonly stored: State | undefined;
  /** The last build's state, where pages may be kept by it. */
  readonly before: State | undefined;
  readonly use: TemplateUse;
  readonly plan: Plan;
  readonly jobs: readonly Job[];
  readonly output: Output;
  readonly copied: CopiedFiles;
  /** Files of earlier builds that are removed unless this build writes them. */
  readonly former: ReadonlySet<string>;
  /** Whether a file is the site's own: a robots.txt that no build wrote is left alone. */
  isForeign(path: string): boolean;
}

/** @throws CmsError `setup` when the output folder has files, and none is of a build */
export async function build(input: BuildInput, options: BuildOptions): Promise<Report> {
  const began = performance.now();
  const preparation = await prepare(input, options);
  const { fingerprint, before, use, plan, jobs, output, copied, failures } = preparation;
  const cleared = clearWay(preparation);
  const made = await makePages({ ...input, pages: plan.pages, output: output.files, use }, options, fingerprint, jobs);
  failures.push(...made.failures);
  const pages = nextPages(plan, made, before);
  const { files, written, ...others } = await writeOthers(preparation, made, pages);
  const [epoch, names] = [await input.source.epoch(), namesOf(options)];
  const scheduled = await input.source.scheduled?.();
  const next = { fingerprint, names, epoch, pages, files, templates: use.sets, before, scheduled };
  const state = nextState(input, next);
  writeState(options.out, state);
  output.settle();
  const hasAddresses = input.config.BASE_URL !== null || !options.html;
  return {
    pages: pages.length,
    rendered: jobs.length,
    kept: pages.length - made.pages.size,
    ...others,
    removed: others.removed + cleared,
    written: made.written + written,
    media: copied.media,
    next_change: shownChange(state.next_change, input.config.locales.timeZone),
    failures,
    warnings: [
      ...(hasAddresses
        ? []
        : ["BASE_URL is not set (cms.config.yaml, or CMS_BASE_URL), so sitemap and feeds have no absolute addresses."]),
      ...made.warnings,
    ],
    took: Math.round(performance.now() - began),
  };
}

async function prepare(given: BuildInput, options: BuildOptions): Promise<Preparation> {
  const { config, source } = given;
  const extra = new Map([...(given.extra ?? []), ...(await source.search())]);
  const input = { ...given, extra };
  const failures: Failure[] = [];
  const use = openTemplateUse(input.templates);
  const fingerprint = fingerprintOf(config, source.name, options);
  const stored = readBuildState(options.out);
  const before = !options.full && stored?.fingerprint === fingerprint ? stored : undefined;
  const statics = publishedStatics(input.statics, source.pages);
  const folders = pageFolders(source.pages, config.MEDIA.URL, failures);
  const byContent = before ? await planChanged(before, { ...input, use }, folders) : planAll(source, folders);
  const output = openOutput(options.out, stored);
  const plan = before ? keepIntact(byContent, output.isIntact) : byContent;
  const jobs = jobsOf(plan);
  const copied = await copiedFilesOf(source, config.MEDIA.URL, statics, stored, output);
  const former = formerFiles(stored, plan.kept, output);
  const isForeign = (path: string): boolean => path === ROBOTS && output.found.has(path) && !former.has(path);
  output.announce([
    ...new Set([
      ...jobs.flatMap(([, folder]) => namesOf(options).map((name) => fileIn(folder, name))),
      ...copied.toCopy,
      // A foreign file that is announced would be removed after a killed build.
      ...siteNames(options, source, config.locales, plan.pages.length).filter((path) => !isForeign(path)),
      ...extra.keys(),
      ...former,
    ]),
  ]);
  return { input, options, failures, fingerprint, stored, before, use, plan, jobs, output, copied, former, isForeign };
}

/** Files of earlier builds that may have to be removed: those of pages that are not kept, and those of no page. */
function formerFiles(stored: State | undefined, kept: Plan["kept"], { unsure }: Output): Set<string> {
  const files = new Set([...unsure, ...Object.keys(stored?.files ?? {})]);
  if (!stored) return files;
  const stays = new Uint8Array(stored.pages.length);
  for (const at of kept) if (at >= 0) stays[at] = 1;
  for (const [at, { path }] of stored.pages.entries())
    if (stays[at] === 0) for (const name of stored.names) files.add(fileIn(builtFolder(path), name));
  return files;
}

/**
 * Removes copies whose original is gone, and what is below the path of a file to copy: a file may have become a folder, or a
 * folder a file.
 *
 * @returns how many were removed
 */
function clearWay({ input, stored, output, copied: { files }, former }: Preparation): number {
  const mediaFolder = input.config.MEDIA.URL.slice(1);
  const wasCopied = (path: string): boolean => path.startsWith(mediaFolder) || stored?.files[path]?.[1] !== undefined;
  const isBelowFile = (path: string): boolean => path !== "" && (files.has(path) || isBelowFile(folderAbove(path)));
  return [...former].filter(
    (path) => !files.has(path) && (wasCopied(path) || isBelowFile(folderAbove(path))) && output.files.remove(path),
  ).length;
}

/** Writes the files that belong to no page, and removes the former ones that are no longer written. */
async function writeOthers(
  { input, options, before, jobs, output, copied, former, isForeign, failures }: Preparation,
  made: MadePages,
  pages: readonly BuiltPage[],
): Promise<WrittenFiles & Pick<Report, "removed" | "unknown">> {
  const copies = await copied.copy(failures);
  const { files, written } = await writeSiteFiles(
    { input, options, output, pages, before, copied: copied.files, isForeign },
    failures,
  );
  const now = new Set(Object.keys(files));
  const names = namesOf(options);
  for (const [at, folder] of jobs) if (made.pages.has(at)) for (const name of names) now.add(fileIn(folder, name));
  const old = [...former].filter((path) => !now.has(path) && output.files.remove(path));
  const foreign = [...[...output.found.keys()].filter((path) => !former.has(path)), ...output.links];
  return {
    files,
    written: copies + written,
    removed: old.length,
    unknown: foreign.filter((path) => !now.has(path)).sort(),
  };
}

/**
 * The digest of all that every page depends on beside the content: program, settings, options.
 *
 * @param name the source's
 */
export function fingerprintOf(config: Config, name: string, { html, json }: OutputFormats): string {
  // The text of functions among the settings and the order of languages are part of it.
  return objectHash([PROGRAM.version, name, html, json, config], { algorithm: "sha1", unorderedObjects: false });
}
