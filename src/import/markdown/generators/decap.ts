/** Decap CMS (and Netlify CMS): `admin/config.yml` says where collections are; the generator beside it is not known. */
import { isList, isObject, type Json } from "../../../model/input/json.ts";
import { readDataFile, sourceConfig, textAt, valueAt } from "../config-files.ts";
import {
  foldersOf,
  servedByPath,
  splitDate,
  cutLang,
  stated,
  type Address,
  type ContentPlace,
  type Dialect,
  type DialectContext,
  type Located,
} from "./dialect.ts";
import { slugify } from "../../../model/address/slug.ts";
import { fieldText } from "../field-values.ts";
import { isMarkdown, stemOf, type SourcePath } from "../source-tree.ts";

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
  if (textAt(data, "i18n", "structure") === "single_file")
    context.remark({
      file,
      message: "Files with all languages in one (single_file) are not split: their texts are kept in template_data.",
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

function decapAddress(file: Located, collections: readonly Collection[]): Address {
  const { data, slug, collection: name } = file;
  const own = textAt(data, "permalink") ?? textAt(data, "url");
  if (own !== undefined) return stated(own);
  const pattern = collections.find((each) => each.name === name)?.previewPath;
  if (pattern === undefined) return servedByPath(file, fieldText(valueAt(data, "slug")) ?? slug);
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
  const value = fieldText(valueAt(data, ...name.slice("fields.".length).split(".")));
  return value === undefined ? undefined : slugify(value);
}
