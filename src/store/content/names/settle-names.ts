/**
 * Puts ids where files have names of other records, after the tables have changed.
 *
 * What is resolved again are the records that changed, those that wait for a word that another record gained or lost
 * (`HOLDERS`), and those whose data has another schema. So a change costs what depends on it, and the result is the same
 * as that of resolving everything anew.
 */
import type { Locales } from "../../../model/locale.ts";
import type { Path } from "../../repo.ts";
import { openPace } from "../../git/time-slices.ts";
import { META_INSTANCES } from "../records/meta-instances.ts";
import { META_TYPES } from "../records/meta-types.ts";
import { PAGE_MODELS } from "../records/page-models.ts";
import { PAGES } from "../records/pages.ts";
import type { AnyKind, Base, Entity, Entry, Schemas, Table } from "../record-type.ts";
import type { MapChange } from "../shared-map.ts";
import {
  NO_NAMES,
  parentOfFolder,
  summaryOf,
  withResolved,
  type NameHolder,
  type Names,
  type Snapshot,
} from "../snapshot.ts";
import type { Id } from "../../../model/page.ts";
import { HOLDERS, holderKey, NAME_PROBLEMS, OPEN_IN_FOLDER } from "./holders.ts";
import { problemsOf, type ProblemGround } from "./name-problems.ts";
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
  const { locales } = ground;
  const schemas = schemasOf(tables, locales);
  const known = before?.names;
  const candidates = before
    ? changedCandidates(ground, tables, before, schemas)
    : allCandidates(ground, tables, schemas);
  if (before) addMoved(candidates, before.names, written);
  const updates: [string, NameHolder | undefined][] = [];
  const pace = openPace();
  for (const [kind, bases] of candidates) {
    const table = tables.get(kind);
    const changes = new Map<Id, Entry>();
    for (const base of bases) {
      await pace();
      const key = holderKey(kind, base);
      const was = known?.get(key);
      const entry = table && servedAt(table, base);
      const source = entry && entry === was?.entry ? was.source : entry;
      const holder = source && (await resolve(ground, tables, table!, kind, source, schemas, was));
      if (holder !== was) updates.push([key, holder]);
      const next = holder?.entry ?? source;
      if (next && next !== entry) changes.set(summaryOf(next).id, next);
    }
    if (table && changes.size > 0) tables.set(kind, withResolved(table, changes));
  }
  return (known ?? NO_NAMES).with(updates);
}

/** The entry with this base, unless another record has its id. */
function servedAt({ byBase, byId }: Table, base: Base): Entry | undefined {
  const own = byBase.get(base);
  const entry = own && byId.get(summaryOf(own).id);
  return entry?.base === base ? entry : undefined;
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
  const add = (kind: AnyKind, base: Base): void => {
    const bases = found.get(kind) ?? new Set<Base>();
    found.set(kind, bases.add(base));
  };
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
          add(kind, entry.base);
      if (!kind.nesting || (old && after && old.base === after.base)) continue;
      for (const entry of [old, after])
        for (const base of entry ? (table!.byBase.index(OPEN_IN_FOLDER).get(entry.base) ?? []) : []) add(kind, base);
    }
  }
  const byWord = words.size > 0 ? before.names.index(HOLDERS) : undefined;
  for (const word of words)
    for (const key of byWord?.get(word) ?? []) {
      const holder = before.names.get(key);
      if (holder) add(holder.kind, holder.source.base);
    }
  for (const [schema, kind] of SCHEMAS) {
    const table = tables.get(kind);
    if (!table || tables.get(schema) === before.table(schema) || !kinds.includes(schema)) continue;
    for (const base of table.byBase.keys())
      if (isHolder(kind, base) || mayDepend(kind, table, base, schemas)) add(kind, base);
  }
  return found;
}

/** Adds the records with problems in these files: the lines may be others, even where the record is the same. */
function addMoved(candidates: Candidates, names: Names, written: Iterable<Path>): void {
  const paths = new Set(written);
  if (paths.size === 0) return;
  for (const key of names.index(NAME_PROBLEMS).keys()) {
    const { kind, source } = names.get(key)!;
    if ([...source.files.keys()].some((part) => paths.has(source.base + part)))
      candidates.set(kind, (candidates.get(kind) ?? new Set()).add(source.base));
  }
}

const differences = (table: Table, before: Table): MapChange<Id, Entry>[] => table.byId.differencesFrom(before.byId);

/** Kinds that declare the data of others. */
const SCHEMAS: readonly (readonly [schema: AnyKind, of: AnyKind])[] = [
  [PAGE_MODELS, PAGES],
  [META_TYPES, META_INSTANCES],
];

/** @param was the same record before; returned if nothing of it has changed */
async function resolve(
  ground: NamesGround,
  tables: Tables,
  table: Table,
  kind: AnyKind,
  source: Entry,
  schemas: Schemas,
  was: NameHolder | undefined,
): Promise<NameHolder | undefined> {
  const { record, ids, words, troubles } = resolvedRecord(ground.locales, tables, kind, source, schemas, table);
  if (record === source.record && words.length === 0 && ids.length === 0) return undefined;
  const problems = await problemsOf(ground, source, troubles);
  const isSame = was?.source === source && String(was.ids) === String(ids) && String(was.words) === String(words);
  const { id } = summaryOf(source);
  const { base, files, broken } = source;
  const entry = isSame
    ? was.entry
    : record === source.record
      ? source
      : { record, base, files, ...(broken && { broken }) };
  return { kind, id, source, entry, ids, words, problems };
}
