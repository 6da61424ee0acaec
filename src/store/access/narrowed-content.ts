/**
 * The content as an account sees it whose rules narrow what it may view: other records are absent, so that lists, look-ups,
 * search, previews and comparisons do not find them.
 *
 * It is made anew for each snapshot, once for all accounts with the same rules. Tables of which everything is seen are shared.
 */
import { derived } from "../../memo.ts";
import { isViewNarrowed, may, rolesOf, type AccessContent, type Principal } from "../../model/access/role-rights.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { Id, PageSummary } from "../../model/page/page.ts";
import { PAGE_KINDS } from "../content/indexes/pages-by-model.ts";
import { SharedMap } from "../maps/shared-map.ts";
import { REVIEWS } from "../records/people/reviews.ts";
import { THREADS } from "../records/people/threads.ts";
import type { AnyKind, Entry, Table } from "../records/record-type.ts";
import { Snapshot, summaryOf, tableOf } from "../snapshot.ts";
import { accessTargetsOf } from "./targets.ts";

/** What accounts with the same rules see of any content. */
export interface Narrowing {
  of(content: Snapshot): Snapshot;
}

/**
 * What an account sees; undefined when it sees everything.
 *
 * @param access of the newest content, also for older content: rights are those of now
 */
export function narrowingFor(principal: Principal, access: AccessContent, locales: Locales): Narrowing | undefined {
  if (!isViewNarrowed(principal, access.roles)) return undefined;
  const known = narrowingsOf(locales);
  const key = keyOf(principal, access);
  const found = known.get(key) ?? openNarrowing(principal, access);
  known.delete(key);
  known.set(key, found);
  for (const oldest of known.keys()) {
    if (known.size <= NARROWINGS_MAX) break;
    known.delete(oldest);
  }
  return found;
}

/** Those used last of a site: each has a copy of the tables, and an index once something is searched. */
const NARROWINGS_MAX = 16;
const narrowingsOf = derived((_locales: Locales) => new Map<string, Narrowing>());

/** The same for accounts with the same rules. */
const keyOf = (principal: Principal, { roles, section }: AccessContent): string => {
  const lists = [principal.narrowedBy ?? [], ...rolesOf(principal, roles).map(({ rules }) => rules)];
  const settled = lists.map((rules) =>
    rules.map((rule) => (rule.below === undefined ? rule : { ...rule, below: section(rule.below) ?? null })),
  );
  return JSON.stringify([principal.roles.length > 0, principal.narrowedBy !== undefined, settled]);
};

function openNarrowing(principal: Principal, access: AccessContent): Narrowing {
  let last: ReadonlyMap<AnyKind, SeenTable> = new Map();
  const of = derived((content: Snapshot): Snapshot => {
    const isSeenIn =
      (kind: AnyKind) =>
      (entry: Entry): boolean =>
        accessTargetsOf(content, kind, summaryOf(entry)).every(
          (target) => may(principal, "view", target, access).isAllowed,
        );
    const isRebuilt = arePagesMoved(content, last);
    const tables = new Map<AnyKind, SeenTable>();
    for (const [whole, table] of content.tables()) {
      const known = isRebuilt || ABOUT_PAGES.includes(whole) ? undefined : last.get(whole);
      const seen = known ? followed(known, table, isSeenIn(whole)) : filtered(table, isSeenIn(whole));
      tables.set(whole, { whole: table, seen });
    }
    last = tables;
    const seen = new Map([...tables].map(([kind, table]) => [kind, table.seen] as const));
    // Problems name files and quote texts.
    return new Snapshot(content.commit, seen, [], { owners: content.owners, names: content.names });
  });
  return { of };
}

interface SeenTable {
  readonly whole: Table;
  readonly seen: Table;
}

/** They are where pages are, and few. */
const ABOUT_PAGES: readonly AnyKind[] = [THREADS, REVIEWS];

/** Whether a page has another place than when the tables were made: then others may be in other sections, too. */
const arePagesMoved = (content: Snapshot, last: ReadonlyMap<AnyKind, SeenTable>): boolean =>
  PAGE_KINDS.some((kind) => {
    const known = last.get(kind);
    const changes = known ? content.table(kind).byId.differencesFrom(known.whole.byId) : [];
    return changes.some(({ before, after }) => before && (!after || parentOf(before) !== parentOf(after)));
  });

const parentOf = (entry: Entry): Id | null => (summaryOf(entry) as PageSummary).parent_page;

/** The table that follows from one before: what did not change is not looked at. */
function followed(known: SeenTable, table: Table, isSeen: (entry: Entry) => boolean): Table {
  if (known.whole === table) return known.seen;
  const ids = known.seen.byId.with(
    table.byId
      .differencesFrom(known.whole.byId)
      .map(({ key, after }) => [key, after && isSeen(after) ? after : undefined] as const),
  );
  const bases = known.seen.byBase.with(
    table.byBase
      .differencesFrom(known.whole.byBase)
      .map(({ key, after }) => [key, after && ids.has(summaryOf(after).id) ? after : undefined] as const),
  );
  return tableOf(bases, ids);
}

function filtered(table: Table, isSeen: (entry: Entry) => boolean): Table {
  const seen = [...table.byId.entries()].filter(([, entry]) => isSeen(entry));
  if (seen.length === table.byId.size) return table;
  const ids = new Map(seen);
  const bases = [...table.byBase.entries()].filter(([, entry]) => ids.has(summaryOf(entry).id));
  return tableOf(new SharedMap(new Map(bases)), new SharedMap(ids));
}
