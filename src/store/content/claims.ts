/**
 * Finds the ids and names that several records claim, and determines their owners by `ownership.ts`. Pages of all models share their
 * ids (decisions.md 50).
 */
import type { Lang, Locales } from "../../model/locale.ts";
import type { Id } from "../../model/page.ts";
import type { Problem } from "../../model/problem.ts";
import { locate } from "../codec/codec.ts";
import { openPace } from "../../time-slices.ts";
import { wordKey, type AnyKind, type Base, type Entity, type Owners, type Space, type Word } from "./record-type.ts";
import { permalinksOf } from "./records/page-keys.ts";
import { mainFile, type Claimant, type OwnerResolver } from "./ownership.ts";
import { contestedWords, pageIndex } from "./indexes/page-index.ts";
import type { Repo } from "../repo.ts";
import { NO_OWNERS, summaryOf, Snapshot, type Entry, type IdOwners, type Table } from "./snapshot.ts";

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

/** The words that several records claim, and the owner of each. */
export interface SettledWords {
  readonly keys: readonly (readonly [Space, Word])[];
  readonly owners: Owners;
  readonly problems: readonly Problem[];
}

export const NO_WORDS: SettledWords = { keys: [], owners: NO_OWNERS, problems: [] };

export interface WordGround {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
  readonly isPast?: boolean;
}

/** @param isWhole whether all records have to be examined, not only those that differ from `before` */
export async function settleWords(
  { repo, kinds, locales, isPast }: WordGround,
  resolver: () => OwnerResolver,
  tables: ReadonlyMap<AnyKind, Table>,
  before: { readonly snapshot: Snapshot; readonly words: SettledWords } | null,
  isWhole = false,
): Promise<SettledWords> {
  const family = kinds.filter((kind) => kind.family !== undefined && kind.summaries);
  if (family.length === 0) return NO_WORDS;
  const isSame =
    before !== null &&
    family.every((kind) => before.snapshot.table(kind) === (tables.get(kind) ?? before.snapshot.table(kind)));
  if (isSame && before.words.keys.length === 0) return before.words;
  const now = new Snapshot(null, tables, []);
  const candidates = isSame
    ? before.words.keys
    : before && !isWhole
      ? await changedWords(family, now, before)
      : contestedWords(now);
  const index = pageIndex(now);
  const pace = openPace();
  const keys: (readonly [Space, Word])[] = [];
  for (const [space, word] of candidates) {
    await pace();
    if (index.claimants(space, word).length > 1) keys.push([space, word]);
  }
  if (keys.length === 0) return NO_WORDS;
  const owners = new Map<string, Id>();
  const problems: Problem[] = [];
  for (const [space, word] of keys) {
    const claimants = index.claimants(space, word).map(({ id }) => claimantOf(family, now, id));
    const owner = await resolver().owner(
      { space, word },
      claimants,
      before && !isPast ? baseOf(family, before.snapshot, space, word) : undefined,
    );
    owners.set(wordKey(space, word), summaryOf(owner.entry).id);
    const lang = locales.codes.find((code) => permalinksOf(code) === space);
    if (lang === undefined) continue;
    for (const { entry } of claimants)
      if (entry !== owner.entry) problems.push(await permalinkProblem(repo, entry, owner.entry, lang, String(word)));
  }
  const isAsBefore =
    before !== null &&
    before.words.owners.size === owners.size &&
    [...owners].every(([key, id]) => before.words.owners.get(key) === id);
  return { keys, owners: isAsBefore ? before.words.owners : owners, problems };
}

/** Words that were contested before, and words that a changed record claims now. */
async function changedWords(
  family: readonly AnyKind[],
  now: Snapshot,
  before: { readonly snapshot: Snapshot; readonly words: SettledWords },
): Promise<(readonly [Space, Word])[]> {
  const pace = openPace();
  const found = new Map(before.words.keys.map((key) => [wordKey(...key), key]));
  for (const kind of family) {
    const { keys, isUnique } = kind.summaries!;
    const changes = now.table(kind).byId.differencesFrom(before.snapshot.table(kind).byId);
    for (const { before: old, after: current } of changes) {
      await pace();
      if (!current) continue;
      const known = new Set<string>();
      if (old) keys(summaryOf(old), (space, word) => known.add(wordKey(space, word)));
      keys(summaryOf(current), (space, word) => {
        const key = wordKey(space, word);
        if (isUnique(space) && !known.has(key)) found.set(key, [space, word]);
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

function baseOf(family: readonly AnyKind[], content: Snapshot, space: Space, word: Word): Base | undefined {
  const claimants: readonly Entity[] = pageIndex(content).claimants(space, word);
  const id = claimants.length === 1 ? claimants[0]!.id : content.owners.get(wordKey(space, word));
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
