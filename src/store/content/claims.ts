/**
 * Finds the ids and keys that several records claim, and determines their owners by `ownership.ts`. Pages of all models share their
 * ids.
 */
import type { Lang } from "../../model/language/locale.ts";
import type { Id } from "../../model/page/page.ts";
import type { Problem } from "../../model/text/problem.ts";
import { locate } from "../codec/codec.ts";
import { pace } from "../../time-slices.ts";
import {
  qualifiedKey,
  type AnyKind,
  type Base,
  type Entity,
  type Owners,
  type IndexName,
  type IndexKey,
} from "../records/record-type.ts";
import { permalinksOf } from "../records/page-keys.ts";
import { mainFile, type Claimant, type OwnerResolver, type OwnershipContext } from "./ownership.ts";
import { findContestedKeys, pageIndex } from "./indexes/page-index.ts";
import type { Repo } from "../repo.ts";
import { NO_OWNERS, summaryOf, Snapshot, type Entry, type IdOwners, type Table } from "../snapshot.ts";

/** Groups of kinds that share their ids; a kind without a family is a group of its own. */
export function familiesOf(kinds: readonly AnyKind[]): AnyKind[][] {
  const families = new Map<unknown, AnyKind[]>();
  for (const kind of kinds) families.set(kind.family ?? kind, [...(families.get(kind.family ?? kind) ?? []), kind]);
  return [...families.values()];
}

export interface SettledIds {
  readonly owners: IdOwners;
  /** Problems of records whose id belongs to another record. */
  readonly problems: ReadonlyMap<AnyKind, readonly Problem[]>;
}

/** @param bases the records of each kind of a family */
export async function settleIds(
  resolver: () => OwnerResolver,
  bases: ReadonlyMap<AnyKind, ReadonlyMap<Base, Entry>>,
  before: Snapshot | undefined,
): Promise<SettledIds> {
  const contests = contestedIds(bases);
  const owners = new Map<Id, Entry>();
  const problems = new Map<AnyKind, Problem[]>();
  for (const [id, claimants] of contests) {
    const served = before && [...bases.keys()].map((kind) => before.table(kind).byId.get(id)?.base).find(Boolean);
    const owner = await resolver().owner({ id }, claimants, served);
    owners.set(id, owner.entry);
    for (const { kind, entry } of claimants) {
      if (entry === owner.entry) continue;
      const message =
        `The id ${id} belongs to ${mainFile(owner.entry)}, which had it first: this file is not served. ` +
        'Remove its "id" to have it derived, or give it another.';
      problems.set(kind, [...(problems.get(kind) ?? []), { path: mainFile(entry), message }]);
    }
  }
  return { owners, problems };
}

/** Called by every load and nearly always empty, so duplicates are searched before claimants are collected. */
function contestedIds(bases: ReadonlyMap<AnyKind, ReadonlyMap<Base, Entry>>): Map<Id, Claimant[]> {
  const seen = new Set<Id>();
  const contested = new Set<Id>();
  for (const byBase of bases.values()) {
    for (const entry of byBase.values()) {
      const { id } = summaryOf(entry);
      if (seen.has(id)) contested.add(id);
      else seen.add(id);
    }
  }
  const contests = new Map<Id, Claimant[]>();
  if (contested.size === 0) return contests;
  for (const [kind, byBase] of bases) {
    for (const entry of byBase.values()) {
      const { id } = summaryOf(entry);
      if (contested.has(id)) contests.set(id, [...(contests.get(id) ?? []), { kind, entry }]);
    }
  }
  return contests;
}

/** Whether a table maps every contested id to its owner, and every other id to the one entry that claims it. */
export const isAsOwned = (table: Table, owners: IdOwners): boolean =>
  [...table.byBase.values()].every((entry) => {
    const { id } = summaryOf(entry);
    const owner = owners.get(id);
    return (table.byId.get(id)?.base === entry.base) === (!owner || owner.base === entry.base);
  });

/** The unique keys that several records claim, and the owner of each. */
export interface ContestedKeys {
  readonly keys: readonly (readonly [IndexName, IndexKey])[];
  readonly owners: Owners;
  readonly problems: readonly Problem[];
}

export const NO_CONTESTED_KEYS: ContestedKeys = { keys: [], owners: NO_OWNERS, problems: [] };

/** @param isWhole whether all records have to be examined, not only those that differ from `before` */
export async function settleKeys(
  { repo, kinds, locales, decidesAnew }: OwnershipContext,
  resolver: () => OwnerResolver,
  tables: ReadonlyMap<AnyKind, Table>,
  before: { readonly snapshot: Snapshot; readonly contested: ContestedKeys } | null,
  isWhole = false,
): Promise<ContestedKeys> {
  const family = kinds.filter((kind) => kind.family !== undefined && kind.summaries);
  if (family.length === 0) return NO_CONTESTED_KEYS;
  const isSame =
    before !== null &&
    family.every((kind) => before.snapshot.table(kind) === (tables.get(kind) ?? before.snapshot.table(kind)));
  if (isSame && before.contested.keys.length === 0) return before.contested;
  const now = new Snapshot(null, tables, []);
  const candidates = isSame
    ? before.contested.keys
    : before && !isWhole
      ? await keysToSettle(family, now, before)
      : findContestedKeys(now);
  const pages = pageIndex(now);
  const keys: (readonly [IndexName, IndexKey])[] = [];
  for (const [index, key] of candidates) {
    await pace();
    if (pages.claimants(index, key).length > 1) keys.push([index, key]);
  }
  if (keys.length === 0) return NO_CONTESTED_KEYS;
  const owners = new Map<string, Id>();
  const problems: Problem[] = [];
  for (const [index, key] of keys) {
    const claimants = pages.claimants(index, key).map(({ id }) => claimantOf(family, now, id));
    const owner = await resolver().owner(
      { index, key },
      claimants,
      before && !decidesAnew ? baseOf(family, before.snapshot, index, key) : undefined,
    );
    owners.set(qualifiedKey(index, key), summaryOf(owner.entry).id);
    const lang = locales.codes.find((code) => permalinksOf(code) === index);
    if (lang === undefined) continue;
    for (const { entry } of claimants)
      if (entry !== owner.entry) problems.push(await permalinkProblem(repo, entry, owner.entry, lang, String(key)));
  }
  const isAsBefore =
    before !== null &&
    before.contested.owners.size === owners.size &&
    [...owners].every(([key, id]) => before.contested.owners.get(key) === id);
  return { keys, owners: isAsBefore ? before.contested.owners : owners, problems };
}

/** Keys that were contested before, and keys that a changed record claims now. */
async function keysToSettle(
  family: readonly AnyKind[],
  now: Snapshot,
  before: { readonly snapshot: Snapshot; readonly contested: ContestedKeys },
): Promise<(readonly [IndexName, IndexKey])[]> {
  const found = new Map(before.contested.keys.map((each) => [qualifiedKey(...each), each]));
  for (const kind of family) {
    const { keys, isUnique } = kind.summaries!;
    const changes = now.table(kind).byId.differencesFrom(before.snapshot.table(kind).byId);
    for (const { before: old, after: current } of changes) {
      await pace();
      if (!current) continue;
      const known = new Set<string>();
      if (old) keys(summaryOf(old), (index, key) => known.add(qualifiedKey(index, key)));
      keys(summaryOf(current), (index, key) => {
        const name = qualifiedKey(index, key);
        if (isUnique(index) && !known.has(name)) found.set(name, [index, key]);
      });
    }
  }
  return [...found.values()];
}

/** The claimant with the record of its own files, without values derived from other records. */
function claimantOf(family: readonly AnyKind[], content: Snapshot, id: Id): Claimant {
  for (const kind of family) {
    const { byId, byBase } = content.table(kind);
    const entry = byId.get(id);
    if (entry) return { kind, entry: byBase.get(entry.base) ?? entry };
  }
  throw new Error(`No record has the id ${id}.`);
}

function baseOf(family: readonly AnyKind[], content: Snapshot, index: IndexName, key: IndexKey): Base | undefined {
  const claimants: readonly Entity[] = pageIndex(content).claimants(index, key);
  const id = claimants.length === 1 ? claimants[0]!.id : content.owners.get(qualifiedKey(index, key));
  return id === undefined ? undefined : family.map((kind) => content.table(kind).byId.get(id)?.base).find(Boolean);
}

async function permalinkProblem(
  repo: Repo,
  loser: Entry,
  owner: Entry,
  lang: Lang,
  permalink: string,
): Promise<Problem> {
  const path = mainFile(loser);
  const file = await repo.read(path);
  const place = file && locate(new TextDecoder().decode(file.bytes), ["translations", lang, "permalink"]);
  const message =
    `translations.${lang}.permalink: ${permalink} belongs to ${mainFile(owner)}, which had it first: ` +
    `this page cannot be reached in ${lang}. Give it another permalink.`;
  return { path, ...place, message };
}
