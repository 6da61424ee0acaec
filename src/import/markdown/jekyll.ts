/** Jekyll: posts in `_posts`, collections in folders that begin with `_`, pages everywhere else. */
import { isList, isObject, mergeJson, own, type Json, type JsonObject } from "../../model/json.ts";
import { readConfig, sourceConfig, textAt, valueAt } from "./config-files.ts";
import {
  foldersOf,
  pathOf,
  splitDate,
  splitLangFolder,
  splitLangSuffix,
  type ContentPlace,
  type Dialect,
  type DialectContext,
  type Located,
} from "./dialect.ts";
import { fillPattern } from "./permalink-pattern.ts";
import { isMarkdown, stemOf, type SourcePath } from "./source-tree.ts";
import { listOf } from "./field-values.ts";

/** The named styles of the setting `permalink`, for posts. */
const STYLES: Readonly<Record<string, string>> = {
  date: "/:categories/:year/:month/:day/:title:output_ext",
  pretty: "/:categories/:year/:month/:day/:title/",
  ordinal: "/:categories/:year/:y_day/:title:output_ext",
  weekdate: "/:categories/:year/W:week/:short_day/:title:output_ext",
  none: "/:categories/:title:output_ext",
};

export async function openJekyll(context: DialectContext): Promise<Dialect> {
  const { data, file } = await readConfig(context, ["_config.yml", "_config.yaml", "_config.toml"]);
  const config = sourceConfig({
    data,
    file,
    baseUrl: textAt(data, "url"),
    basePath: textAt(data, "baseurl"),
    defaultLang: textAt(data, "lang") ?? context.defaultLang,
    langs: context.langs,
    timeZone: textAt(data, "timezone"),
  });
  const source = (textAt(data, "source") ?? "").replace(/^\.?\/?/, "");
  const collections = collectionsOf(data);
  const within = (path: SourcePath): SourcePath | undefined =>
    source === "" ? path : path.startsWith(`${source}/`) ? path.slice(source.length + 1) : undefined;

  const placeOf = (path: SourcePath): ContentPlace | undefined => {
    const rest = within(path);
    if (rest === undefined || !isMarkdown(rest)) return undefined;
    const all = foldersOf(rest);
    const at = all.findIndex((name) => name.startsWith("_"));
    const special = all[at];
    const { stem, lang: suffix } = splitLangSuffix(stemOf(rest), config.langs);
    if (special === "_posts" || special === "_drafts") {
      // Folders above are categories, those below have no meaning but that of a language.
      const above = splitLangFolder(all.slice(0, at), config.langs);
      const below = splitLangFolder(all.slice(at + 1), config.langs);
      const { date, slug } = splitDate(stem);
      return {
        lang: suffix ?? above.lang ?? below.lang,
        key: ["_posts", ...above.folders, ...below.folders, stem].join("/"),
        folders: above.folders,
        isIndex: false,
        slug,
        date,
        isPost: true,
        isDraft: special === "_drafts",
      };
    }
    const name = special?.slice(1);
    if (name !== undefined && (!collections.has(name) || at !== 0)) return undefined;
    const { folders, lang } = splitLangFolder(name === undefined ? all : all.slice(1), config.langs);
    const isIndex = stem === "index" && name === undefined;
    return {
      lang: suffix ?? lang,
      key: [...(name === undefined ? [] : [`_${name}`]), ...folders, stem].join("/"),
      folders,
      isIndex,
      slug: isIndex ? "" : stem,
      ...(name !== undefined && { collection: name }),
    };
  };
  return {
    name: "jekyll",
    config,
    placeOf,
    defaultsFor: (path) => defaultsIn(data, within(path) ?? path),
    addressOf: (located) => jekyllAddress(located, data, collections),
    fileAddress(path) {
      const rest = within(path);
      return rest === undefined || rest.split("/").some((part) => part.startsWith("_")) ? undefined : `/${rest}`;
    },
    takesPlainFiles: false,
    taxonomies: [
      { field: "tags", folder: undefined },
      { field: "categories", folder: undefined },
    ],
    listsFolders: false,
    isTemplatePage: (path) => {
      const rest = within(path);
      return rest !== undefined && /\.html?$/i.test(rest) && !foldersOf(rest).some((name) => name.startsWith("_"));
    },
  };
}

function collectionsOf(data: JsonObject): ReadonlyMap<string, JsonObject> {
  const stated = valueAt(data, "collections");
  if (Array.isArray(stated)) return new Map((stated as Json[]).map((name) => [String(name), {}]));
  return new Map(
    Object.entries(isObject(stated) ? stated : {}).map(
      ([name, value]) => [name, isObject(value) ? value : {}] as const,
    ),
  );
}

/** `defaults` of the configuration for a path, the most specific last. */
function defaultsIn(data: JsonObject, path: SourcePath): JsonObject {
  const rows = own(data, "defaults");
  if (!isList(rows)) return {};
  let merged: Json = {};
  for (const row of rows) {
    const scope = (textAt(row, "scope", "path") ?? "").replace(/^\/|\/$/g, "");
    const type = textAt(row, "scope", "type");
    const isOfType =
      type === undefined ||
      (type === "posts"
        ? path.includes("_posts/")
        : type === "pages"
          ? !path.includes("_")
          : path.startsWith(`_${type}/`));
    const values = valueAt(row, "values");
    if (isOfType && (scope === "" || path === scope || path.startsWith(`${scope}/`)) && isObject(values))
      merged = mergeJson(merged, values);
  }
  return merged as JsonObject;
}

function jekyllAddress(
  file: Located,
  config: JsonObject,
  collections: ReadonlyMap<string, JsonObject>,
): { readonly path: string; readonly remark?: string } {
  const { data, collection, folders, isIndex } = file;
  const style = textAt(config, "permalink") ?? "date";
  const own = textAt(data, "permalink");
  const slug = textAt(data, "slug") ?? file.slug;
  const categories = [...folders, ...listOf(valueAt(data, "categories") ?? valueAt(data, "category"), /\s+/)];
  const fill = (pattern: string) => {
    const { path, unknown } = fillPattern(STYLES[pattern] ?? pattern, { ...file, slug, categories });
    return unknown.length === 0
      ? { path }
      : { path, remark: `The address has ${unknown.join(", ")}, which is not known here.` };
  };
  if (own !== undefined) return fill(own);
  if (file.isPost) return fill(style);
  if (collection !== undefined)
    return fill(textAt(collections.get(collection) ?? {}, "permalink") ?? "/:collection/:path:output_ext");
  if (isIndex) return { path: pathOf(...folders) };
  const isPretty = style === "pretty" || style.endsWith("/");
  const path = pathOf(...folders, slug);
  return { path: isPretty ? path : `${path.slice(0, -1)}.html` };
}
