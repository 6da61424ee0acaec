/**
 * `git-cms/next`: a client whose answers Next keeps in its data cache, the paths of static pages, and a route that a hook of the
 * service calls after changes, so that Next renders the changed pages again and no other.
 *
 * Each payload is kept under the hash that the manifest had as the process began, so that it outlives a build, and under a tag of its
 * path, by which it is dropped when it changes. A hash of an earlier moment does no harm: the tag is dropped all the same.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import {
  createClient,
  picture,
  type CmsClient,
  type ClientOptions,
  type SiteManifest,
  type PictureMedia,
  type PictureOptions,
  type SiteTypes,
} from "./client.ts";

/** The tag of what all pages share: menus and languages. */
const SHARED = "cms";
/** The tag of lists of pages: dropped when a page is added or removed. */
const LIST = "cms:list";
/** Next refuses longer tags. Two paths that share one are dropped together. */
const TAG_LENGTH = 256;
const tagOf = (path: string): string => `cms:${path}`.slice(0, TAG_LENGTH);

/** Another one in each process: what is kept under it is fetched once, and again in the next build. */
const PROCESS = String(Date.now() + Math.random());

const CHANGES = "/api/cms/pages-router/changes";
const ROUTER = "/api/cms/pages-router/";

type NextFetch = (
  url: string,
  init: RequestInit & { cache: "force-cache" | "no-store"; next?: { tags: string[] } },
) => Promise<Response>;

/** Next's own, which it puts in place of the global one, or another. */
const nextFetchOf = ({ fetch: own }: ClientOptions): NextFetch => (own ?? fetch) as NextFetch;

/**
 * A client for server components. Public answers are cached by Next; drafts are not.
 *
 * @param options `fetch` is Next's own, by default
 */
export function cachedClient<Site extends SiteTypes = SiteTypes>(options: ClientOptions = {}): CmsClient<Site> {
  const nextFetch: NextFetch = (url, init) => nextFetchOf(options)(url, init);
  const cached =
    (tags: string[], key: string): typeof fetch =>
    (url, init) =>
      nextFetch(String(url), {
        ...init,
        cache: "force-cache",
        headers: { ...(init?.headers as Record<string, string>), "X-Cms-Cache": key },
        next: { tags },
      });
  const plain: ClientOptions = { ...options, keep: false };
  const own = createClient({ ...plain, fetch: cached([], PROCESS) });
  let hashes: Promise<ReadonlyMap<string, string>> | undefined;
  const hashOf = async (path: string): Promise<string> => {
    hashes ??= own.manifest().then(({ urls }) => new Map(urls.map((entry) => [entry.path, entry.hash])));
    const known = await hashes.catch((error) => {
      hashes = undefined;
      throw error;
    });
    return known.get(path) ?? "";
  };

  const client = createClient<Site>({
    ...plain,
    async fetch(url, init) {
      const path = new URL(String(url)).pathname;
      if (path === CHANGES) return cached([LIST], PROCESS)(url, init);
      if (!path.startsWith(ROUTER)) return cached([SHARED], PROCESS)(url, init);
      const page = path.slice(ROUTER.length - 1);
      return cached([tagOf(page)], await hashOf(page))(url, init);
    },
  });
  const drafts = createClient<Site>({
    ...plain,
    fetch: (url, init) => nextFetch(String(url), { ...init, cache: "no-store" }),
  });
  return { ...client, draft: drafts.draft };
}

/**
 * The manifest of the build, kept in Next's cache. One of an earlier build does no harm: what has changed since is dropped once more.
 */
const builtManifest = (options: ClientOptions): Promise<SiteManifest> =>
  createClient({
    ...options,
    keep: false,
    fetch: (url, init) => nextFetchOf(options)(String(url), { ...init, cache: "force-cache" }),
  }).manifest();

/** For `generateStaticParams()` of `app/[[...path]]/page.tsx`: the segments of each public path. */
export async function staticParams(options: ClientOptions = {}): Promise<{ path: string[] }[]> {
  await builtManifest(options); // what the first hook will compare with
  const { urls } = await cachedClient(options).manifest();
  return urls.map(({ path }) => ({ path: path.split("/").filter(Boolean).map(decodeURIComponent) }));
}

/** The public path of a route's segments. Next has them encoded. */
export const pathOfSegments = (segments: readonly string[] = []): string =>
  ["", ...segments, ""].join("/").replace("//", "/");

export interface ChangeOptions extends ClientOptions {
  /** That of the hook (`HOOKS`); by default `CMS_HOOK_SECRET` of the environment. */
  readonly secret?: string;
  /** `revalidateTag` of `next/cache`. */
  readonly revalidateTag: (tag: string, profile: { expire: number }) => void;
}

/** The manifest at the last hook of this process. */
let seen: SiteManifest | undefined;

/**
 * The POST handler of the route that a hook calls: drops from the caches what has another hash in the manifest.
 *
 * @returns a handler that answers 401 without the hook's signature, 413 for a body over a megabyte, else 200 with the dropped tags
 */
export const onChange =
  ({ revalidateTag, ...options }: ChangeOptions) =>
  async (request: Request): Promise<Response> => {
    const secret = options.secret ?? process.env.CMS_HOOK_SECRET;
    if (!secret) return Response.json({ detail: "CMS_HOOK_SECRET is not set." }, { status: 500 });
    const given = request.headers.get("x-cms-signature-256") ?? "";
    const body = await bodyOf(request);
    if (body === undefined) return Response.json({ detail: "The body is too long." }, { status: 413 });
    if (!isSignature(given, secret, body))
      return Response.json({ detail: "The signature is not that of the hook." }, { status: 401 });
    const before = seen ?? (await builtManifest(options));
    const fresh = createClient({
      ...options,
      keep: false,
      fetch: (url, init) => nextFetchOf(options)(String(url), { ...init, cache: "no-store" }),
    });
    const after = await fresh.manifest();
    const tags = changedTags(before, after);
    for (const tag of tags) revalidateTag(tag, { expire: 0 });
    seen = after;
    return Response.json({ changed: tags });
  };

/** The tags of what differs between two manifests. */
export function changedTags(before: SiteManifest, after: SiteManifest): string[] {
  const old = new Map(before.urls.map(({ path, hash }) => [path, hash]));
  const tags = new Set<string>();
  if (before.epoch !== after.epoch) tags.add(SHARED);
  for (const { path, hash } of after.urls) {
    if (old.get(path) !== hash) tags.add(tagOf(path));
    if (!old.delete(path)) tags.add(LIST);
  }
  for (const path of old.keys()) tags.add(tagOf(path)).add(LIST);
  const gone = new Map(before.redirects.map(({ from, to }) => [from, to]));
  for (const { from, to } of after.redirects) {
    if (gone.get(from) !== to) tags.add(tagOf(from));
    gone.delete(from);
  }
  for (const from of gone.keys()) tags.add(tagOf(from));
  return [...tags];
}

/** In bytes: a delivery lists at most 200 records and paths. */
const BODY_MAX = 1_000_000;

/** @returns undefined for a body that is longer than any delivery */
async function bodyOf(request: Request): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > BODY_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isSignature(given: string, secret: string, body: Uint8Array): boolean {
  const own = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  return given.length === own.length && timingSafeEqual(Buffer.from(given), Buffer.from(own));
}

/** `picture` with the names that attributes have in React. */
export function pictureProps(media: PictureMedia, options?: PictureOptions) {
  const { sources, img } = picture(media, options);
  const { srcset, ...rest } = img;
  return {
    sources: sources.map(({ type, srcset: srcSet, sizes }) => ({ type, srcSet, sizes })),
    img: { ...rest, ...(srcset !== undefined && { srcSet: srcset }) },
  };
}
