/**
 * Builds that render only the pages that changed.
 *
 * `dist/.cms-state.json` says of each page from what it was rendered. Astro leaves the files of earlier builds as they are
 * (`emptyOutDir`); after a change of the code or the menus the folder is made anew.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Content, Entry } from "./content";
import { articlesIn, listsArticles } from "./site";

interface State {
  /** What all pages are made from. */
  readonly program: string;
  /** What each page is made from, by path. */
  readonly pages: Readonly<Record<string, string>>;
}

const STATE = "dist/.cms-state.json";
const CHANGED = ".cms/changed.json";
const EMPTY: State = { program: "", pages: {} };

let content: Content;
let before = EMPTY;
let next = EMPTY;

/** Before Astro's work. @param isBuild a development server shows all pages */
export function prepare(fetched: Content, isBuild: boolean): void {
  content = fetched;
  next = {
    program: programOf(content),
    pages: Object.fromEntries(content.entries.map((entry) => [entry.path, stateOf(entry)])),
  };
  before = existsSync(STATE) ? JSON.parse(readFileSync(STATE, "utf8")) : EMPTY;
  if (isBuild && before.program !== next.program) {
    rmSync("dist", { recursive: true, force: true });
    before = EMPTY;
  }
  const isChanged = ({ path }: Entry): boolean =>
    !isBuild || next.pages[path] !== before.pages[path] || !existsSync(`dist${path}index.html`);
  writeFileSync(CHANGED, JSON.stringify(content.entries.filter(isChanged).map(({ path }) => path)));
}

/** Paths of the pages to render. Read from a file, since Astro runs the pages apart from its configuration. */
export const changedPaths = (): ReadonlySet<string> => new Set(JSON.parse(readFileSync(CHANGED, "utf8")));

/** After Astro's work: removes pages that are gone, and writes the redirects. */
export function finish(): void {
  for (const path of Object.keys(before.pages))
    if (!(path in next.pages)) rmSync(`dist${path}index.html`, { force: true });
  mkdirSync("dist", { recursive: true });
  writeFileSync(
    "dist/_redirects",
    content.redirects.map(({ from, to, status }) => `${from} ${to} ${status}\n`).join(""),
  );
  writeFileSync(STATE, JSON.stringify(next));
}

/** A page is made from its payload, and a list of articles from theirs too. */
function stateOf(entry: Entry): string {
  const { entries } = content;
  const made = listsArticles(entry.page) ? [entry, ...articlesIn(entries, entry.page.language)] : [entry];
  return sha1(...made.map(({ hash }) => hash));
}

/** What all pages are made from: the code, the languages, the menus, and the address in the payloads. */
function programOf({ service, languages, menus }: Content): string {
  const files = ["cms", "src", "public"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`),
  );
  const code = ["astro.config.ts", "package-lock.json", ...files.sort()].map((file) => readFileSync(file, "utf8"));
  return sha1(...code, JSON.stringify([service, languages, menus]));
}

const sha1 = (...parts: string[]): string => createHash("sha1").update(JSON.stringify(parts)).digest("hex");
