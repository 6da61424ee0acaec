/**
 * Copies a starter, with its content in other languages. Apart from their table, which every command loads: the `yaml`
 * package is a seventh of what the start of a server takes to load its modules.
 */
import { readdirSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { isMap, isScalar, parseDocument, visit, type Pair } from "yaml";
import type { Lang } from "../../model/language/locale.ts";
import { PROGRAM_ROOT } from "../../version.ts";
import { BARE_SITE, STARTER_LANGUAGES, type Starter } from "./starters.ts";

const PARTS = ["content", "media", "templates", "static"];
const HOME = "content/pages/home.yaml";
/** Files that the starters below `examples/starters/` have in common, but for the bare one. */
const SHARED = "examples/starters/shared";

/**
 * Copies the files of a starter that the folder does not have.
 *
 * @param languages the first is the default one
 * @returns the top-level folders that files were added to
 */
export async function copyStarter(starter: Starter, dir: string, languages: readonly Lang[]): Promise<string[]> {
  const added = new Set<string>();
  const folders = starter.folder === "." || starter === BARE_SITE ? [starter.folder] : [starter.folder, SHARED];
  const files = folders.flatMap((folder) => {
    const from = join(PROGRAM_ROOT, folder);
    return filesOf(from).map((path) => ({ from, path }));
  });
  for (const { from, path } of files) {
    const to = join(dir, path);
    await mkdir(dirname(to), { recursive: true });
    if (/^(?:content|templates)\//.test(path)) {
      const text = adapted(starter, path, filledIn(await readFile(join(from, path), "utf8"), dir), languages);
      await writeFile(to, text, { flag: "wx" }).catch(unlessThere);
    } else await cp(join(from, path), to, { force: false });
    added.add(`${path.slice(0, path.indexOf("/"))}/`);
  }
  return [...added];
}

/** The name of the site, which is that of its folder, and the present time, where the bare site has them. */
const filledIn = (text: string, dir: string): string =>
  text
    .replaceAll('"SITE_NAME"', () => JSON.stringify(basename(dir)))
    .replaceAll("PRESENT_TIME", new Date().toISOString());

function adapted({ isFullyCopied }: Starter, path: string, text: string, languages: readonly Lang[]): string {
  if (!path.startsWith("content/")) return text;
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
