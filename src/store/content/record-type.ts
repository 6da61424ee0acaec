/**
 * A kind says where one sort of record lives and how it becomes files and back.
 *
 * A record may stand in several files that share a path up to their *part*: a page is `about.yaml` with
 * `about.draft.it.yaml` beside it, base `content/pages/about`, parts `.yaml` and `.draft.it.yaml`.
 */
import { freeNumber } from "../../model/free-number.ts";
import type { Id } from "../../model/page.ts";
import type { Locales } from "../../model/locale.ts";
import type { Problem } from "../../model/problem.ts";
import type { FileContent } from "../codec/codec.ts";
import type { Oid, Path } from "../repo.ts";
import type { SharedMap } from "./shared-map.ts";

/** The folder of all records. */
export const CONTENT: Path = "content";

export interface Entity {
  readonly id: Id;
}

export type Base = Path;
export type Part = string;

/** Where a record may be put, asked while its path is chosen. */
export interface Shelf {
  /** Base path of a record of the same kind; undefined when there is none. */
  baseOf(id: Id): Base | undefined;
  /** Records directly in a folder. */
  count(folder: Path): number;
  /** Whether a file or record has this base already, compared without case. */
  taken(base: Base): boolean;
}

export interface Kind<T extends Entity> {
  /** As API errors name it: "No Page matches the given query." */
  readonly name: string;
  /** Folder, or the one file, the records stand in. */
  readonly dir: Path;
  /** Reads a file that is not a mapping at its top; without it, mappings are expected. @throws FileError */
  decode?(path: Path, bytes: Uint8Array): FileContent;
  /** Key order of a part's file, for keys that are added: outer to inner, `*` for "any key here". */
  order(part: Part): readonly (readonly string[])[];
  /** Base and part of a file below `dir`; undefined when it is no record of this kind. */
  split(path: Path): { base: Base; part: Part } | undefined;
  /**
   * The record its files describe. Values outside the table of fields are left where they stand.
   *
   * @throws CmsError `invalid` with the offending fields, as keys into the main file
   */
  fromFiles(base: Base, files: ReadonlyMap<Part, FileContent>, locales: Locales): T;
  /** The files of a record, default values left out. @param main the part the record itself stands in: `.yaml` or `.md` */
  toFiles(record: T, main: Part, locales: Locales): Map<Part, FileContent>;
  /** Set for kinds with thousands of records: the content cache keeps whole records, of which only the summary is parsed. */
  readonly summaries?: Summaries<T>;
  /** Where a new record goes. */
  newBase(record: T, shelf: Shelf, locales: Locales): Base;
  /**
   * The files are bytes, not text: they are never parsed, and what the store's `examine` says of one counts as its
   * content. No record of such a kind is put; attaching a file makes it, and the path is base and part in one.
   */
  readonly opaque?: true;
  /** Folders below `dir` that are not looked into. */
  readonly except?: readonly Path[];
  /** Where a record stands, for kinds whose records say so themselves: a change of it moves the record's file. */
  baseOf?(record: T): Base;
  /**
   * Kinds of one family share their ids, and the words their records are found by (decisions.md 50). Without it, a kind
   * stands alone.
   */
  readonly family?: string;
  /** Records that depend on those of another kind, which may add to them or stand for some that have no file. */
  readonly derives?: Derivation<T>;
  /**
   * Fills in what files may leave out and other records decide; the very same record when nothing is missing.
   *
   * @param records where two want the same, the one that comes first has it
   */
  complete?(records: readonly T[], locales: Locales): readonly T[];
}

/** The part of each record that is always in memory. */
export interface Summaries<T extends Entity> {
  /** The fields that look-ups, listings and a build's plan need of every record, as JSON values. */
  summarize(record: T): Entity;
  /** Calls `take` with everything a record is found by, possibly more than once. */
  keys(summary: Entity, take: (space: Space, word: Word) => void): void;
  /** Whether a word of this space belongs to one record only; `ownership.ts` decides which of several claimants it is. */
  isUnique(space: Space): boolean;
}

/** What a record is found by: a word, in the space where it must be unique or at least means one thing. */
export type Space = string;
export type Word = string | Id;

/** The records that words belong to which several claim. The same as long as none changes hands. */
export type Owners = ReadonlyMap<string, Id>;

export const wordKey = (space: Space, word: Word): string => `${space}\n${word}`;

/** The space and the word of a `wordKey`; a word that was a number is a text. */
export function wordOfKey(key: string): readonly [Space, Word] {
  const end = key.indexOf("\n");
  return [key.slice(0, end), key.slice(end + 1)];
}

export interface Derivation<T extends Entity> {
  /** `dir` of the other kind. */
  readonly from: Path;
  /**
   * @param own what the kind's own files hold
   * @param others every record of the other kind
   * @returns all records by their base, those without a file included
   */
  derive(
    own: ReadonlyMap<Base, T>,
    others: readonly Entity[],
    locales: Locales,
  ): { readonly records: ReadonlyMap<Base, T>; readonly problems: readonly Problem[] };
}

/** Any kind, where only what all have in common matters. Variance makes this the one place that needs a cast to store. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyKind = Kind<any>;

/** A record with the files it was read from. */
export interface Entry<T extends Entity = Entity> {
  /** Of an entry from the content cache: parsed on first access. */
  readonly record: T;
  /** The path shared by the record's files, without their suffixes. */
  readonly base: Base;
  /** Blob id of each file, by suffix. */
  readonly files: ReadonlyMap<Part, Oid>;
  /** Set while the files on disk cannot be loaded and this is the last version that could. */
  readonly broken?: Problem;
  /** Set for an entry from the content cache: what is known without parsing the record. */
  readonly cached?: CachedParts;
}

export interface CachedParts {
  /** What look-ups, listings and a build's plan need of every record. */
  readonly summary: Entity;
  /** Whether no other record determines part of it. */
  readonly isSelfContained: boolean;
  /** See `filesKey`. */
  readonly filesKey: string;
}

/** The records of one kind. */
export interface Table {
  readonly byBase: SharedMap<Base, Entry>;
  /** Of entries with the same id, the one that owns it (ownership.ts). */
  readonly byId: SharedMap<Id, Entry>;
  /** By id, ascending. Made when first asked for, from all entries: a write uses `byId` and its indexes instead. */
  readonly all: readonly Entity[];
  /** The summary of each, in the same order; `recordOf` returns the record. */
  readonly summaries: readonly Entity[];
  /** Whether part of any record was derived from other records. */
  readonly isCompleted: boolean;
}

/** Read access to records: a snapshot, or a transaction that sees its own changes. */
export interface Reader {
  find<T extends Entity>(kind: Kind<T>, id: Id): T | undefined;
  /** @throws CmsError `not_found` */
  get<T extends Entity>(kind: Kind<T>, id: Id): T;
  /** By id, ascending; the same array as long as no record of the kind changes, so indexes can hang on it. */
  all<T extends Entity>(kind: Kind<T>): readonly T[];
  /**
   * The summary of each record, by id, or the record itself where its kind has no summaries. The same array as long as no
   * record of the kind changes. Where a reader lacks this, use `all`.
   */
  summaries?(kind: AnyKind): readonly Entity[];
  /** The table of a kind, for its look-ups. A transaction has none, see `delta`. */
  table?(kind: AnyKind): Table;
  /** Who has each word that several records claim, by `wordKey`. Absent: the oldest. */
  readonly owners?: Owners;
  /** Notes that records are looked up by a key. @returns the reader to look them up in; absent: this one */
  lookup?(lookup: Lookup, key: string | number | null): Reader;
  /** Of a transaction: what it changed (null: removed), the ids it changed in their order, and what it started from. */
  delta?<T extends Entity>(
    kind: Kind<T>,
  ): { readonly base: Reader; readonly changes: ReadonlyMap<Id, T | null>; readonly log: readonly Id[] };
}

/** Records found by a value of their own; a change of a record concerns the key it had and the one it has. */
export interface Lookup<T extends Entity = Entity> {
  readonly name: string;
  readonly kind: AnyKind;
  keyOf(record: T): string | number | null;
}

/** `base` with the part `.yaml` or `.md`; the usual shape of a kind with one file a record. */
export function splitSingle(dir: Path, path: Path): { base: Base; part: Part } | undefined {
  const match = /^(.+)(\.ya?ml|\.md)$/.exec(path);
  return match && path.startsWith(`${dir}/`) ? { base: match[1]!, part: match[2]! } : undefined;
}

/** The part a record itself stands in; undefined when only side files are there. */
export const mainPart = (parts: Iterable<Part>): Part | undefined => [...parts].find(isMain);

/** The one a record itself stands in first, then by name: the same order whichever way a file system lists them. */
export const inPartOrder = (parts: Iterable<Part>): Part[] =>
  [...parts].sort((a, b) => Number(isMain(b)) - Number(isMain(a)) || (a < b ? -1 : 1));

const isMain = (part: Part): boolean => /^\.(ya?ml|md)$/.test(part);

/** A free base in a folder: the name, or the name with `-2`, `-3` ... */
export function freeBase(folder: Path, name: string, shelf: Shelf): Base {
  const base = `${folder}/${name}`;
  return shelf.taken(base) ? `${base}-${freeNumber((number) => shelf.taken(`${base}-${number}`))}` : base;
}
