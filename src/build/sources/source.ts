/** Where a build takes the site from: the tree, or a running service. */
import type { RunQuery } from "../../render/template-queries.ts";
import type { RenderInput } from "../../render/page.ts";
import type { Payload } from "../../views/page.ts";
import type { Manifest } from "../../views/manifest.ts";
import type { View } from "../../views/view.ts";
import type { Dependency, Facts, Listing } from "../state/state.ts";

/** A page's payload with its canonical text, the hash of which is the manifest's. */
export interface Made {
  readonly payload: Payload;
  readonly text: string;
  readonly hash: string;
}

/** A file of the media folder: its path below the media URL, what its bytes are known by, and how it gets to a place. */
export interface MediaFile {
  readonly path: string;
  /** The same as long as the bytes are. */
  readonly version: string;
  /** Puts the bytes at a path where there is nothing. @returns false when the file has been removed since it was listed */
  copy(to: string): Promise<boolean>;
}

export interface Source {
  /** Another one makes every page anew. */
  readonly name: string;
  readonly server_time: string;
  /** Computed on the first call. */
  epoch(): Promise<string | null>;
  /** Names all that pages are made of; only where others can open the same. */
  content?(): string;
  /** The pages the site serves, in the order of the manifest; none that a redirect hides. Computed on first access. */
  readonly pages: readonly Listing[];
  readonly redirects: Manifest["redirects"];
  readonly ask: RunQuery;
  /** What pages of a language are rendered with. */
  view(lang: string): View;
  /** The page's hash; not the cheapest way where what it is made of has not changed. */
  hash(page: Listing): Promise<string>;
  /** The hash is known: nothing the payload is made of has changed. */
  trust(page: Listing, id: number, hash: string): void;
  make(page: Listing): Promise<Made>;
  shown(page: Listing, made: Made): RenderInput;
  facts(page: Listing, made: Made): Facts;
  /** Equal exactly when the answer is, now and in an earlier build. */
  digest(asked: Dependency): string;
  /** The kinds that answers depend on, by the names of the dependencies `digest` was called with; absent where unknown. */
  tablesOf?(): ReadonlyMap<string, ReadonlySet<string>>;
  media(): Promise<readonly MediaFile[]>;
  /** Gets what `digest` will be asked for, where that takes time. */
  prepare?(asked: readonly Dependency[]): Promise<void>;
  /** Gets what `ask` could not answer. @returns whether there was anything, so that asking again makes sense */
  settle?(): Promise<boolean>;
}
