/**
 * `git-cms/eleventy`: the content of a site as global data `cms`, pagination over the pages that changed, and previews.
 *
 * Eleventy renders what a pagination gives it and leaves the other files of its output. The output therefore says from what each page
 * was made, in `.cms-state.json`, and `cms.changed` has the pages for which this is no longer true.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, draftAt, redirectLines, type CmsClient, type PageLike } from "./client.ts";
import { fetchPages, type PageEntry } from "./kept-pages.ts";

export type { PageEntry } from "./kept-pages.ts";

/** The global data `cms`. */
export interface SiteData<Page extends PageLike = PageLike, Menu = unknown> {
  readonly entries: readonly PageEntry<Page>[];
  /** The entries that this build has to render. */
  readonly changed: readonly PageEntry<Page>[];
  readonly languages: readonly { readonly id: string; readonly name: string }[];
  /** By language, then by key. */
  readonly menus: Readonly<Record<string, Readonly<Record<string, Menu>>>>;
}

export interface EleventyOptions<Page extends PageLike = PageLike> {
  /** By default the service at `CMS_URL`; `filesClient("data")` of `git-cms/files` reads a folder. */
  readonly client?: CmsClient;
  /** Keys of the menus to load; `main` by default. */
  readonly menus?: readonly string[];
  /** Folders and files whose change renders every page, beside those that Eleventy knows and its configuration. */
  readonly code?: readonly string[];
  /** What else a page shows, such as the entries of a list. */
  readonly shows?: (entry: PageEntry<Page>, site: SiteData<Page>) => readonly PageEntry<Page>[];
  /** The HTML of a draft, for `/preview/...` of `eleventy --serve`. */
  readonly preview?: (page: Page, site: SiteData<Page>) => string | Promise<string>;
}

/** What the output was made from. */
interface State {
  /** What all pages are made from. */
  readonly program: string;
  /** What each page is made from, by path. */
  readonly pages: Readonly<Record<string, string>>;
}

const CACHE = ".cache/git-cms.json";
const STATE = ".cms-state.json";

/** What of Eleventy's configuration, which has no types, is used. */
interface Configuration {
  on(name: "eleventy.before", call: (event: { directories: Directories }) => Promise<void>): void;
  on(name: "eleventy.after", call: () => void): void;
  addGlobalData(name: string, value: () => unknown): void;
  setServerOptions(options: object): void;
}

interface Directories {
  readonly input?: string;
  readonly includes?: string;
  readonly data?: string;
  readonly layouts?: string;
  readonly output?: string;
}

/** The plugin. */
export default function gitCms<Page extends PageLike = PageLike>(
  eleventy: Configuration,
  options: EleventyOptions<Page> = {},
): void {
  const client = options.client ?? createClient();
  let site: SiteData<Page>;
  let output = "_site";
  let before: State = { program: "", pages: {} };
  let next = before;
  let redirects = "";

  eleventy.on("eleventy.before", async ({ directories }) => {
    const folders = [directories.input, directories.includes, directories.data, directories.layouts];
    output = directories.output ?? output;
    const loaded = await load<Page>(client, options.menus ?? ["main"]);
    redirects = loaded.redirects;
    const all: SiteData<Page> = { ...loaded.site, changed: [] };
    const code = [...folders, ...(options.code ?? []), "package-lock.json", ...CONFIGURATIONS];
    const shown = (entry: PageEntry<Page>): string =>
      sha1([entry, ...(options.shows?.(entry, all) ?? [])].map(({ hash }) => hash));
    next = {
      program: sha1([loaded.epoch, client.url, ...textsOf(code)]),
      pages: Object.fromEntries(all.entries.map((entry) => [entry.path, shown(entry)])),
    };
    const file = join(output, STATE);
    before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as State) : { program: "", pages: {} };
    if (before.program !== next.program) {
      rmSync(output, { recursive: true, force: true });
      before = { program: next.program, pages: {} };
    }
    const isChanged = ({ path }: PageEntry): boolean =>
      next.pages[path] !== before.pages[path] || !existsSync(join(output, path, "index.html"));
    site = { ...all, changed: all.entries.filter(isChanged) };
  });
  eleventy.addGlobalData("cms", () => site);
  eleventy.on("eleventy.after", () => {
    for (const path of Object.keys(before.pages))
      if (!(path in next.pages)) rmSync(join(output, path, "index.html"), { force: true });
    mkdirSync(output, { recursive: true });
    writeFileSync(join(output, "_redirects"), redirects);
    writeFileSync(join(output, STATE), JSON.stringify(next));
  });
  const { preview } = options;
  if (preview)
    eleventy.setServerOptions({ middleware: [localOnly, previews(client, (page) => preview(page as Page, site))] });
}

const CONFIGURATIONS = [".eleventy.js", "eleventy.config.js", "eleventy.config.mjs", "eleventy.config.cjs"];

/** The content; payloads that did not change come from the cache. */
async function load<Page extends PageLike>(client: CmsClient, keys: readonly string[]) {
  const { manifest, entries } = await fetchPages<Page>(client, CACHE);
  const languages = await client.languages();
  const menus: Record<string, Record<string, unknown>> = {};
  for (const { id } of languages) {
    const own = keys.map(async (key) => [key, await client.menu(key, id)] as const);
    menus[id] = Object.fromEntries(await Promise.all(own));
  }
  return { site: { entries, languages, menus }, epoch: String(manifest.epoch), redirects: redirectLines(manifest) };
}

/** The texts of files, and of all files below folders, with their names. */
function textsOf(paths: readonly (string | undefined)[]): string[] {
  const files = new Set<string>();
  for (const path of paths) {
    if (path === undefined || !existsSync(path)) continue;
    if (statSync(path).isFile()) files.add(path);
    else
      for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
        if (entry.isFile()) files.add(join(entry.parentPath, entry.name));
  }
  return [...files].sort().flatMap((file) => [file, readFileSync(file, "utf8")]);
}

const sha1 = (parts: readonly string[]): string => createHash("sha1").update(JSON.stringify(parts)).digest("hex");

interface Incoming {
  readonly url?: string;
  readonly socket: { readonly remoteAddress?: string };
}

interface Outgoing {
  writeHead(status: number, headers: Record<string, string>): Outgoing;
  end(text?: string): void;
}

/** Refuses requests of other machines: the server of Eleventy listens on all interfaces, and previews show drafts. */
export function localOnly({ socket }: Incoming, response: Outgoing, next: () => void): void {
  if (/^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(socket.remoteAddress ?? "")) return next();
  response.writeHead(403, { "Content-Type": "text/plain; charset=utf-8" }).end("Only this machine may ask.");
}

/** Drafts at `/preview/...`. */
const previews =
  (client: CmsClient, render: (page: PageLike) => string | Promise<string>) =>
  async ({ url = "/" }: Incoming, response: Outgoing, next: () => void): Promise<void> => {
    if (!url.startsWith("/preview/")) return next();
    const draft = await draftAt(client, new URL(url, "http://localhost"));
    if (!(draft instanceof Response)) {
      try {
        const html = await render(draft);
        response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(html);
      } catch (error) {
        // Unhandled, the failure of a template would end the development server.
        response.writeHead(500, { "Content-Type": "text/plain; charset=utf-8" }).end(String(error));
      }
      return;
    }
    const location = draft.headers.get("location");
    response
      .writeHead(draft.status, { "Content-Type": "text/plain; charset=utf-8", ...(location && { Location: location }) })
      .end(await draft.text());
  };
