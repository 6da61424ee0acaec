/**
 * The manifest's `epoch`: when the shared payloads (`epoch-payloads.ts`) last changed.
 *
 * It is a function of the history and the clock, so that all clones agree. Shared payloads change by a commit, compared
 * with its first parent, and at the moment at which a page they refer to becomes public. The epoch is the second of the
 * newest such event; its microseconds are the number of events in that second. The second of a commit is the maximum on
 * its line of first parents, so that a slow clock cannot move the epoch back.
 */
import { derived, keptBy } from "../../memo.ts";
import type { Config } from "../../config.ts";
import { instantOf, msOf, type Instant } from "../../model/time/instant.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { History } from "../../store/history/history.ts";
import {
  firstParentLine,
  openCommitChanges,
  type CommitChanges,
  type Line,
} from "../../store/revisions/first-parents.ts";
import type { Loaded } from "../../store/content/advance.ts";
import type { Oid, Path } from "../../store/repo.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { Store } from "../../store/write/store.ts";
import { ContentMemo } from "../content-memo.ts";
import { editedFiles, isEdited } from "./edited-files.ts";
import {
  SHARED_KINDS,
  sharedPayloadsOf,
  mayAffect,
  type SharedPayloads,
  type SharedDependencies,
} from "./epoch-payloads.ts";

export interface EpochContext {
  readonly store: Pick<Store, "repo" | "kinds" | "loaded" | "contentAt">;
  readonly history: History;
  readonly config: Config;
  readonly locales: Locales;
}

/** The events of one second. */
type Events = {
  /** Seconds since 1970. */
  readonly second: number;
  /** The events that count for its commits (`eventsOfCommit`). */
  readonly commits: number;
  /** Those of the newest content at which its payloads change. */
  readonly moments: readonly Instant[];
};

/** The events up to the second of a commit, derived from the history alone. */
type CommitEpoch = {
  readonly head: Oid | null;
  readonly second: number;
  /** The newest events; null before the first. */
  readonly events: Events | null;
  /** The dependencies of the shared payloads of that commit. */
  readonly dependencies: SharedDependencies;
};

const NO_COMMITS: SharedDependencies = {
  dirs: SHARED_KINDS.map(({ dir }) => dir),
  bases: [],
  hasMissingPage: false,
  moments: [],
};

const EPOCHS = new ContentMemo<{ readonly epoch: string | null; readonly until: Instant | undefined }>();

/**
 * The epoch; null before the first record with a shared payload is saved.
 *
 * @returns a moment in UTC with six digits of its second. Edits that are not committed count with their file's time,
 *   and with microseconds that no commit has
 */
export async function renderEpoch(ctx: EpochContext, content: Snapshot, now: Instant): Promise<string | null> {
  const made = await EPOCHS.get(
    { content, now },
    "",
    () => computeEpoch(ctx, content, now),
    ({ until }) => until,
  );
  return made.epoch;
}

async function computeEpoch(ctx: EpochContext, content: Snapshot, now: Instant) {
  const walk = openWalk(ctx, content);
  const commitEpoch = await commitEpochOf(ctx, content, walk);
  const events = await eventsUntil(walk, commitEpoch, now);
  const edited = await editedFiles(ctx.store, content, commitEpoch.dependencies);
  let epoch = events && showEpoch(events.second, events.commits + events.moments.length);
  let { moments } = commitEpoch.dependencies;
  if (edited.length > 0) {
    const here = await walk.sharedPayloads(content, now);
    moments = [...moments, ...here.dependencies.moments].sort();
    const committed = await walk.at(content.commit, now);
    if (here.digest !== (await walk.sharedPayloads(committed.snapshot, now)).digest)
      epoch = await editedEpoch(ctx, edited, events, here.digest);
  }
  return { epoch, until: moments.find((moment) => moment > now) };
}

const showEpoch = (second: number, microseconds: number): string =>
  instantOf(second * 1000).replace(".000Z", `.${String(microseconds).padStart(6, "0")}Z`);

/** Microseconds of uncommitted edits start here, above any number of events in one second. */
const EDITED_OFFSET = 1000;

async function editedEpoch(
  { store }: EpochContext,
  paths: readonly Path[],
  events: Events | null,
  digest: string,
): Promise<string> {
  const files = await store.repo.files(paths);
  const seconds = Array.from(files.values(), ({ mtimeMs }) => Math.floor(mtimeMs / 1000));
  return showEpoch(
    Math.max(events?.second ?? 0, ...seconds),
    EDITED_OFFSET + (Number.parseInt(digest.slice(0, 8), 16) % (1_000_000 - EDITED_OFFSET)),
  );
}

/** Content and shared payloads of commits and of the current content, each computed once. */
interface Walk {
  /**
   * The content at a commit, or content with the same shared payloads.
   *
   * @param moment at which its payloads are computed next
   */
  at(commit: Oid | null, moment: Instant): Promise<Loaded>;
  readonly near: Store["contentAt"];
  sharedPayloads(content: Snapshot, now: Instant): Promise<SharedPayloads>;
}

function openWalk(ctx: EpochContext, near: Snapshot): Walk {
  const { store, config, locales } = ctx;
  const { loaded } = store;
  let latest: { readonly commit: Oid | null; readonly content: Promise<Loaded> } | undefined;
  const known = derived((_content: Snapshot) => new Map<Instant, Promise<SharedPayloads>>());
  const find = async (commit: Oid | null, moment: Instant): Promise<Loaded> => {
    if (commit === null || commit !== near.commit || near !== loaded.snapshot) return store.contentAt(commit);
    const { dependencies } = await walk.sharedPayloads(near, moment);
    return (await isEdited(store, near, dependencies)) ? store.contentAt(commit) : loaded;
  };
  const walk: Walk = {
    near: store.contentAt,
    at(commit, moment) {
      if (latest?.commit !== commit) latest = { commit, content: find(commit, moment) };
      return latest.content;
    },
    sharedPayloads: (content, now) =>
      keptBy(known(content), now, () =>
        sharedPayloadsOf({ config, locales, lang: locales.default, now, surface: "public", origin: "" }, content),
      ),
  };
  return walk;
}

/** The moments in a span at which the shared payloads change, newest first. */
async function* movingMoments(
  walk: Walk,
  content: Snapshot,
  { moments }: SharedDependencies,
  afterMs: number,
  untilMs: number,
): AsyncGenerator<Instant> {
  for (const moment of [...moments].reverse()) {
    const ms = msOf(moment);
    if (ms <= afterMs || ms > untilMs) continue;
    if (
      (await walk.sharedPayloads(content, moment)).digest !==
      (await walk.sharedPayloads(content, instantOf(ms - 1))).digest
    )
      yield moment;
  }
}

const secondOf = (moment: Instant): number => Math.floor(msOf(moment) / 1000);

async function eventsUntil(
  walk: Walk,
  { head, second, events, dependencies }: CommitEpoch,
  now: Instant,
): Promise<Events | null> {
  if (!dependencies.moments.some((moment) => msOf(moment) > second * 1000 && moment <= now)) return events;
  const { snapshot } = await walk.at(head, now);
  return gather(movingMoments(walk, snapshot, dependencies, second * 1000, msOf(now)), events);
}

/** The events of the newest second, among known events and later moments. @param later newest first */
async function gather(later: AsyncIterable<Instant>, events: Events | null): Promise<Events | null> {
  const moments: Instant[] = [];
  for await (const moment of later) {
    if (moments[0] !== undefined && secondOf(moment) < secondOf(moments[0])) break;
    moments.push(moment);
  }
  const [first] = moments;
  return first === undefined ? events : newest({ second: secondOf(first), commits: 0, moments }, events);
}

function newest(a: Events | null, b: Events | null): Events | null {
  if (!a || !b) return a ?? b;
  if (a.second !== b.second) return a.second > b.second ? a : b;
  return {
    second: a.second,
    commits: a.commits + b.commits,
    moments: [...new Set([...a.moments, ...b.moments])].sort(),
  };
}

async function commitEpochOf(ctx: EpochContext, content: Snapshot, walk: Walk): Promise<CommitEpoch> {
  // The cast is safe: the value was written by this program, in this version.
  const known = (await ctx.history.derived("render-epoch", (last) =>
    advance(ctx, content, walk, last as CommitEpoch | undefined),
  )) as CommitEpoch;
  // HEAD may have moved since this content was loaded.
  return known.head === content.commit ? known : advance(ctx, content, walk, known);
}

async function advance(
  ctx: EpochContext,
  content: Snapshot,
  walk: Walk,
  last: CommitEpoch | undefined,
): Promise<CommitEpoch> {
  const head = content.commit;
  if (head === null) return { head, second: 0, events: null, dependencies: NO_COMMITS };
  if (last?.head === head) return last;
  const line = await firstParentLine(ctx.store.repo, head, last);
  if (!line) return advance(ctx, content, walk, undefined);
  const changes = openCommitChanges(ctx.store, head, last?.head ?? null);
  try {
    const [{ second }] = line;
    if (last && !(await mayHaveMoved(line, changes, last, second))) return { ...last, head, second };
    return { head, second, ...(await walkBack(walk, line, changes, last)) };
  } finally {
    await changes.close();
  }
}

async function mayHaveMoved(
  line: Line,
  changes: CommitChanges,
  { dependencies, second }: CommitEpoch,
  until: number,
): Promise<boolean> {
  if (dependencies.moments.some((moment) => msOf(moment) > second * 1000 && msOf(moment) <= until * 1000)) return true;
  for (const { id } of line) if (mayAffect(dependencies, await changes.of(id))) return true;
  return false;
}

/** Walks back from HEAD past the newest second with an event, or to the commit of an earlier result. */
async function walkBack(
  walk: Walk,
  line: Line,
  changes: CommitChanges,
  last: CommitEpoch | undefined,
): Promise<Pick<CommitEpoch, "events" | "dependencies">> {
  const newestMoment = instantOf(line[0].second * 1000);
  let content = await walk.at(line[0].id, newestMoment);
  let sharedPayloads = await walk.sharedPayloads(content.snapshot, newestMoment);
  const moving = (afterMs: number, untilMs: number): AsyncIterable<Instant> =>
    movingMoments(walk, content.snapshot, sharedPayloads.dependencies, afterMs, untilMs);
  /** Files of the commits passed since `content` that did not affect the payloads, with their blobs before them. */
  let blobs = new Map<Path, Oid | null>();
  const { dependencies } = sharedPayloads;
  let events: Events | null = null;
  let until = line[0].second;
  for (const { id, parent, second } of line) {
    events = newest(await gather(moving(second * 1000, until * 1000), null), events);
    if (events && second < events.second) return { events, dependencies };
    until = second;
    const changed = await changes.of(id);
    for (const [path, { before }] of changed) blobs.set(path, before);
    if (!mayAffect(sharedPayloads.dependencies, changed)) continue;
    const before = await walk.near(parent, { content, blobs });
    blobs = new Map();
    const then = await walk.sharedPayloads(before.snapshot, instantOf(second * 1000));
    const commits = await eventsOfCommit(walk, second, before.snapshot, content.snapshot);
    if (commits > 0) events = newest({ second, commits, moments: [] }, events);
    [content, sharedPayloads] = [before, then];
  }
  if (!last) return { events, dependencies };
  events = newest(await gather(moving(last.second * 1000, until * 1000), null), events);
  return { events: newest(events, last.events), dependencies };
}

/**
 * The number of events a commit counts for. The history does not tell when within its second it was made, and moments of
 * that second which the content before had are no longer counted once it is there. It counts for as few events as let
 * their number grow if it changed the payloads, and not shrink if it did not, whenever it was made.
 */
async function eventsOfCommit(walk: Walk, second: number, before: Snapshot, content: Snapshot): Promise<number> {
  const start = instantOf(second * 1000);
  const payloadsAt = (moment: Instant) =>
    Promise.all([walk.sharedPayloads(before, moment), walk.sharedPayloads(content, moment)]);
  const [then, now] = await payloadsAt(start);
  const moments = [...then.dependencies.moments, ...now.dependencies.moments].filter(
    (moment) => secondOf(moment) === second,
  );
  let last = [then.digest, now.digest] as const;
  let [events, uncounted] = [0, 0];
  for (const moment of [start, ...moments.sort()]) {
    const [was, is] = await payloadsAt(moment);
    uncounted += Number(was.digest !== last[0]) - Number(is.digest !== last[1]);
    events = Math.max(events, uncounted + Number(was.digest !== is.digest));
    last = [was.digest, is.digest];
  }
  return events;
}
