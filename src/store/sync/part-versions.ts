/**
 * The files of a record that are merged with each other, and those beside them.
 *
 * A page that was moved by hand without its draft leaves the draft behind. It follows the page, unless the page has got
 * another draft in that language since: then the old file is a *stray*, and no merge may drop it.
 */
import type { Side } from "../../model/merge/conflict.ts";
import type { Base, Part } from "../records/record-type.ts";
import type { MergedFile, Oid, Path, Repo } from "../repo.ts";
import { pathsOf, type RecordUnit } from "./record-units.ts";
import { isSameFile, versionsOf, type FileVersions, type TreeSides } from "./tree-sides.ts";

/** The versions of one file of a record. */
export interface PartVersions extends FileVersions {
  /** Where the merged file goes. */
  readonly path: Path;
  /** The path of each side's version. */
  readonly from: { readonly [side in Side]: Path };
}

export interface PartContext {
  readonly repo: Repo;
  readonly sides: TreeSides;
  /** Our commit. */
  readonly ours: Oid;
  /** A base like the given one that neither side uses. */
  freeBase(base: Base): Promise<Base>;
  /** Whether another unit than this one has the record that is at a base on a side. */
  isOthers(unit: RecordUnit, side: Side, base: Base): boolean;
}

const SIDES: readonly Side[] = ["theirs", "ours"];

/** @param at the base of the merged record */
export async function partVersions(
  { repo, sides, ours }: PartContext,
  unit: RecordUnit,
  part: Part,
  at: Base,
): Promise<PartVersions> {
  const left = unit.base + part;
  const pathOn = (side: Side): Path => {
    const moved = unit[side] + part;
    return versionsOf(sides, moved)[side] || unit.replaced?.has(side) ? moved : left;
  };
  const from = { ours: pathOn("ours"), theirs: pathOn("theirs") };
  const isTouched = (path: Path): boolean => sides.ours.has(path) || sides.theirs.has(path);
  // A file at the new name that neither side touched must not be overwritten: then the left one stays where it is.
  const isFree = at === unit.base || isTouched(at + part) || !(await repo.committed(ours, [at + part])).get(at + part);
  return {
    path: isFree ? at + part : left,
    from,
    base: versionsOf(sides, left).base,
    ours: versionsOf(sides, from.ours).ours,
    theirs: versionsOf(sides, from.theirs).theirs,
  };
}

/**
 * The merged files with those that a side has at a path of the unit and that were not merged: drafts that were left behind,
 * and another record that has the new name of this one. They stay where they are, or get a free name if the merged
 * record is there.
 */
export async function keepStrays(
  { sides, freeBase, isOthers }: PartContext,
  unit: RecordUnit,
  parts: ReadonlyMap<Part, PartVersions>,
  merged: ReadonlyMap<Path, MergedFile | null>,
): Promise<Map<Path, MergedFile | null>> {
  const files = new Map(merged);
  for (const [part, versions] of parts) {
    for (const path of pathsOf({ ...unit, parts: new Set([part]) })) {
      for (const side of SIDES) {
        const { base, [side]: file } = versionsOf(sides, path);
        const isMerged = versions.from[side] === path;
        const other = versions[side === "ours" ? "theirs" : "ours"];
        // A file that this side did not touch is what the other side made of it, unless this side left it behind.
        const isDecided = isSameFile(file, base) && (other === null || path !== unit.base + part);
        const name = path.slice(0, path.length - part.length);
        if (!file || isMerged || isDecided || isOthers(unit, side, name)) continue;
        if (isSameFile(file, files.get(path) ?? null)) continue;
        files.set(files.get(path) ? (await freeBase(name)) + part : path, file);
      }
    }
  }
  return files;
}
