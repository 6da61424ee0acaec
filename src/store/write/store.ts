/**
 * The only writer.
 *
 * `transact` runs a synchronous piece of work on the newest content and turns what it changed into exactly one commit
 * that touches exactly those paths. Transactions that wait are committed together, each still its own commit. A
 * person's edit is never overwritten: a changed file is loaded first, and committed first, in that person's name.
 */
import { setImmediate } from "node:timers/promises";
import { CmsError, notFound } from "../../errors.ts";
import type { Env } from "../../env.ts";
import type { Locales } from "../../model/locale.ts";
import { PAGE_FIELDS, type Id } from "../../model/page.ts";
import { showProblem, type Problem } from "../../model/problem.ts";
import { PROGRAM } from "../../version.ts";
import { adoption } from "./manual-edits.ts";
import { INLINE_CODEC, type FileCodec } from "../codec/file-codec.ts";
import { openContentCache } from "../cache/content-cache.ts";
import { openHistory, type History } from "../history/history.ts";
import { openPace } from "../git/time-slices.ts";
import { CONTENT, type AnyKind, type Base } from "../content/record-type.ts";
import {
  advance,
  factsKey,
  load,
  lookAt,
  placeOf,
  type Examine,
  type Loaded,
  type Loader,
  type Look,
} from "../content/load.ts";
import { nameOf, plan, type Plan } from "./plan.ts";
import {
  isPrepared,
  type CommitPlan,
  type Content,
  type Oid,
  type Path,
  type Repo,
  type Signature,
  type WorkingFile,
} from "../repo.ts";
import { readTogether, type Sharing } from "../cache/shared-reads.ts";
import type { Entry, Snapshot } from "../content/snapshot.ts";
import { openTransaction, type Sync, type Tx } from "./transaction.ts";

/** Whose name a commit bears, and which version of a record its author had in mind, where that matters. */
export interface Author extends Signature {
  readonly expects?: { readonly kind: AnyKind; readonly id: Id; readonly versions: readonly string[] };
}

/** What a transaction came to. */
export interface Written<R> {
  /** What its work returned. */
  readonly value: R;
  /**
   * The content as this transaction left it; where it changed nothing, the content it ran on. Transactions that were
   * committed in one batch each have their own, so an answer made from it never shows what another one wrote after
   * (decisions.md 60).
   */
  readonly snapshot: Snapshot;
}

export interface Store {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  /** Reads content files, large ones without holding the event loop. */
  readonly codec: FileCodec;
  /** Whether every write is refused, as it was opened. */
  readonly isReadOnly: boolean;
  /** The newest content. */
  readonly current: Snapshot;
  /**
   * Runs the work and commits what it changed; resolves when that is durable. No difference, no commit.
   *
   * The work may run more than once, on newer content each time, so it must do nothing but read and change `tx`.
   *
   * @throws whatever the work throws, and then nothing happened
   * @throws CmsError `unavailable` when nothing can be written just now; `conflict` when a file in the way is broken;
   *   `stale` when the author expects a version that is no longer the newest
   */
  transact<R>(by: Author, work: (tx: Tx) => Sync<R>): Promise<Written<R>>;
  /**
   * Loads what changed on disk, if anything did.
   *
   * @param judge called as the look at the tree begins; what it returns sees what was found before any of it is loaded,
   *   and leaves everything as it is by saying false
   */
  refresh(judge?: () => (found: Found) => boolean | Promise<boolean>): Promise<"same" | "other" | "unsettled">;
  /** See `Repo.maintain`; nothing when the service only reads. */
  tend(): Promise<void>;
  /** Called after each change of `current`. Returns the way to stop. */
  onChange(listener: (snapshot: Snapshot) => void): () => void;
  /** Writes what the next start will be quicker with, if nobody has yet. */
  leave(): Promise<void>;
  /** Waits for the write in hand, refuses further ones. */
  close(): Promise<void>;
}

/** What a look at the tree found, against what is served. */
export interface Found extends Look {
  readonly served: ReadonlyMap<Path, WorkingFile>;
}

export interface StoreOptions {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
  readonly env: Env;
  readonly readOnly?: boolean;
  /** Where parsed files are remembered between starts; null for nowhere. */
  readonly cacheDir?: string | null;
  /** Whether the cache is written for the next start; of several processes that open one site at once, one writes it. */
  readonly keepsCache?: boolean;
  /** Whether it is written only by `leave` or at the end, beside other work. */
  readonly leavesLater?: boolean;
  /** Others that open the same content at the same time. */
  readonly sharing?: Sharing;
  /** Tells which of several files that claim one id or address was there first; without it, one is kept in memory. */
  readonly history?: History;
  /** Closed with the store; without it, large files hold the event loop while they are read and written. */
  readonly codec?: FileCodec;
  /** What is to be known of files that are no text; without it, nothing but their size. */
  readonly examine?: Examine;
}

/** How often a batch is planned again because something moved under it, before it is given up as busy. */
const ATTEMPTS = 20;

interface Job {
  readonly by: Author;
  readonly work: (tx: Tx) => unknown;
  settle(outcome: Written<unknown> | { readonly error: unknown }): void;
}

/** Loads the content and stands ready. Problems in the tree do not stop it; they are logged. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { repo, kinds, locales, env, codec = INLINE_CODEC } = options;
  const cache = await openContentCache(
    options.cacheDir ?? null,
    JSON.stringify([PROGRAM.version, PAGE_FIELDS, locales]),
    options.keepsCache,
  );
  // Until the content is there, none is kept waiting.
  const starting: Loader = {
    repo,
    kinds,
    locales,
    cache,
    codec: INLINE_CODEC,
    examine: options.examine ?? (async () => ({})),
    log: env.log,
    history: options.history ?? openHistory(repo, [CONTENT], null),
  };
  const loader: Loader = { ...starting, codec };
  const listeners = new Set<(snapshot: Snapshot) => void>();
  const look = await lookAt(starting);
  if (options.sharing) await readTogether(starting, look, options.sharing);
  let loaded = await load(starting, null, look);
  let left: Promise<void> | undefined;
  const leave = (): Promise<void> =>
    (left ??= cache.flush(() => [...loaded.files.values()].flatMap(({ oid }) => [oid, factsKey(oid)])));
  if (!options.leavesLater) await leave();
  reportNew(env, [], loaded.snapshot.problems);
  const waiting: Job[] = [];
  let closed = false;
  // One chain of work: batches and refreshes never overlap.
  let tail: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = tail.then(work);
    tail = turn.catch(() => undefined); // the caller has the error; the chain goes on
    return turn;
  };

  const swap = (next: Loaded): boolean => {
    const before = loaded.snapshot;
    const { owners } = next.snapshot;
    const same =
      owners === before.owners && [...next.snapshot.tables()].every(([kind, table]) => before.table(kind) === table);
    loaded = next;
    reportNew(env, before.problems, next.snapshot.problems);
    if (!same || before.commit !== next.snapshot.commit)
      for (const listener of listeners) tell(listener, next.snapshot);
    return !same;
  };
  /** A listener that fails must not make a commit that was made look as if it were not. */
  const tell = (listener: (snapshot: Snapshot) => void, snapshot: Snapshot): void => {
    try {
      listener(snapshot);
    } catch (error) {
      env.log.error("A listener for new content failed", error);
    }
  };
  const reload = async (): Promise<boolean> => swap(await load(loader, loaded, await lookAt(loader)));

  const drain = async (): Promise<void> => {
    const jobs = waiting.splice(0);
    if (jobs.length > 0) await runTogether(jobs);
  };

  const runTogether = async (jobs: readonly Job[]): Promise<void> => {
    try {
      await runBatch(jobs);
    } catch (error) {
      const isOfAll = jobs.length === 1 || (error instanceof CmsError && error.code === "unavailable");
      if (isOfAll) for (const job of jobs) job.settle({ error });
      // One of them is refused by the repository; nothing was written, so its neighbours go without it.
      else for (const job of jobs) await runTogether([job]);
    }
  };

  const runBatch = async (jobs: readonly Job[]): Promise<void> => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await repo.recover();
      const state = await repo.state();
      if (state.blocked) throw new CmsError("unavailable", state.blocked, { retryAfter: 5 });
      if (state.head !== loaded.snapshot.commit) await reload();
      const batch = await prepare(jobs, state.head);
      if (!batch) {
        await reload();
        continue;
      }
      if (batch.commits.length > 0) {
        const result = await repo.commit({
          base: state.head,
          commits: batch.commits,
          expect: batch.expect,
          manualEdits: batch.manualEdits,
        });
        if (!result.made) {
          await reload();
          continue;
        }
        swap(await advance(loader, loaded, result.commits.at(-1)!, batch.entries, await filesAfter(batch)));
      }
      for (const outcome of batch.outcomes) {
        await setImmediate();
        outcome();
      }
      return;
    }
    throw new CmsError(
      "unavailable",
      "The repository changed again and again while this was being written. Try again.",
      { retryAfter: 1 },
    );
  };

  interface PreparedBatch {
    readonly commits: readonly CommitPlan[];
    readonly expect: ReadonlyMap<Path, Oid | null>;
    readonly manualEdits: ReadonlySet<Path>;
    readonly entries: ReadonlyMap<AnyKind, ReadonlyMap<Base, Entry | null>>;
    readonly final: ReadonlyMap<Path, Content | null>;
    readonly outcomes: readonly (() => void)[];
  }

  /** @returns undefined when a file is not what was loaded: then it must be loaded first */
  const prepare = async (jobs: readonly Job[], head: Oid | null): Promise<PreparedBatch | undefined> => {
    const onDisk = new Map<Path, Oid | null>();
    const overlay = new Map<Path, Content | null>();
    const entries = new Map<AnyKind, Map<Base, Entry | null>>();
    const commits: CommitPlan[] = [];
    const outcomes: (() => void)[] = [];
    const pace = openPace();
    let lowerPaths: Set<string> | undefined;
    const taken = (path: Path): boolean => {
      lowerPaths ??= new Set([...loaded.files.keys(), ...overlay.keys()].map((known) => known.toLowerCase()));
      return lowerPaths.has(path.toLowerCase());
    };
    let step = loaded;
    /** What the last one left is what is served from now on, with all that hangs on it already. */
    const settling = (job: Job, value: unknown, left: Loaded) => (): void =>
      job.settle({ value, snapshot: left === step ? loaded.snapshot : left.snapshot });
    const diskRead = async (path: Path) => {
      const file = await repo.read(path);
      onDisk.set(path, file?.oid ?? null);
      return file;
    };
    // Of what is only replaced or removed, the id is enough: it may be large, and many.
    const diskLook = async (path: Path): Promise<Oid | null> => {
      if (!onDisk.has(path)) onDisk.set(path, await repo.oid(path));
      return onDisk.get(path) ?? null;
    };
    const groundRead = async (path: Path): Promise<Uint8Array | undefined> => {
      const planned = overlay.get(path);
      if (planned === undefined) return (await diskRead(path))?.bytes;
      return planned && !isPrepared(planned) ? planned : undefined;
    };
    const groundHas = async (path: Path, oid: Oid): Promise<boolean> => {
      const planned = overlay.get(path);
      if (planned !== undefined) return planned !== null && nameOf(planned).oid === oid;
      return (await diskLook(path)) === oid && (await repo.committed(head, [path])).get(path) === oid;
    };
    const hasMoved = (): boolean =>
      [...onDisk].some(([path, oid]) => {
        const known = loaded.files.get(path);
        return placeOf(kinds, path) !== undefined && !known?.unreadable && oid !== (known?.oid ?? null);
      });
    for (const job of jobs) {
      const now = env.now();
      try {
        refuseStale(step.snapshot, job.by);
        const { tx, deferred, touched } = openTransaction(step.snapshot, env, now);
        const value = job.work(tx);
        for (const piece of deferred) {
          await pace();
          piece();
        }
        // Work on large values, the files of it and the answer to it are a turn of the event loop each.
        await setImmediate();
        const made: Plan = await plan(
          step.snapshot,
          touched(),
          { read: groundRead, has: groundHas, stored: (path, content) => repo.stored(path, content), codec },
          (base) => [".yaml", ".yml", ".md"].some((part) => taken(base + part)),
          locales,
          kinds,
        );
        for (const path of made.changes.keys()) {
          await pace();
          await diskLook(path);
        }
        if (hasMoved()) return undefined;
        refuseBroken(loaded, kinds, made.changes.keys());
        if (made.changes.size === 0) {
          outcomes.push(settling(job, value, step));
          continue;
        }
        commits.push({
          author: { name: job.by.name, email: job.by.email },
          at: now,
          message: touched().message,
          changes: made.changes,
        });
        for (const [path, bytes] of made.changes) {
          overlay.set(path, bytes);
          lowerPaths?.add(path.toLowerCase());
        }
        for (const [kind, byBase] of made.entries) {
          const merged = entries.get(kind) ?? new Map<Base, Entry | null>();
          for (const [base, entry] of byBase) merged.set(base, entry);
          entries.set(kind, merged);
        }
        step = await advance(loader, step, step.snapshot.commit ?? "", made.entries, new Map());
        outcomes.push(settling(job, value, step));
      } catch (error) {
        if (hasMoved()) return undefined; // what it failed on may be gone
        outcomes.push(() => job.settle({ error }));
      }
    }
    // A file that is to be what it is already needs no commit of its own first.
    const written: Path[] = [];
    for (const [path, content] of overlay) {
      await pace();
      if (!content || nameOf(content).oid !== (await diskLook(path))) written.push(path);
    }
    const adopted = await adoption(loader, loaded, head, written, env.now(), { look: diskLook, read: diskRead });
    if (hasMoved()) return undefined;
    const paths = new Set([...overlay.keys(), ...(adopted?.changes.keys() ?? [])]);
    const expect = new Map([...paths].map((path) => [path, onDisk.get(path) ?? null]));
    return {
      commits: adopted ? [adopted, ...commits] : commits,
      expect,
      manualEdits: new Set(adopted?.changes.keys()),
      entries,
      final: overlay,
      outcomes,
    };
  };

  const filesAfter = async ({ final }: PreparedBatch): Promise<Map<Path, WorkingFile | null>> =>
    new Map(
      [...final]
        .filter(([path]) => placeOf(kinds, path) !== undefined)
        .map(([path, content]) => [path, content && { ...nameOf(content), mtimeMs: Date.parse(env.now()) }]),
    );

  return {
    repo,
    kinds,
    codec,
    isReadOnly: options.readOnly === true,
    get current() {
      return loaded.snapshot;
    },
    transact<R>(by: Author, work: (tx: Tx) => Sync<R>): Promise<Written<R>> {
      if (options.readOnly)
        return Promise.reject(new CmsError("unavailable", "The service runs read-only: nothing can be written."));
      if (closed) return Promise.reject(new CmsError("unavailable", "The service is stopping.", { retryAfter: 5 }));
      return new Promise<Written<R>>((resolve, reject) => {
        waiting.push({
          by,
          work,
          settle: (outcome) => ("error" in outcome ? reject(outcome.error) : resolve(outcome as Written<R>)),
        });
        void inTurn(drain);
      });
    },
    refresh: (judge) =>
      inTurn(async () => {
        await repo.recover();
        const isSettled = judge?.() ?? (() => true);
        const look = await lookAt(loader);
        if (!(await isSettled({ ...look, served: loaded.files }))) return "unsettled";
        return swap(await load(loader, loaded, look)) ? "other" : "same";
      }),
    async tend() {
      if (!options.readOnly && !closed) await repo.maintain();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    leave,
    async close() {
      closed = true;
      await tail;
      try {
        await leave();
      } finally {
        await codec.close();
        await repo.close();
      }
    },
  };
}

/** A file that does not load must not be written over: it may be somebody's half-finished edit. */
function refuseBroken(loaded: Loaded, kinds: readonly AnyKind[], paths: Iterable<Path>): void {
  for (const path of paths) {
    const unreadable = loaded.files.get(path)?.unreadable;
    if (unreadable) throw new CmsError("conflict", `${path} is in the way. ${unreadable}`);
    const place = placeOf(kinds, path);
    const problem = place && loaded.failures.get(place.kind)?.get(place.base);
    if (problem)
      throw new CmsError(
        "conflict",
        `A file in the way does not load; mend it, then write again. ${showProblem(problem)}`,
      );
  }
}

function refuseStale(snapshot: Snapshot, { expects }: Author): void {
  if (!expects) return;
  const current = snapshot.version(expects.kind, expects.id);
  if (current === "") throw notFound(expects.kind.name);
  if (!expects.versions.includes(current)) {
    throw new CmsError(
      "stale",
      "This was changed meanwhile. Read it again, then repeat the change on the newest version.",
      { fields: { current } },
    );
  }
}

function reportNew(env: Env, before: readonly Problem[], now: readonly Problem[]): void {
  const known = new Set(before.map(showProblem));
  const current = new Set(now.map(showProblem));
  for (const text of current) if (!known.has(text)) env.log.warn(text);
  for (const text of known) if (!current.has(text)) env.log.info(`mended: ${text}`);
}
