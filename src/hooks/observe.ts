/** What a listener is told: the events between two states of the content, and the bodies of deliveries. */
import { setImmediate } from "node:timers/promises";
import { keptBy } from "../memo.ts";
import type { HookEvent } from "../config/hook-settings.ts";
import { eventsOfPage, languagesOfChange, type EventLanguages } from "../model/hooks/hook-events.ts";
import type { Instant } from "../model/time/instant.ts";
import type { Lang, Locales } from "../model/language/locale.ts";
import type { Id, Page } from "../model/page/page.ts";
import type { Review } from "../model/review/review.ts";
import type { CommentThread } from "../model/review/thread.ts";
import { changedRecords } from "../store/content/changes.ts";
import { placeOf } from "../store/content/load.ts";
import { PAGE_KINDS } from "../store/content/indexes/pages-by-model.ts";
import type { AnyKind } from "../store/records/record-type.ts";
import { MEDIA } from "../store/records/media/media.ts";
import { MEDIA_FOLDERS } from "../store/records/media/media-folders.ts";
import { REVIEWS } from "../store/records/people/reviews.ts";
import { THREADS } from "../store/records/people/threads.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { LogEntry, Oid, Path, Repo } from "../store/repo.ts";
import { readMergeMessage } from "../store/sync/merge-message.ts";

/** What an event is about. */
export interface Happened {
  readonly records: { readonly type: string; readonly id: Id }[];
  readonly languages: Set<Lang>;
  /** Files of the records that were added, changed or removed. */
  readonly paths: Path[];
}

/** Milliseconds of work before requests are served. */
const SLICE = 15;

/** Of commits, records and paths in a body each. */
const LIST_MAX = 200;

/** The events that follow from the records; `change` is one only where the manifest differs, too. */
export async function eventsBetween(
  before: Snapshot,
  after: Snapshot,
  { codes }: Locales,
  now: Instant,
): Promise<Map<HookEvent, Happened>> {
  const found = new Map<HookEvent, Happened>();
  let since = performance.now();
  for (const [kind, changes] of changedRecords(before, after)) {
    for (const [id, change] of changes) {
      const languages = languagesOf(kind, change, codes, now);
      const paths = changedPaths(before, after, kind, id);
      for (const [event, langs] of languages) {
        const happened = keptBy(found, event, () => ({ records: [], languages: new Set<Lang>(), paths: [] }));
        if (!kind.opaque) happened.records.push({ type: kind.name, id });
        happened.paths.push(...paths);
        for (const lang of langs) happened.languages.add(lang);
      }
      if (performance.now() - since < SLICE) continue;
      await setImmediate();
      since = performance.now();
    }
  }
  return found;
}

function languagesOf(
  kind: AnyKind,
  { before, after }: { readonly before: object | undefined; readonly after: object | undefined },
  langs: readonly Lang[],
  now: Instant,
): EventLanguages {
  if (PAGE_KINDS.includes(kind)) return eventsOfPage(before as Page | undefined, after as Page | undefined, langs, now);
  // No page shows them, so they are no change of what is served.
  if (kind === REVIEWS) return new Map([["review", languagesOfReview((after ?? before) as Review)]]);
  if (kind === THREADS) return new Map([["comment", [((after ?? before) as CommentThread).language]]]);
  const changed = languagesOfChange(before, after, langs);
  const isMedia = kind === MEDIA || kind === MEDIA_FOLDERS || kind.opaque === true;
  return new Map<HookEvent, readonly Lang[]>([["change", changed], ...(isMedia ? [["media", changed] as const] : [])]);
}

const languagesOfReview = ({ items }: Review): readonly Lang[] => [
  ...new Set(items.flatMap(({ language }) => language ?? [])),
];

function changedPaths(before: Snapshot, after: Snapshot, kind: AnyKind, id: Id): Path[] {
  const [old, next] = [before, after].map((content) => {
    const entry = content.table(kind).byId.get(id);
    return new Map([...(entry?.files ?? [])].map(([part, oid]) => [entry!.base + part, oid]));
  }) as [Map<Path, Oid>, Map<Path, Oid>];
  return [...new Set([...old.keys(), ...next.keys()])].filter((path) => old.get(path) !== next.get(path));
}

/** The commits after one that a listener knows, newest first, at most 200. None where that one is gone. */
export async function commitsSince(repo: Repo, head: Oid | null, known: Oid | null): Promise<LogEntry[]> {
  if (head === null || head === known) return [];
  if (known !== null && (await repo.resolveCommit(known)) === undefined) return [];
  const found: LogEntry[] = [];
  for await (const commit of repo.log(head, known, [])) {
    found.push(commit);
    if (found.length >= LIST_MAX) break;
  }
  return found;
}

/** What the syncs among the commits left to a person; undefined where they left nothing. */
export function conflictsOf(
  commits: readonly LogEntry[],
  content: Snapshot,
  kinds: readonly AnyKind[],
): Happened | undefined {
  const conflicts = commits.flatMap(({ message }) => readMergeMessage(message)?.conflicts ?? []);
  if (conflicts.length === 0) return undefined;
  const paths = [...new Set(conflicts.map(({ path }) => path))];
  const records = paths.flatMap((path) => {
    const place = placeOf(kinds, path);
    const entry = place && content.table(place.kind).byBase.get(place.base);
    return entry ? [{ type: place.kind.name, id: entry.record.id }] : [];
  });
  return { records, paths, languages: new Set(conflicts.flatMap(({ draft }) => draft ?? [])) };
}

export interface BodyParts {
  readonly delivery: string;
  readonly event: HookEvent | "test";
  readonly at: Instant;
  readonly commit: Oid | null;
  /** The newest commit that the listener was told of before. */
  readonly before: Oid | null;
  readonly commits: readonly LogEntry[];
  readonly happened?: Happened | undefined;
}

/** The JSON text of a delivery. `actor` is the author of the newest commit; null where there is none. */
export function hookBodyOf({ commits, happened, ...facts }: BodyParts): string {
  const { records = [], paths = [], languages = new Set<Lang>() } = happened ?? {};
  const shown = commits.map(({ id, author, at, message }) => ({ id, author, at, subject: message.split("\n", 1)[0] }));
  const lists = { commits: shown, records, paths };
  return JSON.stringify({
    ...facts,
    actor: commits[0]?.author ?? null,
    languages: [...languages].sort(),
    ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.slice(0, LIST_MAX)])),
    truncated: Object.values(lists).some((list) => list.length >= LIST_MAX),
  });
}
