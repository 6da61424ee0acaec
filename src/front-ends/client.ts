/**
 * A client of the public API, for front ends in Node, in browsers and at the edge. It has no dependency.
 *
 * It asks a few things at a time, asks again where the service is busy or restarts, and keeps answers by their `ETag`, so that an
 * unchanged one is not sent twice. What the tools' own packages (`git-cms/astro` and the others) have in common is here.
 */

export * from "./picture.ts";

/** What `cms types` writes as `Site`, by which a client is typed; without it, payloads are records of anything. */
export interface SiteTypes {
  /** A public page or article. */
  readonly page: PageLike;
  /** The same as an editor sees it, with its draft. */
  readonly draft: PageLike;
  readonly menu: unknown;
}

export interface PageLike {
  readonly language?: string;
  readonly routerlink?: string | null;
  /** In previews: the kind of each field by its path. */
  readonly paths?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** The path leads elsewhere. */
export interface PageRedirect {
  readonly redirect: string;
  readonly status: number;
}

export interface SiteManifest {
  /** Moves when what pages share has changed, such as a menu: then every page is rendered again. */
  readonly epoch: string | null;
  readonly urls: readonly ManifestEntry[];
  readonly redirects: readonly { readonly from: string; readonly to: string; readonly status: number }[];
}

export interface ManifestEntry {
  /** Public path, with a slash at both ends. */
  readonly path: string;
  readonly language_code: string;
  /** SHA-1 of the payload. */
  readonly hash: string;
}

export interface ClientOptions {
  /** Where the service is; by default `CMS_URL` of the environment, else http://127.0.0.1:8000. */
  readonly url?: string;
  /** For drafts: the token of an account; by default `CMS_TOKEN` of the environment. Never give one to a browser. */
  readonly token?: string;
  /** Requests at a time, 8 by default. */
  readonly atOnce?: number;
  /** How often a request is made again that the service could not answer, 4 times by default. */
  readonly retries?: number;
  /** Whether answers are kept by their `ETag`, true by default. A framework with a cache of its own does that itself. */
  readonly keep?: boolean;
  /** The `fetch` to use, such as that of a framework. */
  readonly fetch?: typeof fetch;
  /** Resolves after so many milliseconds. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** A request that the service refused, or that it did not answer after all tries. */
export class CmsRequestError extends Error {
  override readonly name = "CmsRequestError";
  /** HTTP status; 0 without an answer. */
  readonly status: number;

  constructor(url: string, status: number, said: string, options?: ErrorOptions) {
    super(status === 0 ? `${url} did not answer: ${said}` : `${url} answered ${status}: ${said}`, options);
    this.status = status;
  }
}

export interface CmsClient<Site extends SiteTypes = SiteTypes> {
  /** Address of the service, without a final slash. */
  readonly url: string;
  /** What is public now, with a hash of each page. */
  manifest(): Promise<SiteManifest>;
  /** The page at a public path, or where it has moved; null where there is none. */
  page(path: string): Promise<Site["page"] | PageRedirect | null>;
  /**
   * The page at a path with its draft, public or not, as the account of the token may see it.
   *
   * @param query of the address of a preview, whose signed parameters stand for a token
   */
  draft(path: string, query?: URLSearchParams): Promise<Site["draft"] | PageRedirect | null>;
  /**
   * The public pages that are not known by their hash.
   *
   * @param known hashes by path, from an earlier build
   * @param on is called with each page as it comes; a page that moves meanwhile is left to the next build
   */
  changed(
    known: ReadonlyMap<string, string>,
    on: (entry: ManifestEntry, page: Site["page"]) => void,
  ): Promise<SiteManifest>;
  menu(key: string, language: string): Promise<Site["menu"]>;
  languages(): Promise<readonly { readonly id: string; readonly name: string }[]>;
  /**
   * Any other part of the API.
   *
   * @param path below `/api/cms/`, with its query
   * @returns null for what does not exist
   */
  get<T = unknown>(path: string): Promise<T | null>;
}

/** Answers that are kept by their `ETag`. */
const KEPT = 200;
const BUSY = new Set([429, 502, 503, 504]);

const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];

/** A client of one service. */
export function createClient<Site extends SiteTypes = SiteTypes>(options: ClientOptions = {}): CmsClient<Site> {
  const url = (options.url ?? environment("CMS_URL") ?? "http://127.0.0.1:8000").replace(/\/$/, "");
  const token = options.token ?? environment("CMS_TOKEN");
  const { atOnce = 8, retries = 4, keep = true } = options;
  const wait = options.wait ?? ((ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)));
  const kept = new Map<string, { readonly etag: string; readonly value: unknown }>();
  const inTurn = limited(atOnce);

  async function answer(target: string, headers: Record<string, string>): Promise<Response> {
    for (let tries = 0; ; tries++) {
      // The global one is read at each request: frameworks replace it.
      const asked = (options.fetch ?? fetch)(target, { headers });
      const reply = await asked.catch((error: Error) => error);
      const isBusy = reply instanceof Error || BUSY.has(reply.status);
      if (!isBusy) return reply;
      if (tries >= retries) {
        if (reply instanceof Error)
          throw new CmsRequestError(target, 0, String(reply.cause ?? reply.message), { cause: reply });
        return reply;
      }
      // An unread body would hold its connection.
      if (!(reply instanceof Error)) await reply.body?.cancel();
      const asks = reply instanceof Error ? Number.NaN : Number(reply.headers.get("retry-after") ?? Number.NaN);
      await wait(Number.isFinite(asks) ? Math.min(asks, 30) * 1000 : 250 * 2 ** tries);
    }
  }

  async function ask<T>(path: string, authorization?: string): Promise<T | null> {
    const target = `${url}/api/cms/${path}`;
    const known = authorization === undefined ? kept.get(target) : undefined;
    const reply = await inTurn(() =>
      answer(target, {
        ...(authorization === undefined ? {} : { Authorization: authorization }),
        ...(known && { "If-None-Match": known.etag }),
      }),
    );
    if (reply.status === 304 && known) return known.value as T;
    if (reply.status === 404) return null;
    if (!reply.ok) throw new CmsRequestError(target, reply.status, (await reply.text()).slice(0, 500));
    const value = (await reply.json()) as T;
    const etag = reply.headers.get("etag");
    if (keep && etag !== null && authorization === undefined) {
      kept.delete(target);
      kept.set(target, { etag, value });
      if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
    }
    return value;
  }

  async function required<T>(path: string): Promise<T> {
    const value = await ask<T>(path);
    if (value === null) throw new CmsRequestError(`${url}/api/cms/${path}`, 404, "There is no such thing.");
    return value;
  }

  const client: CmsClient<Site> = {
    url,
    manifest: () => required<SiteManifest>("pages-router/changes"),
    page: (path) => ask(`pages-router${absolute(path)}`),
    draft: (path, query) =>
      ask(
        `pages-router-preview${absolute(path)}?${new URLSearchParams([...(query ?? []), ["paths", "1"]])}`,
        token === undefined ? "" : `Token ${token}`,
      ),
    async changed(known, on) {
      const manifest = await client.manifest();
      const missing = manifest.urls.filter(({ path, hash }) => known.get(path) !== hash);
      await Promise.all(
        missing.map(async (entry) => {
          const page = await client.page(entry.path);
          if (page !== null && !isRedirect(page)) on(entry, page);
        }),
      );
      return manifest;
    },
    menu: (key, language) =>
      required(`menus-router/${encodeURIComponent(key)}?language=${encodeURIComponent(language)}`),
    languages: async () =>
      (await required<{ languages: readonly { id: string; name: string }[] }>("languages")).languages,
    get: (path) => ask(path, token === undefined ? undefined : `Token ${token}`),
  };
  return client;
}

export const isRedirect = (answer: object): answer is PageRedirect => "redirect" in answer;

/**
 * The attribute by which the editor finds a field on a page, to spread on an element: `data-cms-field`. Only previews have it.
 *
 * @param path names and positions joined by dots, such as `template_data.sections.3.title`
 */
export const cmsField = (page: PageLike, path: string): { "data-cms-field"?: string } =>
  page.paths && Object.hasOwn(page.paths, path) ? { "data-cms-field": path } : {};

/** The router's path of a page: with a slash in front. */
const absolute = (path: string): string => (path.startsWith("/") ? path : `/${path}`);

/** Runs at most so many calls at a time, in the order in which they were asked for. */
function limited(atOnce: number): <T>(call: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (call) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await call();
    } finally {
      // The next call in the queue takes the slot of this one, so that `running` stays the same.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** The lines of a file `_redirects`, as Netlify and Cloudflare read it. */
export const redirectLines = ({ redirects }: SiteManifest): string =>
  redirects.map(({ from, to, status }) => `${from} ${to} ${status}\n`).join("");

/**
 * The draft that a request of a preview route asks for, or the response to give in its place.
 *
 * @param url of the request
 * @param route the path of the preview route; the path of the page follows it
 */
export async function draftAt<Site extends SiteTypes = SiteTypes>(
  client: CmsClient<Site>,
  url: URL,
  route = "/preview",
): Promise<Site["draft"] | Response> {
  const path = url.pathname.startsWith(`${route}/`) ? url.pathname.slice(route.length) : "/";
  try {
    const draft = await client.draft(path, url.searchParams);
    if (draft === null) return new Response("There is no such page.", { status: 404 });
    if (!isRedirect(draft)) return draft;
    return new Response(null, { status: 302, headers: { Location: route + draft.redirect } });
  } catch (error) {
    if (!(error instanceof CmsRequestError)) throw error;
    return new Response(error.message, { status: error.status === 0 ? 502 : error.status });
  }
}
