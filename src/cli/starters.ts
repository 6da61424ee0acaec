/** The starters of `cms init`: what they are, where their files are, and their content in other languages. */
import { readdirSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { isMap, isScalar, parseDocument, visit, type Pair } from "yaml";
import type { Lang } from "../model/locale.ts";
import { PROGRAM_ROOT } from "../version.ts";

export interface Starter {
  /** Below the program. */
  readonly folder: string;
  /** One line for help and questions. */
  readonly about: string;
  /**
   * Whether every text is copied into languages that it is not written in. Otherwise only the home page is, and the content
   * needs one of its own languages as the default one.
   */
  readonly isFullyCopied: boolean;
}

export const STARTERS: Readonly<Record<string, Starter>> = {
  lighthouse: { folder: ".", about: "the example: every kind of content, explained by using it", isFullyCopied: false },
  business: {
    folder: "starters/business",
    about: "a small company: services, about, contact",
    isFullyCopied: true,
  },
  blog: { folder: "starters/blog", about: "articles with pictures, subjects and a feed", isFullyCopied: true },
};

/** The languages that starters are written in. */
export const STARTER_LANGUAGES: readonly Lang[] = ["en", "it"];

const PARTS = ["content", "media", "templates", "static"];
const HOME = "content/pages/home.yaml";

/**
 * Copies the files of a starter that the folder does not have.
 *
 * @param languages the first is the default one
 * @returns the top-level folders that files were added to
 */
export async function copyStarter(starter: Starter, dir: string, languages: readonly Lang[]): Promise<string[]> {
  const from = join(PROGRAM_ROOT, starter.folder);
  const added = new Set<string>();
  for (const path of filesOf(from)) {
    const to = join(dir, path);
    await mkdir(dirname(to), { recursive: true });
    if (path.startsWith("content/")) {
      const text = adapted(starter, path, await readFile(join(from, path), "utf8"), languages);
      await writeFile(to, text, { flag: "wx" }).catch(unlessThere);
    } else await cp(join(from, path), to, { force: false });
    added.add(`${path.slice(0, path.indexOf("/"))}/`);
  }
  return [...added];
}

function adapted({ isFullyCopied }: Starter, path: string, text: string, languages: readonly Lang[]): string {
  if (isFullyCopied) return inLanguages(text, languages);
  const own = path === HOME ? inLanguages(text, languages, STARTER_LANGUAGES) : text;
  return languages[0] === "en" || !path.startsWith("content/pages/") ? own : adaptLinks(own);
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

/** With "/"; without thumbnails and renditions, which are made on request. */
function filesOf(folder: string): string[] {
  return PARTS.flatMap((part) => {
    try {
      return readdirSync(join(folder, part), { recursive: true, withFileTypes: true });
    } catch {
      return []; // not every starter has all of them
    }
  })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !/^media\/(renditions|thumbnails)\//.test(path));
}

/**
 * A content file with its texts in other languages: each language that has none gets the texts of the default one, else the
 * English ones.
 *
 * @param languages the first is the default one
 * @param keeps languages that stay although they are not asked for
 */
export function inLanguages(text: string, languages: readonly Lang[], keeps: readonly Lang[] = []): string {
  const isWritten = languages.every((lang) => STARTER_LANGUAGES.includes(lang));
  if (isWritten && (keeps.length > 0 || String(languages) === String(STARTER_LANGUAGES))) return text;
  const document = parseDocument(text);
  visit(document, {
    Map(_key, map) {
      const byLang = new Map(map.items.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : "", pair]));
      if (byLang.size === 0 || ![...byLang.keys()].every((key) => STARTER_LANGUAGES.includes(key))) return undefined;
      const [first = ""] = languages;
      const standard = byLang.get(first) ?? byLang.get("en");
      const wanted = new Set([...languages, ...keeps.filter((lang) => byLang.has(lang))]);
      map.items = [...wanted].flatMap((lang): Pair[] => {
        const own = byLang.get(lang);
        if (own) return [own as Pair];
        return standard ? [document.createPair(lang, (standard.value as { toJSON(): unknown }).toJSON()) as Pair] : [];
      });
      return isMap(map) ? visit.SKIP : undefined;
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** Links in Markdown of the example, which is written for English without a prefix, lead to Italian without one. */
const adaptLinks = (text: string): string =>
  text.replace(/\]\(\/(it\/)?/g, (_link, italian) => (italian ? "](/" : "](/en/"));
