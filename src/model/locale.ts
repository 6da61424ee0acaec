/**
 * Languages, and how they show in paths, keys and headers.
 *
 * There is no "current language": whoever reads says which one. The default language is also the one that fills
 * gaps (decisions.md 3), and the only one whose paths carry no prefix.
 */
import { trimEnd } from "./trim.ts";

/** A language code as the settings spell it: `en`, `pt-BR`. */
export type Lang = string;

export interface Locales {
  /** In the order of the settings; everything listed by language comes out in this order. */
  readonly codes: readonly Lang[];
  readonly default: Lang;
}

/** The configured language a code means, whatever its case; undefined for any other (decisions.md 3). */
export function findLang(locales: Locales, code: string): Lang | undefined {
  const wanted = code.trim().toLowerCase();
  return locales.codes.find((lang) => lang.toLowerCase() === wanted);
}

/** How a language stands in a flat key: `title_it`, `title_pt_br`. */
export const langSuffix = (lang: Lang): string => lang.toLowerCase().replaceAll("-", "_");

/** `title_it` -> the field and its language; undefined when the key ends in no configured language. */
export function splitSuffixed(locales: Locales, key: string): { field: string; lang: Lang } | undefined {
  const lower = key.toLowerCase();
  // Of `br` and `pt-BR`, `title_pt_br` means the longer.
  const [longest] = locales.codes
    .map((lang) => ({ lang, suffix: `_${langSuffix(lang)}` }))
    .filter(({ suffix }) => lower.endsWith(suffix) && key.length > suffix.length)
    .sort((a, b) => b.suffix.length - a.suffix.length);
  return longest && { field: key.slice(0, -longest.suffix.length), lang: longest.lang };
}

/**
 * The language the `Accept-Language` header asks for: highest quality first, `it-IT` also asks for `it`.
 *
 * @returns undefined when it asks for none that is configured
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
    const lang = findLang(locales, tag) ?? findLang(locales, tag.split("-")[0]!);
    if (lang) return lang;
  }
  return undefined;
}

/** Takes the language off a path: `/it/chi-siamo/` -> `it`, `/chi-siamo/`. The default language's own prefix counts too. */
export function splitLang(locales: Locales, path: string): { lang: Lang; rest: string; prefixed: boolean } {
  const [, first = ""] = path.split("/", 2);
  const lang = findLang(locales, first);
  if (lang === undefined || first === "") return { lang: locales.default, rest: path, prefixed: false };
  return { lang, rest: path.slice(1 + first.length), prefixed: true };
}

/**
 * The public path of a permalink: language prefix unless it is the default language, final slash as the setting
 * `APPEND_SLASH` has it, not percent-encoded.
 */
export function publicPath(locales: Locales, lang: Lang, permalink: string, appendSlash: boolean): string {
  const prefix = lang === locales.default ? "" : `/${lang}`;
  const bare = trimEnd(permalink, "/");
  if (bare === "") return prefix === "" ? "/" : appendSlash ? `${prefix}/` : prefix;
  return `${prefix}${bare}${appendSlash ? "/" : ""}`;
}

/** The path as it goes into a link: percent-encoded, its slashes kept. */
export const encodePath = (path: string): string => (PLAIN_PATH.test(path) ? path : path.split("/").map(encodeURIComponent).join("/"));

/** Nothing in it needs encoding; so are most paths. */
const PLAIN_PATH = /^[\w./~-]*$/;
