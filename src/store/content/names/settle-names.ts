/**
 * Puts ids where files have names of other records, after the tables have changed.
 *
 * What is resolved again are the records that changed, those that wait for a word that another record gained or lost
 * (`HOLDERS`), and those whose data has another schema. So a change costs what depends on it, and the result is the same
 * as that of resolving everything anew.
 */
import type { Locales } from "../../../model/locale.ts";
import type { Path } from "../../repo.ts";
import { openPace } from "../../../time-slices.ts";
import { PAGE_KINDS } from "../indexes/page-models.ts";
import { isReferenceName } from "../../../model/reference-name.ts";
import { META_INSTANCES } from "../records/meta-instances.ts";
import { META_TYPES } from "../records/meta-types.ts";
import { PAGE_MODELS } from "../records/page-models.ts";
import { PAGES } from "../records/pages.ts";
import type { AnyKind, Base, Entity, Entry, Schemas, Table } from "../record-type.ts";
import type { MapChange } from "../shared-map.ts";
import {
  isSelfContained,
  NO_NAMES,
  ownEntry,
  parentOfFolder,
  summaryOf,
  withResolved,
  type NameHolder,
  type Names,
  type Snapshot,
} from "../snapshot.ts";
import type { Id, Page } from "../../../model/page.ts";
import { DERIVED_FROM, HOLDERS, holderKey, NAME_PROBLEMS, OPEN_IN_FOLDER } from "./holders.ts";
import { problemsOf, type NameTrouble, type ProblemGround } from "./name-problems.ts";
import { resolvedRecord } from "./resolved-record.ts";
import { schemasOf } from "./schemas.ts";
import { wordsChanged } from "./targets.ts";

export interface NamesGround extends ProblemGround {
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
}

type Tables = Map<AnyKind, Table>;
type Candidates = Map<AnyKind, Set<Base>>;

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
  if (!before) return settling.run(allCandidates(ground, tables, schemas));
  const derived = await settling.unsettle(before);
  const candidates = changedCandidates(ground, tables, before, schemas);
  addMoved(candidates, before.names, written);
  for (const { kind, source } of derived) add(candidates, kind, source.base);
  return settling.run(candidates);
}

/** How often derived values may give names another meaning: as many pages may be above each other that name their parents by derived permalinks. */
const ROUNDS = 20;

class Settling {
  readonly #ground: NamesGround;
  readonly #tables: Tables;
  readonly #schemas: Schemas;
  readonly #troubles = new Map<string, readonly NameTrouble[]>();
  readonly #pace = openPace();
  #names: Names;

  constructor(ground: NamesGround, tables: Tables, names: Names, schemas: Schemas) {
    this.#ground = ground;
    this.#tables = tables;
    this.#names = names;
    this.#schemas = schemas;
  }

  /**
   * Takes back what derived values depend on. Names may stand for records that have a permalink because of them, so the
   * result would depend on what they stood for before.
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

  /** Whether a change of records concerns derived values, or what they are called while values are derived. */
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
        wordsChanged(kind, change.before, change.after, locales).length > 0,
    );
  }

  async run(candidates: Candidates): Promise<Names> {
    // The parent that a record has from the place of its file depends on no name, so no round has to wait for it.
    const moved = await this.#apply(await this.#resolve(this.#placed(candidates), false));
    for (const word of moved) addHolders(candidates, this.#names, word);
    let open = candidates;
    for (let round = 0; open.size > 0; round++) {
      const changes = await this.#resolve(open, round > ROUNDS);
      const words = await this.#apply(changes);
      open = new Map();
      for (const word of words) addHolders(open, this.#names, word);
    }
    await this.#findProblems();
    return this.#names;
  }

  #placed(candidates: Candidates): Candidates {
    const placed: Candidates = new Map();
    for (const [kind, bases] of candidates)
      for (const base of bases) {
        const own = this.#tables.get(kind)?.byBase.get(base);
        if (own && kind.nesting?.isOpen(summaryOf(own))) add(placed, kind, base);
      }
    return placed;
  }

  /** @param isLate whether records that derived values depend on stay as they are */
  async #resolve(candidates: Candidates, isLate: boolean): Promise<Changes> {
    const changes: Changes = new Map();
    const updates: [string, NameHolder | undefined][] = [];
    for (const [kind, bases] of candidates)
      for (const base of bases) {
        await this.#pace();
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

  /** @returns the words that records gained or lost */
  async #apply(changes: Changes): Promise<ReadonlySet<string>> {
    const { locales } = this.#ground;
    const words = new Set<string>();
    for (const [kind, entries] of changes) {
      const table = this.#tables.get(kind)!;
      const next = await withResolved(table, entries, kind.completion?.(locales));
      this.#tables.set(kind, next);
      for (const { before, after } of differences(next, table))
        for (const word of wordsChanged(kind, before, after, locales)) words.add(word);
    }
    return words;
  }

  /** @param was the same record before; returned if nothing of it has changed */
  #holder(kind: AnyKind, key: string, source: Entry, was: NameHolder | undefined): NameHolder | undefined {
    const { locales } = this.#ground;
    const table = this.#tables.get(kind);
    const { record, ids, words, troubles } = resolvedRecord(locales, this.#tables, kind, source, this.#schemas, table);
    this.#troubles.set(key, troubles);
    if (record === source.record && words.length === 0 && ids.length === 0) return undefined;
    const isSame = was?.source === source && String(was.ids) === String(ids) && String(was.words) === String(words);
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
      words,
      problems: [],
    };
  }

  async #findProblems(): Promise<void> {
    const updates: [string, NameHolder][] = [];
    for (const [key, troubles] of this.#troubles) {
      const holder = this.#names.get(key);
      if (!holder || troubles.length === 0) continue;
      await this.#pace();
      updates.push([key, { ...holder, problems: await problemsOf(this.#ground, holder.source, troubles) }]);
    }
    this.#names = this.#names.with(updates);
  }
}

type Changes = Map<AnyKind, Map<Id, Entry>>;

const isNamedParent = (kind: AnyKind, own: Entity): boolean =>
  PAGE_KINDS.includes(kind) && isReferenceName((own as Page).parent_page);

function add(candidates: Candidates, kind: AnyKind, base: Base): void {
  const bases = candidates.get(kind) ?? new Set<Base>();
  candidates.set(kind, bases.add(base));
}

function addHolders(candidates: Candidates, names: Names, word: string): void {
  for (const key of names.index(HOLDERS).get(word) ?? []) {
    const holder = names.get(key);
    if (holder) add(candidates, holder.kind, holder.source.base);
  }
}

/** The entry with this base as its files have it, unless another record has its id. */
function servedAt(table: Table | undefined, base: Base): Entry | undefined {
  const own = table?.byBase.get(base);
  return own && table!.byId.get(summaryOf(own).id)?.base === base ? own : undefined;
}

const hasReferences = ({ visitReferences, nesting }: AnyKind): boolean =>
  visitReferences !== undefined || nesting !== undefined;

/** Whether the files of a record may have names, or leave its parent to its place. */
function mayDepend(kind: AnyKind, table: Table, base: Base, schemas: Schemas): boolean {
  const own = table.byBase.get(base);
  if (!own) return false;
  const { summaries, nesting } = kind;
  if (!summaries) return true;
  const summary: Entity = own.cached?.summary ?? summaries.summarize(own.record);
  if (summaries.mayHaveNames(summary, schemas)) return true;
  return nesting !== undefined && parentOfFolder(table.byBase, base, summary, nesting) !== undefined;
}

function allCandidates({ kinds }: NamesGround, tables: Tables, schemas: Schemas): Candidates {
  const found: Candidates = new Map();
  for (const kind of kinds) {
    const table = hasReferences(kind) ? tables.get(kind) : undefined;
    if (!table) continue;
    found.set(kind, new Set([...table.byBase.keys()].filter((base) => mayDepend(kind, table, base, schemas))));
  }
  return found;
}

function changedCandidates(
  { kinds, locales }: NamesGround,
  tables: Tables,
  before: Snapshot,
  schemas: Schemas,
): Candidates {
  const found: Candidates = new Map();
  const isHolder = (kind: AnyKind, base: Base): boolean => before.names.has(holderKey(kind, base));
  const words = new Set<string>();
  for (const kind of kinds) {
    const table = tables.get(kind);
    const changes = table && table !== before.table(kind) ? differences(table, before.table(kind)) : [];
    for (const { before: old, after } of changes) {
      if (before.names.size > 0) for (const word of wordsChanged(kind, old, after, locales)) words.add(word);
      if (!hasReferences(kind)) continue;
      for (const entry of [old, after])
        if (entry && (isHolder(kind, entry.base) || mayDepend(kind, table!, entry.base, schemas)))
          add(found, kind, entry.base);
      if (!kind.nesting || (old && after && old.base === after.base)) continue;
      for (const entry of [old, after])
        for (const base of entry ? (table!.byBase.index(OPEN_IN_FOLDER).get(entry.base) ?? []) : [])
          add(found, kind, base);
    }
  }
  for (const word of words) addHolders(found, before.names, word);
  for (const [schema, kind] of SCHEMAS) {
    const table = tables.get(kind);
    if (!table || tables.get(schema) === before.table(schema) || !kinds.includes(schema)) continue;
    for (const base of table.byBase.keys())
      if (isHolder(kind, base) || mayDepend(kind, table, base, schemas)) add(found, kind, base);
  }
  return found;
}

/** Adds the records with problems in these files: the lines may be others, even where the record is the same. */
function addMoved(candidates: Candidates, names: Names, written: Iterable<Path>): void {
  const paths = new Set(written);
  if (paths.size === 0) return;
  for (const key of names.index(NAME_PROBLEMS).keys()) {
    const { kind, source } = names.get(key)!;
    if ([...source.files.keys()].some((part) => paths.has(source.base + part))) add(candidates, kind, source.base);
  }
}

const differences = (table: Table, before: Table): MapChange<Id, Entry>[] => table.byId.differencesFrom(before.byId);

/** Kinds that declare the data of others. */
const SCHEMAS: readonly (readonly [schema: AnyKind, of: AnyKind])[] = [
  [PAGE_MODELS, PAGES],
  [META_TYPES, META_INSTANCES],
];
