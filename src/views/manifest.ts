/**
 * The change manifest: every public page in every language, with a hash that changes exactly when its payload does.
 *
 * Hashes are of root-relative payloads, so they are the same for every host and clone.
 */
import { showInstant, type Instant } from "../model/instant.ts";
import { publicPath } from "../model/locale.ts";
import { isPublic } from "../model/lifecycle.ts";
import { textOf } from "../model/page.ts";
import type { Reader } from "../store/content/record-type.ts";
import { MEDIA } from "../store/content/records/media.ts";
import { mediaIndex } from "../store/content/indexes/media-index.ts";
import { pageIndex } from "../store/content/indexes/page-index.ts";
import { allOutlines, allPages } from "../store/content/indexes/page-models.ts";
import { payloadHash, textHash } from "./digest.ts";
import { pagePayload } from "./page.ts";
import { redirects, redirectTarget } from "./route.ts";
import type { View } from "./view.ts";

export interface Manifest {
  readonly server_time: string;
  readonly epoch: string | null;
  readonly urls: readonly {
    readonly path: string;
    readonly permalink: string;
    readonly language_code: string;
    readonly hash: string;
  }[];
  readonly redirects: readonly { readonly from: string; readonly to: string; readonly status: 301 | 302 }[];
}

type Url = Manifest["urls"][number];

/** The entries for one snapshot, and the time span for which they are valid. */
interface CachedManifest {
  readonly from: Instant;
  readonly until: Instant | undefined;
  readonly urls: readonly Url[];
  readonly redirects: Manifest["redirects"];
  /** The JSON text from `urls` on, and its digest; computed on first use. */
  text?: { readonly tail: string; readonly digest: string };
}

const CACHE = new WeakMap<Reader, CachedManifest>();

/** Milliseconds of work before other requests are served. */
const SLICE = 15;

/**
 * interface.md, Change manifest. Ordered by language, then by page id (contract.md 9.1). Applies no drafts.
 *
 * @param epoch see `renderEpoch`
 */
export function manifest(view: View, epoch: string | null): Manifest {
  const { urls, redirects: rows } =
    cachedManifest(view) ??
    cacheManifest(
      view,
      [...entries(view)].flatMap((url) => url ?? []),
    );
  return { ...head(view, epoch), urls, redirects: rows };
}

export interface ManifestAnswer {
  /** JSON. */
  readonly body: string;
  /** Changes whenever anything except `server_time` does (decisions.md 58). */
  readonly version: string;
}

/** The manifest as text. Yields between slices of work, since hashing a large site takes a second. */
export async function manifestInSlices(view: View, epoch: string | null): Promise<ManifestAnswer> {
  let found = cachedManifest(view);
  if (!found) {
    const urls: Url[] = [];
    let since = performance.now();
    for (const url of entries(view)) {
      if (url) urls.push(url);
      if (performance.now() - since < SLICE) continue;
      await new Promise((turn) => setImmediate(turn));
      since = performance.now();
    }
    found = cacheManifest(view, urls);
  }
  const { tail, digest } = manifestText(found);
  return { body: `${JSON.stringify(head(view, epoch)).slice(0, -1)},${tail}`, version: textHash(`${epoch} ${digest}`) };
}

const head = ({ now }: View, epoch: string | null): Pick<Manifest, "server_time" | "epoch"> => ({
  server_time: showInstant(now),
  epoch,
});

function manifestText(found: CachedManifest): NonNullable<CachedManifest["text"]> {
  if (!found.text) {
    const tail = JSON.stringify({ urls: found.urls, redirects: found.redirects }).slice(1);
    found.text = { tail, digest: textHash(tail) };
  }
  return found.text;
}

function cachedManifest({ content, now }: View): CachedManifest | undefined {
  const found = CACHE.get(content);
  return found && found.from <= now && (found.until === undefined || now < found.until) ? found : undefined;
}

function cacheManifest(view: View, urls: readonly Url[]): CachedManifest {
  const { content, now } = view;
  const found: CachedManifest = {
    from: now,
    until: pageIndex(content).nextMoment(now),
    urls,
    redirects: allRedirects(view),
  };
  CACHE.set(content, found);
  return found;
}

/** One entry per language and page; undefined where the page is not public. */
function* entries(view: View): Generator<Url | undefined> {
  const { locales, config, now } = view;
  const pages = [...allPages(view.content)].sort((a, b) => a.id - b.id);
  // Two pages can have the same permalink in files; only one is served.
  const index = pageIndex(view.content);
  for (const lang of locales.codes) {
    const publicView: View = { ...view, lang, surface: "public", origin: "" };
    for (const page of pages) {
      const { permalink } = textOf(page, lang);
      if (permalink === null || !isPublic(page, lang, now) || index.byPermalink(lang, permalink)?.id !== page.id) {
        yield undefined;
        continue;
      }
      const path = publicPath(locales, lang, permalink, config.APPEND_SLASH);
      yield { path, permalink, language_code: lang, hash: payloadHash(pagePayload(publicView, page)) };
    }
  }
}

/** Paths in the manifest are not percent-encoded; the build encodes them where its host needs it. */
const decodeTarget = (target: string): string => (target.startsWith("/") ? decodeURI(target) : target);

/** Configured redirects, then aliases of public pages, then former addresses of media, as public paths. */
export function allRedirects(view: View): Manifest["redirects"] {
  const { locales, config } = view;
  const path = (lang: string, permalink: string): string => publicPath(locales, lang, permalink, config.APPEND_SLASH);
  const configured = redirects(view).map((row) => ({
    from: path(row.language ?? locales.default, row.from),
    to: decodeTarget(redirectTarget(view, row)),
    status: row.status,
  }));
  const index = pageIndex(view.content);
  const taken = new Set(configured.map((row) => row.from));
  const former = allOutlines(view.content).flatMap((page) =>
    page.aliases.flatMap(({ language, from }) => {
      const { permalink = null } = page.translations[language] ?? {};
      if (permalink === null || !isPublic(page, language, view.now)) return [];
      if (index.outlineByPermalink(language, from) || taken.has(path(language, from))) return [];
      return [{ from: path(language, from), to: path(language, permalink), status: 301 as const }];
    }),
  );
  return [...configured, ...former, ...movedMedia(view).filter(({ from }) => !taken.has(from))];
}

/** Redirects from former addresses of media (decisions.md 64). */
function movedMedia({ content, config }: View): Manifest["redirects"] {
  const index = mediaIndex(content);
  const moved = (alias: string, file: string) => ({
    from: config.MEDIA.URL + alias,
    to: config.MEDIA.URL + file,
    status: 301 as const,
  });
  return content
    .all(MEDIA)
    .flatMap((media) =>
      media.aliases.flatMap((alias) => (index.movedFrom(alias) === media ? [moved(alias, media.file)] : [])),
    );
}
