/** A folder of Markdown without a generator: paths are addresses. */
import { sourceConfig, textAt, settingAt } from "../config-files.ts";
import { fieldText } from "../field-values.ts";
import {
  cutLang,
  foldersOf,
  servedByPath,
  splitDate,
  stated,
  type Address,
  type Dialect,
  type DialectContext,
  type Located,
} from "./dialect.ts";
import { isMarkdown, stemOf } from "../source-tree.ts";

export async function openPlain(context: DialectContext): Promise<Dialect> {
  const config = sourceConfig(context, { file: "" });
  return {
    name: "plain",
    config,
    placeOf(path) {
      if (!isMarkdown(path)) return undefined;
      const { stem, ...place } = cutLang(foldersOf(path), stemOf(path), config.langs);
      const { date, slug } = splitDate(stem);
      const isIndex = /^(?:_?index|readme)$/i.test(slug);
      return {
        ...place,
        key: [...place.folders, stem].join("/"),
        isIndex,
        slug: isIndex ? "" : slug,
        date,
        ...(date !== undefined && { isPost: true }),
      };
    },
    addressOf: statedOrPath,
    fileAddress: (path) => `/${path.replace(/^(?:public|static)\//, "")}`,
    takesPlainFiles: true,
    taxonomies: TAXONOMIES,
  };
}

/** That which front matter states, else that of the path. */
export function statedOrPath(file: Located): Address {
  const own = textAt(file.data, "permalink") ?? textAt(file.data, "url");
  return own === undefined ? servedByPath(file, fieldText(settingAt(file.data, "slug")) ?? file.slug) : stated(own);
}

/** Those of a source whose lists of terms are not known. */
export const TAXONOMIES: Dialect["taxonomies"] = [
  { field: "tags", folder: undefined },
  { field: "categories", folder: undefined },
];
