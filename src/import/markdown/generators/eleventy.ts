/** Eleventy: every Markdown file below the input folder is a page; data files give values to the files of their folder. */
import { isObject, mergeJson, type Json, type JsonObject } from "../../../model/input/json.ts";
import { slugify } from "../../../model/address/slug.ts";
import { formatOf, readDataFile, sourceConfig, textAt, settingAt } from "../config-files.ts";
import {
  foldersOf,
  pathOf,
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
import { fieldText, listOf } from "../field-values.ts";
import type { TemplateLanguage } from "../template-tags.ts";
import { isLeftOut } from "./path-wildcard.ts";
import { basePart, folderPath, isMarkdown, stemOf, type SourcePath } from "../source-tree.ts";

export const ELEVENTY_CONFIG = /^(?:\.eleventy\.c?js|eleventy\.config\.(?:m?js|cjs|ts))$/;

export async function openEleventy(context: DialectContext): Promise<Dialect> {
  const { tree, read } = context;
  const file = tree.paths.find((path) => ELEVENTY_CONFIG.test(path)) ?? "eleventy.config.js";
  const text = tree.has(file) ? await read(file) : "";
  const stated = /\b(?:input:|setInputDirectory\()\s*["'`]([\w./-]*)["'`]/.exec(text)?.[1] ?? "";
  const input = folderPath(stated);
  const prefix = input === "" || input === "." ? "" : `${input}/`;
  const config = sourceConfig(context, {
    file,
    basePath: /\bpathPrefix:\s*["'`]([\w./-]+)["'`]/.exec(text)?.[1],
  });
  const ignored = [
    ...(tree.has(".eleventyignore") ? (await read(".eleventyignore")).split(/\r?\n/) : []),
    ...[...text.matchAll(/\bignores\.add\(\s*["'`]([^"'`\n]+)["'`]/g)].map(([, pattern]) => pattern!),
  ];
  // linear: what follows the name is a run of signs and a run of letters, which do not overlap.
  const engine = /markdownTemplateEngine\b\W*(\w+)/.exec(text)?.[1] ?? "liquid";
  const copies = copiesIn(text, prefix);
  const dataFiles = await readDataFiles(context, prefix);
  const within = (path: SourcePath): SourcePath | undefined =>
    path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
  const others = [
    ...text.matchAll(/(?:\b(?:includes|layouts|data):|set(?:Includes|Layouts|Data)Directory\()\s?["'`]([\w./-]+)/g),
  ].map(([, folder]) => folder!);
  /** Folders that are of templates and data, not of pages. */
  const apart = new Set(["_includes", "_layouts", "_data", ...others.map(folderPath)]);
  const isApart = (rest: SourcePath): boolean => [...apart].some((each) => rest.startsWith(`${each}/`));
  const placeOf = (path: SourcePath): ContentPlace | undefined => {
    const rest = within(path);
    if (rest === undefined || !isMarkdown(rest)) return undefined;
    // A README at the top tells of the project, not of the site.
    if (isApart(rest) || /^(?:README|CHANGELOG|CONTRIBUTING|LICENSE)\.md$/i.test(path)) return undefined;
    const { stem, ...place } = cutLang(foldersOf(rest), stemOf(rest), config.langs);
    const { date, slug } = splitDate(stem);
    // A file called as its folder is the page of the folder, as is `index`.
    const isIndex = slug === "index" || (slug !== "" && slug === foldersOf(rest).at(-1));
    return {
      ...place,
      key: [...place.folders, isIndex ? "index" : stem].join("/"),
      isIndex,
      slug: isIndex ? "" : slug,
      date,
      ...(date !== undefined && { isPost: true }),
      ...(isLeftOut(path, ignored) && { hidden: "Eleventy is told to ignore it: it is a draft." }),
    };
  };
  return {
    name: "eleventy",
    config,
    placeOf,
    defaultsFor(path) {
      const parts = path.split("/");
      const above = parts.map((_, at) => parts.slice(0, at).join("/"));
      return [...above, withoutExtension(path)].reduce<JsonObject>(
        (merged, owner) => mergeJson(merged, dataFiles.get(owner) ?? {}) as JsonObject,
        {},
      );
    },
    addressOf: eleventyAddress,
    templatesIn: (front) => templatesOf(front.templateEngineOverride ?? engine),
    fileAddress(path) {
      const copy = copies.find(({ from }) => path === from || path.startsWith(`${from}/`));
      if (copy) return pathOf(copy.to, path.slice(copy.from.length)).slice(0, -1);
      const rest = within(path);
      if (rest === undefined || isApart(rest)) return undefined;
      return `/${rest.replace(/^(?:public|static)\//, "")}`;
    },
    takesPlainFiles: true,
    taxonomies: [
      { field: "tags", folder: "tags" },
      { field: "categories", folder: undefined },
    ],
    isTemplatePage(path) {
      const rest = within(path);
      return (
        rest !== undefined &&
        /\.(?:njk|liquid|html|hbs|mustache|ejs|haml|pug|webc|vto|11ty\.[cm]?[jt]sx?)$/.test(rest) &&
        !isApart(rest)
      );
    },
    pagesFolder: prefix,
    output: folderPath(/\b(?:output:|setOutputDirectory\()\s*["'`]([\w./-]+)["'`]/.exec(text)?.[1] ?? "_site"),
  };
}

/** @param engine as it is named: `njk`, `njk,md`, or false; code in other languages is read as Liquid */
function templatesOf(engine: Json): TemplateLanguage | undefined {
  const names = listOf(engine);
  if (names.includes("njk")) return "njk";
  return names.every((name) => name === "md" || name === "html" || name === "false") ? undefined : "liquid";
}

interface Copy {
  /** A file or folder of the source. */
  readonly from: SourcePath;
  /** Its path in the site. */
  readonly to: string;
}

/** What the configuration copies: `addPassthroughCopy("img")`, or with another place, `addPassthroughCopy({ public: "/" })`. */
function copiesIn(config: string, prefix: string): readonly Copy[] {
  const bare = (path: string): string => path.replace(/^\.?\/|\/$|\/?\*.*$/gs, "");
  const below = (path: string): string =>
    `${path}/` === prefix ? "" : path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return [...config.matchAll(/\baddPassthroughCopy\(\s*(?:["'`]([^"'`\n]+)["'`]|\{([^{}]*)\})/g)].flatMap(
    ([, path, mapping]): Copy[] => {
      if (path !== undefined) return [{ from: bare(path), to: below(bare(path)) }];
      return (mapping ?? "").split(",").flatMap((row): Copy[] => {
        const [from = "", to] = row.split(":").map((each) => each.trim().replace(/^["'`]|["'`]$/g, ""));
        return to === undefined ? [] : [{ from: bare(from), to }];
      });
    },
  );
}

/**
 * The data files `posts/posts.json` and `posts/posts.11tydata.json` by folder, and those of one file, `posts/a.json`, by its
 * path without extension.
 */
async function readDataFiles(context: DialectContext, prefix: string): Promise<ReadonlyMap<SourcePath, JsonObject>> {
  const { tree, remark } = context;
  const found = new Map<SourcePath, JsonObject>();
  const stems = new Set(tree.paths.filter(isMarkdown).map(withoutExtension));
  for (const path of tree.paths) {
    const folder = foldersOf(path).join("/");
    if (!path.startsWith(prefix) || folder.includes("_data")) continue;
    const isCode = /\.11tydata\.[cm]?[jt]s$/.test(path);
    if (isCode) remark({ file: path, message: "Data in JavaScript is not run: what it gives files is not imported." });
    const of = withoutExtension(path).replace(/\.11tydata$/, "");
    const owner = basePart(of) === basePart(folder) ? folder : stems.has(of) ? of : undefined;
    if (owner === undefined || isMarkdown(path)) continue;
    // What cannot be read may have hidden its files.
    const data = isCode
      ? dataInCode(await context.read(path), path)
      : ((await readDataFile(context, path)) ?? (formatOf(path) && { permalink: false }));
    if (isObject(data)) found.set(owner, mergeJson(found.get(owner) ?? {}, data) as JsonObject);
  }
  return found;
}

/** What data in JavaScript says of addresses and drafts; a permalink that is a function is code, which may hide its files. */
function dataInCode(code: string, path: SourcePath): JsonObject {
  const isDraft = /\bdraft["']?\s{0,20}:\s{0,20}true\b/.test(code);
  const stated = /\bpermalink\b["']?\s{0,20}(?::\s{0,20}(false\b|["'`][^"'`\n$]{0,500}["'`])|[:(])/.exec(code);
  const literal = stated?.[1];
  return {
    ...(isDraft && { draft: true }),
    ...(stated && {
      permalink:
        literal === undefined
          ? `{% permalink of ${basePart(path)} %}`
          : literal === "false"
            ? false
            : literal.slice(1, -1),
    }),
  };
}

const withoutExtension = (path: SourcePath): SourcePath => path.replace(/\.[^./]+$/, "");

function eleventyAddress(file: Located): Address {
  const { data } = file;
  const plain = servedByPath(file, file.slug);
  const permalink = settingAt(data, "permalink");
  if (permalink === false)
    return {
      ...plain,
      isHidden: true,
      remark: "It has no page of its own (permalink: false): it is imported as a draft.",
    };
  const pattern = textAt(data, "permalink");
  if (pattern === undefined)
    return permalink === undefined || permalink === null || permalink === true
      ? plain
      : { ...plain, remark: "Its permalink is no text, and is not understood." };
  const filled = pattern.replace(/\{\{([^{}]+)\}\}/g, (whole, code: string) => expressionOf(code, file) ?? whole);
  if (/\{[{%]/.test(filled)) {
    const remark = `Its permalink is made by code that is not run: ${pattern}`;
    // A condition may say that there is no page.
    return filled.includes("{%")
      ? { ...plain, isHidden: true, remark: `${remark}. It is a draft.` }
      : { ...plain, remark };
  }
  return stated(filled.replace(/\/{2,}/g, "/").replace(/(^|\/)index\.html$/, "$1"));
}

/** The value of an expression that permalinks usually have; undefined for any other. */
function expressionOf(code: string, file: Located): string | undefined {
  const [name = "", ...filters] = code
    .replace(/^-|-$/g, "")
    .split("|")
    .map((part) => part.trim());
  const { slug, title, data, localDate = "", folders } = file;
  const values: Readonly<Record<string, string | undefined>> = {
    "page.fileSlug": slug === "" ? folders.at(-1) : slug,
    "page.filePathStem": pathOf(file.langFolder, ...folders, slug || "index").slice(0, -1),
    "page.date": localDate,
    "page.outputFileExtension": "html",
    title,
    ...(textAt(data, "slug") !== undefined && { slug: textAt(data, "slug") }),
    ...(textAt(data, "lang") !== undefined && { lang: textAt(data, "lang") }),
  };
  return filters.reduce<string | undefined>(
    (text, filter) => (text === undefined ? undefined : filtered(text, filter)),
    values[name] ?? fieldText(settingAt(data, ...name.split("."))),
  );
}

function filtered(text: string, filter: string): string | undefined {
  if (/^(?:lower|downcase)$/.test(filter)) return text.toLowerCase();
  if (/^(?:slug|slugify|url)$/.test(filter)) return filter === "url" ? text : slugify(text);
  const format = /^date:\s*["']([^"']+)["']$/.exec(filter)?.[1];
  if (format === undefined || text === "") return undefined;
  const [year = "", month = "", day = ""] = text.slice(0, 10).split("-");
  const parts: Readonly<Record<string, string>> = {
    "%Y": year,
    "%y": year.slice(2),
    "%m": month,
    "%-m": String(Number(month)),
    "%d": day,
    "%-d": String(Number(day)),
  };
  const shown = format.replace(/%-?[a-zA-Z]/g, (part) => parts[part] ?? part);
  return shown.includes("%") ? undefined : shown;
}
