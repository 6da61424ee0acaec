/**
 * The change manifest: every public page in every language, with a hash that moves exactly when its payload moves.
 *
 * Hashes are made of root-relative payloads, so they are the same for every host that asks and on every clone.
 */
import { showInstant, type Instant } from "../model/instant.ts";
import { publicPath } from "../model/locale.ts";
import { isPublic } from "../model/lifecycle.ts";
import { textOf } from "../model/page.ts";
import { allPages } from "../store/page-kinds.ts";
import { objectHash } from "./digest.ts";
import { pagePayload } from "./page.ts";
import { redirects, redirectTarget } from "./route.ts";
import type { View } from "./view.ts";

export interface Manifest {
  readonly server_time: string;
  readonly epoch: string | null;
  readonly urls: readonly { readonly path: string; readonly permalink: string; readonly language_code: string; readonly hash: string }[];
  readonly redirects: readonly { readonly from: string; readonly to: string; readonly status: 301 | 302 }[];
}

/**
 * interface.md, Change manifest. Pages come language by language, by id (contract.md 9.1). Applies no drafts.
 *
 * @param epoch see `renderEpoch`
 */
export function manifest(view: View, epoch: Instant | null): Manifest {
  const { locales, config, now } = view;
  const pages = [...allPages(view.content)].sort((a, b) => a.id - b.id);
  const urls = locales.codes.flatMap((lang) => {
    const seen: View = { ...view, lang, surface: "public", origin: "" };
    return pages.flatMap((page) => {
      const { permalink } = textOf(page, lang);
      if (permalink === null || !isPublic(page, lang, now)) return [];
      const path = publicPath(locales, lang, permalink, config.APPEND_SLASH);
      return [{ path, permalink, language_code: lang, hash: objectHash(pagePayload(seen, page)) }];
    });
  });
  return { server_time: showInstant(now), epoch: epoch && showInstant(epoch), urls, redirects: allRedirects(view) };
}

/** Paths in the manifest are as people write them; the build encodes what its host needs encoded. */
const decodeTarget = (target: string): string => (target.startsWith("/") ? decodeURI(target) : target);

/** Configured ones, then former permalinks of public pages, as public paths. */
function allRedirects(view: View): Manifest["redirects"] {
  const { locales, config } = view;
  const path = (lang: string, permalink: string): string => publicPath(locales, lang, permalink, config.APPEND_SLASH);
  const configured = redirects(view).map((row) => ({
    from: path(row.language ?? locales.default, row.from),
    to: decodeTarget(redirectTarget(view, row)),
    status: row.status,
  }));
  const former = allPages(view.content).flatMap((page) =>
    page.aliases.flatMap(({ language, from }) => {
      const { permalink } = textOf(page, language);
      if (permalink === null || !isPublic(page, language, view.now)) return [];
      return [{ from: path(language, from), to: path(language, permalink), status: 301 as const }];
    }),
  );
  return [...configured, ...former];
}
