/** Configured redirects: the file `content/redirects.yaml`, a list of rows. */
import { invalid } from "../../errors.ts";
import { isObject, own, type Json } from "../../model/input/json.ts";
import { findLang, splitLang, type Lang, type Locales } from "../../model/language/locale.ts";
import { permalinkOf } from "../../model/address/permalink.ts";
import type { Entity, Kind } from "./record-type.ts";
import { derivedId, type FileErrors } from "./fields.ts";

export interface Redirect {
  /** A permalink: leading slash, no final one, no language prefix. */
  readonly from: string;
  /** A path of the site, or an absolute http or https URL. */
  readonly to: string;
  readonly status: 301 | 302;
  /** undefined: the default language. */
  readonly language?: Lang;
}

export interface RedirectTable extends Entity {
  readonly rows: readonly Redirect[];
}

const BASE = "content/redirects";
const FILE = `${BASE}.yaml`;
/** In characters: servers refuse longer paths and URLs. */
const ADDRESS_MAX = 2000;

/** The id of the one table of a site. */
export const REDIRECTS_ID = derivedId(BASE);

export const LEADS_BACK = "This redirect leads back to itself.";

export const REDIRECTS: Kind<RedirectTable> = {
  name: "Redirect",
  dir: FILE,
  order: () => [],
  split: (path) => (path === FILE ? { base: BASE, part: ".yaml" } : undefined),
  fromFiles(_base, files, locales) {
    const rows = own([...files.values()][0]!.data, "rows");
    const errors: FileErrors = {};
    const read = Array.isArray(rows) ? rows.map((row: Json, at) => readRow(row, at, locales, errors)) : [];
    for (const at of circlesIn(read, locales)) errors[at] = [LEADS_BACK];
    if (!Array.isArray(rows)) errors.rows = ["A list of redirects is expected, each with from and to."];
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return { id: REDIRECTS_ID, rows: read.filter((row) => row !== undefined) };
  },
  toFiles: (table, main) => new Map([[main, { data: { rows: table.rows.map((row) => ({ ...row })) } }]]),
  newBase: () => BASE,
};

/**
 * A row as it is stored, without the values that it has by default.
 *
 * @param errors gets a message by the number of the row
 */
function readRow(row: Json, at: number, locales: Locales, errors: FileErrors): Redirect | undefined {
  const read = readRedirect(row, locales);
  if (!("errors" in read)) return read;
  errors[at] = Object.entries(read.errors).map(([field, [message = ""]]) =>
    field === "non_field_errors" ? message : `${field}: ${message}`,
  );
  return undefined;
}

/** @param row from a file or a client @returns the redirect, or what is wrong with its first wrong field */
export function readRedirect(
  row: Json,
  locales: Locales,
): Redirect | { readonly errors: Readonly<Record<string, readonly string[]>> } {
  if (!isObject(row)) return { errors: { non_field_errors: ["A redirect is a mapping with from and to."] } };
  const { from, to, status = 301, language: named } = row;
  const lang = named === undefined || named === null ? undefined : findLang(locales, String(named));
  const isFrom = typeof from === "string" && from.length <= ADDRESS_MAX && /^\/(?!\/)/.test(from);
  const isTo = typeof to === "string" && to.length <= ADDRESS_MAX && isTarget(to);
  const isStatus = status === 301 || status === 302;
  const isLanguage = lang !== undefined || named === undefined || named === null;
  if (isFrom && isTo && isStatus && isLanguage) {
    const source = langPath(from, lang ?? locales.default, locales);
    const language = lang ?? (source.lang === locales.default ? undefined : source.lang);
    return { from: source.permalink, to, status, ...(language && { language }) };
  }
  const expected = (address: Json | undefined, form: string): readonly string[] => [
    typeof address === "string" && address.length > ADDRESS_MAX
      ? `at most ${ADDRESS_MAX} characters are expected.`
      : `${form} is expected.`,
  ];
  return {
    errors: {
      ...(!isFrom && { from: expected(from, "a path that begins with one slash") }),
      ...(!isTo && { to: expected(to, "a path of the site, or an absolute http or https URL,") }),
      ...(!isStatus && { status: ["301 or 302 is expected."] }),
      ...(!isLanguage && { language: [`${String(named)} is not among the site's languages.`] }),
    },
  };
}

/** The language and permalink of a path of the site; its language prefix has priority over `lang`. */
export function langPath(path: string, lang: Lang, locales: Locales): { lang: Lang; permalink: string } {
  const { lang: prefix, rest, prefixed } = splitLang(locales, path.replace(/[?#].*$/s, ""));
  return { lang: prefixed ? prefix : lang, permalink: permalinkOf(rest) };
}

/** Positions of rows that lead back to themselves. */
export function circlesIn(rows: readonly (Redirect | undefined)[], locales: Locales): number[] {
  const key = (lang: Lang, permalink: string): string => `${lang} ${permalink}`;
  const next = new Map<string, string>();
  const sources = rows.map((row) => {
    if (!row) return undefined;
    const lang = row.language ?? locales.default;
    if (row.to.startsWith("/")) {
      const to = langPath(row.to, lang, locales);
      if (!next.has(key(lang, row.from))) next.set(key(lang, row.from), key(to.lang, to.permalink));
    }
    return key(lang, row.from);
  });
  return sources.flatMap((source, at) => {
    const seen = new Set<string>();
    for (let step = source && next.get(source); step !== undefined && !seen.has(step); step = next.get(step)) {
      if (step === source) return [at];
      seen.add(step);
    }
    return [];
  });
}

/** `//host` and `/\host` look like paths and lead off the site. */
function isTarget(to: string): boolean {
  if (/[\s\\\p{Cc}]/u.test(to)) return false;
  if (/^\/(?!\/)/.test(to)) return true;
  return /^https?:\/\//i.test(to) && URL.canParse(to);
}
