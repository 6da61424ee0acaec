/** Hugo: sections are folders of `content/`, `_index.md` is the page of a section, `index.md` that of a bundle. */
import { isObject, isList, own, type Json, type JsonObject } from "../../../model/input/json.ts";
import type { Lang } from "../../../model/language/locale.ts";
import { trimEnd, trimStart } from "../../../model/text/trim.ts";
import { textAt, settingAt } from "../config-files.ts";
import {
  foldersOf,
  pathOf,
  cutLang,
  stated as statedAddress,
  withoutLang,
  type Address,
  type ContentPlace,
  type Dialect,
  type DialectContext,
  type Located,
} from "./dialect.ts";
import { mountedPath, readHugoConfig, type HugoConfig } from "./hugo-config.ts";
import { cascaded, cascadesOf, isClosed, sectionPages, withKnownKeys } from "./hugo-front-matter.ts";
import { ADDRESS_DATES, withDates } from "./hugo-dates.ts";
import { listOf, fieldText } from "../field-values.ts";
import { matchesWildcard } from "./path-wildcard.ts";
import { fillPattern, hugoPlaceholders, type Placeholders } from "../permalink-pattern.ts";
import { dirPart, isMarkdown, stemOf, type SourcePath } from "../source-tree.ts";

export async function openHugo(context: DialectContext): Promise<Dialect> {
  const config = await readHugoConfig(context);
  const { data, file, inPath } = config;
  const languages = settingAt(data, "languages");
  const stated = isObject(languages) ? languages : {};
  const bundles = new Set(
    context.tree.paths.filter((path) => /\/index(?:\.[\w-]+)?\.(?:md|markdown|mdown|html?)$/.test(path)).map(dirPart),
  );
  const ignored = listOf(settingAt(data, "ignorefiles")).map((pattern) => wildcardOf(pattern));
  if (ignored.includes(undefined))
    context.remark({ file, message: "A pattern of ignoreFiles is not understood: what it left out is imported." });
  const disabled = new Set([
    ...listOf(settingAt(data, "disablelanguages")),
    ...Object.keys(stated).filter((lang) => settingAt(stated, lang, "disabled") === true),
  ]);
  const located = (path: SourcePath): ContentPlace | undefined => {
    const found = mountedPath(config.content, path);
    if (!found || !(isMarkdown(path) || /\.html?$/i.test(path))) return undefined;
    const { path: rest, mount } = found;
    // Hugo takes `content/en/` without `contentDir` for a section; sites have such folders for languages only.
    const split = cutLang(foldersOf(rest), stemOf(rest), config.langs);
    const { stem, langSuffix } = split;
    const folders = mount.lang === undefined ? split.folders : foldersOf(rest);
    const isBundle = stem === "index" && folders.length > 0;
    const isIndex = stem === "_index" || (stem === "index" && folders.length === 0);
    return {
      lang: langSuffix === "" ? (mount.lang ?? split.lang) : split.lang,
      langFolder: mount.lang === undefined ? split.langFolder : "",
      langSuffix,
      key: [...folders, stem].join("/"),
      folders: isBundle ? folders.slice(0, -1) : folders,
      isIndex,
      slug: isIndex ? "" : isBundle ? folders.at(-1)! : stem,
    };
  };
  const langOf = (path: SourcePath): Lang => located(path)?.lang ?? config.defaultLang;
  const sections = await sectionPages(context, langOf);
  const closed = sections.filter(({ data: front }) => isClosed(front, context.now));
  const hiddenIn = (path: SourcePath): string | undefined => {
    const dir = mountedPath(config.content, path)!.mount.source;
    const lang = langOf(path);
    if (ignored.some((pattern) => pattern !== undefined && matchesWildcard(path, pattern)))
      return `It is left out by ignoreFiles in ${file}: it is a draft.`;
    if (disabled.has(lang)) return `Its language ${lang} is disabled in ${file}: it is a draft.`;
    const isIndex = /^index\b/.test(stemOf(path));
    for (let at = isIndex ? dirPart(dirPart(path)) : dirPart(path); at.length > dir.length; at = dirPart(at))
      if (bundles.has(at)) return `It belongs to the page of ${at}, and is none of its own: it is a draft.`;
    const above = closed.find((each) => each.lang === lang && each.path !== path && path.startsWith(`${each.folder}/`));
    return above && `It is below ${above.path}, which is a draft, and Hugo before 0.123 left it out: it is a draft.`;
  };
  const placeOf = (path: SourcePath): ContentPlace | undefined => {
    const place = located(path);
    const hidden = place && hiddenIn(path);
    return hidden === undefined ? place : { ...place!, hidden };
  };
  const cascades = cascadesOf(settingAt(data, "cascade"), sections);
  const { folders: taxonomies } = taxonomiesOf(data);
  const dates = settingAt(data, "frontmatter");
  const isUgly = settingAt(data, "uglyurls") === true;
  const isPrefixed = settingAt(data, "defaultcontentlanguageinsubdir") === true;
  const home = `/${config.defaultLang}/`;
  if (isPrefixed || Object.keys(stated).length > 1)
    context.remark({
      file,
      message: isPrefixed
        ? `Addresses below ${home} are answered by cms serve. A static host needs a rule for them: ${home}* to /:splat, 301.`
        : `${home} is answered by cms serve. A static host needs a rule for it: to /, 301.`,
    });
  for (const key of ["builddrafts", "buildexpired"])
    if (settingAt(data, key) === true)
      context.remark({ file, message: `${key} is true: the old site showed what is a draft here.` });
  for (const lang of Object.keys(stated))
    if (textAt(stated, lang, "baseurl") !== undefined)
      context.remark({
        file,
        message: `The language ${lang} had a host of its own: its pages are below /${lang}/ here.`,
      });
  return {
    name: "hugo",
    config,
    placeOf,
    withKnownKeys(front, path) {
      const known = withDates(withKnownKeys(front), path, isObject(dates) ? dates : {});
      const { aliases } = known;
      return isUgly && aliases !== undefined ? { ...known, aliases: listOf(aliases).map(uglyAlias) } : known;
    },
    addressDates: ADDRESS_DATES,
    showsFuture: () => settingAt(data, "buildfuture") === true,
    defaultsFor: (path) => cascaded(cascades, path, langOf(path)),
    addressOf: (located) => hugoAddress(located, config),
    fileAddress(path) {
      const found = mountedPath(config.static, path);
      if (found) return `/${found.path}`;
      const content = mountedPath(config.content, path);
      return content && `/${content.path.toLowerCase()}`;
    },
    takesPlainFiles: true,
    taxonomies,
    listsFolders: true,
    hidesHtml: hidesHtml(data)
      ? `Raw HTML is left out, as Hugo did: markup.goldmark.renderer.unsafe is not true in ${file}.`
      : undefined,
    inPath,
    output: config.output,
    feedFile: "index.xml",
    pagination: {
      size: sizeIn(settingAt(data, "pagination", "pagerSize")) ?? sizeIn(settingAt(data, "paginate")) ?? 10,
      pageOf: (list, page) =>
        `${trimEnd(list.replace(/\.html$/, ""), "/")}/${textAt(data, "paginatepath") ?? "page"}/${page}${isUgly ? ".html" : "/"}`,
    },
  };
}

const sizeIn = (value: Json | undefined): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;

/** Blackfriday, which Hugo had before, showed all. */
const hidesHtml = (data: JsonObject): boolean =>
  settingAt(data, "markup", "goldmark", "renderer", "unsafe") !== true &&
  settingAt(data, "blackfriday") === undefined &&
  settingAt(data, "markup", "defaultMarkdownHandler") !== "blackfriday";

/** `/old` -> `/old.html`: under `uglyURLs`, a former address without an ending has that of a page. */
const uglyAlias = (alias: string): string => (/\.\w+$/.test(alias) ? alias : `${trimEnd(alias, "/")}.html`);

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
function urlOf(file: Located, placeholders: Placeholders): string | undefined {
  const url = textAt(file.data, "url");
  if (url === undefined) return undefined;
  const filled = /(?:^|[/-]):[a-z]/.test(url) ? fillPattern(url, placeholders, file).path : url;
  const path = url.startsWith("/") ? filled : trimStart(filled, "/");
  return /\.\w+$/.test(path) || path.endsWith("/") ? path : `${path}/`;
}

function hugoAddress(file: Located, { data: config, defaultLang, inPath }: HugoConfig): Address {
  const { data, folders, isIndex, lang } = file;
  const isPrefixed = lang !== defaultLang || settingAt(config, "defaultcontentlanguageinsubdir") === true;
  const prefix = isPrefixed ? `/${lang.toLowerCase()}` : "";
  const placeholders = hugoPlaceholders(inPath);
  const url = urlOf(file, placeholders);
  // With a leading slash it has no language of its own.
  if (url?.startsWith("/")) return { ...statedAddress(url), unprefixed: withoutLang(url, lang) };
  if (url !== undefined) return { path: `${prefix}/${url}`, unprefixed: `/${url}` };
  const stated = trimDashes(fieldText(settingAt(data, "slug")));
  const pattern = patternFor(config, folders[0] ?? "/", isIndex ? "section" : "page", lang);
  if (pattern !== undefined && !(isIndex && folders.length === 0)) {
    const { path: filled, remark } = fillPattern(pattern, placeholders, file);
    const path = settingAt(config, "uglyurls") === true ? `${trimEnd(filled, "/")}.html` : filled;
    return { path: prefix + path, unprefixed: path, ...(remark !== undefined && { remark }) };
  }
  const plain = pathOf(...folders.map(inPath), inPath(isIndex ? file.slug : (stated ?? file.slug)));
  const ugly = settingAt(config, "uglyurls");
  const isUgly = ugly === true || settingAt(ugly ?? null, folders[0] ?? "") === true;
  const path = isUgly && plain !== "/" ? `${plain.slice(0, -1)}.html` : plain;
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
