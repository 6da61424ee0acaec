/** Digests of records and tables, by which a build finds out what has changed since the last one. */
import { keptBy } from "../../memo.ts";
import type { Config } from "../../config.ts";
import type { Instant } from "../../model/time/instant.ts";
import { canonicalJson } from "../../model/input/json.ts";
import { statusOf } from "../../model/page/lifecycle.ts";
import type { Id, PageSummary } from "../../model/page/page.ts";
import { PAGE_KINDS } from "../../store/content/indexes/pages-by-model.ts";
import type { AnyKind, Entity } from "../../store/records/record-type.ts";
import { keyOfEntry, summaryOf, type Snapshot, type Table } from "../../store/snapshot.ts";
import { sha1 } from "../state/digest.ts";

/** By the names of kinds; "" for a record or a kind that does not exist. */
export interface RecordDigests {
  record(kind: string, id: Id): string;
  table(kind: string): string;
}

/**
 * Digests of the versions of records and tables. A record that depends on its files alone has the digest of their blob ids;
 * for others the digest includes the parsed record, and for pages the status, which depends on the time.
 */
export function openRecordDigests(
  content: Snapshot,
  kinds: readonly AnyKind[],
  { locales }: Config,
  now: Instant,
): RecordDigests {
  const tables = new Map<string, string>();
  // The paths of unchanged records change when another record gets a contested permalink.
  const claimed = Array.from(content.owners, ([key, id]) => `${key} ${id}`).sort();
  const byName = new Map(
    kinds.map((kind) => [
      kind.name,
      {
        kind,
        table: content.table(kind),
        isPage: PAGE_KINDS.some((each) => each === kind),
        known: new Map<Id, string>(),
      },
    ]),
  );
  const digestOf = (
    { kind, table, isPage }: { readonly kind: AnyKind; readonly table: Table; readonly isPage: boolean },
    summary: Entity,
  ): string => {
    const entry = table.byId.get(summary.id)!;
    const isOfFiles = !kind.derives && table.byBase.get(entry.base) === entry;
    const digest = isOfFiles ? keyOfEntry(kind, entry) : sha1(canonicalJson(entry.record));
    // Visitors may read the state file, and the path of a public page's file may contain the slug of a hidden page.
    if (!isPage) return isOfFiles ? sha1(digest) : digest;
    let statuses = "";
    for (const lang of locales.codes) statuses += statusOf(summary as PageSummary, lang, now);
    return sha1(`${digest} ${statuses}`);
  };
  const record = (name: string, id: Id): string => {
    const of = byName.get(name);
    const known = of?.known.get(id);
    if (!of || known !== undefined) return known ?? "";
    const entry = of.table.byId.get(id);
    const digest = entry ? digestOf(of, summaryOf(entry)) : "";
    of.known.set(id, digest);
    return digest;
  };
  const digestOfTable = (kind: AnyKind): string => {
    const records = content.table(kind).summaries.map(({ id }) => `${id} ${record(kind.name, id)}`);
    return sha1([...records, ...(kind.family ? claimed : [])].join("\n"));
  };
  return {
    record,
    table: (name: string): string =>
      keptBy(tables, name, () => {
        const kind = byName.get(name)?.kind;
        return kind ? digestOfTable(kind) : "";
      }),
  };
}
