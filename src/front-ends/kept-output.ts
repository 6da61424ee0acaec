/**
 * The pages that an earlier `nuxt generate` rendered: those that nothing has changed are copied, the others are rendered.
 *
 * Nuxt keeps no pages itself. A page is kept under a digest of the program, the manifest's epoch and the hash of its payload, and one
 * that asks for lists of pages under those of all pages as well. A page whose components have asked for data of other places than
 * the service is rendered each time, since nothing says when those change.
 */
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SiteManifest } from "./client.ts";

/** A route that Nuxt has rendered: a page, or its payload. */
export interface RenderedRoute {
  readonly route: string;
  /** In the output. */
  readonly fileName?: string;
  readonly contents?: string;
  readonly error?: unknown;
  readonly skip?: boolean;
}

interface KeptPage {
  readonly key: string;
  /** The digest of all pages when a page asked for a list of them. */
  readonly list?: string;
  /** The page and its payload, in the output. */
  readonly files: readonly string[];
}

const STATE = "pages.json";
const PAYLOAD = "_payload.json";

export interface KeptOutput {
  /** How many pages need not be rendered. */
  readonly size: number;
  /** Whether a route, of a page or of its payload, need not be rendered. */
  has(route: string): boolean;
  /** Takes notice of a route that has been rendered. */
  add(rendered: RenderedRoute): void;
  /** Copies what was kept into the output, and from there what was rendered, and forgets all else. */
  copy(output: string): void;
}

/**
 * @param dir of the files that are kept
 * @param program a digest of all else that a page is rendered from
 */
export function keptOutput(dir: string, program: string, { urls, epoch }: SiteManifest): KeptOutput {
  const state = join(dir, STATE);
  const before: Readonly<Record<string, KeptPage>> = existsSync(state) ? JSON.parse(readFileSync(state, "utf8")) : {};
  const keys = new Map(urls.map(({ path, hash }) => [decodeURI(path), digestOf(program, String(epoch), hash)]));
  const list = digestOf(...keys.keys(), ...keys.values());
  const pages = new Map(
    Object.entries(before).filter(([path, page]) => {
      const isSame = page.key === keys.get(path) && (page.list === undefined || page.list === list);
      return isSame && page.files.every((file) => existsSync(join(dir, file)));
    }),
  );
  const kept = new Set(pages.keys());
  const rendered = new Map<string, string[]>();

  return {
    size: kept.size,
    has: (route) => kept.has(pathOf(route)),

    add({ route, fileName, contents, error, skip }) {
      const path = pathOf(route);
      const key = keys.get(path);
      if (key === undefined || fileName === undefined || error || skip) return;
      const files = rendered.get(path) ?? [];
      rendered.set(path, files);
      files.push(fileName);
      if (path === withoutQuery(route)) return;
      const asked = questionsIn(contents ?? "");
      const asksLists = asked?.some((question) => question.startsWith("cms-pages:"));
      if (asked?.every((question) => /^cms[:-]/.test(question)))
        pages.set(path, { key, ...(asksLists && { list }), files });
    },

    copy(output) {
      for (const [path, { files }] of pages) {
        const [from, to] = kept.has(path) ? [dir, output] : [output, dir];
        for (const file of files) copyFile(join(from, file), join(to, file));
      }
      const files = new Set([...pages.values()].flatMap((page) => page.files));
      for (const file of Object.values(before).flatMap((page) => page.files))
        if (!files.has(file)) rmSync(join(dir, file), { force: true });
      mkdirSync(dir, { recursive: true });
      writeFileSync(state, JSON.stringify(Object.fromEntries(pages)));
    },
  };
}

/** The public path of a route: that of the page for its payload. */
function pathOf(route: string): string {
  const path = withoutQuery(route);
  return path.endsWith(PAYLOAD) ? path.slice(0, -PAYLOAD.length) : path;
}

const withoutQuery = (route: string): string => route.split("?", 1)[0]!;

/** The keys of the questions that components have asked; undefined for a payload of another form than Nuxt's. */
function questionsIn(payload: string): string[] | undefined {
  const [head, , data] = JSON.parse(payload) as unknown[];
  const isKnown = (head as { data?: unknown } | undefined)?.data === 1 && typeof data === "object" && data !== null;
  return isKnown ? Object.keys(data) : undefined;
}

function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function digestOf(...texts: readonly string[]): string {
  return createHash("sha1").update(JSON.stringify(texts)).digest("hex");
}

/** A digest of the files below some folders, but for what is hidden or installed, and of texts. */
export const programDigest = (folders: readonly string[], ...texts: readonly string[]): string =>
  digestOf(...folders.flatMap(sourcesIn).map((file) => digestOf(file, readFileSync(file, "latin1"))), ...texts);

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sourcesIn(path);
      return entry.isFile() ? [path] : [];
    });
