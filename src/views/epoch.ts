/**
 * When what any page may show last moved: the manifest's `epoch` (decisions.md 39 and 51).
 *
 * It is a function of the history and the clock, so that all clones agree. What menus, blocks without a page, types and
 * instances answer moves in two ways: by a commit, compared with its first parent, and at a moment at which a page
 * they lead to goes public. The epoch is the second of the newest such event, its microseconds the number of events in
 * that second. A commit's second is the latest on its line of first parents, so that a clock which is behind takes
 * nothing back.
 */
import type { Config } from "../config.ts";
import { instantOf, msOf, type Instant } from "../model/instant.ts";
import type { Locales } from "../model/locale.ts";
import type { History } from "../store/history.ts";
import { lineOf, openChanges, type Changes, type Link } from "../store/first-parents.ts";
import { openPast, type Past } from "../store/past.ts";
import { PAGE_KINDS } from "../store/page-kinds.ts";
import type { Oid, Path } from "../store/repo.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { Store } from "../store/store.ts";
import { ANSWERING, answersOf, concerns, type Answers, type Depends } from "./answers.ts";

export interface EpochGround {
  readonly store: Pick<Store, "repo" | "kinds" | "codec">;
  readonly history: History;
  readonly config: Config;
  readonly locales: Locales;
}

/** The events of one second. */
type Events = {
  /** Seconds since 1970. */
  readonly second: number;
  readonly commits: number;
  readonly moments: readonly Instant[];
};

/** What the history alone tells, up to the second of a commit. */
type Ledger = {
  readonly head: Oid | null;
  readonly second: number;
  /** The newest events; null before the first. */
  readonly events: Events | null;
  /** Of the commit's answers. */
  readonly depends: Depends;
};

const NOTHING: Depends = { dirs: ANSWERING.map(({ dir }) => dir), bases: [], isLacking: false, moments: [] };

interface Known {
  readonly from: Instant;
  readonly until: Instant | undefined;
  readonly epoch: string | null;
}

const KNOWN = new WeakMap<Snapshot, Known>();

/**
 * null before anything that can move it is first saved.
 *
 * @returns a moment in UTC with six digits of its second. Edits that are not committed count with their file's time,
 *   and with microseconds that no commit has
 */
export async function renderEpoch(ground: EpochGround, content: Snapshot, now: Instant): Promise<string | null> {
  const known = KNOWN.get(content);
  if (known && known.from <= now && (known.until === undefined || now < known.until)) return known.epoch;
  const walk = openWalk(ground, content);
  const ledger = await ledgerOf(ground, content, walk);
  const events = await eventsUntil(walk, ledger, now);
  const dirty = await editedFiles(ground, content, ledger.depends);
  let epoch = events && showEpoch(events.second, events.commits + events.moments.length);
  let { moments } = ledger.depends;
  if (dirty.length > 0) {
    const here = await walk.answers(content, now);
    moments = [...moments, ...here.depends.moments].sort();
    if (here.digest !== (await walk.answers(await walk.at(content.commit), now)).digest)
      epoch = await editedEpoch(ground, dirty, events, here.digest);
  }
  KNOWN.set(content, { from: now, until: moments.find((moment) => moment > now), epoch });
  return epoch;
}

const showEpoch = (second: number, microseconds: number): string =>
  instantOf(second * 1000).replace(".000Z", `.${String(microseconds).padStart(6, "0")}Z`);

/** Above what the events of one second come to. */
const EDITED = 1000;

async function editedEpoch(
  { store }: EpochGround,
  paths: readonly Path[],
  events: Events | null,
  digest: string,
): Promise<string> {
  const files = await store.repo.files(paths);
  const seconds = Array.from(files.values(), ({ mtimeMs }) => Math.floor(mtimeMs / 1000));
  return showEpoch(
    Math.max(events?.second ?? 0, ...seconds),
    EDITED + (Number.parseInt(digest.slice(0, 8), 16) % (1_000_000 - EDITED)),
  );
}

/** Answers of commits and of the content at hand, each worked out once. */
interface Walk {
  at(commit: Oid | null): Promise<Snapshot>;
  answers(content: Snapshot, now: Instant): Promise<Answers>;
}

function openWalk({ store: { repo, kinds, codec }, history, config, locales }: EpochGround, near: Snapshot): Walk {
  let past: Promise<Past> | undefined;
  let latest: { readonly commit: Oid | null; readonly content: Promise<Snapshot> } | undefined;
  const known = new WeakMap<Snapshot, Map<Instant, Promise<Answers>>>();
  return {
    async at(commit) {
      past ??= openPast({ repo, kinds, locales, history, codec }, near);
      if (latest?.commit !== commit) latest = { commit, content: past.then((opened) => opened.at(commit)) };
      return latest.content;
    },
    answers(content, now) {
      const moments = known.get(content) ?? new Map<Instant, Promise<Answers>>();
      known.set(content, moments);
      const answers =
        moments.get(now) ??
        answersOf({ config, locales, lang: locales.default, now, surface: "public", origin: "" }, content);
      moments.set(now, answers);
      return answers;
    },
  };
}

/** The moments in a span at which content answers otherwise than just before, newest first. */
async function* movingMoments(
  walk: Walk,
  content: Snapshot,
  { moments }: Depends,
  afterMs: number,
  untilMs: number,
): AsyncGenerator<Instant> {
  for (const moment of [...moments].reverse()) {
    const ms = msOf(moment);
    if (ms <= afterMs || ms > untilMs) continue;
    if ((await walk.answers(content, moment)).digest !== (await walk.answers(content, instantOf(ms - 1))).digest)
      yield moment;
  }
}

const secondOf = (moment: Instant): number => Math.floor(msOf(moment) / 1000);

async function eventsUntil(
  walk: Walk,
  { head, second, events, depends }: Ledger,
  now: Instant,
): Promise<Events | null> {
  if (!depends.moments.some((moment) => msOf(moment) > second * 1000 && moment <= now)) return events;
  return gather(movingMoments(walk, await walk.at(head), depends, second * 1000, msOf(now)), events);
}

/** The newest second's events among those there are and moments that came later, newest first. */
async function gather(later: AsyncIterable<Instant>, events: Events | null): Promise<Events | null> {
  const moments: Instant[] = [];
  for await (const moment of later) {
    if (moments.length > 0 && secondOf(moment) < secondOf(moments[0]!)) break;
    moments.push(moment);
  }
  return moments.length === 0 ? events : newest({ second: secondOf(moments[0]!), commits: 0, moments }, events);
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

async function ledgerOf(ground: EpochGround, content: Snapshot, walk: Walk): Promise<Ledger> {
  // We wrote it ourselves, and it is used by the version of the program that wrote it alone.
  const known = (await ground.history.derived("epoch", (last) =>
    advance(ground, content, walk, last as Ledger | undefined),
  )) as Ledger;
  // The branch may have moved on from this content.
  return known.head === content.commit ? known : advance(ground, content, walk, known);
}

async function advance(ground: EpochGround, content: Snapshot, walk: Walk, last: Ledger | undefined): Promise<Ledger> {
  const head = content.commit;
  if (head === null) return { head, second: 0, events: null, depends: NOTHING };
  if (last?.head === head) return last;
  const line = await lineOf(ground.store.repo, head, last);
  if (!line) return advance(ground, content, walk, undefined);
  const changes = openChanges(ground.store, head, last?.head ?? null);
  try {
    const [newestLink] = line;
    const { second } = newestLink!;
    if (last && !(await mayHaveMoved(line, changes, last, second))) return { ...last, head, second };
    return { head, second, ...(await walkBack(walk, line, changes, last)) };
  } finally {
    await changes.close();
  }
}

async function mayHaveMoved(
  line: readonly Link[],
  changes: Changes,
  { depends, second }: Ledger,
  until: number,
): Promise<boolean> {
  if (depends.moments.some((moment) => msOf(moment) > second * 1000 && msOf(moment) <= until * 1000)) return true;
  for (const { id } of line) if (concerns(depends, await changes.of(id))) return true;
  return false;
}

/** Goes back from HEAD until the newest second with an event is behind, or an earlier ledger tells the rest. */
async function walkBack(
  walk: Walk,
  line: readonly Link[],
  changes: Changes,
  last: Ledger | undefined,
): Promise<Pick<Ledger, "events" | "depends">> {
  let content = await walk.at(line[0]!.id);
  let answers = await walk.answers(content, instantOf(line[0]!.second * 1000));
  const { depends } = answers;
  let events: Events | null = null;
  let until = line[0]!.second;
  for (const { id, parent, second } of line) {
    events = newest(
      await gather(movingMoments(walk, content, answers.depends, second * 1000, until * 1000), null),
      events,
    );
    if (events && second < events.second) return { events, depends };
    until = second;
    if (!concerns(answers.depends, await changes.of(id))) continue;
    const before = await walk.at(parent);
    const then = await walk.answers(before, instantOf(second * 1000));
    const sameSecond = [...answers.depends.moments, ...then.depends.moments].filter(
      (moment) => secondOf(moment) === second,
    );
    let isMoved = false;
    for (const moment of [instantOf(second * 1000), ...sameSecond])
      isMoved ||= (await walk.answers(content, moment)).digest !== (await walk.answers(before, moment)).digest;
    if (isMoved) events = newest({ second, commits: 1, moments: [] }, events);
    [content, answers] = [before, then];
  }
  if (!last) return { events, depends };
  events = newest(
    await gather(movingMoments(walk, content, answers.depends, last.second * 1000, until * 1000), null),
    events,
  );
  return { events: newest(events, last.events), depends };
}

/** Of the files that answers depend on, those that are not as the commit has them. */
async function editedFiles(
  { store: { repo, kinds } }: EpochGround,
  content: Snapshot,
  { dirs, bases }: Depends,
): Promise<Path[]> {
  const isConcerned = (path: Path): boolean => dirs.some((dir) => path === dir || path.startsWith(`${dir}/`));
  const here = new Map<Path, Oid>();
  for (const kind of kinds) {
    if (!isConcerned(kind.dir) && !dirs.some((dir) => dir.startsWith(`${kind.dir}/`))) continue;
    for (const { base, files } of content.table(kind).byBase.values())
      for (const [part, oid] of files) here.set(base + part, oid);
  }
  for (const kind of PAGE_KINDS) {
    for (const base of bases)
      for (const [part, oid] of content.table(kind).byBase.get(base)?.files ?? []) here.set(base + part, oid);
  }
  const committed =
    content.commit === null || dirs.length === 0 ? new Map<Path, Oid>() : await repo.tree(content.commit, dirs);
  const edited = new Set(
    [...committed.keys()].filter((path) => !here.has(path) && kinds.some((kind) => !kind.opaque && kind.split(path))),
  );
  const stored = await repo.committed(content.commit, [...here.keys()]);
  for (const [path, oid] of here) if (stored.get(path) !== oid) edited.add(path);
  for (const base of bases)
    if (!PAGE_KINDS.some((kind) => content.table(kind).byBase.has(base))) edited.add(`${base}.yaml`);
  // A file that git filters has other bytes in the working tree than in the commit, edited or not.
  const files = edited.size === 0 ? new Map() : await repo.files([...edited]);
  return [...edited].filter((path) => stored.get(path) === undefined || files.get(path)?.stored !== stored.get(path));
}
