/** Hugo: sections are folders of `content/`, `_index.md` is the page of a section, `index.md` that of a bundle. */
import { isObject, isList, mergeJson, own, type Json, type JsonObject } from "../../model/json.ts";
import type { Lang } from "../../model/locale.ts";
import { textAt, readConfig, readConfigFolder, sourceConfig, valueAt } from "./config-files.ts";
import {
  foldersOf,
  pathOf,
  splitLang,
  stated as statedAddress,
  urlize,
  withoutLang,
  type Address,
  type ContentPlace,
  type Dialect,
  type DialectContext,
  type Located,
  type SourceConfig,
} from "./dialect.ts";
import { fillPattern, HUGO } from "./permalink-pattern.ts";
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
    // Hugo takes `content/en/` without `contentDir` for a section; sites have such folders for languages only.
    const split = splitLang(foldersOf(rest), stemOf(rest), config.langs);
    const { stem, langSuffix } = split;
    const folders = dirLang === undefined ? split.folders : foldersOf(rest);
    const isBundle = stem === "index" && folders.length > 0;
    const isIndex = stem === "_index" || (stem === "index" && folders.length === 0);
    return {
      lang: langSuffix === "" ? (dirLang ?? split.lang) : split.lang,
      langFolder: dirLang === undefined ? split.langFolder : "",
      langSuffix,
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
    addressOf: (located) => hugoAddress(located, config),
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

function hugoAddress(file: Located, { data: config, defaultLang }: SourceConfig): Address {
  const { data, folders, isIndex, lang } = file;
  const isPrefixed = lang !== defaultLang || valueAt(config, "defaultContentLanguageInSubdir") === true;
  const prefix = isPrefixed ? `/${lang.toLowerCase()}` : "";
  const url = textAt(data, "url");
  // With a leading slash it has no language of its own.
  if (url?.startsWith("/")) return { ...statedAddress(url), unprefixed: withoutLang(url, lang) };
  if (url !== undefined) return { path: `${prefix}/${url}`, unprefixed: `/${url}` };
  const slug = textAt(data, "slug") ?? file.slug;
  const pattern = isIndex ? undefined : patternFor(config, folders[0] ?? "");
  if (pattern !== undefined) {
    const { path, remark } = fillPattern(pattern, HUGO, file);
    return { path: prefix + path, unprefixed: path, ...(remark !== undefined && { remark }) };
  }
  const plain = pathOf(...folders.map(urlize), urlize(slug));
  const path = valueAt(config, "uglyURLs") === true && !isIndex ? `${plain.slice(0, -1)}.html` : plain;
  return { path: prefix + path, unprefixed: path };
}

/** `permalinks` has patterns by section, or by kind of page and then by section. */
function patternFor(config: JsonObject, section: string): string | undefined {
  const permalinks = valueAt(config, "permalinks");
  if (!isObject(permalinks)) return undefined;
  const all: Json = { ...permalinks, ...objectAt(permalinks, "page") };
  return textAt(all, section);
}

function objectAt(data: JsonObject, key: string): JsonObject {
  const value = own(data, key);
  return isObject(value) && !isList(value) ? value : {};
}
