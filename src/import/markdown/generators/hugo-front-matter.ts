/** Front matter of Hugo: keys in any case, and values that the page of a section gives those below. */
import { isList, isObject, mergeJson, objectOf, type Json, type JsonObject } from "../../../model/input/json.ts";
import type { Lang } from "../../../model/language/locale.ts";
import type { Instant } from "../../../model/time/instant.ts";
import { hiddenBy } from "../../../model/front-matter/foreign-visibility.ts";
import type { DialectContext } from "./dialect.ts";
import { listOf, fieldText } from "../field-values.ts";
import { splitFile } from "../front-matter.ts";
import { matchesWildcard } from "./path-wildcard.ts";
import { dirPart, stemOf, type SourcePath } from "../source-tree.ts";

/** Those that are read here. */
const KEYS = new Map(
  [
    ...["title", "linkTitle", "description", "summary", "keywords", "weight", "slug", "url", "aliases", "draft"],
    ...[
      "date",
      "publishDate",
      "pubDate",
      "published",
      "lastmod",
      "modified",
      "expiryDate",
      "headless",
      "build",
      "_build",
    ],
    ...["translationKey", "tags", "categories", "images", "image", "author", "authors", "menu", "menus", "cascade"],
  ].map((key) => [key.toLowerCase(), key] as const),
);

/** Of keys that differ by case only, the first has the name. */
export function withKnownKeys(data: JsonObject): JsonObject {
  if (Object.keys(data).every((key) => (KEYS.get(key.toLowerCase()) ?? key) === key)) return data;
  const taken = new Set<string>();
  return objectOf(
    Object.entries(data).map(([key, value]) => {
      const name = KEYS.get(key.toLowerCase()) ?? key;
      if (taken.has(name)) return [key, value] as const;
      taken.add(name);
      return [name, value] as const;
    }),
  );
}

export interface Cascade {
  /** The files below it get its values. */
  readonly folder: SourcePath;
  /** undefined: all. */
  readonly lang: Lang | undefined;
  readonly target: JsonObject;
  readonly values: JsonObject;
}

/** The page of a section, as its front matter has it. */
export interface SectionPage {
  readonly path: SourcePath;
  readonly folder: SourcePath;
  readonly lang: Lang;
  readonly data: JsonObject;
}

/** The outermost first. */
export async function sectionPages(
  { tree, read }: DialectContext,
  langOf: (path: SourcePath) => Lang,
): Promise<readonly SectionPage[]> {
  const paths = tree.paths.filter((path) => /^_index\b/.test(stemOf(path)));
  const pages: SectionPage[] = [];
  for (const path of paths.sort((a, b) => a.split("/").length - b.split("/").length)) {
    const data = withKnownKeys(splitFile(await read(path), path, "hugo").data);
    pages.push({ path, folder: dirPart(path), lang: langOf(path), data });
  }
  return pages;
}

/** Whether a section is not shown, and what is below it neither, by some versions of Hugo. */
export function isClosed({ draft = null, expiryDate = null }: JsonObject, now: Instant): boolean {
  const rules = { generator: "hugo", dates: [], zone: undefined, now } as const;
  return hiddenBy({ draft, expiryDate }, rules).length > 0;
}

/** Those of the configuration and of the pages of sections, the outermost first. */
export const cascadesOf = (ofConfig: Json | undefined, sections: readonly SectionPage[]): readonly Cascade[] => [
  ...cascadesIn(ofConfig, "", undefined),
  ...sections.flatMap(({ folder, lang, data }) => cascadesIn(data.cascade, folder, lang)),
];

function cascadesIn(value: Json | undefined, folder: SourcePath, lang: Lang | undefined): Cascade[] {
  return (isList(value) ? value : [value]).flatMap((row) => {
    if (!isObject(row)) return [];
    const { target, _target, ...values } = withKnownKeys(row) as Record<string, Json>;
    const found = target ?? _target;
    return [{ folder, lang, target: isObject(found) ? found : {}, values }];
  });
}

/** The values that a file has from above. Where it is not clear whether they are for it, those that hide it count. */
export function cascaded(cascades: readonly Cascade[], path: SourcePath, lang: Lang): JsonObject {
  let merged: JsonObject = {};
  for (const { folder, lang: only, target, values } of cascades) {
    if (
      !path.startsWith(folder === "" ? "" : `${folder}/`) ||
      (only !== undefined && only !== lang) ||
      !isTarget(target, path, lang)
    )
      continue;
    merged = mergeJson(merged, values) as JsonObject;
  }
  return merged;
}

function isTarget(target: JsonObject, path: SourcePath, lang: Lang): boolean {
  const stem = stemOf(path).replace(/\.[\w-]+$/, "");
  const kind = stem !== "_index" ? "page" : dirPart(path).includes("/") ? "section" : "home";
  const page = `/${path.split("/").slice(1).join("/")}`
    .toLowerCase()
    .replace(/(?:\.[\w-]+){1,2}$|\/_?index(?:\.[\w-]+){1,2}$/, "");
  return Object.entries(target).every(([key, value]) => {
    const wanted = fieldText(value) ?? "";
    switch (key.toLowerCase()) {
      case "path":
        return alternatives(wanted.toLowerCase()).some((each) => matchesWildcard(page, each));
      case "kind":
        return alternatives(wanted).some((each) => matchesWildcard(kind, each));
      case "lang":
        return alternatives(wanted).some((each) => matchesWildcard(lang, each));
      case "environment":
        return alternatives(wanted).some((each) => matchesWildcard("production", each));
      default:
        return true;
    }
  });
}

/** `{/a,/b/**}` -> `/a` and `/b/**`. */
function alternatives(pattern: string): readonly string[] {
  const match = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(pattern);
  if (!match) return [pattern];
  const [, before = "", inner = "", after = ""] = match;
  return listOf(inner).map((each) => `${before}${each}${after}`);
}
