/**
 * Puts ids where files have names of other records, after the tables have changed.
 *
 * What is resolved again are the records that changed, those that wait for a key that another record gained or lost
 * (`HOLDERS`), and those whose data has another schema. So a change costs what depends on it, and the result is the same
 * as that of resolving everything anew.
 *
 * The permalink of a page may be derived from a parent that its file names, and be a name itself. Names are therefore
 * resolved in rounds, the first among permalinks that are derived without such parents, each further one among those
 * derived with the parents of the round before. Every round follows from the files alone.
 */
import { sameJson } from "../../../model/input/json.ts";
import type { Locales } from "../../../model/language/locale.ts";
import type { Path } from "../../repo.ts";
import { pace } from "../../../time-slices.ts";
import { PAGE_KINDS } from "../indexes/pages-by-model.ts";
import type { OwnerResolver } from "../ownership.ts";
import { completionOf, followAbove } from "../tables.ts";
import { isReferenceName } from "../../../model/records/reference-name.ts";
import type { AnyKind, Base, Entity, Entry, RecordSchemas, Table } from "../../records/record-type.ts";
import {
  isSelfContained,
  NO_NAMES,
  ownEntry,
  summaryOf,
  withResolved,
  type NameHolder,
  type Names,
  type Snapshot,
} from "../../snapshot.ts";
import type { Id, Page } from "../../../model/page/page.ts";
import {
  addCandidate,
  addHolders,
  addMoved,
  allCandidates,
  changedCandidates,
  differences,
  type Candidates,
} from "./candidates.ts";
import { DERIVED_FROM, holderKey } from "./holders.ts";
import { problemsOf, type NameTrouble, type ProblemGround } from "./name-problems.ts";
import { resolvedRecord } from "./resolved-record.ts";
import { schemasOf } from "./schemas.ts";
import { keysChanged } from "./targets.ts";

export interface NamesGround extends ProblemGround {
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
  readonly resolver: () => OwnerResolver;
}

type Tables = Map<AnyKind, Table>;

/**
 * @param tables those of the records as their files have them; records with names are replaced
 * @param before the content that the tables were changed from
 * @param written files that were written with content that `tables` has already
 */
export async function settleNames(
  ground: NamesGround,
  tables: Tables,
  before: Snapshot | undefined,
  written: Iterable<Path> = [],
): Promise<Names> {
  const schemas = schemasOf(tables, ground.locales);
  const settling = new Settling(ground, tables, before?.names ?? NO_NAMES, schemas);
  if (!before) return settling.run(await allCandidates(ground, tables, schemas));
  const derived = await settling.unsettle(before);
  const candidates = await changedCandidates(ground, tables, before, schemas);
  addMoved(candidates, before.names, written);
  for (const { kind, source } of derived) addCandidate(candidates, kind, source.base);
  return settling.run(candidates);
}

/**
 * How often derived values may give names another meaning: so many pages may be above each other of which each names
 * its parent by a derived permalink. Names in a circle have no final meaning, and keep that of the last round.
 */
const ROUNDS = 20;

/** The resolution of names after one change. */
class Settling {
  readonly #ground: NamesGround;
  readonly #tables: Tables;
  readonly #schemas: RecordSchemas;
  readonly #troubles = new Map<string, readonly NameTrouble[]>();
  #names: Names;

  constructor(ground: NamesGround, tables: Tables, names: Names, schemas: RecordSchemas) {
    this.#ground = ground;
    this.#tables = tables;
    this.#names = names;
    this.#schemas = schemas;
  }

  /**
   * Takes back the ids of names that derived permalinks depend on. A name may stand for a page that has its permalink
   * because of that name, so that otherwise the result would depend on what it stood for before.
   *
   * @returns the records concerned
   */
  async unsettle(before: Snapshot): Promise<readonly NameHolder[]> {
    const found: NameHolder[] = [];
    const keys = this.#names.index(DERIVED_FROM);
    if (keys.size === 0 || !this.#ground.kinds.some((kind) => this.#changesDerivation(kind, before))) return found;
    const changes: Changes = new Map();
    for (const key of keys.keys()) {
      const { kind, source } = this.#names.get(key)!;
      const own = servedAt(this.#tables.get(kind), source.base);
      if (!own) continue;
      found.push(this.#names.get(key)!);
      this.#change(changes, kind, own);
    }
    await this.#apply(changes);
    return found;
  }

  /** Whether records changed that leave values out, or that are found by other keys than before. */
  #changesDerivation(kind: AnyKind, before: Snapshot): boolean {
    const { locales } = this.#ground;
    const completion = kind.completion?.(locales);
    const [table, old] = [this.#tables.get(kind), before.table(kind)];
    if (!completion || !table || table === old) return false;
    const isFixed = ({ byBase }: Table, { base }: Entry): boolean => {
      const own = byBase.get(base);
      return own !== undefined && isSelfContained(own, completion);
    };
    return differences(table, old).some(
      (change) =>
        !change.before ||
        !change.after ||
        !isFixed(old, change.before) ||
        !isFixed(table, change.after) ||
        keysChanged(kind, change.before, change.after, locales).length > 0,
    );
  }

  async run(candidates: Candidates): Promise<Names> {
    // The parent that a record has from the place of its file depends on no name, so no round has to wait for it.
    const moved = await this.#apply(await this.#resolve(this.#placed(candidates), false));
    for (const key of moved) addHolders(candidates, this.#names, key);
    let open = candidates;
    for (let round = 0; open.size > 0; round++) {
      const changes = await this.#resolve(open, round > ROUNDS);
      const keys = await this.#apply(changes);
      open = new Map();
      for (const key of keys) addHolders(open, this.#names, key);
    }
    await this.#findProblems();
    return this.#names;
  }

  #placed(candidates: Candidates): Candidates {
    const placed: Candidates = new Map();
    for (const [kind, bases] of candidates)
      for (const base of bases) {
        const own = this.#tables.get(kind)?.byBase.get(base);
        if (own && kind.nesting?.isOpen(summaryOf(own))) addCandidate(placed, kind, base);
      }
    return placed;
  }

  /** @param isLate whether records that derived values depend on stay as they are */
  async #resolve(candidates: Candidates, isLate: boolean): Promise<Changes> {
    const changes: Changes = new Map();
    const updates: [string, NameHolder | undefined][] = [];
    for (const [kind, bases] of candidates)
      for (const base of bases) {
        await pace();
        const key = holderKey(kind, base);
        const was = this.#names.get(key);
        if (isLate && was?.isDerivedFrom) continue;
        const source = servedAt(this.#tables.get(kind), base);
        const holder = source && this.#holder(kind, key, source, was);
        if (holder !== was) updates.push([key, holder]);
        if (source) this.#change(changes, kind, holder?.entry ?? source);
      }
    this.#names = this.#names.with(updates);
    return changes;
  }

  #change(changes: Changes, kind: AnyKind, entry: Entry): void {
    const { id } = summaryOf(entry);
    if (ownEntry(this.#tables.get(kind)!, id) === entry) return;
    const ofKind = changes.get(kind) ?? new Map<Id, Entry>();
    changes.set(kind, ofKind.set(id, entry));
  }

  /** @returns the keys that records gained or lost */
  async #apply(changes: Changes): Promise<ReadonlySet<string>> {
    const { locales, resolver } = this.#ground;
    const before = new Map(this.#tables);
    for (const [kind, entries] of changes) {
      const completion = completionOf(kind, locales, resolver, this.#tables);
      this.#tables.set(kind, await withResolved(this.#tables.get(kind)!, entries, completion));
    }
    if (changes.size > 0) await followAbove(this.#ground, resolver, this.#tables);
    const keys = new Set<string>();
    for (const [kind, table] of this.#tables) {
      const old = before.get(kind);
      if (!old || table === old) continue;
      for (const change of differences(table, old))
        for (const key of keysChanged(kind, change.before, change.after, locales)) keys.add(key);
    }
    return keys;
  }

  /** @param was the same record before; returned if nothing of it has changed */
  #holder(kind: AnyKind, key: string, source: Entry, was: NameHolder | undefined): NameHolder | undefined {
    const { locales } = this.#ground;
    const table = this.#tables.get(kind);
    const { record, ids, keys, troubles } = resolvedRecord(locales, this.#tables, kind, source, this.#schemas, table);
    this.#troubles.set(key, troubles);
    if (record === source.record && keys.length === 0 && ids.length === 0) return undefined;
    const isSame =
      was?.source === source &&
      String(was.ids) === String(ids) &&
      String(was.keys) === String(keys) &&
      // Where the schema has changed, the same names may stand in other fields.
      sameJson(was.entry.record, record);
    if (isSame && was.problems.length === 0 && troubles.length === 0) return was;
    const { base, files, broken } = source;
    const resolved = record === source.record ? source : { record, base, files, ...(broken && { broken }) };
    return {
      kind,
      id: summaryOf(source).id,
      source,
      entry: isSame ? was.entry : resolved,
      isDerivedFrom: !isSelfContained(source, kind.completion?.(locales)) && isNamedParent(kind, source.record),
      ids,
      keys,
      problems: [],
    };
  }

  async #findProblems(): Promise<void> {
    const updates: [string, NameHolder][] = [];
    for (const [key, troubles] of this.#troubles) {
      const holder = this.#names.get(key);
      if (!holder || troubles.length === 0) continue;
      await pace();
      updates.push([key, { ...holder, problems: await problemsOf(this.#ground, holder.source, troubles) }]);
    }
    this.#names = this.#names.with(updates);
  }
}

type Changes = Map<AnyKind, Map<Id, Entry>>;

/** Whether the file of a page has its parent by name. */
const isNamedParent = (kind: AnyKind, own: Entity): boolean =>
  PAGE_KINDS.includes(kind) && isReferenceName((own as Page).parent_page);

/** The entry with this base as its files have it, unless another record has its id. */
function servedAt(table: Table | undefined, base: Base): Entry | undefined {
  const own = table?.byBase.get(base);
  return own && table!.byId.get(summaryOf(own).id)?.base === base ? own : undefined;
}
