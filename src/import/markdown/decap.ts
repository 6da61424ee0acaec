/** Decap CMS (and Netlify CMS): `admin/config.yml` says where collections are; the generator beside it is not known. */
import { isList, isObject, type Json } from "../../model/json.ts";
import { readDataFile, sourceConfig, textAt, valueAt } from "./config-files.ts";
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

export const DECAP_CONFIG = /(?:^|\/)admin\/config\.ya?ml$/;

interface Collection {
  readonly name: string;
  readonly folder: SourcePath;
  readonly previewPath: string | undefined;
  /** Whether its entries have a date. */
  readonly isDated: boolean;
}

export async function openDecap(context: DialectContext): Promise<Dialect> {
  const file = context.tree.paths.find((path) => DECAP_CONFIG.test(path)) ?? "admin/config.yml";
  const read = await readDataFile(context, file);
  const data = isObject(read) ? read : {};
  const locales = valueAt(data, "i18n", "locales");
  const config = sourceConfig({
    data,
    file,
    baseUrl: textAt(data, "site_url"),
    defaultLang: textAt(data, "i18n", "default_locale") ?? context.defaultLang,
    langs: [...(isList(locales) ? locales.map(String) : []), ...context.langs],
    timeZone: undefined,
  });
  const collections = collectionsOf(valueAt(data, "collections"));
  const single = new Set(singleFiles(valueAt(data, "collections")));
  const mediaFolder = trimmed(textAt(data, "media_folder") ?? "");
  const publicFolder = textAt(data, "public_folder") ?? `/${mediaFolder}`;
  const placeOf = (path: SourcePath): ContentPlace | undefined => {
    if (!isMarkdown(path)) return undefined;
    const collection = collections.find(({ folder }) => path.startsWith(`${folder}/`));
    if (!collection && !single.has(path)) return undefined;
    const rest = collection
      ? path.slice(collection.folder.length + 1)
      : path.replace(/^(?:content|src|src\/content|data)\//, "");
    const { folders, lang: folder } = splitLangFolder(foldersOf(rest), config.langs);
    const { stem, lang: suffix } = splitLangSuffix(stemOf(rest), config.langs);
    const { date, slug } = splitDate(stem);
    const isIndex = slug === "index" || slug === "_index";
    return {
      lang: suffix ?? folder,
      key: [collection?.folder ?? "", ...folders, stem].join("/"),
      folders: [...(collection ? [collection.folder.split("/").at(-1)!] : []), ...folders],
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
    addressOf: (located) => decapAddress(located, collections),
    fileAddress: (path) =>
      mediaFolder !== "" && path.startsWith(`${mediaFolder}/`)
        ? `${publicFolder.replace(/\/$/, "")}${path.slice(mediaFolder.length)}`
        : `/${path.replace(/^(?:static|public)\//, "")}`,
    takesPlainFiles: true,
    taxonomies: [
      { field: "tags", folder: undefined },
      { field: "categories", folder: undefined },
    ],
    listsFolders: false,
    isTemplatePage: () => false,
  };
}

const trimmed = (path: string): string => path.replace(/^\.?\/|\/$/g, "");

function collectionsOf(value: Json | undefined): readonly Collection[] {
  return (isList(value) ? value : []).flatMap((row) => {
    const folder = textAt(row, "folder");
    const fields = valueAt(row, "fields");
    const isDated = isList(fields) && fields.some((field) => (textAt(field, "widget") ?? "").startsWith("date"));
    return folder === undefined
      ? []
      : [
          {
            name: textAt(row, "name") ?? folder,
            folder: trimmed(folder),
            previewPath: textAt(row, "preview_path"),
            isDated,
          },
        ];
  });
}

const singleFiles = (value: Json | undefined): string[] =>
  (isList(value) ? value : []).flatMap((row) => {
    const files = valueAt(row, "files");
    return (isList(files) ? files : []).flatMap((file) => textAt(file, "file") ?? []).map(trimmed);
  });

function decapAddress(
  file: Located,
  collections: readonly Collection[],
): { readonly path: string; readonly remark?: string } {
  const { data, folders, slug, collection: name } = file;
  const own = textAt(data, "permalink") ?? textAt(data, "url");
  if (own !== undefined) return { path: own.startsWith("/") ? own : `/${own}` };
  const pattern = collections.find((each) => each.name === name)?.previewPath;
  if (pattern === undefined) return { path: pathOf(...folders, textAt(data, "slug") ?? slug) };
  const { path, unknown } = fillPattern(`/${pattern.replace(/\{\{\s*(\w+)\s*\}\}/g, ":$1")}/`, {
    ...file,
    isPost: true,
  });
  return {
    path,
    ...(unknown.length > 0 && { remark: `The address has ${unknown.join(", ")}, which is not known here.` }),
  };
}
