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
import { fileIn, folderOfPath } from "./place.ts";
import { keepable } from "./plan.ts";
import type { Questions } from "./questions.ts";
import { failureOf, type Failure, type Report } from "./report.ts";
import { headersText, redirectFiles, robotsText, sitemapFiles } from "./site-files.ts";
import type { Listing, MediaFile, Source } from "./source.ts";
import { readState, writeState, type BuiltPage, type State } from "./state.ts";
import { openTemplateUse } from "./template-use.ts";

export interface BuildOptions extends Wanted {
  readonly out: string;
  /** Whether every page is rendered, whatever an earlier build has left. */
  readonly full: boolean;
  /** Whether redirects are written as rules for nginx as well. */
  readonly nginx: boolean;
  /** What lies in the output, where somebody has begun to look already; undefined when that failed. */
  readonly look?: Promise<Look | undefined>;
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
  const stored = await readState(options.out);
  const output = openOutput(options.out, stored !== undefined, await options.look);
  const fingerprint = fingerprintOf(config, source.name, options);
  const use = openTemplateUse(input.templates);
  const shop = { ...input, output, use };
  const failures: Failure[] = [];
  const places = placesOf(source.pages, mediaUrl, failures);
  const keep = !options.full && stored?.fingerprint === fingerprint ? await keepable(stored, { source, questions, output, use, places }) : new Map<Listing, BuiltPage>();
  const numbers = new Map(source.pages.map((page, at) => [page, at]));
  const toMake = [...places].filter(([page]) => !keep.has(page));
  const media = new Map((await source.media()).map((file) => [mediaUrl.slice(1) + file.path, file]));
  const toCopy = [...media].filter(([path, file]) => !isCopied(stored, output, path, file));
  const toWrite = toMake.flatMap(([, folder]) => namesOf(options).map((name) => fileIn(folder, name)));
  const formerly = formerFiles(stored, new Set(keep.values()), output, mediaUrl);

  output.announce([...new Set([...toWrite, ...toCopy.map(([path]) => path), ...FIXED, ...(input.extra?.keys() ?? []), ...formerly])]);
  const files: Record<string, readonly [number, string?]> = {};
  let written = 0;
  const built = new Map(keep);
  const failed = new Map<Listing, Failure>();
  let done = 0;
  const hands = (source.content && input.hire?.(toMake.length, options.out)) ?? [];
  await makeTogether({
    jobs: toMake.map(([listing, folder]) => [numbers.get(listing)!, folder]),
    sees: hands.length > 0 ? `${fingerprint} ${source.content!()}` : "",
    hands,
    make: (jobs) => buildPages(shop, options, jobs),
    numberOf: questions.number,
    setOf: (set) => use.known(set) ?? -1,
    done(outcome) {
      const listing = source.pages[outcome.at]!;
      if (outcome.page) {
        built.set(listing, outcome.page);
        source.trust(listing, outcome.page.id, outcome.page.hash);
      } else if (outcome.failure) failed.set(listing, outcome.failure);
      written += outcome.written;
      options.progress?.(++done, toMake.length);
    },
  });
  const pages = source.pages.flatMap((listing) => built.get(listing) ?? []);
  failures.push(...source.pages.flatMap((listing) => failed.get(listing) ?? []));
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
  for (const [path, text] of await siteFiles(input, options, pages, [...media.values()], failures)) {
    // One that somebody else put there is theirs.
    if (path === ROBOTS && output.found.has(ROBOTS) && !formerly.has(ROBOTS)) continue;
    if (media.has(path)) continue;
    if (output.put(path, text)) written++;
    files[path] = [Buffer.byteLength(text)];
  }
  const state = stateOf(input, fingerprint, pages, files, use.sets);
  const now = new Set(Object.keys(files));
  for (const [listing, page] of built) for (const name in page.files) now.add(fileIn(places.get(listing)!, name));
  const gone = [...formerly].filter((path) => !now.has(path) && output.found.has(path));
  for (const path of gone) output.remove(path);
  await writeState(options.out, state);
  output.settle();
  return {
    pages: pages.length,
    rendered: toMake.length,
    kept: keep.size,
    removed: gone.length,
    written,
    media: media.size,
    unknown: [...output.found.keys()].filter((path) => !now.has(path) && !formerly.has(path)).sort(),
    failures,
    warnings: config.BASE_URL === null && options.html ? ["BASE_URL is not set, so the sitemap has no absolute addresses."] : [],
    took: Math.round(performance.now() - began),
  };
}

/** Paths a build may touch whatever the site holds. */
const FIXED = [NOT_FOUND, ROBOTS, "sitemap.xml", "_redirects", "redirects.json", "redirects.nginx.conf", "_headers"];

/** Each page's folder. A page that has no safe one, or whose folder differs from another's by case alone, fails. */
function placesOf(pages: readonly Listing[], mediaUrl: string, failures: Failure[]): ReadonlyMap<Listing, string> {
  const taken = new Set<string>();
  const places = new Map<Listing, string>();
  for (const page of pages) {
    const folder = folderOfPath(page.path, mediaUrl);
    const key = folder?.toLowerCase().normalize("NFC");
    if (folder !== undefined && !taken.has(key!)) places.set(page, folder);
    else {
      const message = folder === undefined ? `No file can have the path ${page.path}.` : `${page.path} differs from another page's path by case alone.`;
      failures.push({ path: page.path, language: page.language_code, template: null, line: null, message });
    }
    if (key !== undefined) taken.add(key);
  }
  return places;
}

async function siteFiles({ config, templates, source, extra }: BuildInput, { html, nginx }: BuildOptions, pages: readonly BuiltPage[], media: readonly MediaFile[], failures: Failure[]): Promise<Map<string, string>> {
  const { locales } = config;
  const origin = config.BASE_URL ?? "";
  const texts = new Map<string, string>([...redirectFiles(source.redirects, nginx), ...(extra ?? [])]);
  if (!html) return texts;
  for (const [name, text] of sitemapFiles(pages, locales, origin)) texts.set(name, text);
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

/** As the HTML route answers without a template. */
const BARE_NOT_FOUND = "<!doctype html><title>Not found</title><h1>Not found</h1>";

function isCopied(stored: State | undefined, output: Output, path: string, { version }: MediaFile): boolean {
  const known = stored?.files[path];
  return known !== undefined && known[1] === version && output.found.get(path) === known[0] && !output.unsure.has(path);
}

/** What a build may have left and nobody has kept yet: the files of pages that are made anew or gone, and those of no page. */
function formerFiles(stored: State | undefined, kept: ReadonlySet<BuiltPage>, { unsure }: Output, mediaUrl: string): Set<string> {
  const files = new Set([...unsure, ...Object.keys(stored?.files ?? {})]);
  // Of a kept page that another set of templates belongs to now, this is not the same object: its files stay all the same.
  for (const page of stored?.pages ?? []) {
    const folder = kept.has(page) ? undefined : folderOfPath(page.path, mediaUrl);
    if (folder !== undefined) for (const name in page.files) files.add(fileIn(folder, name));
  }
  return files;
}

function stateOf({ questions, source }: BuildInput, fingerprint: string, pages: readonly BuiltPage[], files: State["files"], templates: State["templates"]): State {
  const { server_time, epoch, redirects } = source;
  const used = new Uint8Array(questions.all.length);
  for (const { reads, asks } of pages) {
    for (const at of reads) used[at] = 1;
    for (const at of asks) used[at] = 1;
  }
  const answers = questions.all.map((asked, at) => ({ asked, digest: used[at] ? (questions.known(at) ?? source.digest(asked)) : "" }));
  const state = { fingerprint, server_time, epoch, pages, redirects, questions: answers, templates, files };
  return used.reduce((sum, each) => sum + each, 0) < answers.length * USED_MIN ? tidied(state, used) : state;
}

/** Share of its questions a state may hold that no page asks any more. */
const USED_MIN = 0.8;

function tidied(state: State, used: Uint8Array): State {
  const numbers: number[] = [];
  const questions = state.questions.filter((_, at) => used[at]);
  let next = 0;
  for (let at = 0; at < used.length; at++) if (used[at]) numbers[at] = next++;
  const renumbered = (ats: readonly number[]): number[] => ats.map((at) => numbers[at]!);
  return { ...state, questions, pages: state.pages.map((page) => ({ ...page, reads: renumbered(page.reads), asks: renumbered(page.asks) })) };
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
