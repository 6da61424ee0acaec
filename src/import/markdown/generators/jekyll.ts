/** Jekyll: posts in `_posts`, collections in folders that begin with `_`, pages everywhere else. */
import { isList, isObject, mergeJson, own, type Json, type JsonObject } from "../../../model/input/json.ts";
import { readSiteConfig, sourceConfig, textAt, settingAt } from "../config-files.ts";
import {
  foldersOf,
  pathOf,
  cutLang,
  type Address,
  type ContentPlace,
  type Dialect,
  type DialectContext,
  type Located,
  type Pagination,
} from "./dialect.ts";
import { fillPattern, JEKYLL } from "../permalink-pattern.ts";
import { basePart, folderPath, isMarkdown, stemOf, type SourcePath } from "../source-tree.ts";
import { listOf, fieldText } from "../field-values.ts";
import { isLeftOut, matchesWildcard } from "./path-wildcard.ts";

/** The named styles of the setting `permalink`, for posts. */
const STYLES: Readonly<Record<string, string>> = {
  date: "/:categories/:year/:month/:day/:title:output_ext",
  pretty: "/:categories/:year/:month/:day/:title/",
  ordinal: "/:categories/:year/:y_day/:title:output_ext",
  weekdate: "/:categories/:year/W:week/:short_day/:title:output_ext",
  none: "/:categories/:title:output_ext",
};

export async function openJekyll(context: DialectContext): Promise<Dialect> {
  const { data, file } = await readSiteConfig(context, ["_config.yml", "_config.yaml", "_config.toml"]);
  const config = sourceConfig(context, {
    data,
    file,
    baseUrl: textAt(data, "url"),
    basePath: textAt(data, "baseurl"),
    defaultLang: textAt(data, "lang"),
    timeZone: textAt(data, "timezone"),
  });
  const source = (textAt(data, "source") ?? "").replace(/^\.?\/?/, "");
  const collections = collectionsOf(data);
  const within = (path: SourcePath): SourcePath | undefined =>
    source === "" ? path : path.startsWith(`${source}/`) ? path.slice(source.length + 1) : undefined;

  const exclude = listOf(settingAt(data, "exclude"));
  const include = listOf(settingAt(data, "include"));
  const collectionsDir = folderPath(textAt(data, "collections_dir") ?? "");
  const withHidden = (rest: SourcePath, reason: string | undefined): Pick<ContentPlace, "hidden"> => {
    const hidden = isLeftOut(rest, exclude) ? `It is left out by exclude in ${file}: it is a draft.` : reason;
    return hidden === undefined ? {} : { hidden };
  };
  const placeOf = (path: SourcePath): ContentPlace | undefined => {
    const below = within(path);
    const rest = below?.startsWith(`${collectionsDir}/_`) ? below.slice(collectionsDir.length + 1) : below;
    if (rest === undefined || !(isMarkdown(rest) || /\.html?$/i.test(rest))) return undefined;
    const all = foldersOf(rest);
    const at = all.findIndex((name, depth) => isSpecial(name) && !include.some((each) => isIncluded(all, depth, each)));
    const special = all[at];
    // A page of HTML is a template.
    if (special === undefined && !isMarkdown(rest)) return undefined;
    const left = isSpecial(basePart(rest)) && !include.includes(basePart(rest));
    const reason = left ? `Jekyll leaves out files that begin with ${basePart(rest)[0]}: it is a draft.` : undefined;
    if (special === "_posts" || special === "_drafts") {
      // Folders above are categories, those below have no meaning but that of a language, which is not in the address.
      const above = cutLang(all.slice(0, at), stemOf(rest), config.langs);
      const below = cutLang(all.slice(at + 1), "", config.langs);
      const { stem, ...place } = above;
      const { date, slug } = splitPostDate(stem);
      const hidden =
        special === "_drafts"
          ? "It is in _drafts: it is a draft."
          : date === undefined
            ? "Its name has no date, so that it is no post: it is a draft."
            : reason;
      return {
        ...place,
        lang: above.lang ?? below.lang,
        key: ["_posts", ...above.folders, ...below.folders, stem].join("/"),
        isIndex: false,
        slug,
        date,
        isPost: true,
        ...withHidden(rest, hidden),
      };
    }
    const name = special?.slice(1);
    if (name !== undefined && (!collections.has(name) || at !== 0)) return undefined;
    const { stem, ...place } = cutLang(name === undefined ? all : all.slice(1), stemOf(rest), config.langs);
    const isIndex = stem === "index" && name === undefined;
    const { date } = name === undefined ? {} : splitPostDate(stem);
    return {
      ...place,
      key: [...(name === undefined ? [] : [`_${name}`]), ...place.folders, stem].join("/"),
      isIndex,
      slug: isIndex ? "" : stem,
      ...(date !== undefined && { date }),
      ...(name !== undefined && { collection: name }),
      ...withHidden(rest, reason),
    };
  };
  return {
    name: "jekyll",
    config,
    placeOf,
    defaultsFor: (path) => defaultsIn(data, within(path) ?? path),
    // Pages do not wait for their date.
    showsFuture: ({ isPost, collection }) =>
      (isPost !== true && collection === undefined) || settingAt(data, "future") === true,
    // The plugin writes a file, which hosts serve with its ending and without.
    withKnownKeys(front) {
      const { redirect_from: from } = front;
      return from === undefined ? front : { ...front, redirect_from: listOf(from).flatMap(bothForms) };
    },
    templatesIn: (front) => (front.render_with_liquid === false ? undefined : "liquid"),
    takesPlainFile: ({ isPost }) => isPost === true,
    addressOf: (located) => jekyllAddress(located, data, collections),
    output: folderPath(textAt(data, "destination") ?? "_site"),
    fileAddress(path) {
      const rest = within(path);
      return rest === undefined || rest.split("/").some((part) => part.startsWith("_")) ? undefined : `/${rest}`;
    },
    takesPlainFiles: false,
    taxonomies: [
      { field: "tags", folder: undefined, separator: /\s+/ },
      { field: "categories", folder: undefined, separator: /\s+/ },
    ],
    hasRootedAliases: true,
    pagination: paginationOf(data),
    isTemplatePage: (path) => {
      const rest = within(path);
      return rest !== undefined && /\.html?$/i.test(rest) && !foldersOf(rest).some((name) => name.startsWith("_"));
    },
  };
}

/** That of the plugin jekyll-paginate: the first page is the list itself. */
function paginationOf(data: JsonObject): Pagination | undefined {
  const size = Number(settingAt(data, "paginate"));
  if (!Number.isSafeInteger(size) || size < 1) return undefined;
  const path = textAt(data, "paginate_path") ?? "/page:num/";
  const posts = path.slice(0, path.lastIndexOf("/", path.indexOf(":num")) + 1);
  return { size, posts, pageOf: (_, page) => (page === 1 ? undefined : path.replaceAll(":num", String(page))) };
}

const isSpecial = (name: string): boolean => /^[_.#~]/.test(name);

/** `include` names a folder, or a path to it. */
const isIncluded = (folders: readonly string[], depth: number, wanted: string): boolean => {
  const bare = folderPath(wanted);
  return bare === folders[depth] || bare === folders.slice(0, depth + 1).join("/");
};

const bothForms = (address: string): string[] =>
  /\.\w+$|\/$/.test(address) ? [address] : [address, `${address}.html`];

/** `2024-1-5-title` -> its date and `title`: Jekyll asks for no leading zeros. */
function splitPostDate(stem: string): { readonly date?: string; readonly slug: string } {
  const match = /^(\d{2}|\d{4})-(\d{1,2})-(\d{1,2})-(.*)$/.exec(stem);
  if (!match) return { slug: stem };
  const [, year = "", month = "", day = "", slug = ""] = match;
  const century = year.length === 4 ? "" : Number(year) < 69 ? "20" : "19";
  return { date: `${century}${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`, slug };
}

function collectionsOf(data: JsonObject): ReadonlyMap<string, JsonObject> {
  const stated = settingAt(data, "collections");
  if (Array.isArray(stated)) return new Map((stated as Json[]).map((name) => [String(name), {}]));
  return new Map(
    Object.entries(isObject(stated) ? stated : {}).map(
      ([name, value]) => [name, isObject(value) ? value : {}] as const,
    ),
  );
}

/** `defaults` of the configuration for a path, the most specific last: the deepest scope, then one with a type. */
function defaultsIn(data: JsonObject, path: SourcePath): JsonObject {
  const stated = own(data, "defaults");
  const rows = (isList(stated) ? stated : []).map((row) => ({
    scope: (textAt(row, "scope", "path") ?? "").replace(/^\/|\/$/g, ""),
    type: textAt(row, "scope", "type"),
    values: settingAt(row, "values"),
  }));
  const depth = (scope: string): number => (scope === "" ? 0 : scope.split("/").length);
  return rows
    .filter(({ scope, type }) => isOfType(path, type) && isInScope(path, scope))
    .sort((a, b) => depth(a.scope) - depth(b.scope) || Number(a.type !== undefined) - Number(b.type !== undefined))
    .reduce<JsonObject>(
      (merged, { values }) => (isObject(values) ? (mergeJson(merged, values) as JsonObject) : merged),
      {},
    );
}

function isOfType(path: SourcePath, type: string | undefined): boolean {
  const special = foldersOf(path).find((name) => name.startsWith("_"));
  if (type === undefined) return true;
  if (type === "pages") return special === undefined;
  return special === `_${type}`;
}

/** A scope is a file, a folder, or a pattern in which `*` stands for part of a name. */
function isInScope(path: SourcePath, scope: string): boolean {
  if (scope === "") return true;
  const [wanted, parts] = [scope.split("/"), path.split("/")];
  return wanted.length <= parts.length && wanted.every((part, at) => matchesWildcard(parts[at]!, part));
}

function jekyllAddress(file: Located, config: JsonObject, collections: ReadonlyMap<string, JsonObject>): Address {
  const { data, collection, folders, isIndex, langFolder, langSuffix } = file;
  const style = textAt(config, "permalink") ?? "date";
  const own = fieldText(settingAt(data, "permalink"));
  const stated = settingAt(data, "category");
  const categories = [
    ...folders,
    // `category` is one, `categories` are words.
    ...(stated === undefined ? listOf(settingAt(data, "categories"), /\s+/) : [fieldText(stated) ?? ""]),
  ];
  const settings = collection === undefined ? undefined : (collections.get(collection) ?? {});
  const hidden =
    settings !== undefined && settingAt(settings, "output") !== true
      ? {
          isHidden: true,
          remark: `The collection ${collection} has no pages (output is not true): it is imported as a draft.`,
        }
      : {};
  const fill = (pattern: string): Address => {
    const known = STYLES[pattern] ?? pattern;
    const filled = fillPattern(known, JEKYLL, { ...file, slug: `${file.slug}${langSuffix}`, categories });
    const path = filled.path.replace(/\/index$/, "/");
    const { remark } = filled;
    const unprefixed = langSuffix === "" ? undefined : fillPattern(known, JEKYLL, { ...file, categories }).path;
    return {
      path: file.isPost && own === undefined ? pathWith(langFolder, path) : path,
      ...(unprefixed !== undefined && { unprefixed }),
      ...(remark !== undefined && { remark }),
      ...hidden,
    };
  };
  if (own !== undefined) return fill(own);
  if (file.isPost) return fill(style);
  const suffix = suffixOf(style);
  if (settings) return fill(textAt(settings, "permalink") ?? `/:collection/:path${suffix}`);
  if (isIndex && langSuffix === "") return { path: pathOf(langFolder, ...folders) };
  const ending = suffix.replace(":output_ext", ".html");
  const at = (...parts: readonly string[]): string => `${pathOf(...parts).slice(0, -1)}${ending}`;
  const unprefixed = isIndex ? pathOf(...folders) : at(...folders, file.slug);
  return { path: at(langFolder, ...folders, `${file.slug || "index"}${langSuffix}`), unprefixed };
}

/** A folder that names a language is a category to Jekyll. */
const pathWith = (langFolder: string, path: string): string => (langFolder === "" ? path : `/${langFolder}${path}`);

/** What the addresses of pages end with under a style of posts. */
const suffixOf = (style: string): string =>
  style === "pretty" || style.endsWith("/")
    ? "/"
    : ["date", "ordinal", "weekdate", "none"].includes(style) || style.endsWith(":output_ext")
      ? ":output_ext"
      : "";
