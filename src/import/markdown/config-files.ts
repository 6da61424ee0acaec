/** Reading the configuration of a source: files in YAML, TOML or JSON. */
import { invalid } from "../../errors.ts";
import { isObject, mergeJson, own, type Json, type JsonObject } from "../../model/input/json.ts";
import { trimEnd } from "../../model/text/trim.ts";
import type { DialectContext, SourceConfig } from "./generators/dialect.ts";
import { readFrontMatterData, type DataFormat } from "./front-matter.ts";
import { stemOf, type SourcePath } from "./source-tree.ts";

export const formatOf = (path: SourcePath): DataFormat | undefined =>
  /\.ya?ml$/i.test(path) ? "yaml" : /\.toml$/i.test(path) ? "toml" : /\.json$/i.test(path) ? "json" : undefined;

/** The value of a data file; undefined where there is none, and where it cannot be read, which is told. */
export async function readDataFile(context: DialectContext, path: SourcePath): Promise<Json | undefined> {
  const format = formatOf(path);
  if (format === undefined || !context.tree.has(path)) return undefined;
  const parsed = readFrontMatterData(format, await context.read(path), path);
  if ("value" in parsed) return parsed.value;
  context.remark({ file: path, ...parsed.error });
  return undefined;
}

/**
 * The first of several configuration files that exists.
 *
 * @throws CmsError `invalid` where it cannot be read: it says what is public, and where
 */
export async function readSiteConfig(
  context: DialectContext,
  paths: readonly SourcePath[],
): Promise<{ readonly data: JsonObject; readonly file: SourcePath }> {
  const file = paths.find((path) => context.tree.has(path));
  const data = file === undefined ? undefined : await readDataFile(context, file);
  if (file !== undefined && data === undefined)
    throw invalid({}, `${file} cannot be read: correct it, and import again.`);
  return { data: isObject(data) ? data : {}, file: file ?? paths[0]! };
}

/** A folder of configuration, as `config/_default` of Hugo: each file is the value of its name, `config` the whole. */
export async function readConfigFolder(context: DialectContext, folder: SourcePath): Promise<JsonObject> {
  let merged: JsonObject = {};
  for (const path of context.tree.paths.filter((each) => each.startsWith(`${folder}/`))) {
    const data = await readDataFile(context, path);
    if (data === undefined) continue;
    // `menus.en` is the menus of a language.
    const [name = "", lang] = stemOf(path).split(".");
    const value: JsonObject = name === "hugo" || name === "config" ? (isObject(data) ? data : {}) : { [name]: data };
    merged = mergeJson(merged, lang === undefined ? value : { languages: { [lang]: value } }) as JsonObject;
  }
  return merged;
}

/** A value by its path; undefined where any part is missing. */
export function settingAt(data: Json, ...keys: readonly string[]): Json | undefined {
  let at: Json | undefined = data;
  for (const key of keys) at = isObject(at) ? own(at, key) : undefined;
  return at;
}

export function textAt(data: Json, ...keys: readonly string[]): string | undefined {
  const value = settingAt(data, ...keys);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What a configuration says; `basePath` beside that of `baseUrl`, `langs` beside those of the site here. */
export function sourceConfig(
  context: DialectContext,
  { data = {}, file, baseUrl, basePath = "", timeZone, ...stated }: Partial<SourceConfig> & Pick<SourceConfig, "file">,
): SourceConfig {
  const { defaultLang = context.defaultLang, langs = [] } = stated;
  const url = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const path = trimEnd(`${url && url.pathname !== "/" ? trimEnd(url.pathname, "/") : ""}${basePath}`, "/");
  return {
    data,
    file,
    baseUrl: url?.origin,
    basePath: path === "" || path.startsWith("/") ? path : `/${path}`,
    defaultLang,
    langs: [...new Set([defaultLang, ...langs, ...context.langs])],
    timeZone,
  };
}
