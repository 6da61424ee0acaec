/** All pages that the public surfaces have, with their addresses. */
import type { Instant } from "../../model/time/instant.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { PageSummary } from "../../model/page/page.ts";
import { foldersOfPages } from "../../model/address/static-file.ts";
import { nextMoment } from "../../store/content/indexes/page-index.ts";
import { allSummaries } from "../../store/content/indexes/page-models.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { openPace } from "../../time-slices.ts";
import { servedPath } from "./route.ts";
import type { View } from "../view.ts";

export interface ServedPage {
  readonly page: PageSummary;
  readonly lang: Lang;
  /** See `servedPath`. */
  readonly path: string;
}

type ContentAt = Pick<View, "config" | "now"> & { readonly content: Snapshot };

export async function servedPages({ content, config, now }: ContentAt): Promise<readonly ServedPage[]> {
  const { locales } = config;
  const view: View = { content, config, locales, lang: locales.default, now, surface: "public", origin: "" };
  const pace = openPace();
  const served: ServedPage[] = [];
  for (const page of allSummaries(content)) {
    await pace();
    for (const lang of locales.codes) {
      const path = servedPath(view, page, lang);
      if (path !== undefined) served.push({ page, lang, path });
    }
  }
  return served;
}

/** The places that no file of `static/` can have (see `foldersOfPages`); made once for each content, until a page comes or goes by schedule. */
export function servedFolders({ content, config, now }: ContentAt): Promise<ReadonlySet<string>> {
  const known = FOLDERS.get(content);
  if (known && known.from <= now && (known.until === undefined || now < known.until)) return known.folders;
  const folders = servedPages({ content, config, now }).then((pages) => foldersOfPages(pages.map(({ path }) => path)));
  FOLDERS.set(content, { from: now, until: nextMoment(content, now), folders });
  return folders;
}

interface KnownFolders {
  readonly from: Instant;
  readonly until: Instant | undefined;
  readonly folders: Promise<ReadonlySet<string>>;
}

const FOLDERS = new WeakMap<Snapshot, KnownFolders>();
