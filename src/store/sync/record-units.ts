/**
 * The records of a merge that both sides touched, or that one side renamed.
 *
 * A record has several files (a page and its drafts), so it is merged as one: its files must not be taken from different
 * sides where one of them removed it. A rename is recognised by the id in the file.
 */
import type { Side } from "../../model/merge/conflict.ts";
import type { Id } from "../../model/input/id.ts";
import { decodeFile } from "../codec/codec.ts";
import { placeOf } from "../content/load.ts";
import { mainPart, type AnyKind, type Base, type Part } from "../records/record-type.ts";
import type { Oid, Path, Repo, TreeChange } from "../repo.ts";
import { pace } from "../../time-slices.ts";
import type { TreeSides } from "./tree-sides.ts";

/** A record by its base path on each side; equal ones where nothing was renamed. */
export interface RecordUnit {
  readonly kind: AnyKind;
  readonly base: Base;
  readonly ours: Base;
  readonly theirs: Base;
  /** The parts that changed on any side. */
  readonly parts: ReadonlySet<Part>;
  /** The sides that moved it and have another record under its base. */
  readonly replaced?: ReadonlySet<Side>;
}

interface Group {
  readonly kind: AnyKind;
  readonly parts: Map<Part, TreeChange>;
}

type Groups = ReadonlyMap<Base, Group>;

/** @returns the units, and the paths of theirs that are in none: those are taken as they are or merged as plain files */
export async function recordUnits(repo: Repo, kinds: readonly AnyKind[], sides: TreeSides): Promise<RecordUnit[]> {
  const ours = await groupsOf(kinds, sides.ours);
  const theirs = await groupsOf(kinds, sides.theirs);
  const [areOursReplaced, areTheirsReplaced] = await replacedOn(repo, ours, theirs);
  const ourMoves = await movesOf(repo, ours, areOursReplaced);
  const theirMoves = await movesOf(repo, theirs, areTheirsReplaced);
  const moved = new Set<Base>();
  const units: RecordUnit[] = [];
  for (const base of new Set([...ourMoves.keys(), ...theirMoves.keys()])) {
    const [our, their] = [ourMoves.get(base) ?? base, theirMoves.get(base) ?? base];
    const isTouchedByBoth = (ours.has(base) || ours.has(our)) && (theirs.has(base) || theirs.has(their));
    const group = ours.get(our) ?? theirs.get(their);
    if (!isTouchedByBoth || !group) continue;
    const names = [base, our, their];
    const parts = names.flatMap((name) => [ours, theirs].flatMap((side) => [...(side.get(name)?.parts.keys() ?? [])]));
    const replaced = new Set<Side>();
    if (our !== base && hasMain(ours.get(base))) replaced.add("ours");
    if (their !== base && hasMain(theirs.get(base))) replaced.add("theirs");
    units.push({ kind: group.kind, base, ours: our, theirs: their, parts: new Set(parts), replaced });
    for (const name of names) moved.add(name);
  }
  for (const [base, { kind, parts }] of theirs) {
    await pace();
    const our = ours.get(base);
    if (!our || moved.has(base)) continue;
    units.push({ kind, base, ours: base, theirs: base, parts: new Set([...parts.keys(), ...our.parts.keys()]) });
  }
  return units;
}

/** The paths of a unit on all sides. */
export const pathsOf = ({ base, ours, theirs, parts }: RecordUnit): Set<Path> =>
  new Set([base, ours, theirs].flatMap((each) => [...parts].map((part) => each + part)));

async function groupsOf(kinds: readonly AnyKind[], changes: ReadonlyMap<Path, TreeChange>): Promise<Groups> {
  const groups = new Map<Base, Group>();
  for (const [path, change] of changes) {
    await pace();
    const place = placeOf(kinds, path);
    if (!place || place.kind.opaque) continue;
    const group = groups.get(place.base) ?? { kind: place.kind, parts: new Map<Part, TreeChange>() };
    groups.set(place.base, group);
    group.parts.set(place.part, change);
  }
  return groups;
}

/** Whether a side still has a main file there. */
function hasMain(group: Group | undefined): boolean {
  const main = group && mainPart(group.parts.keys());
  return main !== undefined && group?.parts.get(main)?.after != null;
}

/**
 * For each side, whether it has another record under the name of one that the other side touched too: two files exchanged their
 * names, or one took the name of another that was moved. Only these are read, since it is rare.
 */
async function replacedOn(repo: Repo, ours: Groups, theirs: Groups): Promise<[boolean, boolean]> {
  const found: [boolean, boolean] = [false, false];
  for (const [base, group] of theirs) {
    await pace();
    const our = ours.get(base);
    if (!our) continue;
    for (const [side, { parts }] of [our, group].entries()) {
      const main = mainPart(parts.keys());
      const change = main === undefined ? undefined : parts.get(main);
      if (main !== undefined && change && (await isReplaced(repo, base + main, change))) found[side] = true;
    }
  }
  return found;
}

async function isReplaced(repo: Repo, path: Path, { before, after }: TreeChange): Promise<boolean> {
  if (!before || !after) return false;
  const texts = await Promise.all([before, after].map(async ({ oid }) => idLine(await repo.blob(oid))));
  if (texts[0] === texts[1]) return false;
  const [was, is] = [await idIn(repo, path, before.oid), await idIn(repo, path, after.oid)];
  return was !== undefined && is !== undefined && was !== is;
}

/** Where the id is stated in most files: reading all of each would take longer than the merge. */
const idLine = (bytes: Uint8Array): string => /^id:[^\n]*/m.exec(Buffer.from(bytes).toString("latin1"))?.[0] ?? "";

/**
 * The records that one side moved, by their old base.
 *
 * @param areReplaced whether a file that is still there may be another record
 */
async function movesOf(repo: Repo, groups: Groups, areReplaced: boolean): Promise<Map<Base, Base>> {
  const removed: [Base, AnyKind, string][] = [];
  const added = new Map<string, Base>();
  const isRemoved = ({ before, after }: TreeChange): boolean => before !== null && after === null;
  const isAdded = ({ before, after }: TreeChange): boolean => before === null && after !== null;
  const mains = [];
  for (const [base, { kind, parts }] of groups) {
    await pace();
    const main = mainPart(parts.keys());
    const change = main === undefined ? undefined : parts.get(main);
    if (main !== undefined && change) mains.push({ base, kind, main, change });
  }
  const hasBoth = mains.some(({ change }) => isRemoved(change)) && mains.some(({ change }) => isAdded(change));
  if (!hasBoth && !areReplaced) return new Map();
  for (const { base, kind, main, change } of mains) {
    await pace();
    if (areReplaced && change.before && change.after && (await isReplaced(repo, base + main, change))) {
      removed.push([base, kind, `${kind.name} ${await idIn(repo, base + main, change.before.oid)}`]);
      added.set(`${kind.name} ${await idIn(repo, base + main, change.after.oid)}`, base);
      continue;
    }
    const file = change.before ?? change.after;
    if (!file || (!isRemoved(change) && !isAdded(change))) continue;
    const id = await idIn(repo, base + main, file.oid);
    if (id === undefined) continue;
    if (isAdded(change)) added.set(`${kind.name} ${id}`, base);
    else removed.push([base, kind, `${kind.name} ${id}`]);
  }
  return new Map(
    removed.flatMap(([base, , key]) => {
      const to = added.get(key);
      return to === undefined ? [] : [[base, to] as const];
    }),
  );
}

/** The id written in a record's file; undefined if it has none or does not load. */
export async function idIn(repo: Repo, path: Path, oid: Oid): Promise<Id | undefined> {
  try {
    const { id } = decodeFile(path, await repo.blob(oid)).data;
    return typeof id === "number" ? id : undefined;
  } catch {
    return undefined;
  }
}
