/** A folder of Markdown without a generator: paths are addresses. */
import { sourceConfig, textAt } from "./config-files.ts";
import {
  foldersOf,
  pathOf,
  splitDate,
  splitLangFolder,
  splitLangSuffix,
  type Dialect,
  type DialectContext,
} from "./dialect.ts";
import { isMarkdown, stemOf } from "./source-tree.ts";

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
      const { folders, lang: folder } = splitLangFolder(foldersOf(path), config.langs);
      const { stem, lang: suffix } = splitLangSuffix(stemOf(path), config.langs);
      const { date, slug } = splitDate(stem);
      const isIndex = /^(?:_?index|readme)$/i.test(slug);
      return {
        lang: suffix ?? folder,
        key: [...folders, stem].join("/"),
        folders,
        isIndex,
        slug: isIndex ? "" : slug,
        date,
        ...(date !== undefined && { isPost: true }),
      };
    },
    addressOf: ({ data, folders, slug }) => ({
      path: textAt(data, "permalink") ?? textAt(data, "url") ?? pathOf(...folders, textAt(data, "slug") ?? slug),
    }),
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
