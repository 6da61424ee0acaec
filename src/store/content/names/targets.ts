/**
 * Finds the records that files refer to by name: pages by a path of the site, everything else by the names of its kind
 * (`Kind.namesOf`).
 */
import { derived } from "../../../memo.ts";
import { LINK_TARGET } from "../../../model/fields/definition.ts";
import { trimStart } from "../../../model/text/trim.ts";
import type { Locales } from "../../../model/language/locale.ts";
import type { Id, PageSummary } from "../../../model/page/page.ts";
import { permalinkNamed } from "../../../model/address/permalink.ts";
import { foldName } from "../../../model/records/reference-name.ts";
import { PAGE_KINDS } from "../indexes/pages-by-model.ts";
import { PAGE_KEYS } from "../../records/key-index.ts";
import { kindsOfModel, modelOfPage } from "../indexes/references.ts";
import { qualifiedKey, type AnyKind, type Entry, type Table } from "../../records/record-type.ts";
import { mainFile } from "../ownership.ts";
import { aliasesOf, eachKey, permalinksOf } from "../../records/page-keys.ts";
import { MEDIA } from "../../records/media/media.ts";
import { SharedMap, type MapIndex } from "../../maps/shared-map.ts";
import { byAge, recordOf, summaryOf } from "../../snapshot.ts";

/** What a name stands for. */
export interface Named {
  readonly id: Id | null;
  /** Whether a page is found by a former permalink. */
  readonly isFormer?: true;
  /**
   * The records among which the name does not decide: paths of media files, else of the files of the records. Absent for
   * a name that nothing has.
   */
  readonly claimants?: readonly string[];
  /** The keys on which the answer depends, found or not: see `keysChanged`. */
  readonly keys: readonly string[];
}

export interface Tables {
  get(kind: AnyKind): Table | undefined;
}

export const findNamed = (tables: Tables, locales: Locales, model: string, name: string): Named =>
  isPageModel(model) ? findPage(tables, locales, model, name) : findOther(tables, locales, model, name);

const isPageModel = (model: string): boolean => kindsOfModel(model).some((kind) => PAGE_KINDS.includes(kind));

/** The keys by which a record is found. */
function keysOf(kind: AnyKind, entry: Entry, locales: Locales): readonly string[] {
  const found: string[] = [];
  if (PAGE_KINDS.includes(kind))
    eachKey(summaryOf(entry) as PageSummary, (index, key) => found.push(qualifiedKey(index, key)));
  else for (const name of kind.namesOf?.(entry.record, locales) ?? []) found.push(nameKey(kind, name));
  return found;
}

/**
 * The keys whose holders may be resolved otherwise after a change of a record: those it gained or lost, or all of them
 * where something else changed that decides among several records.
 */
export function keysChanged(
  kind: AnyKind,
  before: Entry | undefined,
  after: Entry | undefined,
  locales: Locales,
): readonly string[] {
  const [old, now] = [before, after].map((entry) => new Set(entry ? keysOf(kind, entry, locales) : []));
  if (!before || !after || rankOf(kind, before, locales) !== rankOf(kind, after, locales)) return [...old!, ...now!];
  return [...[...old!].filter((key) => !now!.has(key)), ...[...now!].filter((key) => !old!.has(key))];
}

/** What decides among several records with one name. */
function rankOf(kind: AnyKind, entry: Entry, locales: Locales): string {
  if (!PAGE_KINDS.includes(kind)) return JSON.stringify([entry.base, kind.namesOf?.(entry.record, locales)]);
  const { date_created, model } = summaryOf(entry) as PageSummary;
  return JSON.stringify([entry.base, date_created, model]);
}

/** The key of a record that is no page. */
const nameKey = ({ name }: AnyKind, text: string): string => `${name}\n${foldName(text)}`;

/** Of several pages with one permalink, the oldest: that they claim it is a problem of its own. */
function findPage(tables: Tables, locales: Locales, model: string, name: string): Named {
  const { lang, permalink } = permalinkNamed(locales, name);
  const indexes = [permalinksOf(lang), aliasesOf(lang)] as const;
  const keys = indexes.map((index) => qualifiedKey(index, permalink));
  for (const index of indexes) {
    const entries = PAGE_KINDS.flatMap((kind) => {
      const byId = tables.get(kind)?.byId;
      return byId
        ? byId
            .index(PAGE_KEYS)
            .claimants(index, permalink)
            .map((id) => byId.get(id)!)
        : [];
    });
    const [first] = entries.filter((entry) => fits(model, summaryOf(entry) as PageSummary)).sort(byAge);
    if (first) return { id: summaryOf(first).id, keys, ...(index !== indexes[0] && { isFormer: true }) };
  }
  return { id: null, keys };
}

/** A reference to `cms.Page` accepts pages of custom models, too. */
function fits(model: string, page: PageSummary): boolean {
  const own = modelOfPage(page).toLowerCase();
  if (model === LINK_TARGET) return true;
  return model.toLowerCase() === "cms.page" ? own !== "cms.article" : own === model.toLowerCase();
}

/** Of several records, the one with exactly this spelling is meant, then the one whose first name it is. */
function findOther(tables: Tables, locales: Locales, model: string, name: string): Named {
  const [kind] = kindsOfModel(model);
  if (!kind?.namesOf) return { id: null, keys: [] };
  const text = kind === MEDIA ? trimStart(name, "/").replace(/^media\//, "") : name;
  const keys = [nameKey(kind, text)];
  const byId = tables.get(kind)?.byId;
  let found = [...(byId?.index(namesIndexes(locales)(kind)).get(foldName(text)) ?? [])].map((id) => byId!.get(id)!);
  const namesOf = (entry: Entry): readonly string[] => kind.namesOf!(entry.record, locales);
  for (const narrow of [
    (entry: Entry) => namesOf(entry).includes(text),
    (entry: Entry) => namesOf(entry)[0] === text,
  ]) {
    const narrowed = found.length > 1 ? found.filter(narrow) : [];
    if (narrowed.length > 0) found = narrowed;
  }
  const [only] = found;
  return found.length > 1
    ? {
        id: null,
        claimants: found.map((entry) => (kind === MEDIA ? namesOf(entry)[0]! : mainFile(entry))).sort(),
        keys,
      }
    : { id: only ? summaryOf(only).id : null, keys };
}

type NamesIndex = MapIndex<Id, Entry, SharedMap<string, readonly Id[]>>;

const namesIndexes = derived((locales: Locales) => derived((kind: AnyKind) => namesIndex(kind, locales)));

/** The ids of the records of a kind, by folded name. */
function namesIndex(kind: AnyKind, locales: Locales): NamesIndex {
  const foldedNames = (entry: Entry | undefined): ReadonlySet<string> =>
    new Set(entry ? kind.namesOf!(recordOf(summaryOf(entry)), locales).map(foldName) : []);
  return {
    build(entries) {
      const found = new Map<string, Id[]>();
      for (const [id, entry] of entries)
        for (const name of foldedNames(entry)) {
          const ids = found.get(name);
          if (ids) ids.push(id);
          else found.set(name, [id]);
        }
      return new SharedMap<string, readonly Id[]>(found);
    },
    advance(index, changes) {
      const next = index.copy();
      for (const { key: id, before, after } of changes) {
        const [old, now] = [foldedNames(before), foldedNames(after)];
        for (const name of old) {
          if (now.has(name)) continue;
          const left = (next.get(name) ?? []).filter((each) => each !== id);
          if (left.length > 0) next.set(name, left);
          else next.delete(name);
        }
        for (const name of now) if (!old.has(name)) next.set(name, [...(next.get(name) ?? []), id]);
      }
      return next;
    },
  };
}
