/**
 * From touched records to file changes: which files a commit writes, on top of what lies in the working tree.
 */
import { createHash } from "node:crypto";
import { invalid } from "../../errors.ts";
import { sameJson } from "../../model/json.ts";
import type { Locales } from "../../model/locale.ts";
import type { FileContent } from "../codec/codec.ts";
import type { FileCodec } from "../codec/file-codec.ts";
import { unstorable } from "../codec/rewrite.ts";
import { openPace } from "../git/time-slices.ts";
import { mainPart, type AnyKind, type Base, type Entity, type Part, type Shelf } from "../content/record-type.ts";
import { isPrepared, type Content, type Oid, type Path } from "../repo.ts";
import type { Entry, Snapshot } from "../content/snapshot.ts";
import type { Attachment, Touched } from "./transaction.ts";

const STORED_AS_LF =
  "Git stores ends of lines in this file as LF (.gitattributes, core.autocrlf): send the text with LF instead of CRLF.";

/** The working tree as a batch sees it: the files on disk with the batch's own earlier changes over them. */
export interface Ground {
  /** undefined: there is no such file. */
  read(path: Path): Promise<Uint8Array | undefined>;
  /** Whether a file has these bytes already, in the working tree and in the commit. */
  has(path: Path, oid: Oid): Promise<boolean>;
  /** See `Repo.stored`. */
  stored(path: Path, content: Content | null): Promise<Content | null>;
  /** Reads and writes the files' bytes. */
  readonly codec: FileCodec;
}

export interface Plan {
  readonly changes: ReadonlyMap<Path, Content | null>;
  /** The entries after the commit; null for a removed record. */
  readonly entries: ReadonlyMap<AnyKind, ReadonlyMap<Base, Entry | null>>;
}

/**
 * Works in short turns: a page that moves takes thousands below it along.
 *
 * @param taken whether a path exists on the ground, compared without case
 */
export async function plan(
  snapshot: Snapshot,
  touched: Touched,
  ground: Ground,
  taken: (path: Path) => boolean,
  locales: Locales,
  kinds: readonly AnyKind[],
): Promise<Plan> {
  const pace = openPace();
  const changes = new Map<Path, Content | null>();
  const attached = new Map<Path, Attachment>();
  for (const [path, attachment] of touched.attached) {
    attached.set(path, { ...attachment, content: await ground.stored(path, attachment.content) });
  }
  for (const [path, { content }] of attached) {
    if (!content || !(await ground.has(path, nameOf(content).oid))) changes.set(path, content);
  }
  const entries = attachedEntries(attached, kinds, locales);
  for (const [kind, records] of touched.records) {
    const byBase = entries.get(kind) ?? new Map<Base, Entry | null>();
    entries.set(kind, byBase);
    const shelf = shelfOf(kind, snapshot, byBase, taken);
    for (const [id, record] of parentsFirst(records)) {
      await pace();
      const before = snapshot.table(kind).byId.get(id);
      if (record === null) {
        if (!before) continue;
        for (const part of before.files.keys()) changes.set(before.base + part, null);
        byBase.set(before.base, null);
      } else {
        const base = kind.baseOf?.(record) ?? before?.base ?? kind.newBase(record, shelf, locales);
        if (before && base !== before.base) byBase.set(before.base, null);
        byBase.set(base, await planRecord(kind, base, record, before, ground, changes, locales));
      }
    }
  }
  for (const [path, content] of changes) {
    await pace();
    if (content === null) await ground.stored(path, null);
  }
  return { changes, entries };
}

/** Files attached where a kind holds such files make records of it. */
function attachedEntries(
  attached: ReadonlyMap<Path, Attachment>,
  kinds: readonly AnyKind[],
  locales: Locales,
): Map<AnyKind, Map<Base, Entry | null>> {
  const entries = new Map<AnyKind, Map<Base, Entry | null>>();
  for (const [path, { content, facts = {} }] of attached) {
    const kind = kinds.find((each) => each.opaque && each.split(path));
    const place = kind?.split(path);
    if (!kind || !place) continue;
    const byBase = entries.get(kind) ?? new Map<Base, Entry | null>();
    entries.set(kind, byBase);
    if (content === null) {
      byBase.set(place.base, null);
      continue;
    }
    const { oid, size } = nameOf(content);
    const record = kind.fromFiles(place.base, new Map([[place.part, { data: { ...facts, oid, size } }]]), locales);
    byBase.set(place.base, { record, base: place.base, files: new Map([[place.part, oid]]) });
  }
  return entries;
}

/** A new child goes into its new parent's folder, so the parent needs its path first. Ids say nothing of that order. */
function parentsFirst(records: ReadonlyMap<number, Entity | null>): [number, Entity | null][] {
  const parentOf = (record: Entity | null): unknown => (record as { parent_page?: unknown } | null)?.parent_page;
  const placed = new Set<number>();
  const ordered: [number, Entity | null][] = [];
  // Each is placed once, however deep it stands; in a circle made by hand, the one that is met first comes last.
  for (const id of records.keys()) {
    const way: [number, Entity | null][] = [];
    for (let at: unknown = id; typeof at === "number" && !placed.has(at);) {
      const record = records.get(at);
      if (record === undefined || (record === null && at !== id)) break;
      placed.add(at);
      way.push([at, record]);
      at = parentOf(record);
    }
    ordered.push(...way.reverse());
  }
  return ordered;
}

async function planRecord(
  kind: AnyKind,
  base: Base,
  record: Entity,
  before: Entry | undefined,
  ground: Ground,
  changes: Map<Path, Content | null>,
  locales: Locales,
): Promise<Entry> {
  const from = before?.base ?? base;
  const main = mainPart(before?.files.keys() ?? []) ?? ".yaml";
  const wanted: Map<Part, FileContent> = kind.toFiles(record, main, locales);
  const stored: Map<Part, FileContent> = before ? kind.toFiles(before.record, main, locales) : new Map();
  const files = new Map<Part, Oid>(before?.files);
  const readings = new Map(wanted);
  for (const [part, content] of wanted) {
    const path = base + part;
    const was = stored.get(part);
    if (was && from === base && before?.files.has(part) && sameJson(was, content)) continue;
    const previous = await ground.read(from + part);
    const { bytes, reading } = await ground.codec.rewrite({
      path,
      content,
      previous,
      before: was,
      order: kind.order(part),
    });
    if (previous && from === base && Buffer.from(previous).equals(bytes)) {
      files.set(part, blobId(bytes));
      continue;
    }
    const kept = (await ground.stored(path, bytes)) ?? bytes;
    const isConverted = !isPrepared(kept) && kept !== bytes;
    if (isConverted && !sameJson(await ground.codec.decode(path, kept), reading ?? content))
      throw invalid({ non_field_errors: [STORED_AS_LF] });
    if (reading && !isPrepared(kept)) readings.set(part, reading);
    changes.set(path, kept);
    files.set(part, nameOf(kept).oid);
  }
  for (const part of before?.files.keys() ?? []) {
    if (from !== base || !wanted.has(part)) changes.set(from + part, null);
    if (!wanted.has(part)) files.delete(part);
  }
  verify(kind, base, main, wanted, readings, locales);
  return { record, base, files };
}

/**
 * What was written must load again as the record that was acknowledged; anything else would be found out too late.
 *
 * @param readings what the files read back as
 */
function verify(
  kind: AnyKind,
  base: Base,
  main: Part,
  wanted: ReadonlyMap<Part, FileContent>,
  readings: ReadonlyMap<Part, FileContent>,
  locales: Locales,
): void {
  try {
    const again = kind.toFiles(kind.fromFiles(base, readings, locales), main, locales);
    const differs = [...wanted].some(([part, content]) => !sameJson(content, again.get(part)));
    if (differs || again.size !== wanted.size) throw new Error("it reads back as something else");
  } catch (error) {
    throw unstorable(base, error);
  }
}

function shelfOf(
  kind: AnyKind,
  snapshot: Snapshot,
  planned: ReadonlyMap<Base, Entry | null>,
  taken: (path: Path) => boolean,
): Shelf {
  const { byBase, byId } = snapshot.table(kind);
  let counts: Map<Path, number> | undefined;
  return {
    baseOf: (id) => byId.get(id)?.base ?? [...planned.values()].find((entry) => entry?.record.id === id)?.base,
    count: (folder) => {
      counts ??= countByFolder(byBase.keys());
      const added = [...planned.keys()].filter((base) => base.slice(0, base.lastIndexOf("/")) === folder).length;
      return (counts.get(folder) ?? 0) + added;
    },
    taken: (base) => byBase.has(base) || planned.has(base) || taken(base),
  };
}

/** Blob id and size. */
export function nameOf(content: Content): { readonly oid: Oid; readonly size: number } {
  return isPrepared(content)
    ? { oid: content.oid, size: content.size }
    : { oid: blobId(content), size: content.length };
}

function countByFolder(bases: Iterable<Base>): Map<Path, number> {
  const counts = new Map<Path, number>();
  for (const base of bases) {
    const folder = base.slice(0, base.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

/** The id git gives a blob with these bytes. */
export const blobId = (bytes: Uint8Array): Oid =>
  createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
