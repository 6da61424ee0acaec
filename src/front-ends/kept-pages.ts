/** The public pages of a site, of which those that did not change come from a file that an earlier build left. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { CmsClient, SiteManifest, PageLike } from "./client.ts";

export interface PageEntry<Page extends PageLike = PageLike> {
  /** Public path, with a slash at both ends. */
  readonly path: string;
  /** SHA-1 of the payload. */
  readonly hash: string;
  readonly page: Page;
}

/** The entries in a file that `fetchPages` wrote; none where there is no such file. */
export const keptPages = <Page extends PageLike>(file: string): PageEntry<Page>[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as PageEntry<Page>[]) : [];

/** Fetches what changed, and writes the file anew. A page that moves meanwhile is left to the next time. */
export async function fetchPages<Page extends PageLike>(
  client: CmsClient,
  file: string,
): Promise<{
  readonly manifest: SiteManifest;
  readonly entries: readonly PageEntry<Page>[];
  readonly fetched: number;
}> {
  const pages = new Map(keptPages<Page>(file).map((entry) => [entry.path, entry]));
  const known = new Map([...pages].map(([path, { hash }]) => [path, hash]));
  let fetched = 0;
  const manifest = await client.changed(known, ({ path, hash }, page) => {
    pages.set(path, { path, hash, page: page as Page });
    fetched++;
  });
  const entries = manifest.urls.flatMap(({ path, hash }) => {
    const entry = pages.get(path);
    return entry?.hash === hash ? [entry] : [];
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(entries));
  return { manifest, entries, fetched };
}
