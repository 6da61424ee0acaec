/**
 * Tells what has changed in a tree since a build, where that can be told without looking at every page.
 *
 * The content must rest as the earlier build knew it (store/rest.ts), but for pages whose outlines are as they were: then no
 * list, no address and no moment is another one, and what depends on those pages is what read them.
 */
import type { Instant } from "../model/instant.ts";
import { canonicalJson, isObject } from "../model/json.ts";
import type { Id, PageOutline } from "../model/page.ts";
import type { AnyKind, Base, Entity } from "../store/kind.ts";
import { ARTICLES } from "../store/kinds/pages.ts";
import { PAGE_KINDS } from "../store/page-kinds.ts";
import type { PageIndex } from "../store/page-index.ts";
import { entryName, keptOutlineOf, outlineOf, type Entry, type Snapshot, type Standing } from "../store/snapshot.ts";
import { sha1 } from "./digest.ts";
import type { Since, Source } from "./source.ts";
import type { Mark, Word } from "./state.ts";

interface Marked {
  readonly content: Snapshot;
  readonly kinds: readonly AnyKind[];
  readonly now: Instant;
  readonly index: PageIndex;
  /** Whether every page that is public has a place in the site. */
  isWhole(): boolean;
  /** Names all records of a kind. */
  stampOfTable(kind: string): string;
}

/** What a mark holds. It lies where visitors may read it, so it names nothing by its path. */
interface Known {
  /** See `Standing` in store/snapshot.ts. */
  readonly standing: string;
  /** Records of packed kinds that were not at rest. */
  readonly changed: readonly ChangedRecord[];
  /** Names the records of all other kinds. */
  readonly others: string;
  /** The moments from which on, and until which, no page changes by time alone; the second is open where there is none. */
  readonly from: string;
  readonly until: Instant | null;
}

/** A record by what names its place, what names its files (null: gone), and what its outline says. */
type ChangedRecord = readonly [at: string, name: string | null, gist: string | null];

export function marking({ content, kinds, now, index, isWhole, stampOfTable }: Marked): Pick<Source, "mark" | "since"> {
  const { standing } = content;
  if (!standing) return {};
  const packed = kinds.filter(({ packing }) => packing);
  const changedNow = packed.flatMap((kind) => Array.from(standing.changed.get(kind) ?? [], ([base, entry]) => ({ kind, base, entry, record: changedRecord(standing, kind, base, entry) })));
  let others: string | undefined;
  const namesOfOthers = (): string => (others ??= sha1(kinds.filter(({ packing }) => !packing).map(({ name }) => `${name} ${stampOfTable(name)}`).join("\n")));
  const markUntil = (until: Instant | null): Mark =>
    ({ standing: standing.name, changed: changedNow.map(({ record }) => record), others: namesOfOthers(), from: now, until }) satisfies Known as unknown as Mark;
  return {
    mark() {
      // One that is listed by others and not in its own place would not be looked at.
      if (!isWhole()) return undefined;
      return markUntil(index.nextMoment(now) ?? null);
    },
    since(mark) {
      if (!isObject(mark)) return undefined;
      const known = mark as unknown as Known;
      if (known.standing !== standing.name || known.from > now || (known.until !== null && known.until <= now) || known.others !== namesOfOthers()) return undefined;
      const changed = changedSince(known.changed, changedNow, standing);
      return changed && sinceOf(changed, content, markUntil(known.until));
    },
  };
}

function changedRecord({ name }: Standing, kind: AnyKind, base: Base, entry: Entry | null): ChangedRecord {
  return [sha1(`${name} ${kind.name} ${base}`), entry && sha1(`${name} ${entryName(kind, entry)}`), entry && gistOf(keptOutlineOf(kind, entry))];
}

interface ChangedNow {
  readonly kind: AnyKind;
  readonly base: Base;
  readonly entry: Entry | null;
  readonly record: ChangedRecord;
}

/** The ids of pages that are others now, by the name of their kind; undefined where one came, went, or says something else in its outline. */
function changedSince(before: Known["changed"], now: readonly ChangedNow[], standing: Standing): ReadonlyMap<string, ReadonlySet<Id>> | undefined {
  const then = new Map(before.map((record) => [record[0], record]));
  const found = new Map<string, Set<Id>>();
  for (const { kind, base, entry, record: [at, name, gist] } of now) {
    const known = then.get(at);
    then.delete(at);
    if (known && known[1] === name) continue;
    const atRest = known ? undefined : standing.outlineAtRest(kind, base);
    const gistThen = known ? known[2] : atRest && gistOf(atRest);
    if (!entry || !gistThen || gistThen !== gist) return undefined;
    found.set(kind.name, (found.get(kind.name) ?? new Set<Id>()).add(outlineOf(entry).id));
  }
  // Which those are that are as they were left again cannot be told from their names.
  return then.size > 0 ? undefined : found;
}

function sinceOf(changed: ReadonlyMap<string, ReadonlySet<Id>>, content: Snapshot, mark: Mark): Since {
  return {
    changed,
    mark,
    pages: new Set([...changed.values()].flatMap((ids) => [...ids])),
    lists(moved) {
      const parents = new Set<Word>(Array.from(moved, (id) => parentOf(content, id)));
      const hasArticle = [...moved].some((id) => content.table(ARTICLES).byId.has(id));
      return (question) => (question === "pages_of" ? parents : question === "articles" && !hasArticle ? new Set() : undefined);
    },
  };
}

function parentOf(content: Snapshot, id: Id): Id | null {
  const entry = PAGE_KINDS.map((kind) => content.table(kind).byId.get(id)).find(Boolean);
  return entry ? (outlineOf(entry) as PageOutline).parent_page : null;
}

/** All an outline says but when the page was last changed, which no list and no address depends on. */
const gistOf = (outline: Entity): string => sha1(canonicalJson({ ...outline, date_updated_at: null }));
