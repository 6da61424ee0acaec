/** A folder of Markdown without a generator: paths are addresses. */
import { sourceConfig, textAt, valueAt } from "../config-files.ts";
import { fieldText } from "../field-values.ts";
import { foldersOf, servedByPath, splitDate, cutLang, stated, type Dialect, type DialectContext } from "./dialect.ts";
import { isMarkdown, stemOf } from "../source-tree.ts";

export async function openPlain(context: DialectContext): Promise<Dialect> {
  const config = sourceConfig({
    data: {},
    file: "",
    baseUrl: undefined,
    defaultLang: context.defaultLang,
    langs: context.langs,
    timeZone: undefined,
  });
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
    addressOf(file) {
      const own = textAt(file.data, "permalink") ?? textAt(file.data, "url");
      return own === undefined ? servedByPath(file, fieldText(valueAt(file.data, "slug")) ?? file.slug) : stated(own);
    },
    fileAddress: (path) => `/${path.replace(/^(?:public|static)\//, "")}`,
    takesPlainFiles: true,
    taxonomies: [
      { field: "tags", folder: undefined },
      { field: "categories", folder: undefined },
    ],
    listsFolders: false,
    isTemplatePage: () => false,
  };
}
