/** Turns the records a transaction changed into file changes on top of the working tree. */
import { CmsError, invalid } from "../../errors.ts";
import { sameJson } from "../../model/input/json.ts";
import type { Locales } from "../../model/language/locale.ts";
import { showProblem, type Problem } from "../../model/text/problem.ts";
import type { FileContent } from "../codec/codec.ts";
import type { FileCodec } from "../codec/file-codec.ts";
import { FileError } from "../codec/file-error.ts";
import { unstorable } from "../codec/yaml/rewrite.ts";
import { pace } from "../../time-slices.ts";
import type { ChangedEntries } from "../content/advance.ts";
import { mainPart, type AnyKind, type Base, type Entity, type Part, type UsedPaths } from "../records/record-type.ts";
import { countBy } from "../content/indexes/counts.ts";
import { isPrepared, type Content, type Oid, type Path, type Repo } from "../repo.ts";
import { holderKey } from "../content/names/holders.ts";
import { resolvedIn } from "../content/names/resolved-record.ts";
import { parentOfFolder, type Entry, type Snapshot } from "../snapshot.ts";
import { blobIdentity } from "../git/objects/file-content.ts";
import type { Attachment, Form, Touched } from "./transaction.ts";
import type { WorkingTreeView } from "./working-tree-view.ts";

const STORED_AS_LF =
  "Git stores ends of lines in this file as LF (.gitattributes, core.autocrlf): send the text with LF instead of CRLF.";

export interface WritePlanContext {
  /** The content the transaction ran on. */
  readonly snapshot: Snapshot;
  readonly tree: WorkingTreeView;
  readonly repo: Repo;
  readonly codec: FileCodec;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
}

interface OpenPlan extends WritePlanContext {
  /** Folders whose git attributes were read for this plan: an import asks for thousands of files of one folder. */
  readonly attributed: Set<Path>;
}

export interface WritePlan {
  readonly changes: ReadonlyMap<Path, Content | null>;
  /** The entries after the commit; null for a removed record. */
  readonly entries: ChangedEntries;
}

type Entries = Map<AnyKind, Map<Base, Entry | null>>;
type Changes = Map<Path, Content | null>;

/**
 * Plans one transaction. Yields to the event loop regularly: thousands of pages may move with their parent.
 *
 * @throws CmsError `invalid` for a record that cannot be stored; `conflict` for a path with a git filter
 */
export async function plan(context: WritePlanContext, touched: Touched): Promise<WritePlan> {
  const { snapshot, repo, locales } = context;
  const attributed = new Set<Path>();
  const open: OpenPlan = { ...context, attributed };
  const changes: Changes = new Map();
  const entries = await planAttachments(open, touched.attached, changes);
  for (const [kind, records] of touched.records) {
    const planned = openPlannedEntries(context, kind, entriesOf(entries, kind));
    for (const [id, record] of parentsFirst(records)) {
      await pace();
      const before = snapshot.table(kind).byId.get(id);
      if (record === null) {
        if (!before) continue;
        for (const part of before.files.keys()) changes.set(before.base + part, null);
        planned.set(before.base, null);
      } else {
        const base = kind.baseOf?.(record) ?? before?.base ?? kind.newBase(record, planned, locales);
        if (before && base !== before.base) planned.set(before.base, null);
        planned.set(base, await planRecord(open, { kind, base, record, before, form: touched.forms.get(id) }, changes));
      }
    }
  }
  for (const [path, content] of changes) {
    await pace();
    if (content === null) await repo.stored(path, null, attributed); // refuses a path with a git filter
  }
  return { changes, entries };
}

const entriesOf = (entries: Entries, kind: AnyKind): Map<Base, Entry | null> => {
  const byBase = entries.get(kind) ?? new Map<Base, Entry | null>();
  entries.set(kind, byBase);
  return byBase;
};

/** Adds the changes of attached files. Those of a binary kind are records, too, whose entries are returned. */
async function planAttachments(
  { tree, repo, kinds, locales, attributed }: OpenPlan,
  attachments: ReadonlyMap<Path, Attachment>,
  changes: Changes,
): Promise<Entries> {
  const entries: Entries = new Map();
  const stored = new Map<Path, Content | null>();
  for (const [path, { content }] of attachments) stored.set(path, await repo.stored(path, content, attributed));
  for (const [path, content] of stored) {
    if (!content || !(await tree.has(path, blobIdentity(content).oid))) changes.set(path, content);
  }
  for (const [path, content] of stored) {
    const kind = kinds.find((each) => each.opaque && each.split(path));
    const place = kind?.split(path);
    if (!kind || !place) continue;
    const byBase = entriesOf(entries, kind);
    if (content === null) {
      byBase.set(place.base, null);
      continue;
    }
    const { oid, size } = blobIdentity(content);
    const data = { ...attachments.get(path)?.facts, oid, size };
    const record = kind.fromFiles(place.base, new Map([[place.part, { data }]]), locales) as Entity;
    byBase.set(place.base, { record, base: place.base, files: new Map([[place.part, oid]]) });
  }
  return entries;
}

/** A new child is stored in the folder of its new parent, so the path of the parent is chosen first. */
function parentsFirst(records: ReadonlyMap<number, Entity | null>): [number, Entity | null][] {
  const parentOf = (record: Entity | null): unknown => (record as { parent_page?: unknown } | null)?.parent_page;
  const placed = new Set<number>();
  const ordered: [number, Entity | null][] = [];
  // Each record is placed once; a cycle in hand-written files ends at the record that is already placed.
  for (const id of records.keys()) {
    const chain: [number, Entity | null][] = [];
    for (let at: unknown = id; typeof at === "number" && !placed.has(at);) {
      const record = records.get(at);
      if (record === undefined || (record === null && at !== id)) break;
      placed.add(at);
      chain.push([at, record]);
      at = parentOf(record);
    }
    ordered.push(...chain.reverse());
  }
  return ordered;
}

interface RecordChange {
  readonly kind: AnyKind;
  readonly base: Base;
  readonly record: Entity;
  readonly before: Entry | undefined;
  readonly form: Form | undefined;
}

async function planRecord(context: OpenPlan, change: RecordChange, changes: Changes): Promise<Entry> {
  const { kind, base, record, before } = change;
  const { locales } = context;
  const main = mainPart(before?.files.keys() ?? []) ?? ".yaml";
  const stating = statingParent(context, kind, base);
  const wanted: Map<Part, FileContent> = kind.toFiles(stating(record), main, locales);
  const stored: Map<Part, FileContent> = before ? kind.toFiles(stating(before.record), main, locales) : new Map();
  const isMoved = before !== undefined && before.base !== base;
  const files = new Map<Part, Oid>(before?.files);
  const readings = new Map(wanted);
  const kept = new Set<Part>();
  const asInFiles = fileContents(context, change, main);
  for (const [part, content] of wanted) {
    const was = stored.get(part);
    if (was && !isMoved && before?.files.has(part) && sameJson(was, content)) {
      kept.add(part);
      readings.set(part, asInFiles?.get(part) ?? content);
      continue;
    }
    const formed = change.form ? { ...content, data: change.form(content.data) } : content;
    readings.set(part, formed);
    const written = await planFile(context, change, part, formed, was);
    if (written.reading) readings.set(part, written.reading);
    if (!written.isUnchanged) changes.set(base + part, written.content);
    files.set(part, blobIdentity(written.content).oid);
  }
  for (const part of before?.files.keys() ?? []) {
    if (before && (isMoved || !wanted.has(part))) changes.set(before.base + part, null);
    if (!wanted.has(part)) files.delete(part);
  }
  const read = verify(context, change, main, { wanted, readings, kept });
  return { record: asInFiles || stating(record) !== record ? read : record, base, files };
}

/** What the files of a record have, if they refer to others by name; undefined where the record has the same values. */
function fileContents(
  { snapshot, locales }: WritePlanContext,
  { kind, before }: RecordChange,
  main: Part,
): ReadonlyMap<Part, FileContent> | undefined {
  if (!before || !snapshot.names.has(holderKey(kind, before.base))) return undefined;
  const own = snapshot.table(kind).byBase.get(before.base);
  return own && kind.toFiles(own.record, main, locales);
}

/** A record without a parent says so in its file where the place of the file would give it one. */
function statingParent({ snapshot }: WritePlanContext, kind: AnyKind, base: Base): (record: Entity) => Entity {
  const { nesting } = kind;
  const { byBase } = snapshot.table(kind);
  return (record) => (nesting && parentOfFolder(byBase, base, record, nesting) ? nesting.apart(record) : record);
}

interface PlannedFile {
  readonly content: Content;
  /** Whether the file on disk has these bytes already. */
  readonly isUnchanged: boolean;
  /** The parsed bytes, where they differ from the content that was to be written. */
  readonly reading?: FileContent | undefined;
}

/** @param was the content of the file before the change */
async function planFile(
  { tree, repo, codec, locales, attributed }: OpenPlan,
  { kind, base, before }: RecordChange,
  part: Part,
  wanted: FileContent,
  was: FileContent | undefined,
): Promise<PlannedFile> {
  const path = base + part;
  const from = before?.base ?? base;
  const file = from + part;
  const previous = await tree.read(file);
  const current =
    previous && kind.inFormOf && wanted.body !== undefined
      ? await orConflict(file, codec.decode(path, previous))
      : undefined;
  const inForm = (each: FileContent): FileContent =>
    current ? kind.inFormOf!(part, each, current.data, locales) : each;
  const content = inForm(wanted);
  const stated = was && inForm(was);
  const rewritten = codec.rewrite({ path, content, previous, before: stated, order: kind.order(part) });
  const { bytes, reading } = await orConflict(file, rewritten);
  if (previous && from === base && Buffer.compare(previous, bytes) === 0) return { content: bytes, isUnchanged: true };
  const kept = (await repo.stored(path, bytes, attributed)) ?? bytes;
  if (isPrepared(kept)) return { content: kept, isUnchanged: false };
  const isConverted = kept !== bytes;
  if (isConverted && !sameJson(await codec.decode(path, kept), reading ?? content))
    throw invalid({ non_field_errors: [STORED_AS_LF] });
  return { content: kept, isUnchanged: false, reading: reading ?? (current && content) };
}

/** A file that does not load must not be overwritten: it may be an unfinished edit. */
export const notLoaded = (problem: Problem): CmsError =>
  new CmsError("conflict", `A file to be written does not load: correct it, then write again. ${showProblem(problem)}`);

/** The result of parsing the file that is to be replaced. @throws CmsError `conflict` if it does not load */
async function orConflict<T>(file: Path, parsed: Promise<T>): Promise<T> {
  try {
    return await parsed;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const { line, column, reason } = error;
    throw notLoaded({ path: file, message: reason, ...(line !== undefined && { line, column }) });
  }
}

interface CheckedFiles {
  readonly wanted: ReadonlyMap<Part, FileContent>;
  readonly readings: ReadonlyMap<Part, FileContent>;
  /** The files that were not written. */
  readonly kept: ReadonlySet<Part>;
}

/**
 * Written files must load again as the acknowledged record; otherwise the difference would appear only at the next
 * start.
 *
 * @param readings the parsed contents of the files, with names where they have names
 * @returns the record as its files have it
 */
function verify(
  context: WritePlanContext,
  { kind, base, before, record }: RecordChange,
  main: Part,
  { wanted, readings, kept }: CheckedFiles,
): Entity {
  const { snapshot, locales } = context;
  try {
    const read: Entity = kind.fromFiles(base, readings, locales);
    const resolved = before && before.base === base ? resolvedIn(snapshot, locales, kind, base, read) : read;
    // Equal records have equal files.
    if (sameJson(resolved, record)) return read;
    const again = kind.toFiles(statingParent(context, kind, base)(resolved), main, locales);
    const differs = [...wanted].some(([part, content]) => !kept.has(part) && !sameJson(content, again.get(part)));
    if (differs || again.size !== wanted.size) throw new Error("it reads back as something else");
    return read;
  } catch (error) {
    throw unstorable(base, error);
  }
}

const MAIN_PARTS = [".yaml", ".yml", ".md"];

interface PlannedEntries extends UsedPaths {
  set(base: Base, entry: Entry | null): void;
}

/**
 * The entries of one kind that a transaction has changed so far. Each look-up takes the same time however many there are:
 * an import adds thousands.
 *
 * @param byBase gets the entries
 */
function openPlannedEntries(
  { snapshot, tree }: WritePlanContext,
  kind: AnyKind,
  byBase: Map<Base, Entry | null>,
): PlannedEntries {
  const table = snapshot.table(kind);
  const bases = new Map<number, Base>();
  const counts = new Map<Path, number>();
  const count = (base: Base): void => void counts.set(folderOf(base), (counts.get(folderOf(base)) ?? 0) + 1);
  const note = (base: Base, entry: Entry | null): void => void (entry && bases.set(entry.record.id, base));
  for (const [base, entry] of byBase) {
    count(base);
    note(base, entry);
  }
  return {
    set(base, entry) {
      if (!byBase.has(base)) count(base);
      note(base, entry);
      byBase.set(base, entry);
    },
    baseOf: (id) => table.byId.get(id)?.base ?? bases.get(id),
    count: (folder) => (table.byBase.index(IN_FOLDER).get(folder) ?? 0) + (counts.get(folder) ?? 0),
    taken: (base) => table.byBase.has(base) || byBase.has(base) || MAIN_PARTS.some((part) => tree.isTaken(base + part)),
  };
}

const folderOf = (base: Base): Path => base.slice(0, base.lastIndexOf("/"));

/** Records directly in each folder. */
const IN_FOLDER = countBy<Base, Entry, Path>((base) => [folderOf(base)]);
