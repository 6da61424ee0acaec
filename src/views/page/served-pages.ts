/** All pages that the public surfaces have, with their addresses. */
import type { Lang } from "../../model/language/locale.ts";
import type { PageSummary } from "../../model/page/page.ts";
import { foldersOfPages } from "../../model/address/static-file.ts";
import { allSummaries } from "../../store/content/indexes/pages-by-model.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { pace } from "../../time-slices.ts";
import { ContentMemo } from "../content-memo.ts";
import { servedAddresses } from "./route.ts";
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
  const served: ServedPage[] = [];
  for (const page of allSummaries(content)) {
    await pace();
    for (const lang of locales.codes) {
      for (const { path } of servedAddresses(view, page, lang)) served.push({ page, lang, path });
    }
  }
  return served;
}

const FOLDERS = new ContentMemo<ReadonlySet<string>>();

/** The places that no file of `static/` can have (see `foldersOfPages`). */
export const servedFolders = (at: ContentAt): Promise<ReadonlySet<string>> =>
  FOLDERS.get(at, "", async () => foldersOfPages((await servedPages(at)).map(({ path }) => path)));
