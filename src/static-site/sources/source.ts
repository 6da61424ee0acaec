/** The source of a build: the tree, or a running service. */
import type { Instant } from "../../model/time/instant.ts";
import type { RunQuery } from "../../render/template-queries.ts";
import type { RenderInput } from "../../render/page.ts";
import type { FeedContent } from "../../views/site-files/feed.ts";
import type { Payload } from "../../views/page/page.ts";
import type { Manifest } from "../../views/manifest/manifest.ts";
import type { View } from "../../views/view.ts";
import type { Dependency, Listing, NextChange } from "../state/state.ts";

/** A page's payload with its canonical text, whose hash is in the manifest. */
export interface Made {
  readonly payload: Payload;
  readonly text: string;
  readonly hash: string;
}

/** A file of the media folder. */
export interface MediaFile {
  /** Below the media URL. */
  readonly path: string;
  /** Changes whenever the bytes do. */
  readonly version: string;
  /** Copies the bytes to a new file. @returns false when the original was removed meanwhile */
  copy(to: string): Promise<boolean>;
}

export interface Source {
  /** With another name every page is rendered again. */
  readonly name: string;
  readonly server_time: string;
  /** The time for which pages are made. */
  readonly now: Instant;
  /** The next change by schedule; absent where the source does not tell its schedule. */
  scheduled?(): Promise<NextChange | undefined>;
  /** Computed on the first call. */
  epoch(): Promise<string | null>;
  /** A digest of all content; only where workers can open the same. */
  content?(): string;
  /** The pages that the site serves, in the order of the manifest, without pages at the path of a redirect. Computed on first access. */
  readonly pages: readonly Listing[];
  readonly redirects: Manifest["redirects"];
  readonly ask: RunQuery;
  /** The view that pages of a language are rendered with. */
  view(lang: string): View;
  /** The hash of the page's payload, which may have to be made for it. */
  hash(page: Listing): Promise<string>;
  /** Sets the hash of a page whose payload is unchanged, or made by a worker. */
  trust(page: Listing, hash: string): void;
  make(page: Listing): Promise<Made>;
  shown(page: Listing, made: Made): RenderInput;
  /** The date for sitemaps; "" for a page that is not in them. */
  updated(page: Listing, made: Made): string;
  /** Equal for equal records, tables and query results, also in different builds. */
  digest(dependency: Dependency): string;
  /** The kinds that template queries read, by the name of the query, of those `digest` was called with. */
  tablesOf?(): ReadonlyMap<string, ReadonlySet<string>>;
  /** For the feed of a language. @param count of articles, at most */
  feed(lang: string, count: number): FeedContent;
  /** The files of the site's search, text by path; none without the setting `SITE_SEARCH`. */
  search(): Promise<ReadonlyMap<string, string>>;
  media(): Promise<readonly MediaFile[]>;
  /** Fetches the results that `digest` needs for these. */
  prepare?(dependencies: readonly Dependency[]): Promise<void>;
  /** Fetches the results that `ask` lacked. @returns whether there were any, so that the work should be repeated */
  settle?(): Promise<boolean>;
}
