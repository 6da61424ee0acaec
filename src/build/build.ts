/**
 * A static site that is exactly what the service would serve, made by doing only what has changed.
 *
 * Every page is made by the code of the HTML route. What each asked of the content is noted, and a page is kept only
 * while every answer is still the same, so that building what changed and building everything end with the same bytes.
 */
import { createHash } from "node:crypto";
import type { Config } from "../config.ts";
import { renderSiteHtml } from "../render/page.ts";
import type { Templates } from "../render/templates.ts";
import { PROGRAM } from "../version.ts";
import { makeTogether, type Hand } from "./crew.ts";
import type { Look } from "./look.ts";
import { openOutput, type Output } from "./output.ts";
import { buildPages, namesOf, requestFor, settled, type Wanted } from "./page-files.ts";
import { builtFolder, fileIn, folded, folderOfPath } from "./place.ts";
import { keepable, type Plan } from "./plan.ts";
import { TABLE, type Questions } from "./questions.ts";
import { failureOf, type Failure, type Report } from "./report.ts";
import { headersText, redirectFiles, robotsText, sitemapFiles, sitemapNames } from "./site-files.ts";
import type { Listing, MediaFile, Source } from "./source.ts";
import { nextPages, nextQuestions, readState, writeState, type BuiltPage, type PageColumns, type State } from "./state.ts";
import { openTemplateUse } from "./template-use.ts";

export interface BuildOptions extends Wanted {
  readonly out: string;
  /** Whether every page is rendered, whatever an earlier build has left. */
  readonly full: boolean;
  /** Whether redirects are written as rules for nginx as well. */
  readonly nginx: boolean;
  /** Looks into the output together with somebody who has begun to look already; undefined when that failed. */
  look?(state: State | undefined): Promise<Look | undefined>;
  /** Told after each page that is made. */
  progress?(done: number, of: number): void;
}

export interface BuildInput {
  readonly config: Config;
  readonly templates: Templates;
  readonly questions: Questions;
  readonly source: Source;
  /** Gets other processes to make so many pages of this source into a folder, as many as that is worth. */
  hire?(pages: number, out: string): readonly Hand[];
  /** Further files, text by path. */
  readonly extra?: ReadonlyMap<string, string>;
}

const NOT_FOUND = "404.html";
const ROBOTS = "robots.txt";

/** @throws CmsError `setup` when the folder is not a build's and not empty */
export async function build(input: BuildInput, options: BuildOptions): Promise<Report> {
  const began = performance.now();
  const { config, source, questions } = input;
  const mediaUrl = config.MEDIA.URL;
  const names = namesOf(options);
  const stored = await readState(options.out);
  const output = openOutput(options.out, stored, await options.look?.(stored));
  const fingerprint = fingerprintOf(config, source.name, options);
  const use = openTemplateUse(input.templates);
  const shop = { ...input, output, use };
  const failures: Failure[] = [];
  const places = placesOf(source.pages, mediaUrl, failures);
  const before = !options.full && stored?.fingerprint === fingerprint ? stored : undefined;
  const { kept, sets } = before ? await keepable(before, { source, questions, output, use, places }) : NOTHING_KEPT;
  const toMake = [...source.pages.keys()].filter((at) => places[at] !== undefined && kept[at] === undefined);
  const media = new Map((await source.media()).map((file) => [mediaUrl.slice(1) + file.path, file]));
  const toCopy = [...media].filter(([path, file]) => !isCopied(stored, output, path, file));
  const toWrite = toMake.flatMap((at) => names.map((name) => fileIn(places[at]!, name)));
  const formerly = formerFiles(stored, kept, output);

  // One that somebody else put there is theirs, and is not to be taken for ours after a build that was killed.
  const isForeign = (path: string): boolean => output.found.has(path) && !formerly.has(path);
  const ours = siteNames(options, source.pages.length).filter((path) => path !== ROBOTS || !isForeign(ROBOTS));

  output.announce([...new Set([...toWrite, ...toCopy.map(([path]) => path), ...ours, ...(input.extra?.keys() ?? []), ...formerly])]);
  const files: Record<string, readonly [number, string?]> = {};
  let written = 0;
  const made: (BuiltPage | undefined)[] = [];
  const failed: Failure[] = [];
  let done = 0;
  const hands = (source.content && input.hire?.(toMake.length, options.out)) ?? [];
  await makeTogether({
    jobs: toMake.map((at) => [at, places[at]!]),
    sees: hands.length > 0 ? `${fingerprint} ${source.content!()}` : "",
    hands,
    make: (jobs) => buildPages(shop, options, jobs),
    numberOf: questions.number,
    setOf: (set) => use.known(set) ?? -1,
    done(outcome) {
      const { at, page, failure } = outcome;
      if (page) {
        made[at] = page;
        source.trust(source.pages[at]!, page.id, page.hash);
      } else if (failure) failed[at] = failure;
      written += outcome.written;
      options.progress?.(++done, toMake.length);
    },
  });
  failures.push(...failed.filter(Boolean));
  // A folder may have come to stand where a file was, or the other way round.
  const left = [...formerly].filter((path) => path.startsWith(mediaUrl.slice(1)) && !media.has(path) && output.remove(path));
  for (const [path, file] of toCopy) {
    try {
      await output.fill(path, (to) => file.copy(to));
      written++;
    } catch (error) {
      failures.push(failureOf(error, `/${path}`, null));
      media.delete(path);
    }
  }
  for (const [path, { version }] of media) files[path] = [output.sizeOf(path), version];
  const pages = nextPages();
  for (const at of source.pages.keys()) {
    const page = made[at] ?? kept[at];
    if (typeof page === "number") pages.keep(before!.pages, page, sets[before!.pages.templates[page]!]!);
    else if (page) pages.add(page);
  }
  const { columns } = pages;
  const standing = before && sameSitemap(before.pages, columns) ? standingSitemaps(before, output) : undefined;
  for (const [path, text] of await siteFiles(input, options, standing ? undefined : columns, [...media.values()], failures)) {
    if (media.has(path) || (path === ROBOTS && isForeign(ROBOTS) && !output.holds(path, text))) continue;
    try {
      if (output.put(path, text)) written++;
      files[path] = [Buffer.byteLength(text)];
    } catch (error) {
      failures.push(failureOf(error, `/${path}`, null));
    }
  }
  Object.assign(files, standing);
  const now = new Set(Object.keys(files));
  for (const at of toMake) if (made[at]) for (const name of names) now.add(fileIn(places[at]!, name));
  const gone = [...formerly].filter((path) => !now.has(path) && output.remove(path));
  await writeState(options.out, stateOf(input, { fingerprint, names, columns, files, templates: use.sets, before }));
  output.settle();
  return {
    pages: columns.path.length,
    rendered: toMake.length,
    kept: columns.path.length - made.filter(Boolean).length,
    removed: left.length + gone.length,
    written,
    media: media.size,
    unknown: [...output.found.keys()].filter((path) => !now.has(path) && !formerly.has(path)).sort(),
    failures,
    warnings: config.BASE_URL === null && options.html ? ["BASE_URL is not set, so the sitemap has no absolute addresses."] : [],
    took: Math.round(performance.now() - began),
  };
}

const NOTHING_KEPT: Plan = { kept: [], sets: [] };

/** The files a build writes beside its pages. @param pages how many there are at most */
const siteNames = ({ html, nginx }: BuildOptions, pages: number): string[] => ["_redirects", "redirects.json", ...(nginx ? ["redirects.nginx.conf"] : []), ...(html ? [NOT_FOUND, ROBOTS, "_headers", ...sitemapNames(pages)] : [])];

/** Each page's folder, by the page's place. One that has no safe one, or whose folder differs from another's by case alone, fails. */
function placesOf(pages: readonly Listing[], mediaUrl: string, failures: Failure[]): readonly (string | undefined)[] {
  const taken = new Set<string>();
  return pages.map((page) => {
    const folder = folderOfPath(page.path, mediaUrl);
    const key = folder && folded(folder);
    const isFree = key !== undefined && !taken.has(key);
    if (key !== undefined) taken.add(key);
    if (isFree) return folder;
    const message = folder === undefined ? `No file can have the path ${page.path}.` : `${page.path} differs from another page's path by case alone.`;
    failures.push({ path: page.path, language: page.language_code, template: null, line: null, message });
    return undefined;
  });
}

/** @param pages undefined where the sitemaps stay as they are */
async function siteFiles({ config, templates, source, extra }: BuildInput, { html, nginx }: BuildOptions, pages: PageColumns | undefined, media: readonly MediaFile[], failures: Failure[]): Promise<Map<string, string>> {
  const { locales } = config;
  const origin = config.BASE_URL ?? "";
  const texts = new Map<string, string>([...redirectFiles(source.redirects, nginx), ...(extra ?? [])]);
  if (!html) return texts;
  if (pages) for (const [name, text] of sitemapFiles(pages, locales, origin)) texts.set(name, text);
  texts.set(ROBOTS, robotsText(origin));
  texts.set("_headers", headersText(config, media.map(({ path }) => path)));
  try {
    const request = requestFor(config, locales.default, `/${NOT_FOUND}`);
    const lost = templates.has(NOT_FOUND) ? await settled(source, () => renderSiteHtml(templates, source.view(locales.default), NOT_FOUND, request && { ...request, path: "" }, source.ask)) : BARE_NOT_FOUND;
    texts.set(NOT_FOUND, lost);
  } catch (error) {
    failures.push(failureOf(error, `/${NOT_FOUND}`, locales.default));
  }
  return texts;
}

/** Whether all that sitemaps tell of pages is as it was. */
const sameSitemap = (before: PageColumns, now: PageColumns): boolean =>
  (["path", "language_code", "id", "updated"] as const).every((name) => before[name].length === now[name].length && before[name].every((value, at) => value === now[name][at]));

/** The sitemaps of the build before, where they lie as they were left. */
function standingSitemaps({ files }: State, { found, unsure }: Output): State["files"] | undefined {
  const sitemaps = Object.entries(files).filter(([path, [, version]]) => version === undefined && /^sitemap(-\d+)?\.xml$/.test(path));
  const areThere = sitemaps.length > 0 && sitemaps.every(([path, [size]]) => found.get(path) === size && !unsure.has(path));
  return areThere ? Object.fromEntries(sitemaps) : undefined;
}

/** As the HTML route answers without a template. */
const BARE_NOT_FOUND = "<!doctype html><title>Not found</title><h1>Not found</h1>";

function isCopied(stored: State | undefined, output: Output, path: string, { version }: MediaFile): boolean {
  const known = stored?.files[path];
  return known !== undefined && known[1] === version && output.found.get(path) === known[0] && !output.unsure.has(path);
}

/** What a build may have left and nobody has kept yet: the files of pages that are made anew or gone, and those of no page. */
function formerFiles(stored: State | undefined, kept: Plan["kept"], { unsure }: Output): Set<string> {
  const files = new Set([...unsure, ...Object.keys(stored?.files ?? {})]);
  if (!stored) return files;
  const stays = new Set(kept.map((page) => (typeof page === "object" ? page.path : page)));
  for (const [at, path] of stored.pages.path.entries()) {
    // Where it was built, wherever pages may be by now.
    if (!stays.has(at) && !stays.has(path)) for (const name of stored.names) files.add(fileIn(builtFolder(path), name));
  }
  return files;
}

interface Made {
  readonly fingerprint: string;
  readonly names: State["names"];
  readonly columns: PageColumns;
  readonly files: State["files"];
  readonly templates: State["templates"];
  /** The state whose questions have the first numbers. */
  readonly before: State | undefined;
}

function stateOf({ questions, source }: BuildInput, { fingerprint, names, columns, files, templates, before }: Made): State {
  const { server_time, epoch, redirects } = source;
  const stored = before?.questions ?? [];
  const used = new Uint8Array(stored.reduce((sum, { digests }) => sum + digests.length, 0) + questions.all.length);
  for (const at of columns.reads.numbers) used[at] = 1;
  for (const at of columns.asks.numbers) used[at] = 1;
  const { groups, renumber } = nextQuestions(stored, used, questions.all, source.digest);
  const renumbered = ({ numbers, ends }: PageColumns["reads"]): PageColumns["reads"] => ({ numbers: numbers.map(renumber), ends });
  const pages = { ...columns, reads: renumbered(columns.reads), asks: renumbered(columns.asks) };
  const basis = new Map(Object.entries(before?.basis ?? {}));
  for (const [name, kinds] of source.basis?.() ?? []) basis.set(name, [...new Set([...(basis.get(name) ?? []), ...kinds])]);
  const tables = Object.fromEntries([...new Set([...basis.values()].flat())].map((kind) => [kind, source.digest([TABLE, "", kind])]));
  return { fingerprint, names, server_time, epoch, pages, redirects, questions: groups, tables, basis: Object.fromEntries(basis), templates, files };
}

/**
 * Of what every page depends on beside the content: program, settings, what is wanted.
 *
 * @param name the source's
 */
export function fingerprintOf(config: Config, name: string, { html, json }: Wanted): string {
  // Functions among the settings count by their text.
  const text = JSON.stringify([PROGRAM.version, name, html, json, config], (_key, value: unknown) => (typeof value === "function" ? String(value) : value));
  return createHash("sha1").update(text).digest("hex");
}
