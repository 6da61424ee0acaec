/** Configured redirects: the one file `content/redirects.yaml`, a list of rows that only people write (decisions.md 42). */
import { invalid } from "../../errors.ts";
import { isObject, own, type Json } from "../../model/json.ts";
import { findLang, type Lang, type Locales } from "../../model/locale.ts";
import { parseYaml } from "../codec/yaml.ts";
import type { Entity, Kind } from "../kind.ts";
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

const FILE = "content/redirects.yaml";

export const REDIRECTS: Kind<RedirectTable> = {
  name: "Redirect",
  dir: FILE,
  decode: (path, bytes) => ({ data: { rows: parseYaml(new TextDecoder().decode(bytes), path) } }),
  order: () => [],
  split: (path) => (path === FILE ? { base: "content/redirects", part: ".yaml" } : undefined),
  fromFiles(base, files, locales) {
    const rows = own([...files.values()][0]!.data, "rows");
    const errors: FileErrors = {};
    const read = Array.isArray(rows) ? rows.map((row: Json, at) => readRow(row, at, locales, errors)) : [];
    if (!Array.isArray(rows)) errors.rows = ["A list of redirects is expected, each with from and to."];
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return { id: derivedId(base), rows: read.filter((row) => row !== undefined) };
  },
  toFiles: (table, main) => new Map([[main, { data: { rows: table.rows.map((row) => ({ ...row })) } }]]),
  newBase: () => "content/redirects",
};

function readRow(row: Json, at: number, locales: Locales, errors: FileErrors): Redirect | undefined {
  const wrong = (message: string): undefined => {
    errors[at] = [message];
    return undefined;
  };
  if (!isObject(row)) return wrong("A redirect is a mapping with from and to.");
  const { from, to, status = 301, language } = row;
  if (typeof from !== "string" || !/^\/(?!\/)/.test(from)) return wrong("from: a path that begins with one slash is expected.");
  if (typeof to !== "string" || !isTarget(to)) return wrong("to: a path of the site, or an absolute http or https URL, is expected.");
  if (status !== 301 && status !== 302) return wrong("status: 301 or 302 is expected.");
  const lang = language === undefined || language === null ? undefined : findLang(locales, String(language));
  if (language != null && lang === undefined) return wrong(`language: ${String(language)} is not among the site's languages.`);
  return { from: from.replace(/\/+$/, "") || "/", to, status, ...(lang && { language: lang }) };
}

/** `//host` and `/\host` look like paths and lead off the site. */
function isTarget(to: string): boolean {
  if (/[\s\\\p{Cc}]/u.test(to)) return false;
  if (/^\/(?!\/)/.test(to)) return true;
  return /^https?:\/\//i.test(to) && URL.canParse(to);
}
