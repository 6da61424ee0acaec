/**
 * Settles what the records of a merged tree cannot have together: of two that claim one id or permalink, each of which came from
 * another side, one gets another, and an alias that became a permalink is dropped.
 */
import type { Id } from "../../../model/input/id.ts";
import type { Json, JsonObject } from "../../../model/input/json.ts";
import { showValue } from "../../../model/merge/conflict.ts";
import { settleId, settlePermalink, type Claimant } from "../../../model/merge/contested.ts";
import { valueAt } from "../../../model/merge/path.ts";
import { withoutUnusedAliases } from "../../../model/merge/unused-aliases.ts";
import type { Alias } from "../../../model/page/page.ts";
import { isReserved } from "../../../model/address/possible-names.ts";
import { decodeFile, editFile, FileError } from "../../codec/codec.ts";
import type { AnyKind } from "../../records/record-type.ts";
import { derivedId } from "../../records/fields.ts";
import { pace } from "../../../time-slices.ts";
import { oidOf } from "../../git/objects/object.ts";
import type { MergedFile, Oid, Path, Repo } from "../../repo.ts";
import { findClashes, type ClaimingFile, type MergedFiles, type ClashSite } from "./clashes.ts";
import { claimedAliases, statedClaims, dataOf, mainOf, permalinkClaimKey, type StatedClaim } from "./record-claims.ts";
import { versionsOf, type TreeSides } from "../tree-sides.ts";

export interface Settlement {
  readonly files: ReadonlyMap<Path, MergedFile>;
  /** For the message of the merge: what became of each id, permalink and alias. */
  readonly notes: readonly string[];
}

const NOTHING: Settlement = { files: new Map(), notes: [] };

/** @param ours our commit */
export async function settleContested(
  context: ClashSite,
  ours: Oid,
  sides: TreeSides,
  merged: MergedFiles,
): Promise<Settlement> {
  for (const changes of [sides.ours, sides.theirs]) if (!(await hasRecord(context.kinds, changes))) return NOTHING;
  const { contests, unusedAliases } = await findClashes(context, sides, merged);
  if (contests.length === 0 && unusedAliases.length === 0) return NOTHING;
  const concerned = [...contests.flatMap(([, all]) => all), ...unusedAliases.map(([, holder]) => holder)];
  const claimingFiles = new Map(concerned.map((each) => [each.path, each]));
  const records = new Map<Path, JsonObject>();
  for (const [path, { file }] of claimingFiles) records.set(path, (await dataOf(context.repo, path, file)) ?? {});
  const changed = new Map<Path, JsonObject>();
  const notes: { readonly path: Path; readonly text: string }[] = [];
  const change = (path: Path, data: JsonObject, note: string): void => {
    notes.push({ path, text: `${path}: ${note}` });
    records.set(path, data);
    changed.set(path, data);
  };
  const taken = contests.length > 0 ? await keysOfTree(context, ours, merged) : new Set<string>();
  for (const [claim, all] of contests) {
    const claimants = all.map(({ path }): Claimant => ({
      path,
      side: versionsOf(sides, path).theirs ? "theirs" : "ours",
      data: records.get(path) ?? {},
    }));
    for (const [path, data] of settle(context, claim, claimants, taken)) {
      const [from, to] = [records.get(path) ?? {}, data].map((each) => showValue(claimed(each, claim)));
      change(path, data, `${nameOf(claim)} ${from} is now ${to}`);
      const kind = claimingFiles.get(path)?.kind;
      for (const { key } of kind ? statedClaims(kind, data) : []) taken.add(key);
    }
  }
  for (const [{ key, language, from }, { path }] of unusedAliases) {
    const isUnused = (alias: Alias): boolean => permalinkClaimKey(alias.language, alias.from) === key;
    const before = records.get(path) ?? {};
    const data = withoutUnusedAliases(before, context.locales, isUnused);
    if (data !== before) change(path, data, `alias (${language}) ${showValue(from)} is dropped: it is a permalink`);
  }
  const files = await edited(context.repo, claimingFiles, changed);
  return { files, notes: notes.flatMap(({ path, text }) => (files.has(path) ? [text] : [])) };
}

async function hasRecord(kinds: readonly AnyKind[], changes: TreeSides["ours"]): Promise<boolean> {
  for (const path of changes.keys()) {
    await pace();
    if (mainOf(kinds, path)) return true;
  }
  return false;
}

/** By path, the data of the records that give way. */
function settle(
  { locales }: ClashSite,
  { key, language }: StatedClaim,
  claimants: readonly Claimant[],
  taken: ReadonlySet<string>,
): Map<Path, JsonObject> {
  if (language !== undefined) {
    return settlePermalink(
      claimants,
      language,
      (permalink) => taken.has(permalinkClaimKey(language, permalink)) || isReserved(locales, permalink),
    );
  }
  const family = key.slice(0, key.lastIndexOf("\n"));
  const given = new Set<Id>();
  return settleId(claimants, (path) => {
    // Derived from what is the same in every clone, so that two that merge the same commits agree.
    for (let number = 1; ; number++) {
      const id = derivedId(`${path}\n${key}\n${number}`);
      if (given.has(id) || taken.has(`${family}\n${id}`)) continue;
      given.add(id);
      return id;
    }
  });
}

/** The claims and aliases of all records in the merged tree. Read only when there is a contest, which is rare. */
async function keysOfTree({ repo, kinds, locales }: ClashSite, ours: Oid, merged: MergedFiles): Promise<Set<string>> {
  const files = new Map<Path, { readonly oid: Oid; readonly bytes?: Uint8Array } | null>();
  const folders = kinds.flatMap((kind) => (kind.opaque ? [] : [kind.dir]));
  for (const [path, oid] of await repo.tree(ours, folders)) files.set(path, { oid });
  for (const [path, file] of merged) files.set(path, file);
  const keys = new Set<string>();
  for (const [path, file] of files) {
    await pace();
    const kind = mainOf(kinds, path);
    if (!kind || !file) continue;
    const data = await dataOf(repo, path, file);
    for (const { key } of data ? [...statedClaims(kind, data), ...claimedAliases(kind, data, locales)] : [])
      keys.add(key);
  }
  return keys;
}

/** A file that the change would make too large is left as it is; `cms check` then reports that two records claim one id or permalink. */
async function edited(
  repo: Repo,
  claimingFiles: ReadonlyMap<Path, ClaimingFile>,
  changed: ReadonlyMap<Path, JsonObject>,
): Promise<Map<Path, MergedFile>> {
  const files = new Map<Path, MergedFile>();
  for (const [path, data] of changed) {
    const claiming = claimingFiles.get(path);
    if (!claiming) continue;
    const { file, kind } = claiming;
    const before = file.bytes ?? (await repo.blob(file.oid));
    const order = kind.order(kind.split(path)?.part ?? "");
    try {
      const bytes = editFile(path, before, { ...decodeFile(path, before), data }, order);
      files.set(path, { mode: file.mode, oid: oidOf("blob", bytes), bytes });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
    }
  }
  return files;
}

const nameOf = ({ language }: StatedClaim): string => (language === undefined ? "id" : `permalink (${language})`);

const claimed = (data: JsonObject, { language }: StatedClaim): Json | undefined =>
  valueAt(data, language === undefined ? ["id"] : ["translations", language, "permalink"]);
