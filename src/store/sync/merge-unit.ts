/** Merges one record that both sides touched. */
import type { FieldConflict, Side } from "../../model/merge/conflict.ts";
import { isDraftable, keepAsDraft } from "../../model/merge/kept-draft.ts";
import type { Instant } from "../../model/time/instant.ts";
import { isObject, own, sameJson, type Json } from "../../model/input/json.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import { decodeFile, encodeFile } from "../codec/codec.ts";
import { mainPart, type Base, type Part } from "../records/record-type.ts";
import { oidOf } from "../git/objects/object.ts";
import { mergeRecordFileInSteps } from "../merge/merge-file.ts";
import { REGULAR_MODE, type MergedFile, type Path, type Repo, type TreeFile } from "../repo.ts";
import { keepStrays, partVersions, type PartContext, type PartVersions } from "./part-versions.ts";
import { idIn, pathsOf, type RecordUnit } from "./record-units.ts";
import type { SyncConflict } from "./conflicts/sync-conflict.ts";
import { isSameFile, type FileVersions } from "./tree-sides.ts";

export interface UnitContext extends PartContext {
  readonly locales: Locales;
  readonly now: Instant;
}

/** The files of the merged tree at the paths of the unit; null for none. */
export interface MergedUnit {
  readonly files: Map<Path, MergedFile | null>;
  readonly conflicts: SyncConflict[];
}

export async function mergeUnit(context: UnitContext, unit: RecordUnit): Promise<MergedUnit> {
  // The remote's name stands where both sides gave another one.
  const at = unit.theirs === unit.base ? unit.ours : unit.theirs;
  const parts = new Map<Part, PartVersions>();
  for (const part of unit.parts) parts.set(part, await partVersions(context, unit, part, at));
  const merged = await mergeRecord(context, unit, parts, at);
  const files = await keepStrays(context, unit, parts, merged.files);
  const base = context.sides.restored?.get(unit.base);
  const conflicts = merged.conflicts.map((each) => ({ ...withSidePaths(each, unit, parts), ...(base && { base }) }));
  return { files, conflicts };
}

/** Names the file on each side where one of them has it under another name, by which its values are found later. */
function withSidePaths(conflict: SyncConflict, unit: RecordUnit, versions: Versions): SyncConflict {
  for (const [part, { path, from }] of versions) {
    const base = unit.base + part;
    if (path !== conflict.path || (base === path && from.ours === path && from.theirs === path)) continue;
    return { ...conflict, from: { base, ...from } };
  }
  return conflict;
}

type Versions = ReadonlyMap<Part, PartVersions>;

async function mergeRecord(context: UnitContext, unit: RecordUnit, versions: Versions, at: Base): Promise<MergedUnit> {
  const main = mainPart(unit.parts);
  const mainVersions = main === undefined ? undefined : versions.get(main);
  if (main !== undefined && mainVersions) {
    const { base, ours, theirs } = mainVersions;
    if (base && !ours !== !theirs) return keepChanged(context, unit, versions, at + main, ours ? "ours" : "theirs");
    if (!base && ours && theirs && (await isOtherRecord(context.repo, at + main, ours, theirs)))
      return separate(context, unit, versions);
  }
  const merged = await mergeParts(context, unit, versions);
  return main === undefined || unit.kind.family !== "page" ? merged : withDrafts(context, merged, at, at + main);
}

/** One side removed the record: it stays if the other changed it. Drafts that the removal left behind are merged. */
async function keepChanged(
  context: UnitContext,
  unit: RecordUnit,
  versions: Versions,
  mainPath: Path,
  kept: Side,
): Promise<MergedUnit> {
  const by = kept === "ours" ? "theirs" : "ours";
  const isChanged = [...versions.values()].some((each) => each[kept] && !isSameFile(each[kept], each.base));
  if (!isChanged) return mergeParts(context, unit, versions);
  const restored = new Map(
    [...versions].map(([part, each]) => [part, each[by] ? each : { ...each, [by]: each.base }] as const),
  );
  const { files, conflicts } = await mergeParts(context, unit, restored);
  return { files, conflicts: [{ kind: "deleted", path: mainPath, by }, ...conflicts] };
}

/** Whether both sides made a file of one name for different records. */
async function isOtherRecord(repo: Repo, path: Path, ours: TreeFile, theirs: TreeFile): Promise<boolean> {
  const [our, their] = [await idIn(repo, path, ours.oid), await idIn(repo, path, theirs.oid)];
  return our !== undefined && their !== undefined && our !== their;
}

/** The remote's record keeps the name. */
async function separate({ freeBase }: UnitContext, { base }: RecordUnit, versions: Versions): Promise<MergedUnit> {
  const free = await freeBase(base);
  const files = new Map<Path, MergedFile | null>();
  for (const [part, { ours, theirs }] of versions) {
    files.set(base + part, theirs);
    if (ours) files.set(free + part, ours);
  }
  return { files, conflicts: [] };
}

async function mergeParts(context: UnitContext, unit: RecordUnit, versions: Versions): Promise<MergedUnit> {
  const { sides } = context;
  // Nothing is left at the paths of the other names; a file there that neither side touched is another's.
  const touched = [...pathsOf(unit)].filter((path) => sides.ours.has(path) || sides.theirs.has(path));
  const files = new Map<Path, MergedFile | null>(touched.map((path) => [path, null]));
  const conflicts: SyncConflict[] = [];
  for (const { path, base, ours, theirs } of versions.values()) {
    if (isSameFile(ours, theirs) || isSameFile(theirs, base)) files.set(path, ours);
    else if (isSameFile(ours, base)) files.set(path, theirs);
    else if (!ours || !theirs) {
      files.set(path, ours ?? theirs);
      conflicts.push({ kind: "deleted", path, by: ours ? "theirs" : "ours" });
    } else {
      const merged = await mergePart(context, unit, path, { base, ours, theirs });
      files.set(path, merged.file);
      conflicts.push(...merged.conflicts);
    }
  }
  return { files, conflicts };
}

async function mergePart(
  { repo, locales }: UnitContext,
  { kind }: RecordUnit,
  path: Path,
  { base, ours, theirs }: FileVersions & { readonly theirs: TreeFile },
): Promise<{ file: MergedFile | null; conflicts: SyncConflict[] }> {
  const bytesOf = async (file: TreeFile | null) => file && (await repo.blob(file.oid));
  const sides = { base: await bytesOf(base), ours: await bytesOf(ours), theirs: await bytesOf(theirs) };
  const merged = await mergeRecordFileInSteps({ path, kind, locales }, sides);
  if (merged.outcome === "unreadable") return { file: theirs, conflicts: [{ kind: "file", path }] };
  return {
    file: merged.bytes && fileOf(merged.bytes),
    conflicts: merged.conflicts.map((conflict) =>
      conflict.kind === "field" ? { kind: "field", path, value: conflict, isDrafted: false } : { ...conflict, path },
    ),
  };
}

const fileOf = (bytes: Uint8Array): MergedFile => ({ mode: REGULAR_MODE, oid: oidOf("blob", bytes), bytes });

/** Keeps our values of a page's conflicts in its drafts. */
async function withDrafts(context: UnitContext, merged: MergedUnit, at: Base, mainPath: Path): Promise<MergedUnit> {
  const file = merged.files.get(mainPath);
  const draftable = merged.conflicts.flatMap((each) =>
    each.kind === "field" && each.path === mainPath && isDraftable(each.value) ? [each.value] : [],
  );
  if (!file?.bytes || draftable.length === 0) return merged;
  const files = new Map(merged.files);
  const page = decodeFile(mainPath, file.bytes).data;
  const languageOf = ({ language }: FieldConflict): Lang => language ?? context.locales.default;
  const drafted = new Set<FieldConflict>();
  for (const language of new Set(draftable.map(languageOf))) {
    const { path, bytes } = await draftFile(context, files, at, language);
    const before = bytes && decodeFile(path, bytes);
    const conflicts = draftable.filter((conflict) => languageOf(conflict) === language);
    const data = keepAsDraft({ draft: before?.data ?? null, language, conflicts, page, now: context.now });
    // A draft that has its own value for a field keeps that, and ours stays in the list of conflicts.
    for (const conflict of conflicts) {
      const alone = keepAsDraft({ draft: null, language, conflicts: [conflict], page, now: context.now });
      if (contains(data?.payload, alone?.payload)) drafted.add(conflict);
    }
    if (data) files.set(path, fileOf(encodeFile(path, { data }, bytes && before && { bytes, before })));
  }
  const conflicts = merged.conflicts.map((each) =>
    each.kind === "field" && drafted.has(each.value) ? { ...each, isDrafted: true } : each,
  );
  return { files, conflicts };
}

/** Whether all values of a mapping are in another one. */
const contains = (all: Json | undefined, some: Json | undefined): boolean =>
  isObject(some) && isObject(all)
    ? Object.entries(some).every(([key, value]) => contains(own(all, key), value))
    : sameJson(all, some);

/** The draft of a page in a language, as it is in the merged tree. */
async function draftFile(
  { repo, ours }: UnitContext,
  files: ReadonlyMap<Path, MergedFile | null>,
  at: Base,
  language: Lang,
): Promise<{ path: Path; bytes: Uint8Array | undefined }> {
  const paths = [`${at}.draft.${language}.yaml`, `${at}.draft.${language}.yml`];
  const unchanged = await repo.committed(ours, paths);
  for (const path of paths) {
    const merged = files.get(path);
    const oid = merged === undefined ? unchanged.get(path) : merged?.oid;
    if (oid) return { path, bytes: merged?.bytes ?? (await repo.blob(oid)) };
  }
  return { path: paths[0] ?? at, bytes: undefined };
}
