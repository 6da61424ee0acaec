/** The records whose references by name are resolved again after a change. */
import type { Locales } from "../../../model/language/locale.ts";
import type { Id } from "../../../model/page/page.ts";
import type { Path } from "../../repo.ts";
import type { AnyKind, Base, Entity, Entry, RecordSchemas, Table } from "../../records/record-type.ts";
import { BLOCK_TYPES } from "../../records/block-types.ts";
import { META_INSTANCES } from "../../records/meta-instances.ts";
import { META_TYPES } from "../../records/meta-types.ts";
import { PAGE_MODELS } from "../../records/page-models.ts";
import { PAGES } from "../../records/pages.ts";
import type { MapChange } from "../../maps/shared-map.ts";
import { pace } from "../../../time-slices.ts";
import { parentOfFolder, type Names, type Snapshot } from "../../snapshot.ts";
import { HOLDERS, holderKey, NAME_PROBLEMS, OPEN_IN_FOLDER } from "./holders.ts";
import { keysChanged, type Tables } from "./targets.ts";

export type Candidates = Map<AnyKind, Set<Base>>;

interface CandidatesGround {
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
}

/** Kinds that declare the data of others. */
const SCHEMAS: readonly (readonly [schema: AnyKind, of: AnyKind])[] = [
  [PAGE_MODELS, PAGES],
  [META_TYPES, META_INSTANCES],
  [BLOCK_TYPES, PAGES],
  [BLOCK_TYPES, META_INSTANCES],
];

export function addCandidate(candidates: Candidates, kind: AnyKind, base: Base): void {
  const bases = candidates.get(kind) ?? new Set<Base>();
  candidates.set(kind, bases.add(base));
}

/** Adds the records with names that depend on a key. */
export function addHolders(candidates: Candidates, names: Names, key: string): void {
  for (const each of names.index(HOLDERS).get(key) ?? []) {
    const holder = names.get(each);
    if (holder) addCandidate(candidates, holder.kind, holder.source.base);
  }
}

const hasReferences = ({ visitReferences, nesting }: AnyKind): boolean =>
  visitReferences !== undefined || nesting !== undefined;

/** Whether the files of a record may have names, or leave its parent to its place. */
function mayDepend(kind: AnyKind, table: Table, base: Base, schemas: RecordSchemas): boolean {
  const own = table.byBase.get(base);
  if (!own) return false;
  const { summaries, nesting } = kind;
  if (!summaries) return true;
  const summary: Entity = own.summary ?? summaries.summarizeNames(own.record);
  if (summaries.mayHaveNames(summary, schemas)) return true;
  return nesting !== undefined && parentOfFolder(table.byBase, base, summary, nesting) !== undefined;
}

/** Every record whose files may have names, or leave its parent to its place. */
export async function allCandidates(
  { kinds }: Pick<CandidatesGround, "kinds">,
  tables: Tables,
  schemas: RecordSchemas,
): Promise<Candidates> {
  const found: Candidates = new Map();
  for (const kind of kinds) {
    const table = hasReferences(kind) ? tables.get(kind) : undefined;
    if (!table) continue;
    for (const base of table.byBase.keys()) {
      const rest = pace();
      if (rest) await rest;
      if (mayDepend(kind, table, base, schemas)) addCandidate(found, kind, base);
    }
  }
  return found;
}

/** The records that a change concerns: those that changed, and those with names that may stand for others. */
export async function changedCandidates(
  { kinds, locales }: CandidatesGround,
  tables: Tables,
  before: Snapshot,
  schemas: RecordSchemas,
): Promise<Candidates> {
  const found: Candidates = new Map();
  const isHolder = (kind: AnyKind, base: Base): boolean =>
    before.names.size > 0 && before.names.has(holderKey(kind, base));
  const keys = new Set<string>();
  for (const kind of kinds) {
    const table = tables.get(kind);
    const changes = table && table !== before.table(kind) ? differences(table, before.table(kind)) : [];
    for (const { before: old, after } of changes) {
      await pace();
      if (before.names.size > 0) for (const key of keysChanged(kind, old, after, locales)) keys.add(key);
      if (!hasReferences(kind)) continue;
      for (const entry of [old, after])
        if (entry && (isHolder(kind, entry.base) || mayDepend(kind, table!, entry.base, schemas)))
          addCandidate(found, kind, entry.base);
      if (!kind.nesting || (old && after && old.base === after.base)) continue;
      for (const entry of [old, after])
        for (const base of entry ? (table!.byBase.index(OPEN_IN_FOLDER).get(entry.base) ?? []) : [])
          addCandidate(found, kind, base);
    }
  }
  for (const key of keys) addHolders(found, before.names, key);
  for (const [schema, kind] of SCHEMAS) {
    const table = tables.get(kind);
    // Both are undefined on a site without such schemas.
    if (!table || tables.get(schema) === before.tables().get(schema) || !kinds.includes(schema)) continue;
    for (const base of table.byBase.keys()) {
      const rest = pace();
      if (rest) await rest;
      if (isHolder(kind, base) || mayDepend(kind, table, base, schemas)) addCandidate(found, kind, base);
    }
  }
  return found;
}

/** Adds the records with problems in these files: the lines may be others, even where the record is the same. */
export function addMoved(candidates: Candidates, names: Names, written: Iterable<Path>): void {
  const paths = new Set(written);
  if (paths.size === 0) return;
  for (const key of names.index(NAME_PROBLEMS).keys()) {
    const { kind, source } = names.get(key)!;
    if ([...source.files.keys()].some((part) => paths.has(source.base + part)))
      addCandidate(candidates, kind, source.base);
  }
}

/** The differences between the served records. */
export const differences = (table: Table, before: Table): MapChange<Id, Entry>[] =>
  table.byId.differencesFrom(before.byId);
