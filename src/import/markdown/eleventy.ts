/** Eleventy: every Markdown file below the input folder is a page; data files give values to the files of their folder. */
import { isObject, mergeJson, type JsonObject } from "../../model/json.ts";
import { slugify } from "../../model/permalink.ts";
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
import { isMarkdown, nameOf, stemOf, type SourcePath } from "./source-tree.ts";

export const ELEVENTY_CONFIG = /^(?:\.eleventy\.c?js|eleventy\.config\.(?:m?js|cjs|ts))$/;

export async function openEleventy(context: DialectContext): Promise<Dialect> {
  const { tree, read } = context;
  const file = tree.paths.find((path) => ELEVENTY_CONFIG.test(path)) ?? "eleventy.config.js";
  const text = tree.has(file) ? await read(file) : "";
  const input = (/\binput:\s*["'`]([\w./-]*)["'`]/.exec(text)?.[1] ?? "").replace(/^\.?\/|\/$/g, "");
  const prefix = input === "" || input === "." ? "" : `${input}/`;
  const config = sourceConfig({
    data: {},
    file,
    baseUrl: undefined,
    basePath: /\bpathPrefix:\s*["'`]([\w./-]+)["'`]/.exec(text)?.[1],
    defaultLang: context.defaultLang,
    langs: context.langs,
    timeZone: undefined,
  });
  const folderData = await readFolderData(context, prefix);
  const within = (path: SourcePath): SourcePath | undefined =>
    path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
  const placeOf = (path: SourcePath): ContentPlace | undefined => {
    const rest = within(path);
    if (rest === undefined || !isMarkdown(rest)) return undefined;
    // A README at the top tells of the project, not of the site.
    if (
      foldersOf(rest).some((name) => name.startsWith("_")) ||
      /^(?:README|CHANGELOG|CONTRIBUTING|LICENSE)\.md$/i.test(path)
    )
      return undefined;
    const { folders, lang: folder } = splitLangFolder(foldersOf(rest), config.langs);
    const { stem, lang: suffix } = splitLangSuffix(stemOf(rest), config.langs);
    const { date, slug } = splitDate(stem);
    // A file called as its folder is the page of the folder, as is `index`.
    const isIndex = slug === "index";
    return {
      lang: suffix ?? folder,
      key: [...folders, stem].join("/"),
      folders,
      isIndex,
      slug: isIndex ? "" : slug,
      date,
      ...(date !== undefined && { isPost: true }),
    };
  };
  return {
    name: "eleventy",
    config,
    placeOf,
    defaultsFor: (path) =>
      foldersOf(path).reduce<JsonObject>(
        (merged, _, at) =>
          mergeJson(
            merged,
            folderData.get(
              path
                .split("/")
                .slice(0, at + 1)
                .join("/"),
            ) ?? {},
          ) as JsonObject,
        folderData.get("") ?? {},
      ),
    addressOf: eleventyAddress,
    fileAddress(path) {
      const rest = within(path);
      if (rest === undefined || rest.split("/").some((part) => part.startsWith("_"))) return undefined;
      return `/${rest.replace(/^(?:public|static)\//, "")}`;
    },
    takesPlainFiles: true,
    taxonomies: [
      { field: "tags", folder: "tags" },
      { field: "categories", folder: undefined },
    ],
    listsFolders: false,
    isTemplatePage(path) {
      const rest = within(path);
      return (
        rest !== undefined &&
        /\.(?:njk|liquid|html)$/.test(rest) &&
        !foldersOf(rest).some((name) => name.startsWith("_"))
      );
    },
  };
}

/** The data files `posts/posts.json` and `posts/posts.11tydata.json`, by folder. */
async function readFolderData(context: DialectContext, prefix: string): Promise<ReadonlyMap<SourcePath, JsonObject>> {
  const found = new Map<SourcePath, JsonObject>();
  for (const path of context.tree.paths) {
    const folder = foldersOf(path).join("/");
    const name = folder === "" ? "" : nameOf(folder);
    if (!path.startsWith(prefix) || ![`${name}.json`, `${name}.11tydata.json`, `${name}.yaml`].includes(nameOf(path)))
      continue;
    const data = await readDataFile(context, path);
    if (isObject(data)) found.set(folder, mergeJson(found.get(folder) ?? {}, data) as JsonObject);
  }
  return found;
}

function eleventyAddress(file: Located): { readonly path: string; readonly remark?: string } {
  const { data, folders, slug } = file;
  const plain = pathOf(...folders, slug);
  const permalink = valueAt(data, "permalink");
  if (permalink === false) return { path: plain, remark: "It has no address of its own (permalink: false)." };
  const pattern = textAt(data, "permalink");
  if (pattern === undefined) return { path: plain };
  const filled = pattern.replace(/\{\{([^{}]+)\}\}/g, (whole, code: string) => expressionOf(code, file) ?? whole);
  if (/\{[{%]/.test(filled))
    return { path: plain, remark: `Its permalink is made by code that is not run: ${pattern}` };
  return { path: (filled.startsWith("/") ? filled : `/${filled}`).replace(/\/index\.html$/, "/") };
}

/** The value of an expression that permalinks usually have; undefined for any other. */
function expressionOf(code: string, { slug, title, data, localDate = "", folders }: Located): string | undefined {
  const [name = "", ...filters] = code
    .replace(/^-|-$/g, "")
    .split("|")
    .map((part) => part.trim());
  const values: Readonly<Record<string, string | undefined>> = {
    "page.fileSlug": slug === "" ? folders.at(-1) : slug,
    "page.filePathStem": pathOf(...folders, slug).slice(0, -1),
    title,
    slug: textAt(data, "slug"),
    "page.date": localDate.slice(0, 10),
  };
  const value = values[name];
  if (value === undefined) return undefined;
  return filters.reduce<string | undefined>(
    (text, filter) => (text !== undefined && /^(?:slug|slugify|url)$/.test(filter) ? slugify(text) : undefined),
    value,
  );
}
