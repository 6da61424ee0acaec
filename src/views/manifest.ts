/**
 * The change manifest: every public page in every language, with a hash that moves exactly when its payload moves.
 *
 * Hashes are made of root-relative payloads, so they are the same for every host that asks and on every clone.
 */
import { showInstant, type Instant } from "../model/instant.ts";
import { publicPath } from "../model/locale.ts";
import { isPublic } from "../model/lifecycle.ts";
import { textOf } from "../model/page.ts";
import type { Reader } from "../store/kind.ts";
import { MEDIA } from "../store/kinds/media.ts";
import { mediaIndex } from "../store/media-index.ts";
import { pageIndex } from "../store/page-index.ts";
import { allOutlines, allPages } from "../store/page-kinds.ts";
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

/** What one snapshot says, and the span of time for which it holds. */
interface Known {
  readonly from: Instant;
  readonly until: Instant | undefined;
  readonly urls: readonly Url[];
  readonly redirects: Manifest["redirects"];
  /** The end of the manifest's JSON text, from `urls` on, and its digest: made when an answer first needs them. */
  text?: { readonly tail: string; readonly digest: string };
}

const KNOWN = new WeakMap<Reader, Known>();

/** Milliseconds of work after which others get their turn. */
const SLICE = 15;

/**
 * interface.md, Change manifest. Pages come language by language, by id (contract.md 9.1). Applies no drafts.
 *
 * @param epoch see `renderEpoch`
 */
export function manifest(view: View, epoch: string | null): Manifest {
  const { urls, redirects: rows } =
    known(view) ??
    remember(
      view,
      [...entries(view)].flatMap((url) => url ?? []),
    );
  return { ...head(view, epoch), urls, redirects: rows };
}

export interface ManifestAnswer {
  /** JSON. */
  readonly body: string;
  /** Another one whenever anything but `server_time` is (decisions.md 58). */
  readonly version: string;
}

/** The same as text, for a server: hashing a large site takes a second, in which other requests go on. */
export async function manifestInTurns(view: View, epoch: string | null): Promise<ManifestAnswer> {
  let found = known(view);
  if (!found) {
    const urls: Url[] = [];
    let since = performance.now();
    for (const url of entries(view)) {
      if (url) urls.push(url);
      if (performance.now() - since < SLICE) continue;
      await new Promise((turn) => setImmediate(turn));
      since = performance.now();
    }
    found = remember(view, urls);
  }
  const { tail, digest } = textOfKnown(found);
  return { body: `${JSON.stringify(head(view, epoch)).slice(0, -1)},${tail}`, version: textHash(`${epoch} ${digest}`) };
}

const head = ({ now }: View, epoch: string | null): Pick<Manifest, "server_time" | "epoch"> => ({
  server_time: showInstant(now),
  epoch,
});

function textOfKnown(found: Known): NonNullable<Known["text"]> {
  if (!found.text) {
    const tail = JSON.stringify({ urls: found.urls, redirects: found.redirects }).slice(1);
    found.text = { tail, digest: textHash(tail) };
  }
  return found.text;
}

function known({ content, now }: View): Known | undefined {
  const found = KNOWN.get(content);
  return found && found.from <= now && (found.until === undefined || now < found.until) ? found : undefined;
}

function remember(view: View, urls: readonly Url[]): Known {
  const { content, now } = view;
  const found: Known = { from: now, until: pageIndex(content).nextMoment(now), urls, redirects: allRedirects(view) };
  KNOWN.set(content, found);
  return found;
}

/** One entry for each language of each page, undefined where it is not public. */
function* entries(view: View): Generator<Url | undefined> {
  const { locales, config, now } = view;
  const pages = [...allPages(view.content)].sort((a, b) => a.id - b.id);
  // Of two pages that claim one permalink only one is served.
  const index = pageIndex(view.content);
  for (const lang of locales.codes) {
    const seen: View = { ...view, lang, surface: "public", origin: "" };
    for (const page of pages) {
      const { permalink } = textOf(page, lang);
      if (permalink === null || !isPublic(page, lang, now) || index.byPermalink(lang, permalink)?.id !== page.id) {
        yield undefined;
        continue;
      }
      const path = publicPath(locales, lang, permalink, config.APPEND_SLASH);
      yield { path, permalink, language_code: lang, hash: payloadHash(pagePayload(seen, page)) };
    }
  }
}

/** Paths in the manifest are as people write them; the build encodes what its host needs encoded. */
const decodeTarget = (target: string): string => (target.startsWith("/") ? decodeURI(target) : target);

/** Configured ones, then former permalinks of public pages, then former addresses of media, as public paths. */
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

/** decisions.md 64. */
function movedMedia({ content, config }: View): Manifest["redirects"] {
  const index = mediaIndex(content);
  const moved = (alias: string, file: string) => ({ from: config.MEDIA.URL + alias, to: config.MEDIA.URL + file, status: 301 as const });
  return content.all(MEDIA).flatMap((media) => media.aliases.flatMap((alias) => (index.movedFrom(alias) === media ? [moved(alias, media.file)] : [])));
}
