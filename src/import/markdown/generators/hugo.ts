/** Hugo: sections are folders of `content/`, `_index.md` is the page of a section, `index.md` that of a bundle. */
import { isObject, isList, mergeJson, own, type JsonObject } from "../../../model/input/json.ts";
import type { Lang } from "../../../model/language/locale.ts";
import { textAt, readSiteConfig, readConfigFolder, sourceConfig, settingAt } from "../config-files.ts";
import {
  foldersOf,
  pathOf,
  cutLang,
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
import { cascaded, cascadesOf, withKnownKeys } from "./hugo-front-matter.ts";
import { listOf, fieldText } from "../field-values.ts";
import { matchesWildcard } from "./path-wildcard.ts";
import { fillPattern, HUGO } from "../permalink-pattern.ts";
import { dirPart, isMarkdown, stemOf, type SourcePath } from "../source-tree.ts";

const NAMES = ["hugo", "config"].flatMap((name) => ["toml", "yaml", "yml", "json"].map((end) => `${name}.${end}`));

export async function openHugo(context: DialectContext): Promise<Dialect> {
  const { data: single, file } = await readSiteConfig(context, NAMES);
  const data = mergeJson(await readConfigFolder(context, "config/_default"), single) as JsonObject;
  const languages = settingAt(data, "languages");
  const stated = isObject(languages) ? languages : {};
  const config = sourceConfig(context, {
    data,
    file,
    baseUrl: textAt(data, "baseURL") ?? textAt(data, "baseurl"),
    defaultLang: textAt(data, "defaultContentLanguage") ?? Object.keys(stated)[0],
    langs: Object.keys(stated),
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
  const bundles = new Set(
    context.tree.paths.filter((path) => /\/index(?:\.[\w-]+)?\.(?:md|markdown|mdown|html?)$/.test(path)).map(dirPart),
  );
  const ignored = listOf(settingAt(data, "ignoreFiles")).map((pattern) => wildcardOf(pattern));
  if (ignored.includes(undefined))
    context.remark({ file, message: "A pattern of ignoreFiles is not understood: what it left out is imported." });
  const disabled = new Set([
    ...listOf(settingAt(data, "disableLanguages")),
    ...Object.keys(stated).filter((lang) => settingAt(stated, lang, "disabled") === true),
  ]);
  const hiddenIn = (path: SourcePath, dir: SourcePath, lang: Lang | undefined): string | undefined => {
    if (ignored.some((pattern) => pattern !== undefined && matchesWildcard(path, pattern)))
      return `It is left out by ignoreFiles in ${file}: it is a draft.`;
    if (lang !== undefined && disabled.has(lang)) return `Its language ${lang} is disabled in ${file}: it is a draft.`;
    const isIndex = /^index\b/.test(stemOf(path));
    for (
      let folder = isIndex ? dirPart(dirPart(path)) : dirPart(path);
      folder.length > dir.length;
      folder = dirPart(folder)
    )
      if (bundles.has(folder)) return `It belongs to the page of ${folder}, and is none of its own: it is a draft.`;
    return undefined;
  };
  const placeOf = (path: SourcePath): ContentPlace | undefined => {
    const found = dirs.find(([dir]) => path.startsWith(`${dir}/`));
    if (!found || !(isMarkdown(path) || /\.html?$/i.test(path))) return undefined;
    const [dir, dirLang] = found;
    const rest = path.slice(dir.length + 1);
    // Hugo takes `content/en/` without `contentDir` for a section; sites have such folders for languages only.
    const split = cutLang(foldersOf(rest), stemOf(rest), config.langs);
    const { stem, langSuffix } = split;
    const folders = dirLang === undefined ? split.folders : foldersOf(rest);
    const isBundle = stem === "index" && folders.length > 0;
    const isIndex = stem === "_index" || (stem === "index" && folders.length === 0);
    const lang = langSuffix === "" ? (dirLang ?? split.lang) : split.lang;
    const hidden = hiddenIn(path, dir, lang ?? config.defaultLang);
    return {
      lang,
      langFolder: dirLang === undefined ? split.langFolder : "",
      langSuffix,
      key: [...folders, stem].join("/"),
      folders: isBundle ? folders.slice(0, -1) : folders,
      isIndex,
      slug: isIndex ? "" : isBundle ? folders.at(-1)! : stem,
      ...(hidden !== undefined && { hidden }),
    };
  };
  const { folders: taxonomies } = taxonomiesOf(data);
  const cascades = await cascadesOf(context, data, placeOf);
  if (settingAt(data, "defaultContentLanguageInSubdir") === true)
    context.remark({
      file,
      message: `Addresses below /${config.defaultLang}/ are answered by cms serve. A static host needs a rule for them: /${config.defaultLang}/* to /:splat, 301.`,
    });
  return {
    name: "hugo",
    config,
    placeOf,
    withKnownKeys,
    showsFuture: () => settingAt(data, "buildFuture") === true,
    defaultsFor: (path) => cascaded(cascades, path, placeOf(path)?.lang ?? config.defaultLang),
    addressOf: (located) => hugoAddress(located, config),
    fileAddress(path) {
      if (path.startsWith("static/")) return `/${path.slice("static/".length)}`;
      const dir = dirs.find(([each]) => path.startsWith(`${each}/`));
      return dir ? `/${path.slice(dir[0].length + 1).toLowerCase()}` : undefined;
    },
    takesPlainFiles: true,
    taxonomies,
    listsFolders: true,
    feedFile: "index.xml",
  };
}

/** A regular expression of the configuration as a pattern; undefined for one that is more than that. */
function wildcardOf(expression: string): string | undefined {
  const start = expression.startsWith("^") ? "" : "*";
  const end = expression.endsWith("$") ? "" : "*";
  const bare = expression
    .replace(/^\^|\$$/g, "")
    .replaceAll(".*", "*")
    .replace(/\\([./_-])/g, "$1");
  return /[\\[\](){}|+?^$]/.test(bare) ? undefined : `${start}${bare}${end}`;
}

/** Plural names of `taxonomies`; by default tags and categories. */
function taxonomiesOf(data: JsonObject): { readonly folders: Dialect["taxonomies"] } {
  const stated = settingAt(data, "taxonomies");
  const names = isObject(stated)
    ? Object.values(stated).filter((name) => typeof name === "string")
    : ["tags", "categories"];
  return { folders: names.map((field) => ({ field, folder: field })) };
}

/** The address of front matter, which may be a pattern. */
function urlOf(file: Located): string | undefined {
  const url = textAt(file.data, "url");
  if (url === undefined || !/(?:^|[/-]):[a-z]/.test(url)) return url;
  const { path } = fillPattern(url, HUGO, file);
  return url.startsWith("/") ? path : path.slice(1);
}

function hugoAddress(file: Located, { data: config, defaultLang }: SourceConfig): Address {
  const { data, folders, isIndex, lang } = file;
  const isPrefixed = lang !== defaultLang || settingAt(config, "defaultContentLanguageInSubdir") === true;
  const prefix = isPrefixed ? `/${lang.toLowerCase()}` : "";
  const url = urlOf(file);
  // With a leading slash it has no language of its own.
  if (url?.startsWith("/")) return { ...statedAddress(url), unprefixed: withoutLang(url, lang) };
  if (url !== undefined) return { path: `${prefix}/${url}`, unprefixed: `/${url}` };
  const stated = trimDashes(fieldText(settingAt(data, "slug")));
  const pattern = patternFor(config, folders[0] ?? "/", isIndex ? "section" : "page", lang);
  if (pattern !== undefined && !(isIndex && folders.length === 0)) {
    const { path, remark } = fillPattern(pattern, HUGO, file);
    return { path: prefix + path, unprefixed: path, ...(remark !== undefined && { remark }) };
  }
  const plain = pathOf(...folders.map(urlize), urlize(isIndex ? file.slug : (stated ?? file.slug)));
  const ugly = settingAt(config, "uglyURLs");
  const isUgly = ugly === true || settingAt(ugly ?? null, folders[0] ?? "") === true;
  const path = isUgly && !isIndex ? `${plain.slice(0, -1)}.html` : plain;
  return { path: prefix + path, unprefixed: path };
}

const trimDashes = (slug: string | undefined): string | undefined => slug?.replace(/^-{1,9}|-{1,9}$/g, "");

/** `permalinks` has patterns by section, or by kind of page and then by section; a language may have its own. */
function patternFor(config: JsonObject, section: string, kind: "page" | "section", lang: Lang): string | undefined {
  for (const permalinks of [settingAt(config, "languages", lang, "permalinks"), settingAt(config, "permalinks")]) {
    if (!isObject(permalinks)) continue;
    const found =
      textAt(objectAt(permalinks, kind), section) ?? (kind === "page" ? textAt(permalinks, section) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function objectAt(data: JsonObject, key: string): JsonObject {
  const value = own(data, key);
  return isObject(value) && !isList(value) ? value : {};
}
