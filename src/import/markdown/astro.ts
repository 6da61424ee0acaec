/**
 * Astro: collections in `src/content`, pages in `src/pages`.
 *
 * The address of a collection is decided by code: by the page that reads it, `src/pages/blog/[...slug].astro`. Where none
 * does, it is that of the collection.
 */
import { sourceConfig, textAt } from "./config-files.ts";
import {
  foldersOf,
  pathOf,
  splitLangFolder,
  splitLangSuffix,
  type ContentPlace,
  type Dialect,
  type DialectContext,
} from "./dialect.ts";
import { isMarkdown, nameOf, stemOf, type SourcePath } from "./source-tree.ts";

const CONFIG = /^astro\.config\.(?:m?js|m?ts|cjs)$/;
const COLLECTION_PAGE = /^\[[^[\]/]+\]\.(?:astro|[jt]sx?)$/;

export async function openAstro(context: DialectContext): Promise<Dialect> {
  const { tree, read } = context;
  const file = tree.paths.find((path) => CONFIG.test(path)) ?? "astro.config.mjs";
  const text = tree.has(file) ? await read(file) : "";
  const config = sourceConfig({
    data: {},
    file,
    baseUrl: quoted(text, /\bsite:\s*["'`]([^"'`\s]+)["'`]/),
    basePath: quoted(text, /\bbase:\s*["'`]([^"'`\s]+)["'`]/),
    defaultLang: quoted(text, /\bdefaultLocale:\s*["'`]([\w-]+)["'`]/) ?? context.defaultLang,
    langs: context.langs,
    timeZone: undefined,
  });
  const bases = await collectionBases(context, text);
  const placeOf = (path: SourcePath): ContentPlace | undefined => {
    if (!isMarkdown(path) || nameOf(path).startsWith("_")) return undefined;
    const isPage = path.startsWith("src/pages/");
    if (!isPage && !path.startsWith("src/content/")) return undefined;
    const rest = path.split("/").slice(2);
    const collection = isPage || rest.length < 2 ? undefined : rest[0];
    const { folders, lang: folder } = splitLangFolder(rest.slice(collection === undefined ? 0 : 1, -1), config.langs);
    const { stem, lang: suffix } = splitLangSuffix(stemOf(path), config.langs);
    const isIndex = stem === "index";
    return {
      lang: suffix ?? folder,
      key: [isPage ? "pages" : `content/${collection ?? ""}`, ...folders, stem].join("/"),
      folders:
        collection === undefined
          ? folders
          : [...foldersOf(`${bases.get(collection) ?? `${collection}/`}x`), ...folders],
      isIndex,
      slug: isIndex ? "" : stem,
      ...(collection !== undefined && { collection }),
    };
  };
  return {
    name: "astro",
    config,
    placeOf,
    addressOf({ data, folders, slug, path }) {
      const own = path.startsWith("src/content/") ? textAt(data, "slug") : undefined;
      const address = own === undefined ? pathOf(...folders, githubSlug(slug)) : pathOf(...folders, own);
      return { path: textAt(data, "permalink") ?? address };
    },
    fileAddress: (path) => (path.startsWith("public/") ? `/${path.slice("public/".length)}` : undefined),
    takesPlainFiles: true,
    taxonomies: [
      { field: "tags", folder: "tags" },
      { field: "categories", folder: "categories" },
    ],
    listsFolders: false,
    isTemplatePage: (path) =>
      path.startsWith("src/pages/") && /^[^[\]]*\.astro$/.test(path) && !path.endsWith("/404.astro"),
  };
}

const quoted = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1];

/** The folder of the pages of each collection, with its final slash; "" for the root. */
async function collectionBases({ tree, read }: DialectContext, config: string): Promise<ReadonlyMap<string, string>> {
  const bases = new Map<string, string>();
  // The pages of Starlight are those of its collection.
  if (config.includes("@astrojs/starlight")) bases.set("docs", "");
  for (const path of tree.paths) {
    if (!path.startsWith("src/pages/") || !COLLECTION_PAGE.test(nameOf(path))) continue;
    const folder = path.slice("src/pages/".length, path.length - nameOf(path).length);
    for (const [, name] of (await read(path)).matchAll(/getCollection\(\s*["'`]([\w-]+)["'`]/g))
      if (name !== undefined && !bases.has(name)) bases.set(name, withoutParameters(folder));
  }
  return bases;
}

/** `[lang]/blog/` -> `blog/`. */
const withoutParameters = (folder: string): string =>
  folder
    .split("/")
    .filter((part) => !part.startsWith("["))
    .join("/");

/** Ids of entries are made of file names: lower case, spaces as `-`, without other marks. */
const githubSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
