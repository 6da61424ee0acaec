/**
 * A static site that is exactly what the service would serve, made by doing only what has changed.
 *
 * Every page is made by the code of the HTML route. What each asked of the content is noted, and a page is kept only
 * while every answer is still the same, so that building what changed and building everything end with the same bytes.
 */
import objectHash from "object-hash";
import type { Config } from "../config.ts";
import { renderSiteHtml } from "../render/page.ts";
import type { Templates } from "../render/templates.ts";
import { PROGRAM } from "../version.ts";
import { ROBOTS, robotsText, sitemapNames } from "../views/sitemap.ts";
import { renderInPool, type Worker } from "./workers/pool.ts";
import type { Job } from "./workers/protocol.ts";
import { openOutput, type Output } from "./output/output.ts";
import { buildPages, namesOf, requestFor, settled, type OutputFormats, type RenderContext } from "./page-files.ts";
import { builtFolder, fileIn, folded, folderOfPath } from "./output/output-path.ts";
import { renderEverything, keepable, whereIntact, type Plan } from "./plan.ts";
import { countOf, nextDependencies } from "./state/dependency-columns.ts";
import { TABLE, type Dependencies } from "./dependencies.ts";
import { failureOf, type Failure, type Report } from "./report.ts";
import { builtSitemaps, headersText, redirectFiles } from "./site-files.ts";
import type { MediaFile, Source } from "./sources/source.ts";
import {
  flagAll,
  nextPages,
  renumbered,
  type BuiltPage,
  type Listing,
  type PageColumns,
  type State,
} from "./state/state.ts";
import { readState, writeState } from "./state/state-file.ts";
import { openTemplateUse } from "./template-use.ts";

export interface BuildOptions extends OutputFormats {
  readonly out: string;
  /** Whether every page is rendered, whatever an earlier build has left. */
  readonly full: boolean;
  /** Whether redirects are written as rules for nginx as well. */
  readonly nginx: boolean;
  /** Told after each page that is made. */
  progress?(done: number, of: number): void;
}

export interface BuildInput {
  readonly config: Config;
  readonly templates: Templates;
  readonly dependencies: Dependencies;
  readonly source: Source;
  /** Workers that render a number of pages of this source into a folder; none where that is not worth it. */
  workersFor?(pages: number, out: string): readonly Worker[];
  /** Other work, done once the workers have something to do. */
  aside?(): Promise<void>;
  /** Further files, text by path. */
  readonly extra?: ReadonlyMap<string, string>;
}

const NOT_FOUND = "404.html";

/** @throws CmsError `setup` when the folder is not a build's and not empty */
export async function build(input: BuildInput, options: BuildOptions): Promise<Report> {
  const began = performance.now();
  const { config, source, dependencies } = input;
  const mediaUrl = config.MEDIA.URL;
  const names = namesOf(options);
  const stored = readState(options.out);
  const fingerprint = fingerprintOf(config, source.name, options);
  const use = openTemplateUse(input.templates);
  const failures: Failure[] = [];
  const before = !options.full && stored?.fingerprint === fingerprint ? stored : undefined;
  const folders = foldersOf(source.pages, mediaUrl, failures);
  const byContent = before
    ? await keepable(before, { source, dependencies, use }, folders)
    : renderEverything(source, folders);
  const output = openOutput(options.out, stored);
  const plan = before ? whereIntact(byContent, output.isIntact) : byContent;
  const { pages, kept } = plan;
  const jobs = jobsOf(plan);
  const media = new Map((await source.media()).map((file) => [mediaUrl.slice(1) + file.path, file]));
  const toCopy = [...media].filter(([path, file]) => !isCopied(stored, output, path, file));
  const toWrite = jobs.flatMap(([, folder]) => names.map((name) => fileIn(folder, name)));
  const formerly = formerFiles(stored, kept, output);

  // A robots.txt that no build has written is the site's own: announced, it would be removed after a killed build.
  const isForeign = (path: string): boolean => output.found.has(path) && !formerly.has(path);
  const ours = siteNames(options, pages.length).filter((path) => path !== ROBOTS || !isForeign(ROBOTS));

  output.announce([
    ...new Set([...toWrite, ...toCopy.map(([path]) => path), ...ours, ...(input.extra?.keys() ?? []), ...formerly]),
  ]);
  const files: SiteFileFacts = {};
  const made = await makePages({ ...input, pages, output, use }, options, fingerprint, jobs);
  failures.push(...made.failures);
  let { written } = made;
  // Removed before media are copied: a file may have become a folder, or a folder a file.
  const left = [...formerly].filter(
    (path) => path.startsWith(mediaUrl.slice(1)) && !media.has(path) && output.remove(path),
  );
  written += await copyMedia(output, toCopy, media, failures);
  for (const [path, { version }] of media) files[path] = [output.sizeOf(path), version];
  const columns = columnsOf(plan, made, before);
  const sitemaps = before && sameSitemap(before.pages, columns) ? unchangedSitemaps(before, output) : undefined;
  const { redirects } = source;
  const facts = { pages: sitemaps ? undefined : columns, redirects, media: [...media.values()] };
  const texts = [...(await siteFiles(input, options, facts, failures))].filter(
    ([path, text]) => !media.has(path) && (path !== ROBOTS || !isForeign(ROBOTS) || output.holds(path, text)),
  );
  written += writeSiteFiles(output, texts, files, failures);
  Object.assign(files, sitemaps);
  const now = new Set(Object.keys(files));
  for (const [at, folder] of jobs) if (made.pages.has(at)) for (const name of names) now.add(fileIn(folder, name));
  const gone = [...formerly].filter((path) => !now.has(path) && output.remove(path));
  writeState(
    options.out,
    stateOf(input, {
      fingerprint,
      names,
      epoch: await source.epoch(),
      columns,
      redirects,
      files,
      templates: use.sets,
      lastScan: { began: output.look.began, unchangedDirs: unchangedDirsOf(plan, made, output) },
      before,
    }),
  );
  output.settle();
  return {
    pages: columns.path.length,
    rendered: jobs.length,
    kept: columns.path.length - made.pages.size,
    removed: left.length + gone.length,
    written,
    media: media.size,
    unknown: [...[...output.found.keys()].filter((path) => !formerly.has(path)), ...output.links]
      .filter((path) => !now.has(path))
      .sort(),
    failures,
    warnings:
      config.BASE_URL === null && options.html
        ? ["BASE_URL is not set, so the sitemap has no absolute addresses."]
        : [],
    took: Math.round(performance.now() - began),
  };
}

/** By path: the size in bytes and, of media, the version of the source. */
type SiteFileFacts = Record<string, readonly [size: number, version?: string]>;

/** Files that cannot be copied, or were removed meanwhile, are deleted from `media`. @returns how many files changed */
async function copyMedia(
  output: Output,
  toCopy: readonly (readonly [string, MediaFile])[],
  media: Map<string, MediaFile>,
  failures: Failure[],
): Promise<number> {
  let written = 0;
  for (const [path, file] of toCopy) {
    try {
      if (await output.fill(path, (to) => file.copy(to))) written++;
      else if (media.delete(path)) output.remove(path);
    } catch (error) {
      failures.push(failureOf(error, `/${path}`, null));
      media.delete(path);
    }
  }
  return written;
}

/** @param files gets each file that was written @returns how many files changed */
function writeSiteFiles(
  output: Output,
  texts: readonly (readonly [string, string])[],
  files: SiteFileFacts,
  failures: Failure[],
): number {
  let written = 0;
  for (const [path, text] of texts) {
    try {
      if (output.put(path, text)) written++;
      files[path] = [Buffer.byteLength(text)];
    } catch (error) {
      failures.push(failureOf(error, `/${path}`, null));
    }
  }
  return written;
}

interface MadePages {
  /** By position in the source's list. */
  readonly pages: ReadonlyMap<number, BuiltPage>;
  readonly failures: readonly Failure[];
  /** How many files changed. */
  readonly written: number;
}

/** The pages a plan does not keep. */
function jobsOf({ pages, kept, folders }: Plan): Job[] {
  const jobs: Job[] = [];
  for (let at = 0; at < pages.length; at++) {
    const folder = kept[at]! < 0 ? folders[at] : undefined;
    if (folder !== undefined) jobs.push([at, folder]);
  }
  return jobs;
}

/** Renders pages in this process and in workers. */
async function makePages(
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

/** The pages of the next state: those that were made, and those that are kept. */
function columnsOf(
  { pages: { length }, kept, altered, sets }: Plan,
  made: MadePages,
  before: State | undefined,
): PageColumns {
  const others = new Map([...altered, ...made.pages]);
  const next = nextPages();
  for (let at = 0; at < length; at++) {
    const other = others.get(at);
    if (other) next.add(other);
    else if (kept[at]! >= 0) next.keep(before!.pages, kept[at]!, sets[before!.pages.templates[kept[at]!]!]!);
  }
  return next.columns();
}

/** The unchanged folders of the next state's pages, in the order of `columnsOf`. */
function unchangedDirsOf({ kept }: Plan, made: MadePages, { look }: Output): Float64Array {
  const unchangedDirs: number[] = [];
  for (let at = 0; at < kept.length; at++) {
    if (made.pages.has(at)) unchangedDirs.push(0, 0);
    else if (kept[at]! >= 0)
      unchangedDirs.push(look.unchangedDirs[2 * kept[at]!]!, look.unchangedDirs[2 * kept[at]! + 1]!);
  }
  return Float64Array.from(unchangedDirs);
}

/** The files a build writes beside its pages. @param pages how many there are at most */
const siteNames = ({ html, nginx }: BuildOptions, pages: number): string[] => [
  "_redirects",
  "redirects.json",
  ...(nginx ? ["redirects.nginx.conf"] : []),
  ...(html ? [NOT_FOUND, ROBOTS, "_headers", ...sitemapNames(pages)] : []),
];

/** Each page's folder, by the page's place. One that has no safe one, or whose folder differs from another's by case alone, fails. */
function foldersOf(pages: readonly Listing[], mediaUrl: string, failures: Failure[]): readonly (string | undefined)[] {
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

interface SiteFacts {
  /** undefined where the sitemaps stay as they are. */
  readonly pages: PageColumns | undefined;
  readonly redirects: Source["redirects"];
  readonly media: readonly MediaFile[];
}

async function siteFiles(
  { config, templates, source, extra }: BuildInput,
  { html, nginx }: BuildOptions,
  { pages, redirects, media }: SiteFacts,
  failures: Failure[],
): Promise<Map<string, string>> {
  const { locales } = config;
  const origin = config.BASE_URL ?? "";
  const texts = new Map<string, string>([...redirectFiles(redirects, nginx), ...(extra ?? [])]);
  if (!html) return texts;
  if (pages) for (const [name, text] of builtSitemaps(pages, locales, origin)) texts.set(name, text);
  texts.set(ROBOTS, robotsText(config.BASE_URL));
  texts.set(
    "_headers",
    headersText(
      config,
      media.map(({ path }) => path),
    ),
  );
  try {
    const request = requestFor(config, locales.default, `/${NOT_FOUND}`);
    const lost = templates.has(NOT_FOUND)
      ? await settled(source, () =>
          renderSiteHtml(
            templates,
            source.view(locales.default),
            NOT_FOUND,
            request && { ...request, path: "" },
            source.ask,
          ),
        )
      : BARE_NOT_FOUND;
    texts.set(NOT_FOUND, lost);
  } catch (error) {
    failures.push(failureOf(error, `/${NOT_FOUND}`, locales.default));
  }
  return texts;
}

/** Whether everything that sitemaps contain is unchanged. */
const sameSitemap = (before: PageColumns, now: PageColumns): boolean =>
  (["path", "language_code", "id", "updated"] as const).every(
    (name) =>
      before[name] === now[name] ||
      (before[name].length === now[name].length && before[name].every((value, at) => value === now[name][at])),
  );

/** The sitemaps of the former build, where their files are unchanged. */
function unchangedSitemaps({ files }: State, { found, unsure }: Output): State["files"] | undefined {
  const sitemaps = Object.entries(files).filter(
    ([path, [, version]]) => version === undefined && /^sitemap(-\d+)?\.xml$/.test(path),
  );
  const areThere =
    sitemaps.length > 0 && sitemaps.every(([path, [size]]) => found.get(path) === size && !unsure.has(path));
  return areThere ? Object.fromEntries(sitemaps) : undefined;
}

/** As the HTML route answers without a template. */
const BARE_NOT_FOUND = "<!doctype html><title>Not found</title><h1>Not found</h1>";

function isCopied(stored: State | undefined, output: Output, path: string, { version }: MediaFile): boolean {
  const known = stored?.files[path];
  return known !== undefined && known[1] === version && output.found.get(path) === known[0] && !output.unsure.has(path);
}

/** Files of former builds that may have to be removed: those of pages that are rendered again or gone, and those of no page. */
function formerFiles(stored: State | undefined, kept: Plan["kept"], { unsure }: Output): Set<string> {
  const files = new Set([...unsure, ...Object.keys(stored?.files ?? {})]);
  if (!stored) return files;
  const stays = new Uint8Array(stored.pages.path.length);
  for (const at of kept) if (at >= 0) stays[at] = 1;
  for (let at = stays.indexOf(0); at >= 0; at = stays.indexOf(0, at + 1)) {
    // Where it was built, wherever pages may be by now.
    for (const name of stored.names) files.add(fileIn(builtFolder(stored.pages.path[at]!), name));
  }
  return files;
}

interface Made {
  readonly fingerprint: string;
  readonly names: State["names"];
  readonly epoch: State["epoch"];
  readonly columns: PageColumns;
  readonly redirects: State["redirects"];
  readonly files: State["files"];
  readonly templates: State["templates"];
  readonly lastScan: State["lastScan"];
  /** The former state; its dependencies have the first numbers. */
  readonly before: State | undefined;
}

function stateOf(
  { dependencies, source }: BuildInput,
  { fingerprint, names, epoch, columns, redirects, files, templates, lastScan, before }: Made,
): State {
  const { server_time } = source;
  const stored = before?.dependencies ?? [];
  const used = new Uint8Array(countOf(stored) + dependencies.all.length);
  flagAll(columns.payloadDeps, used);
  flagAll(columns.renderDeps, used);
  const { groups, numbers } = nextDependencies(stored, used, dependencies.all, source.digest);
  const pages = {
    ...columns,
    payloadDeps: renumbered(columns.payloadDeps, numbers),
    renderDeps: renumbered(columns.renderDeps, numbers),
  };
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
    pages,
    redirects,
    dependencies: groups,
    tables,
    tablesOf: Object.fromEntries(tablesOf),
    templates,
    lastScan,
    files,
  };
}

/**
 * Of what every page depends on beside the content: program, settings, what is wanted.
 *
 * @param name the source's
 */
export function fingerprintOf(config: Config, name: string, { html, json }: OutputFormats): string {
  // Functions among the settings count by their text, and the order of languages counts.
  return objectHash([PROGRAM.version, name, html, json, config], { algorithm: "sha1", unorderedObjects: false });
}
