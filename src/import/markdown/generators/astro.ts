/**
 * Astro: collections in `src/content`, pages in `src/pages`.
 *
 * The address of a collection is decided by code: by the page that reads it, `src/pages/blog/[...slug].astro`. Where none
 * does, it is that of the collection.
 */
import { sourceConfig, textAt, settingAt } from "../config-files.ts";
import { fieldText } from "../field-values.ts";
import {
  pathOf,
  servedByPath,
  cutLang,
  stated,
  type Address,
  type ContentPlace,
  type Dialect,
  type DialectContext,
  type Located,
} from "./dialect.ts";
import type { ImportedRedirect } from "../../imported-site.ts";
import { linesIn } from "../front-matter.ts";
import { isMarkdown, basePart, stemOf, type SourcePath } from "../source-tree.ts";

const CONFIG = /^astro\.config\.(?:m?js|m?ts|cjs)$/;
const COLLECTION_PAGE = /^\[[^[\]/]+\]\.(?:astro|[jt]sx?)$/;

export async function openAstro(context: DialectContext): Promise<Dialect> {
  const { tree, read } = context;
  const file = tree.paths.find((path) => CONFIG.test(path)) ?? "astro.config.mjs";
  const text = tree.has(file) ? await read(file) : "";
  const config = sourceConfig(context, {
    file,
    baseUrl: quoted(text, /\bsite:\s*["'`]([^"'`\s]+)["'`]/),
    basePath: quoted(text, /\bbase:\s*["'`]([^"'`\s]+)["'`]/),
    defaultLang: quoted(text, /\bdefaultLocale:\s*["'`]([\w-]+)["'`]/),
  });
  const bases = await collectionBases(context, text);
  const baseOf = (collection: string): Base => bases.get(collection) ?? { folders: [collection], hasLang: false };
  const placeOf = (path: SourcePath): ContentPlace | undefined => {
    if (!isMarkdown(path) || basePart(path).startsWith("_")) return undefined;
    const isPage = path.startsWith("src/pages/");
    if (!isPage && !path.startsWith("src/content/")) return undefined;
    const rest = path.split("/").slice(2);
    const collection = isPage || rest.length < 2 ? undefined : rest[0];
    const { stem, ...place } = cutLang(rest.slice(collection === undefined ? 0 : 1, -1), stemOf(path), config.langs);
    const isIndex = stem === "index";
    const base = collection === undefined ? [] : baseOf(collection).folders;
    return {
      ...place,
      key: [isPage ? "pages" : `content/${collection ?? ""}`, ...place.folders, stem].join("/"),
      folders: [...base, ...place.folders],
      isIndex,
      slug: isIndex ? "" : stem,
      ...(collection !== undefined && { collection }),
    };
  };
  return {
    name: "astro",
    config,
    placeOf,
    addressOf(file) {
      const own = textAt(file.data, "permalink");
      if (own !== undefined) return stated(own);
      if (file.collection === undefined) return servedByPath(file, file.slug);
      return entryAddress(file, baseOf(file.collection));
    },
    fileAddress: (path) => (path.startsWith("public/") ? `/${path.slice("public/".length)}` : undefined),
    takesPlainFiles: true,
    taxonomies: [
      { field: "tags", folder: "tags" },
      { field: "categories", folder: "categories" },
    ],
    redirects: redirectsIn(text, file, context),
    isTemplatePage: (path) =>
      path.startsWith("src/pages/") && /^[^[\]]*\.astro$/.test(path) && !path.endsWith("/404.astro"),
  };
}

/** `redirects: { "/a": "/b", "/c": { status: 302, destination: "/d" } }`; those with parameters are told. */
function redirectsIn(config: string, file: SourcePath, { remark }: DialectContext): ImportedRedirect[] {
  const start = /\bredirects\s{0,20}:\s{0,20}\{/.exec(config);
  if (!start) return [];
  const block = /^(?:[^{}]|\{[^{}]*\})*/.exec(config.slice(start.index + start[0].length))?.[0] ?? "";
  const rows = block.matchAll(/["'`](\/[^"'`\n]*)["'`]\s{0,20}:\s{0,20}(?:["'`]([^"'`\n]+)["'`]|\{([^{}]*)\})/g);
  return [...rows].flatMap(([, from = "", plain, options = ""]) => {
    const to = plain ?? /\bdestination\s{0,20}:\s{0,20}["'`]([^"'`\n]+)["'`]/.exec(options)?.[1];
    const line = 1 + linesIn(config, 0, config.indexOf(from, start.index));
    if (to === undefined || /[[\]]/.test(from + to)) {
      remark({
        file,
        line,
        message: `The redirect of ${from} has parameters, or no place to lead to: it is not imported.`,
      });
      return [];
    }
    const status = /\bstatus\s{0,20}:\s{0,20}30[27]\b/.test(options) ? 302 : 301;
    return [{ place: { file, line }, from, to, status } as const];
  });
}

const quoted = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1];

/** Where the pages of a collection are. */
interface Base {
  readonly folders: readonly string[];
  /** Whether a parameter before them is the language: `/it/blog/a/`, not `/blog/it/a/`. */
  readonly hasLang: boolean;
}

/** An entry has the address of its collection, and its path in it; `slug` replaces that path. */
function entryAddress({ data, folders, slug, langFolder, langSuffix }: Located, base: Base): Address {
  const own = fieldText(settingAt(data, "slug"));
  const within = folders.slice(base.folders.length).map(githubSlug);
  const unprefixed = own === undefined ? pathOf(...folders, githubSlug(slug)) : pathOf(...base.folders, own);
  const rest = own === undefined ? [langFolder, ...within, `${githubSlug(slug)}${langSuffix.replace(".", "")}`] : [own];
  const path = base.hasLang ? pathOf(langFolder, unprefixed) : pathOf(...base.folders, ...rest);
  return { path, unprefixed };
}

async function collectionBases({ tree, read }: DialectContext, config: string): Promise<ReadonlyMap<string, Base>> {
  const bases = new Map<string, Base>();
  // The pages of Starlight are those of its collection.
  if (config.includes("@astrojs/starlight")) bases.set("docs", { folders: [], hasLang: true });
  for (const path of tree.paths) {
    if (!path.startsWith("src/pages/") || !COLLECTION_PAGE.test(basePart(path))) continue;
    const folder = path.slice("src/pages/".length, path.length - basePart(path).length);
    for (const [, name] of (await read(path)).matchAll(/getCollection\(\s*["'`]([\w-]+)["'`]/g))
      if (name !== undefined && !bases.has(name)) bases.set(name, baseIn(folder));
  }
  return bases;
}

/** Of `[lang]/blog/`. */
const baseIn = (folder: string): Base => ({
  folders: folder.split("/").filter((part) => part !== "" && !part.startsWith("[")),
  hasLang: folder.startsWith("["),
});

/** Ids of entries are made of file names: lower case, spaces as `-`, without other marks. */
const githubSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
