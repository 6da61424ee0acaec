/**
 * What the records of a merged tree cannot have together, and had together on neither side: an id or a permalink that several
 * claim, and an alias whose path is a permalink.
 *
 * What clashed on one side already is left to `cms check`: the merge did not bring it about.
 */
import type { Side } from "../../../model/merge/conflict.ts";
import type { JsonObject } from "../../../model/input/json.ts";
import type { Locales } from "../../../model/language/locale.ts";
import { pace } from "../../../time-slices.ts";
import type { AnyKind } from "../../records/record-type.ts";
import type { MergedFile, Path, Repo } from "../../repo.ts";
import { claimedAliases, statedClaims, dataOf, mainOf, type StatedAlias, type StatedClaim } from "./record-claims.ts";
import { versionsOf, type TreeSides } from "../tree-sides.ts";

export type MergedFiles = ReadonlyMap<Path, MergedFile | null>;

export interface ClashSite {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
}

/** The main file of a record that a side touched, as it is in the merged tree. */
export interface ClaimingFile {
  readonly path: Path;
  readonly kind: AnyKind;
  readonly file: MergedFile;
}

export interface Clashes {
  /** Ids first, each claim with all that make it. */
  readonly contests: readonly (readonly [StatedClaim, readonly ClaimingFile[]])[];
  /** Aliases that are never used, each with the page that has it. */
  readonly unusedAliases: readonly (readonly [StatedAlias, ClaimingFile])[];
}

export async function findClashes(context: ClashSite, sides: TreeSides, merged: MergedFiles): Promise<Clashes> {
  const { claims, aliases } = await claimsIn(context, sides, merged);
  const contests: [StatedClaim, readonly ClaimingFile[]][] = [];
  for (const [claim, all] of claims.values()) {
    await pace();
    if (all.length === 1) continue;
    const isOld = async (side: Side): Promise<boolean> =>
      (await countClaims(context, sides, side, all, claim.key)) === all.length;
    if (!(await isOld("ours")) && !(await isOld("theirs"))) contests.push([claim, all]);
  }
  const unusedAliases: [StatedAlias, ClaimingFile][] = [];
  for (const [alias, holder] of aliases) {
    await pace();
    const [, owners] = claims.get(alias.key) ?? [];
    if (!owners) continue;
    const isOld = async (side: Side): Promise<boolean> =>
      (await hasAlias(context, sides, side, holder, alias.key)) &&
      (await countClaims(context, sides, side, owners, alias.key)) > 0;
    if (!(await isOld("ours")) && !(await isOld("theirs"))) unusedAliases.push([alias, holder]);
  }
  return {
    contests: contests.toSorted(([a], [b]) => Number(a.language !== undefined) - Number(b.language !== undefined)),
    unusedAliases,
  };
}

interface Claims {
  readonly claims: ReadonlyMap<string, readonly [StatedClaim, readonly ClaimingFile[]]>;
  readonly aliases: readonly (readonly [StatedAlias, ClaimingFile])[];
}

/** The claims and aliases of the records that a side touched. */
async function claimsIn({ repo, kinds, locales }: ClashSite, sides: TreeSides, merged: MergedFiles): Promise<Claims> {
  const claims = new Map<string, [StatedClaim, ClaimingFile[]]>();
  const aliases: [StatedAlias, ClaimingFile][] = [];
  for (const path of new Set([...sides.ours.keys(), ...merged.keys()])) {
    await pace();
    const kind = mainOf(kinds, path);
    const file = merged.has(path) ? merged.get(path) : sides.ours.get(path)?.after;
    const data = kind && file ? await dataOf(repo, path, file) : undefined;
    if (!kind || !file || !data) continue;
    const claiming = { path, kind, file };
    for (const claim of statedClaims(kind, data)) {
      const contest = claims.get(claim.key) ?? [claim, []];
      claims.set(claim.key, contest);
      contest[1].push(claiming);
    }
    for (const alias of claimedAliases(kind, data, locales)) aliases.push([alias, claiming]);
  }
  return { claims, aliases };
}

/** How many of the records made the claim on a side. */
async function countClaims(
  { repo }: ClashSite,
  sides: TreeSides,
  side: Side,
  records: readonly ClaimingFile[],
  key: string,
): Promise<number> {
  let count = 0;
  for (const { path, kind } of records) {
    const data = await dataOnSide(repo, sides, side, path);
    if (data && statedClaims(kind, data).some((claim) => claim.key === key)) count++;
  }
  return count;
}

async function hasAlias(
  { repo, locales }: ClashSite,
  sides: TreeSides,
  side: Side,
  { path, kind }: ClaimingFile,
  key: string,
): Promise<boolean> {
  const data = await dataOnSide(repo, sides, side, path);
  return data !== undefined && claimedAliases(kind, data, locales).some((alias) => alias.key === key);
}

async function dataOnSide(repo: Repo, sides: TreeSides, side: Side, path: Path): Promise<JsonObject | undefined> {
  const file = versionsOf(sides, path)[side];
  return file ? await dataOf(repo, path, file) : undefined;
}
