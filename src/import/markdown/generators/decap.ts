/** Decap CMS (and Netlify CMS): `admin/config.yml` says where collections are; the generator beside it is not known. */
import { isList, isObject, own, type Json, type JsonObject } from "../../../model/input/json.ts";
import type { Lang } from "../../../model/language/locale.ts";
import { readDataFile, sourceConfig, textAt, settingAt } from "../config-files.ts";
import {
  foldersOf,
  splitDate,
  cutLang,
  langIn,
  type Address,
  type ContentPlace,
  type Dialect,
  type DialectContext,
  type Located,
} from "./dialect.ts";
import { statedOrPath, TAXONOMIES } from "./plain.ts";
import { slugify } from "../../../model/address/slug.ts";
import { fieldText } from "../field-values.ts";
import type { SplitFile } from "../front-matter.ts";
import { folderPath, isMarkdown, stemOf, type SourcePath } from "../source-tree.ts";

export const DECAP_CONFIG = /(?:^|\/)admin\/config\.ya?ml$/;

interface Collection {
  readonly name: string;
  readonly folder: SourcePath;
  readonly previewPath: string | undefined;
  /** Whether its entries have a date. */
  readonly isDated: boolean;
  readonly languages: Languages | undefined;
}

/** How the files of a collection have all languages, each below its key (`single_file`). */
interface Languages {
  readonly codes: readonly Lang[];
  readonly default: Lang;
  /** The fields that each language has of its own. */
  readonly translated: ReadonlySet<string>;
}

export async function openDecap(context: DialectContext): Promise<Dialect> {
  const file = context.tree.paths.find((path) => DECAP_CONFIG.test(path)) ?? "admin/config.yml";
  const read = await readDataFile(context, file);
  const data = isObject(read) ? read : {};
  const i18n = settingAt(data, "i18n");
  const rows = listIn(data, "collections");
  const collections = rows.flatMap((row) => collectionOf(row, i18n));
  const single = new Map(rows.flatMap((row) => singleFiles(row, i18n)));
  const locales = [i18n, ...rows.map((row) => settingAt(row, "i18n"))].flatMap((each) => localesOf(each));
  const config = sourceConfig(context, {
    data,
    file,
    baseUrl: textAt(data, "site_url"),
    defaultLang: textAt(data, "i18n", "default_locale") ?? localesOf(i18n)[0],
    langs: locales,
  });
  const mediaFolder = folderPath(textAt(data, "media_folder") ?? "");
  const publicFolder = textAt(data, "public_folder") ?? `/${mediaFolder}`;
  const collectionOfFile = (path: SourcePath): Collection | undefined =>
    collections.find(({ folder }) => path.startsWith(`${folder}/`));
  const placeOf = (path: SourcePath): ContentPlace | undefined => {
    if (!isMarkdown(path)) return undefined;
    const collection = collectionOfFile(path);
    if (!collection && !single.has(path)) return undefined;
    const rest = collection
      ? path.slice(collection.folder.length + 1)
      : path.replace(/^(?:content|src|src\/content|data)\//, "");
    const { stem, ...place } = cutLang(foldersOf(rest), stemOf(rest), config.langs);
    const { date, slug } = splitDate(stem);
    const isIndex = slug === "index" || slug === "_index";
    return {
      ...place,
      key: [collection?.folder ?? "", ...place.folders, stem].join("/"),
      folders: [...(collection ? [collection.folder.split("/").at(-1)!] : []), ...place.folders],
      isIndex,
      slug: isIndex ? "" : slug,
      date,
      ...(collection && { collection: collection.name, isPost: collection.isDated }),
    };
  };
  return {
    name: "decap",
    config,
    placeOf,
    textsIn(path, split) {
      const languages = single.get(path) ?? collectionOfFile(path)?.languages;
      return languages && textsOf(split, languages, config.langs);
    },
    addressOf: (located) => decapAddress(located, collections),
    fileAddress: (path) =>
      mediaFolder !== "" && path.startsWith(`${mediaFolder}/`)
        ? `${publicFolder.replace(/\/$/, "")}${path.slice(mediaFolder.length)}`
        : `/${path.replace(/^(?:static|public)\//, "")}`,
    takesPlainFiles: true,
    taxonomies: TAXONOMIES,
  };
}

function listIn(data: Json, key: string): readonly Json[] {
  const value = settingAt(data, key);
  return isList(value) ? value : [];
}

const localesOf = (i18n: Json | undefined): string[] => (i18n === undefined ? [] : listIn(i18n, "locales").map(String));

function collectionOf(row: Json, i18n: Json | undefined): Collection[] {
  const folder = textAt(row, "folder");
  if (folder === undefined) return [];
  const own = settingsOf(row, i18n);
  const isSingle = own !== undefined && textAt(own, "structure") === "single_file";
  return [
    {
      name: textAt(row, "name") ?? folder,
      folder: folderPath(folder),
      previewPath: textAt(row, "preview_path"),
      isDated: listIn(row, "fields").some((field) => (textAt(field, "widget") ?? "").startsWith("date")),
      languages: isSingle ? languagesOf(own, row) : undefined,
    },
  ];
}

/** The files that a collection names; with languages, each always has all of them. */
function singleFiles(row: Json, i18n: Json | undefined): (readonly [SourcePath, Languages | undefined])[] {
  const above = settingsOf(row, i18n);
  return listIn(row, "files").flatMap((file) => {
    const path = textAt(file, "file");
    const own = settingsOf(file, above);
    return path === undefined ? [] : [[folderPath(path), own && languagesOf(own, file)] as const];
  });
}

/** `i18n` of a collection or a file: `true` for that above, or keys that override it. */
function settingsOf(row: Json, above: Json | undefined): JsonObject | undefined {
  const value = settingAt(row, "i18n");
  const inherited = isObject(above) ? above : {};
  return isObject(value) ? { ...inherited, ...value } : value === true ? inherited : undefined;
}

function languagesOf(i18n: JsonObject, row: Json): Languages {
  const codes = localesOf(i18n);
  const translated = listIn(row, "fields").flatMap((field) => {
    const own = settingAt(field, "i18n");
    return own === true || own === "translate" ? (textAt(field, "name") ?? []) : [];
  });
  return { codes, default: textAt(i18n, "default_locale") ?? codes[0] ?? "", translated: new Set(translated) };
}

/**
 * The languages of a file: `{ en: { title, body }, de: { title, body } }`.
 *
 * What is not translated, as a date or a mark of a draft, stands at the default language only, and counts for all.
 */
function textsOf(
  { data, ...split }: SplitFile,
  { codes, default: first, translated }: Languages,
  langs: readonly Lang[],
): ReturnType<NonNullable<Dialect["textsIn"]>> {
  const texts = codes.flatMap((code) => {
    const value = own(data, code);
    return isObject(value) ? [[code, value] as const] : [];
  });
  if (texts.length === 0) return undefined;
  const above = own(data, first);
  const shared = [
    ...Object.entries(data).filter(([key]) => !codes.includes(key)),
    ...Object.entries(isObject(above) ? above : {}).filter(([key]) => !translated.has(key) && key !== "body"),
  ];
  return texts.map(([code, { body, ...value }]) => {
    const isText = typeof body === "string";
    return {
      ...split,
      lang: langIn(code, langs) ?? code,
      data: { ...Object.fromEntries(shared), ...value },
      body: isText ? body : code === first ? split.body : "",
      ...(isText && { bodyLine: 1 }),
    };
  });
}

function decapAddress(file: Located, collections: readonly Collection[]): Address {
  const { data, collection: name } = file;
  const pattern = collections.find((each) => each.name === name)?.previewPath;
  if (pattern === undefined || (textAt(data, "permalink") ?? textAt(data, "url")) !== undefined)
    return statedOrPath(file);
  const unknown: string[] = [];
  const path = pattern.replace(/\{\{([^{}]+)\}\}/g, (_, code: string) => {
    const value = placeholderOf(code.trim(), file);
    if (value === undefined) unknown.push(code.trim());
    return value ?? "";
  });
  return {
    path: `/${path}/`.replace(/\/{2,}/g, "/"),
    ...(unknown.length > 0 && { remark: `Its address has ${unknown.join(", ")}, which is not known here.` }),
  };
}

/** The value of a placeholder of `preview_path`; undefined for one that is not known. */
function placeholderOf(name: string, { data, slug, localDate = "", path, lang }: Located): string | undefined {
  const [year, month, day, hour, minute, second] = localDate.split(/[-T:.]/);
  const values: Readonly<Record<string, string | undefined>> = {
    ...{ slug, filename: stemOf(path), extension: "md", locale: lang, dirname: foldersOf(path).slice(2).join("/") },
    ...(localDate !== "" && { year, month, day, hour, minute, second }),
  };
  if (!name.startsWith("fields.")) return values[name];
  const value = fieldText(settingAt(data, ...name.slice("fields.".length).split(".")));
  return value === undefined ? undefined : slugify(value);
}
