/**
 * `git-cms/astro`: content collections of the pages of a site, previews, and redirects.
 *
 * The digest of an entry is that of its payload, so that Astro keeps entries that did not change in its own data store, fetches no
 * payload twice, and with `experimental.incrementalBuild` renders no page twice. The types are structural, so that this module fits
 * each version of Astro and needs none.
 */
import { writeFile } from "node:fs/promises";
import { createClient, redirectLines, type ClientOptions, type PageLike } from "./client.ts";

interface DataStore {
  get(key: string): { readonly data: Record<string, unknown>; readonly digest?: number | string } | undefined;
  set(entry: { id: string; data: Record<string, unknown>; digest: string }): boolean;
  delete(key: string): void;
  keys(): string[];
}

interface LoaderContext {
  readonly store: DataStore;
  readonly logger: { info(message: string): void };
  parseData(props: { id: string; data: Record<string, unknown> }): Promise<Record<string, unknown>>;
}

/**
 * A loader of the public pages and articles, by their public paths.
 *
 * An entry's `digest` is the hash of its payload and the manifest's epoch: return it as `cacheKey` from `getStaticPaths()`, together
 * with the digests of other entries that the page shows, such as those of a list.
 */
export const cmsPages = (options: ClientOptions = {}) => ({
  name: "git-cms",
  async load({ store, logger, parseData }: LoaderContext): Promise<void> {
    const client = createClient(options);
    const known = new Map(store.keys().map((id) => [id, hashOf(store.get(id)?.digest)]));
    const fetched = new Map<string, PageLike>();
    const { urls, epoch } = await client.changed(known, ({ path }, page) => fetched.set(path, page));
    const paths = new Set(urls.map(({ path }) => path));
    for (const id of known.keys()) if (!paths.has(id)) store.delete(id);
    for (const { path, hash } of urls) {
      const page = fetched.get(path);
      const digest = `${hash} ${epoch}`;
      if (page) store.set({ id: path, data: await parseData({ id: path, data: page }), digest });
      // Nothing of its own has changed, but what all pages share has.
      else if (known.get(path) === hash && store.get(path)?.digest !== digest)
        store.set({ id: path, data: store.get(path)!.data, digest });
    }
    logger.info(`${urls.length} pages, ${fetched.size} of them fetched`);
  },
});

/** The hash in the digest of an entry. */
const hashOf = (digest: number | string | undefined): string => String(digest).split(" ")[0]!;

/**
 * A live collection of pages with their drafts, by path: `getLiveEntry("drafts", { path: "/about/" })`.
 *
 * Needs a token (`CMS_TOKEN`), or the query of a preview's address as `query`.
 */
export const cmsDrafts = (options: ClientOptions = {}) => ({
  name: "git-cms drafts",
  async loadEntry({ filter }: { filter: { path?: string; id?: string; query?: URLSearchParams } }) {
    const path = filter.path ?? filter.id ?? "/";
    try {
      const page = await createClient(options).draft(path, filter.query);
      return page === null ? undefined : { id: path, data: page as Record<string, unknown> };
    } catch (error) {
      return { error: error as Error };
    }
  },
  /** Only one page at a time has its draft; the pages of a list are those of `cmsPages`. */
  loadCollection: async () => ({ error: new Error("Ask for one entry, by its path.") }),
});

export interface CmsIntegrationOptions extends ClientOptions {
  /**
   * An `.astro` file that shows a draft, at `/preview/...` of the development server. Builds do not have it, and need no token.
   */
  readonly preview?: string;
  /** The file of redirects in the output, as Netlify and Cloudflare read it; "_redirects" by default, null for none. */
  readonly redirects?: string | null;
}

interface SetupHook {
  readonly command: string;
  injectRoute(route: { pattern: string; entrypoint: string; prerender: boolean }): void;
  injectScript(stage: "page", code: string): void;
}

/** The integration: the preview route and the bridge to the editor in development, the redirects in a build. */
export default function gitCms(options: CmsIntegrationOptions = {}) {
  const { preview, redirects = "_redirects" } = options;
  return {
    name: "git-cms",
    hooks: {
      "astro:config:setup"({ command, injectRoute, injectScript }: SetupHook): void {
        if (command !== "dev") return;
        if (preview !== undefined)
          injectRoute({ pattern: "/preview/[...path]", entrypoint: preview, prerender: false });
        const { url } = createClient(options);
        injectScript(
          "page",
          `import { connect } from "git-cms/bridge"; connect({ service: ${JSON.stringify(url)}, refresh: true });`,
        );
      },
      async "astro:build:done"({ dir }: { dir: URL }): Promise<void> {
        if (redirects === null) return;
        await writeFile(new URL(redirects, dir), redirectLines(await createClient(options).manifest()));
      },
    },
  };
}
