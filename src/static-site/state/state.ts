/**
 * The state of a build, by which the next one decides which pages it keeps: the change manifest and the dependencies of each
 * page. It is written last. Without a readable state every page is rendered.
 */
import type { Instant } from "../../model/time/instant.ts";
import type { ListPlace } from "../../model/address/list-address.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { Manifest } from "../../views/manifest/manifest.ts";
import type { TemplateSet } from "../template-use.ts";

/** A record, a table or a template query that a page was made from: its name, the language, the arguments. */
export type Dependency = readonly [name: string, lang: Lang, ...args: Argument[]];

/** Keys and ids. */
export type Argument = string | number | null;

/** A page in a language, as the change manifest lists it. */
export interface Listing {
  readonly id: number;
  readonly path: string;
  readonly permalink: string;
  readonly language_code: Lang;
  /** For a page with a list: which page of the list it is. */
  readonly place?: ListPlace;
}

export interface BuiltPage extends Omit<Listing, "place"> {
  /** As `placeText`; "" for a page without a list. */
  readonly place: string;
  /** The date in sitemaps; "" for a page that is not in them. */
  readonly updated: string;
  readonly hash: string;
  /** Numbers of the dependencies of the payload. */
  readonly payloadDeps: readonly number[];
  /** Numbers of the dependencies of the HTML. */
  readonly renderDeps: readonly number[];
  /** Index into `templates`; -1 for a page that depends on more than content, so that it is always rendered. */
  readonly templates: number;
  /** In bytes, of its files in the order of `names`. */
  readonly sizes: readonly number[];
}

/** The dependencies of all pages, each once, by their numbers. */
export interface StoredDependencies {
  readonly all: readonly Dependency[];
  readonly digests: readonly string[];
}

/** When time alone changes pages, and how many. */
export interface NextChange {
  readonly at: Instant;
  readonly pages: number;
}

export interface State {
  /** Digest of all that every page depends on: program, settings, options. */
  readonly fingerprint: string;
  /** Names of the files of each page, in the order of `sizes`. */
  readonly names: readonly string[];
  readonly server_time: string;
  readonly epoch: string | null;
  /** null while only an edit changes pages. */
  readonly next_change: NextChange | null;
  readonly pages: readonly BuiltPage[];
  readonly redirects: Manifest["redirects"];
  readonly dependencies: StoredDependencies;
  /** Digests of tables by kind, and the kinds that template queries read, by the name of the query. */
  readonly tables: Readonly<Record<string, string>>;
  readonly tablesOf: Readonly<Record<string, readonly string[]>>;
  /** Sets of templates that pages were rendered with. */
  readonly templates: readonly TemplateSet[];
  /** Files that belong to no page, by path: size in bytes and, for media, the version of the source. */
  readonly files: Readonly<Record<string, readonly [size: number, version?: string]>>;
}
