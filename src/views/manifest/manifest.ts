/**
 * The change manifest: every public page in every language, with a hash that changes exactly when its payload does.
 *
 * Hashes are of root-relative payloads, so they are the same for every host and clone.
 */
import { showInstant } from "../../model/time/instant.ts";
import { publicPath } from "../../model/language/locale.ts";
import { isPublic } from "../../model/page/lifecycle.ts";
import { addressError } from "../../model/address/possible-names.ts";
import type { PageSummary } from "../../model/page/page.ts";
import { liveMedia, mediaIndex } from "../../store/content/indexes/media-index.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import { allSummaries, findPageSummary, kindOf, PAGE_KINDS } from "../../store/content/indexes/pages-by-model.ts";
import { openQueue } from "../../queue.ts";
import { pace } from "../../time-slices.ts";
import { textHash } from "./json-digest.ts";
import { renderEpoch, type EpochContext } from "./epoch.ts";
import { ManifestEntries, type SnapshotView, type Url } from "./page-hashes.ts";
import { redirectAt, redirects } from "../../store/content/indexes/redirects.ts";
import type { Redirect } from "../../store/records/redirects.ts";
import { placePermalinks } from "../page/pagination.ts";
import { redirectTarget } from "../page/route.ts";
import type { View } from "../view.ts";

export interface Manifest {
  readonly server_time: string;
  readonly epoch: string | null;
  readonly urls: readonly Url[];
  readonly redirects: readonly { readonly from: string; readonly to: string; readonly status: 301 | 302 }[];
}

/** The text of the manifest for a snapshot, from one moment until the next scheduled change of a page. */
interface Text {
  readonly view: SnapshotView;
  /** JSON in pieces, from the items of `urls` on. */
  readonly tail: readonly string[];
  readonly digest: string;
}

interface ManifestAnswer {
  /** JSON in pieces. Pieces without a changed entry are the same texts as before. */
  readonly pieces: readonly string[];
  /** Changes whenever anything except `server_time` does. */
  readonly version: string;
}

/** The manifest of a site. Only what has changed since the last request is computed again. */
export interface Manifests {
  /**
   * The change manifest. It applies no drafts. Works in slices, between which other requests are served;
   * concurrent calls wait for each other.
   *
   * @param epoch see `renderEpoch`
   */
  answer(view: SnapshotView, epoch: string | null): Promise<ManifestAnswer>;
}

/** The change manifest as the API, `cms manifest` and hooks give it. */
export const answerManifest = async (
  ctx: EpochContext & { readonly manifests: Manifests },
  view: SnapshotView,
): Promise<ManifestAnswer> => ctx.manifests.answer(view, await renderEpoch(ctx, view.content, view.now));

export function openManifests(): Manifests {
  let entries = new ManifestEntries();
  let known: Text | undefined;
  const runInTurn = openQueue();

  async function textOf(view: SnapshotView): Promise<Text> {
    if (known?.view.content === view.content && entries.isOf(view)) return known;
    const made = entries.canAdvanceTo(view) ? entries : new ManifestEntries();
    entries = new ManifestEntries(); // so that entries whose computation fails are not used
    for (const _ of made.advance(view)) await pace();
    const { items, digest } = made.text(view.locales);
    const rows = JSON.stringify(redirectsOf(view, renamedPages(view, made)));
    entries = made;
    const tail = [...items, `],"redirects":${rows}}`];
    return (known = { view, tail, digest: textHash(`${digest} ${rows}`) });
  }

  return {
    async answer(view, epoch) {
      const { tail, digest } = await runInTurn(() => textOf(view));
      const head = JSON.stringify({ server_time: showInstant(view.now), epoch });
      return { pieces: [`${head.slice(0, -1)},"urls":[`, ...tail], version: textHash(`${epoch} ${digest}`) };
    },
  };
}

/** In the order of `allSummaries`. */
function renamedPages({ content }: SnapshotView, { renamed }: ManifestEntries): PageSummary[] {
  const ids = [...renamed].sort((a, b) => a - b);
  const pages = ids.flatMap((id) => findPageSummary(content, id) ?? []);
  return PAGE_KINDS.flatMap((kind) => pages.filter((page) => kindOf(page) === kind));
}

/** Paths in the manifest are not percent-encoded; the build encodes them where its host needs it. */
const decodeTarget = (target: string): string => (target.startsWith("/") ? decodeURI(target) : target);

/** Configured redirects, then aliases of public pages and of the further pages of their lists, then former addresses of media, as public paths. */
export const allRedirects = (view: View): Manifest["redirects"] => redirectsOf(view, allSummaries(view.content));

/** @param pages those that may have aliases */
function redirectsOf(view: View, pages: readonly PageSummary[]): Manifest["redirects"] {
  const { locales, config } = view;
  const path = (lang: string, permalink: string): string => publicPath(locales, lang, permalink, config.APPEND_SLASH);
  const isServed = (row: Redirect): boolean =>
    redirectAt(view.content, locales, row.language ?? locales.default, row.from) === row;
  const configured = redirects(view.content)
    .filter(isServed)
    .map((row) => ({
      from: path(row.language ?? locales.default, row.from),
      to: decodeTarget(redirectTarget(view, row)),
      status: row.status,
    }));
  const index = pageIndex(view.content);
  const taken = new Set(configured.map((row) => row.from));
  const former = pages.flatMap((page) =>
    page.aliases.flatMap(({ language, from }) => {
      const { permalink = null } = page.translations[language] ?? {};
      if (permalink === null || !isPublic(page, language, view.now)) return [];
      if ([from, permalink].some((each) => addressError(locales, language, each) !== undefined)) return [];
      if (index.summaryByPermalink(language, from)) return [];
      const seen = { ...view, lang: language };
      const targets = placePermalinks(seen, page, permalink);
      const sources = targets.length === 0 ? [{ permalink: from }] : placePermalinks(seen, page, from);
      return sources.flatMap(({ permalink: source }, at) => {
        if (index.summaryByPermalink(language, source) || taken.has(path(language, source))) return [];
        const to = path(language, targets[at]?.permalink ?? permalink);
        return [{ from: path(language, source), to, status: 301 as const }];
      });
    }),
  );
  return [...configured, ...former, ...movedMedia(view).filter(({ from }) => !taken.has(from))];
}

/** Redirects from former addresses of media. */
function movedMedia({ content, config }: View): Manifest["redirects"] {
  const index = mediaIndex(content);
  const moved = (alias: string, file: string) => ({
    from: config.MEDIA.URL + alias,
    to: config.MEDIA.URL + file,
    status: 301 as const,
  });
  return liveMedia(content).flatMap((media) =>
    media.aliases.flatMap((alias) => (index.movedFrom(alias) === media ? [moved(alias, media.file)] : [])),
  );
}
