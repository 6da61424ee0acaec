/** Files of `static/` that are not published, and pages whose address one of them has. */
import { isPublic } from "../../model/lifecycle.ts";
import type { Instant } from "../../model/instant.ts";
import { publicPath, type Locales } from "../../model/locale.ts";
import type { Problem } from "../../model/problem.ts";
import {
  pageAddressOf,
  precedesPages,
  STATIC_DIR,
  staticPathError,
  type TakenAddresses,
} from "../../model/static-file.ts";
import { trimEnd } from "../../model/trim.ts";
import { allSummaries } from "../content/indexes/page-models.ts";
import { staticFiles } from "../content/public-files.ts";
import type { Snapshot } from "../content/snapshot.ts";

/** @param root of the site */
export async function staticProblems(
  root: string,
  content: Snapshot,
  locales: Locales,
  now: Instant,
  taken: TakenAddresses,
): Promise<Problem[]> {
  const files = await staticFiles(root);
  if (files.length === 0) return [];
  const pages = addressesOfPages(content, locales, now);
  return files.flatMap(({ path }): Problem[] => {
    const file = `${STATIC_DIR}/${path}`;
    const error = staticPathError(path, taken);
    if (error !== undefined) return [{ path: file, message: `${error} The file is not published.` }];
    const address = trimEnd(pageAddressOf(`/${path}`) ?? `/${path}`, "/");
    const page = pages.get(address);
    if (page === undefined) return [];
    if (precedesPages(path))
      return [{ path: file, message: `It has the address of page ${page}, which is not published.` }];
    return [{ path: file, severity: "warning", message: `Page ${page} has its address: the file is not published.` }];
  });
}

/** Ids of public pages by address, without its final slash. */
function addressesOfPages(content: Snapshot, locales: Locales, now: Instant): ReadonlyMap<string, number> {
  const pages = new Map<string, number>();
  for (const page of allSummaries(content))
    for (const lang of locales.codes) {
      const permalink = page.translations[lang]?.permalink ?? null;
      if (permalink !== null && isPublic(page, lang, now))
        pages.set(publicPath(locales, lang, permalink, false), page.id);
    }
  return pages;
}
