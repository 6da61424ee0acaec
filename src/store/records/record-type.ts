/**
 * A `Kind` defines how one type of record is stored: in which folder, and how it is converted to files and back.
 *
 * A record may have several files, whose paths are the same up to their suffix (`Part`): a page is `about.yaml` and
 * `about.draft.it.yaml`, with the base `content/pages/about` and the suffixes `.yaml` and `.draft.it.yaml`.
 */
import type { Definitions } from "../../model/fields/definition.ts";
import { freeNumber } from "../../model/address/free-number.ts";
import type { JsonObject } from "../../model/input/json.ts";
import type { Id } from "../../model/page/page.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import { possibleName } from "../../model/address/possible-names.ts";
import type { Problem } from "../../model/text/problem.ts";
import type { VisitReference } from "../../model/records/reference-name.ts";
import type { FileContent } from "../codec/codec.ts";
import type { Oid, Path } from "../repo.ts";
import type { SharedMap } from "../maps/shared-map.ts";

/** The folder of all records. */
export const CONTENT: Path = "content";

export interface Entity {
  readonly id: Id;
}

export type Base = Path;
export type Part = string;

/** The paths in use, while the path of a new record is chosen. */
export interface UsedPaths {
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
  /** The folder of the records, or the one file that has them all. */
  readonly dir: Path;
  /** The order of keys in a file, for added keys: from outer to inner, `*` for any key. */
  order(part: Part): readonly (readonly string[])[];
  /** Base and part of a file below `dir`; undefined when it is no record of this kind. */
  split(path: Path): { base: Base; part: Part } | undefined;
  /**
   * The record in its files. Values outside the table of fields are ignored, and stay in the files.
   *
   * @throws CmsError `invalid` with the offending fields, as keys into the main file
   */
  fromFiles(base: Base, files: ReadonlyMap<Part, FileContent>, locales: Locales): T;
  /**
   * The content of a main file in the form that the file has.
   *
   * @param content as `toFiles` returns it
   * @param current the data of the file
   */
  inFormOf?(part: Part, content: FileContent, current: JsonObject, locales: Locales): FileContent;
  /** The data of a main file in the one form that `order` describes. */
  inOwnForm?(part: Part, data: JsonObject, locales: Locales): JsonObject;
  /** Why front matter of another generator keeps a page from being public, by key, beside what says so plainly. */
  untoldHiders?(
    part: Part,
    data: JsonObject,
    locales: Locales,
  ): readonly { readonly key: string; readonly message: string }[];
  /** The files of a record, without default values. @param main the suffix of its main file: `.yaml` or `.md` */
  toFiles(record: T, main: Part, locales: Locales): Map<Part, FileContent>;
  /**
   * Set for kinds with thousands of records: the content cache keeps whole records, of which only the summary is
   * parsed.
   */
  readonly summaries?: Summaries<T>;
  /** Where a new record goes. */
  newBase(record: T, used: UsedPaths, locales: Locales): Base;
  /**
   * The files are binary: they are never parsed, and the result of the store's `examine` is their content. A record of
   * such a kind is created by attaching a file, not by `put`; its base is the whole path.
   */
  readonly opaque?: true;
  /** Folders below `dir` that are excluded. */
  readonly except?: readonly Path[];
  /** The base of a record, for kinds whose records determine it: a change of it moves the file. */
  baseOf?(record: T): Base;
  /**
   * Kinds of one family share their ids and keys: no two of their records have the same. Without it,
   * a kind is a family of its own.
   */
  readonly family?: string;
  /** For records that depend on those of another kind, which complete them or replace their missing files. */
  readonly derives?: Derivation<T>;
  /** For records whose files may omit values that depend on other records of the kind, and of the kind `above`. */
  completion?(locales: Locales, since?: Since, above?: Table["byId"]): Completion;
  /** `dir` of another kind whose records may be the parents of those of this one. */
  readonly above?: Path;
  /** For kinds with references: the record with each of them visited; the same object when none changes. */
  visitReferences?(record: T, visit: VisitReference, schemas: RecordSchemas): T;
  /** What files may call a record in references, the preferred name first. Pages are named by their permalinks. */
  namesOf?(record: T, locales: Locales): readonly string[];
  /** For kinds whose records in a folder belong to the record that has its file beside the folder. */
  readonly nesting?: Nesting<T>;
}

/** How values that files omit are added to the records of a kind. */
export interface Completion {
  /** Whether everything in a record comes from its own files. */
  isSelfContained(record: Entity): boolean;
  /**
   * The completed entries after a change, in proportion to what depends on it. Yields to the event loop.
   *
   * @param byBase every record as its files have it
   * @param changes entries as their files have them; undefined for removed ones
   */
  follow(
    before: Pick<Table, "byId" | "completed">,
    byBase: ReadonlyMap<Base, Entry>,
    changes: ReadonlyMap<Id, Entry | undefined>,
  ): Promise<Completed>;
}

/**
 * Since when the history has had the file values of a record that values in a language are derived from, as a number
 * that grows with the commits; Infinity where no commit has them.
 *
 * @param known the answer for the same entry in the content before: the history is read again only where HEAD has
 *   changed the file since
 */
export type Since = (own: Entry, lang: Lang, known?: number) => Promise<number>;

/** The completed entries of a table. */
export interface Completed {
  readonly byId: SharedMap<Id, Entry>;
  /** Those that leave values out, as their files have them. */
  readonly lacking: SharedMap<Id, Entry>;
  /** The records of the kind above with which the entries were completed. */
  readonly above: SharedMap<Id, Entry>;
  /** Whether records want the same value, so that the history decides. */
  readonly isContested: boolean;
}

/** The fields of data whose type is another record. */
export interface RecordSchemas {
  /** The definitions of a page model, by name. */
  pageModel(name: string): Definitions | undefined;
  /** The definitions of the meta type of an instance. */
  metaType(instance: { readonly meta_type: Id | null; readonly folder: string }): Definitions | undefined;
}

export interface Nesting<T extends Entity> {
  /** Whether the files of a record leave open what it belongs to. @param summary as it is in its files */
  isOpen(summary: Entity): boolean;
  /** The record with a parent. */
  within(record: T, parent: Id): T;
  /** As a record whose file says that it has no parent. */
  apart(record: T): T;
}

/** The part of each record that is always in memory. */
export interface Summaries<T extends Entity> {
  /** The fields that look-ups, listings and a build's plan need of every record, as JSON values. */
  summarize(record: T): Entity;
  /** As much of a summary as `mayHaveNames` and `Nesting.isOpen` read, in less time. */
  summarizeNames(record: T): Entity;
  /** Calls `take` with every key of a record, possibly more than once. */
  keys(summary: Entity, take: (index: IndexName, key: IndexKey) => void): void;
  /** Whether a key in this index belongs to one record only; `ownership.ts` decides among several claimants. */
  isUnique(index: IndexName): boolean;
  /** Whether the files of a record may have names where ids are expected. @param summary as it is in its files */
  mayHaveNames(summary: Entity, schemas: RecordSchemas): boolean;
}

/** Records have keys in named indexes, as a page its permalinks, in one index a language. */
export type IndexName = string;
export type IndexKey = string | Id;

/** The owners of contested keys, by `qualifiedKey`. The same object as long as no owner changes. */
export type Owners = ReadonlyMap<string, Id>;

export const qualifiedKey = (index: IndexName, key: IndexKey): string => `${index}\n${key}`;

/** The parts of a `qualifiedKey`; a number has become a text. */
export function splitQualifiedKey(key: string): readonly [IndexName, IndexKey] {
  const end = key.indexOf("\n");
  return [key.slice(0, end), key.slice(end + 1)];
}

export interface Derivation<T extends Entity> {
  /** `dir` of the other kind. */
  readonly from: Path;
  /**
   * @param own the records from the files of the kind itself
   * @param others every record of the other kind
   * @returns all records by their base, those without a file included
   */
  derive(
    own: ReadonlyMap<Base, T>,
    others: readonly Entity[],
    locales: Locales,
  ): { readonly records: ReadonlyMap<Base, T>; readonly problems: readonly Problem[] };
}

/** Any kind. `any`, because the type of the record occurs both as a parameter and as a result. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyKind = Kind<any>;

/** A record with the files it was read from. */
export interface Entry<T extends Entity = Entity> {
  /** An entry from the content cache is parsed when it is asked for, so it may be another object each time. */
  readonly record: T;
  /** The path shared by the record's files, without their suffixes. */
  readonly base: Base;
  /** Blob id of each file, by suffix. */
  readonly files: ReadonlyMap<Part, Oid>;
  /** Set while the files on disk cannot be loaded and this is the last version that could. */
  readonly broken?: Problem;
  /** Set for an entry from the content cache: what look-ups, listings and a build's plan need of every record. */
  readonly summary?: Entity;
  /** Set for an entry from the content cache: what else is known without parsing the record. */
  readonly cached?: CachedParts;
}

export interface CachedParts {
  /** Whether the record does not depend on other records. */
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
  /** Set where part of any record was derived from other records. */
  readonly completed?: Completed | undefined;
}

/** Read access to records: a snapshot, or a transaction that sees its own changes. */
export interface Reader {
  find<T extends Entity>(kind: Kind<T>, id: Id): T | undefined;
  /** @throws CmsError `not_found` */
  get<T extends Entity>(kind: Kind<T>, id: Id): T;
  /** By id, ascending; the same array as long as no record of the kind changes, so it can be the key of a cache. */
  all<T extends Entity>(kind: Kind<T>): readonly T[];
  /**
   * The summary of each record, by id, or the record itself where its kind has no summaries. The same array as long as
   * no record of the kind changes. Where a reader lacks this, use `all`.
   */
  summaries?(kind: AnyKind): readonly Entity[];
  /** The summary of a record, or the record itself where its kind has no summaries. Where a reader lacks this, use `find`. */
  findSummary?(kind: AnyKind, id: Id): Entity | undefined;
  /** The table of a kind, for its look-ups. A transaction has none, see `delta`. */
  table?(kind: AnyKind): Table;
  /** The reader that this one notes the reads of; absent: it notes none. */
  readonly noted?: Reader;
  /** The owners of contested keys. Absent: the oldest record owns a key. */
  readonly owners?: Owners;
  /** Notes that records are looked up by a key. @returns the reader to look them up in; absent: this one */
  lookup?(lookup: Lookup, key: string | number | null): Reader;
  /** What a transaction changed (null: removed), the ids it changed in their order, and what it started from. */
  delta?<T extends Entity>(
    kind: Kind<T>,
  ): { readonly base: Reader; readonly changes: ReadonlyMap<Id, T | null>; readonly log: readonly Id[] };
}

/** An index of records by one of their values; a change of a record affects its former and its present key. */
export interface Lookup<T extends Entity = Entity> {
  readonly name: string;
  readonly kind: AnyKind;
  keyOf(record: T): string | number | null;
  /** The records with a key: the same objects as long as no record of the kind changes. */
  find(reader: Reader, key: string | number | null): readonly Entity[];
}

/** Splits off `.yaml` or `.md`, for kinds with one file a record. */
export function splitSingle(dir: Path, path: Path): { base: Base; part: Part } | undefined {
  // A load asks this of every file, for kinds whose folder few of them are in.
  const match = path.startsWith(`${dir}/`) ? /^(.+)(\.ya?ml|\.md)$/.exec(path) : null;
  return match ? { base: match[1]!, part: match[2]! } : undefined;
}

/** The suffix of the main file of a record; undefined when there are only others, such as drafts. */
export const mainPart = (parts: Iterable<Part>): Part | undefined => [...parts].find(isMain);

/** The main file first, then by name: an order that does not depend on the file system. */
export const inPartOrder = (parts: Iterable<Part>): Part[] =>
  [...parts].sort((a, b) => Number(isMain(b)) - Number(isMain(a)) || (a < b ? -1 : 1));

/** The suffixes that a main file may have. */
export const MAIN_PARTS: readonly Part[] = [".yaml", ".yml", ".md"];

const isMain = (part: Part): boolean => MAIN_PARTS.includes(part);

/** A free base in a folder: the name, or the name with `-2`, `-3` ...; for names of devices with `-file` before these. */
export function freeBase(folder: Path, name: string, used: UsedPaths): Base {
  const base = `${folder}/${possibleName(name)}`;
  return used.taken(base) ? `${base}-${freeNumber((number) => used.taken(`${base}-${number}`))}` : base;
}
