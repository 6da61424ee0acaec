/**
 * Languages in paths, keys and headers.
 *
 * There is no "current language": every read names one. The default language is the fallback for missing values,
 * and the only one whose paths have no prefix.
 */
import type { FieldKinds } from "../fields/kind.ts";
import type { FrontMatter } from "../front-matter/front-matter.ts";
import type { TimeZone } from "../time/time-zone.ts";
import { derived } from "../../memo.ts";
import { trimEnd } from "../text/trim.ts";

/** A language code as the settings spell it: `en`, `pt-BR`. */
export type Lang = string;

/** What other parts of the site answer, by the settings. */
export interface TakenAddresses {
  /** The setting `MEDIA.URL`; begins and ends with a slash. */
  readonly mediaUrl: string;
  /** Paths below which the API and the editor answer, without a final slash. */
  readonly serviceRoots: readonly string[];
  /** Whether the canonical addresses of pages end with a slash. */
  readonly appendSlash: boolean;
}

export interface Locales {
  /** In the order of the settings, which is the order of every list by language. */
  readonly codes: readonly Lang[];
  readonly default: Lang;
  /** Field kinds that plugins add: like the languages, they decide how content is read. */
  readonly fieldKinds?: FieldKinds;
  /** Of moments without a zone in files; absent: those are errors. */
  readonly timeZone?: TimeZone;
  /** Of Markdown files of pages: what their keys mean; absent: as in YAML files. */
  readonly frontMatter?: FrontMatter;
  /** Addresses that no page can have; absent: those of the languages alone. */
  readonly taken?: TakenAddresses;
  /** In the addresses of lists; absent for languages that have the default ones. */
  readonly listWords?: Readonly<Record<Lang, ListWords>>;
}

/** The words in the addresses of lists, such as `/journal/tag/clay/page/2/`. */
export interface ListWords {
  readonly page: string;
  readonly tag: string;
  readonly author: string;
}

export const LIST_WORDS: ListWords = { page: "page", tag: "tag", author: "author" };

/** The words of a language from its setting: a text alone is that for `page`. */
export const listWordsOf = (set: string | Partial<ListWords>): ListWords => ({
  ...LIST_WORDS,
  ...(typeof set === "string" ? { page: set } : set),
});

/** The configured language with a code, ignoring case; undefined for any other. */
export const findLang = ({ codes }: Locales, code: string): Lang | undefined =>
  byLowerCode(codes).get(code.trim().toLowerCase());

/** Of codes that differ in case only, the first counts. */
const byLowerCode = derived(
  (codes: readonly Lang[]): ReadonlyMap<string, Lang> =>
    new Map([...codes].reverse().map((lang) => [lang.toLowerCase(), lang])),
);

/** The suffix of a language in flat keys: `title_it`, `title_pt_br`. */
export const langSuffix = (lang: Lang): string => lang.toLowerCase().replaceAll("-", "_");

/** `title_it` -> the field and its language; undefined when the key ends in no configured language. */
export function splitSuffixed(locales: Locales, key: string): { field: string; lang: Lang } | undefined {
  const lower = key.toLowerCase();
  // With `br` and `pt-BR` configured, `title_pt_br` is `pt-BR`.
  const [longest] = locales.codes
    .map((lang) => ({ lang, suffix: `_${langSuffix(lang)}` }))
    .filter(({ suffix }) => lower.endsWith(suffix) && key.length > suffix.length)
    .sort((a, b) => b.suffix.length - a.suffix.length);
  return longest && { field: key.slice(0, -longest.suffix.length), lang: longest.lang };
}

/**
 * The preferred language of an `Accept-Language` header: the highest quality first. Each tag is shortened subtag by subtag
 * (RFC 4647, Lookup), so that `zh-Hant-TW` also means `zh-Hant` and `zh`; where none of these is configured, `pt` and
 * `pt-PT` mean the first language that begins so, such as `pt-BR`.
 *
 * @returns undefined when none of its languages is configured
 */
export function preferredLang(locales: Locales, header: string): Lang | undefined {
  const asked = header
    .split(",")
    .slice(0, 50)
    .map((part, index) => {
      const [tag = "", ...parameters] = part.trim().split(";");
      const q = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
      return { tag: tag.trim(), quality: q === undefined ? 1 : Number(q), index };
    })
    .filter(({ tag, quality }) => tag !== "" && quality > 0)
    .sort((a, b) => b.quality - a.quality || a.index - b.index);
  for (const { tag } of asked) {
    const lang = langOfTag(locales, tag.slice(0, TAG_MAX));
    if (lang) return lang;
  }
  return undefined;
}

/** In characters; longer tags are of no language. */
const TAG_MAX = 100;

function langOfTag(locales: Locales, tag: string): Lang | undefined {
  const shorter: string[] = [];
  for (let each = tag; each !== ""; each = each.slice(0, Math.max(0, each.lastIndexOf("-")))) shorter.push(each);
  for (const each of shorter) {
    const found = findLang(locales, each);
    if (found !== undefined) return found;
  }
  for (const each of shorter) {
    const found = locales.codes.find((code) => code.toLowerCase().startsWith(`${each.toLowerCase()}-`));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is between the first two slashes of a path; "" where there is none. */
export function firstSegment(path: string): string {
  const from = path.indexOf("/") + 1;
  if (from === 0) return "";
  const to = path.indexOf("/", from);
  return to < 0 ? path.slice(from) : path.slice(from, to);
}

/**
 * Splits the language prefix from a path, also that of the default language: `/it/chi-siamo/` -> `it`, `/chi-siamo/`.
 */
export function splitLang(locales: Locales, path: string): { lang: Lang; rest: string; prefixed: boolean } {
  const first = firstSegment(path);
  const lang = findLang(locales, first);
  if (lang === undefined || first === "") return { lang: locales.default, rest: path, prefixed: false };
  return { lang, rest: path.slice(1 + first.length), prefixed: true };
}

/**
 * The public path of a permalink: with a prefix for any but the default language, and a final slash if the setting
 * `APPEND_SLASH` is on. Not percent-encoded.
 */
export function publicPath(locales: Locales, lang: Lang, permalink: string, appendSlash: boolean): string {
  const prefix = lang === locales.default ? "" : `/${lang}`;
  const bare = trimEnd(permalink, "/");
  if (bare === "") return prefix === "" ? "/" : appendSlash ? `${prefix}/` : prefix;
  return `${prefix}${bare}${appendSlash ? "/" : ""}`;
}

/** A path for use in a URL: percent-encoded, except for its slashes. */
export const encodePath = (path: string): string =>
  PLAIN_PATH.test(path) ? path : path.split("/").map(encodeURIComponent).join("/");

/** Most paths need no encoding, and the test is faster. */
const PLAIN_PATH = /^[\w./~-]*$/;

/** An address as it names a file or page; unchanged when it is not percent-encoded. */
export function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
