/** Hugo: sections are folders of `content/`, `_index.md` is the page of a section, `index.md` that of a bundle. */
import { isObject, isList, mergeJson, own, type Json, type JsonObject } from "../../model/json.ts";
import type { Lang } from "../../model/locale.ts";
import { textAt, readConfig, readConfigFolder, sourceConfig, valueAt } from "./config-files.ts";
import {
  foldersOf,
  pathOf,
  splitLangFolder,
  splitLangSuffix,
  urlize,
  type ContentPlace,
  type Dialect,
  type DialectContext,
  type Located,
} from "./dialect.ts";
import { fillPattern } from "./permalink-pattern.ts";
import { isMarkdown, stemOf, type SourcePath } from "./source-tree.ts";

const NAMES = ["hugo", "config"].flatMap((name) => ["toml", "yaml", "yml", "json"].map((end) => `${name}.${end}`));

export async function openHugo(context: DialectContext): Promise<Dialect> {
  const { data: single, file } = await readConfig(context, NAMES);
  const data = mergeJson(await readConfigFolder(context, "config/_default"), single) as JsonObject;
  const languages = valueAt(data, "languages");
  const stated = isObject(languages) ? languages : {};
  const config = sourceConfig({
    data,
    file,
    baseUrl: textAt(data, "baseURL") ?? textAt(data, "baseurl"),
    defaultLang: textAt(data, "defaultContentLanguage") ?? Object.keys(stated)[0] ?? context.defaultLang,
    langs: [...Object.keys(stated), ...context.langs],
    timeZone: textAt(data, "timeZone"),
  });
  const contentDir = textAt(data, "contentDir") ?? "content";
  const dirs: (readonly [dir: SourcePath, lang: Lang | undefined])[] = [
    ...Object.entries(stated).flatMap(([lang, value]): [SourcePath, Lang][] => {
      const dir = textAt(value, "contentDir");
      return dir === undefined ? [] : [[dir, lang]];
    }),
    [contentDir, undefined],
  ];
  const placeOf = (path: SourcePath): ContentPlace | undefined => {
    const found = dirs.find(([dir]) => path.startsWith(`${dir}/`));
    if (!found || !(isMarkdown(path) || /\.html?$/i.test(path))) return undefined;
    const [dir, dirLang] = found;
    const rest = path.slice(dir.length + 1);
    const { stem, lang: suffix } = splitLangSuffix(stemOf(rest), config.langs);
    // Hugo takes `content/en/` without `contentDir` for a section; sites have such folders for languages only.
    const { folders, lang: folder } =
      dirLang === undefined ? splitLangFolder(foldersOf(rest), config.langs) : { folders: foldersOf(rest) };
    const isBundle = stem === "index" && folders.length > 0;
    const isIndex = stem === "_index" || (stem === "index" && folders.length === 0);
    return {
      lang: suffix ?? dirLang ?? folder,
      key: [...folders, stem].join("/"),
      folders: isBundle ? folders.slice(0, -1) : folders,
      isIndex,
      slug: isIndex ? "" : isBundle ? folders.at(-1)! : stem,
    };
  };
  const { folders: taxonomies } = taxonomiesOf(data);
  return {
    name: "hugo",
    config,
    placeOf,
    addressOf: (located) => ({ path: hugoAddress(located, data) }),
    fileAddress(path) {
      if (path.startsWith("static/")) return `/${path.slice("static/".length)}`;
      const dir = dirs.find(([each]) => path.startsWith(`${each}/`));
      return dir ? `/${path.slice(dir[0].length + 1).toLowerCase()}` : undefined;
    },
    takesPlainFiles: true,
    taxonomies,
    listsFolders: true,
    isTemplatePage: () => false,
  };
}

/** Plural names of `taxonomies`; by default tags and categories. */
function taxonomiesOf(data: JsonObject): { readonly folders: Dialect["taxonomies"] } {
  const stated = valueAt(data, "taxonomies");
  const names = isObject(stated)
    ? Object.values(stated).filter((name) => typeof name === "string")
    : ["tags", "categories"];
  return { folders: names.map((field) => ({ field, folder: field })) };
}

function hugoAddress(file: Located, config: JsonObject): string {
  const { data, folders, isIndex } = file;
  const url = textAt(data, "url");
  if (url !== undefined) return url.startsWith("/") ? url : `/${url}`;
  const slug = textAt(data, "slug") ?? file.slug;
  const section = folders[0] ?? "";
  const pattern = isIndex ? undefined : patternFor(config, section);
  if (pattern !== undefined) return fillPattern(pattern, { ...file, slug, section }).path;
  const path = pathOf(...folders.map(urlize), urlize(slug));
  return valueAt(config, "uglyURLs") === true && !isIndex ? `${path.slice(0, -1)}.html` : path;
}

/** `permalinks` has patterns by section, or by kind of page and then by section. */
function patternFor(config: JsonObject, section: string): string | undefined {
  const permalinks = valueAt(config, "permalinks");
  const all: Json = isObject(permalinks) ? { ...permalinks, ...objectAt(permalinks, "page") } : {};
  return textAt(all, section);
}

function objectAt(data: JsonObject, key: string): JsonObject {
  const value = own(data, key);
  return isObject(value) && !isList(value) ? value : {};
}
