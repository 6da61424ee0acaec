/**
 * The only writer.
 *
 * `transact` runs a synchronous function on the newest content and turns what it changed into exactly one commit that
 * changes exactly those paths. Waiting transactions are written together, each as its own commit. A manual edit is
 * never overwritten: a changed file is first loaded and committed, in the name of the repository's user.
 */
import { setImmediate } from "node:timers/promises";
import { CmsError, unavailable } from "../../errors.ts";
import type { Env } from "../../env.ts";
import { PAGE_FIELDS } from "../../model/page/page.ts";
import { openQueue } from "../../queue.ts";
import { PROGRAM } from "../../version.ts";
import { openContentCache, type ContentCache } from "../cache/content-cache.ts";
import { readTogether } from "../content/shared-reads.ts";
import { INLINE_CODEC, type FileCodec } from "../codec/file-codec.ts";
import { loadPaths, lookAtPaths } from "../content/changed-paths.ts";
import { CONTENT, type AnyKind } from "../records/record-type.ts";
import { advance, type Loaded } from "../content/advance.ts";
import type { Loader } from "../content/load-group.ts";
import { imageOf, loadAtStart, readSummaries } from "../content/first-load.ts";
import { cacheKeys, load, lookAt, placeOf } from "../content/load.ts";
import type { Snapshot } from "../snapshot.ts";
import { contentAt, forkContent, type ForkOptions, type NearContent } from "../fork/fork.ts";
import { openHistory, type History } from "../history/history.ts";
import type { BatchResult, Merge, Oid, Path, Repo, WorkingFile } from "../repo.ts";
import { prepareWrites, type Author, type BatchJob, type Judge, type PreparedWrites } from "./batch.ts";
import { fileOf } from "../git/objects/file-content.ts";
import type { Sync, Tx } from "./transaction.ts";
import { logProblems } from "./log-problems.ts";
import type { Found, Store, StoreOptions, Written } from "./store-types.ts";
import { openWaitingJobs } from "./waiting-jobs.ts";
import { openWriteCounter, type WriteCounts } from "./write-counts.ts";

export type { Author, Judge, Transition } from "./batch.ts";
export type { Found, Store, StoreOptions, Written } from "./store-types.ts";

/** A batch is prepared beside git first, and then while git waits; a person may save its files all the same. */
const [ATTEMPTS_BESIDE_GIT, EXCLUSIVE_ATTEMPTS] = [3, 17];

interface WaitingJob extends BatchJob {
  readonly resolve: (written: Written<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/** Loads the content. Problems in the tree are logged and do not prevent it. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { repo, kinds, locales, env, codec = INLINE_CODEC } = options;
  const settings = JSON.stringify([PROGRAM.version, PAGE_FIELDS, locales]);
  const looking = lookAt({ repo, kinds });
  // On a large site a thread looks at the files, while the cache is opened here.
  await Promise.race([looking, setImmediate()]);
  const loader: Loader = {
    repo,
    kinds,
    locales,
    cache: openContentCache(options.cacheDir ?? null, settings, options.writesCache),
    codec,
    examine: options.examine ?? (async () => ({})),
    log: env.log,
    history: options.history ?? openHistory(repo, [CONTENT], null),
  };
  // No request waits for the start, so it parses large files without the thread.
  const starting: Loader = { ...loader, codec: INLINE_CODEC };
  try {
    const look = await looking;
    if (options.sharing) await readTogether(starting, look, options.sharing);
    const store = new ContentStore(
      loader,
      env,
      options.readOnly === true,
      await loadAtStart(starting, look),
      options.judge,
    );
    if (!options.defersCache) await store.flushCache();
    return store;
  } catch (error) {
    loader.cache.close();
    throw error;
  }
}

class ContentStore implements Store {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  readonly codec: FileCodec;
  readonly judge: Judge | undefined;
  readonly #env: Env;
  readonly #loader: Loader;
  readonly #cache: ContentCache;
  readonly #counter = openWriteCounter();
  readonly #listeners = new Set<(snapshot: Snapshot) => void>();
  #loaded: Loaded;
  readonly #waiting = openWaitingJobs<WaitingJob>();
  #isReadOnly: boolean;
  #isClosed = false;
  #flushed: Promise<void> | undefined;
  /** Batches and refreshes run one after the other, never at the same time. */
  readonly #enqueue = openQueue();

  constructor(loader: Loader, env: Env, isReadOnly: boolean, loaded: Loaded, judge?: Judge) {
    this.judge = judge;
    this.repo = loader.repo;
    this.kinds = loader.kinds;
    this.codec = loader.codec;
    this.#isReadOnly = isReadOnly;
    this.#env = env;
    this.#loader = loader;
    this.#cache = loader.cache;
    this.#loaded = loaded;
    logProblems(env, [], loaded.snapshot.problems);
    this.#cache.onDamage(() => void this.#parseAll());
  }

  get current(): Snapshot {
    return this.#loaded.snapshot;
  }

  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  get writeCounts(): WriteCounts {
    return this.#counter.counts;
  }

  /** Bound, since callers pass it on as a function. */
  readonly transact = <R>(by: Author, work: (tx: Tx) => Sync<R>): Promise<Written<R>> => {
    if (this.isReadOnly)
      return Promise.reject(new CmsError("unavailable", "The service runs read-only: nothing can be written."));
    if (this.#isClosed) return Promise.reject(unavailable("The service is stopping.", "restart"));
    const write = new Promise<Written<R>>((resolve, reject) => {
      this.#waiting.add({ by, work, reject, resolve: (written) => resolve(written as Written<R>) });
      void this.#enqueue(() => this.#runWaiting());
    });
    this.#counter.addWaiting(write);
    return write;
  };

  refresh(
    accept?: () => (found: Found) => boolean | Promise<boolean>,
    paths?: ReadonlySet<Path>,
  ): Promise<"same" | "other" | "unsettled"> {
    return this.#enqueue(async () => {
      await this.repo.recover();
      const isAccepted = accept?.();
      const part = paths && (await lookAtPaths(this.#loader, this.#loaded, paths));
      const look = part ?? (await lookAt(this.#loader));
      if (isAccepted && !(await isAccepted({ served: this.#loaded.files, ...look }))) return "unsettled";
      const next = part ? loadPaths(this.#loader, this.#loaded, part) : load(this.#loader, this.#loaded, look);
      return this.#replace(await next) ? "other" : "same";
    });
  }

  /** Bound, since callers pass them on as functions. */
  readonly merge = (merge: Merge): Promise<BatchResult> => this.#enqueue(() => this.#merge(merge));
  readonly inTurn = <T>(work: (merge: Store["merge"]) => Promise<T>, isExclusive = false): Promise<T> => {
    const run = (): Promise<T> => work((merge) => this.#merge(merge));
    return this.#enqueue(() => (isExclusive ? this.repo.exclusively(run) : run()));
  };

  async #merge(merge: Merge): Promise<BatchResult> {
    if (this.#isClosed) throw unavailable("The service is stopping.", "restart");
    await this.repo.recover();
    const result = await this.repo.merge(merge);
    if (!result.made) return result;
    // A scan of the whole tree would hold up waiting transactions for as long as all else of the merge.
    const { commit } = this.current;
    const before = commit === merge.base ? new Map() : commit && (await this.#differences(commit, merge.base));
    if (before) await this.#reloadPaths([...before.keys(), ...merge.changes.keys()]);
    else await this.#reload();
    return result;
  }

  async fork(options: ForkOptions): Promise<{ store: Store; history: History }> {
    const { loader, loaded } = await forkContent(this.#loader, this.#loaded, options);
    return {
      store: new ContentStore(loader, { ...options.env, log: loader.log }, false, loaded),
      history: loader.history,
    };
  }

  get loaded(): Loaded {
    return this.#loaded;
  }

  readonly contentAt = (commit: Oid | null, near?: NearContent): Promise<Loaded> =>
    contentAt(this.#loader, commit, near ?? { content: this.#loaded });

  seal(): void {
    this.#isReadOnly = true;
  }

  async maintain(part?: "index"): Promise<void> {
    if (!this.isReadOnly && !this.#isClosed) await this.repo.maintain(part);
  }

  onChange(listener: (snapshot: Snapshot) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  flushCache(): Promise<void> {
    return (this.#flushed ??= this.#cache.flush(
      () => cacheKeys(this.#loaded),
      () => imageOf(this.#loaded),
    ));
  }

  readSummaries(): Promise<void> {
    return readSummaries(this.current, () => this.#isClosed);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#enqueue(() => undefined);
    try {
      await this.flushCache();
    } finally {
      this.#cache.close();
      await this.codec.close();
      await this.repo.close();
    }
  }

  async #runWaiting(): Promise<void> {
    const jobs = await this.#waiting.take();
    if (jobs.length > 0) await this.#runTogether(jobs);
  }

  async #runTogether(jobs: readonly WaitingJob[]): Promise<void> {
    try {
      await this.#runBatch(jobs);
    } catch (error) {
      const concernsAll = jobs.length === 1 || (error instanceof CmsError && error.code === "unavailable");
      if (concernsAll) for (const job of jobs) job.reject(error);
      // The repository refused one of them. Nothing was written, so each is tried alone.
      else for (const job of jobs) await this.#runTogether([job]);
    }
  }

  async #runBatch(jobs: readonly WaitingJob[]): Promise<void> {
    const batch =
      (await this.#tryBatch(jobs, ATTEMPTS_BESIDE_GIT)) ??
      (await this.repo.exclusively(() => this.#tryBatch(jobs, EXCLUSIVE_ATTEMPTS)));
    if (!batch) throw unavailable("The files were saved again and again during this write. Try again.", "write");
    await this.#settle(jobs, batch);
    this.#waiting.noteAnswered(jobs.length);
  }

  /** @returns undefined when the repository changed each time */
  async #tryBatch(jobs: readonly WaitingJob[], attempts: number): Promise<PreparedWrites | undefined> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      await this.repo.recover();
      const { head, blocked } = await this.repo.state();
      if (blocked) throw unavailable(blocked, "restart");
      if (head !== this.current.commit) await this.#reload();
      const batch = await this.#prepareAndCommit(head, jobs);
      if (batch) return batch;
      await this.#reload();
    }
    return undefined;
  }

  /** @returns undefined when the repository changed meanwhile and nothing was written */
  async #prepareAndCommit(head: Oid | null, jobs: readonly WaitingJob[]): Promise<PreparedWrites | undefined> {
    const batch = await prepareWrites(
      { loader: this.#loader, env: this.#env, judge: this.judge },
      this.#loaded,
      head,
      jobs,
    );
    return batch && (await this.#commit(batch)) ? batch : undefined;
  }

  /** @returns false when the repository changed meanwhile and nothing was written */
  async #commit(batch: PreparedWrites): Promise<boolean> {
    if (batch.commits.length === 0) return true;
    const began = performance.now();
    const result = await this.repo.commit(batch);
    if (!result.made) return false;
    this.#counter.addBatch(batch.commits.length, performance.now() - began);
    const head = result.commits.at(-1) ?? null;
    // The tables are those that the last job left: only the commit and the files are new.
    this.#replace(await advance(this.#loader, batch.left, head, new Map(), this.#filesAfter(batch)));
    return true;
  }

  async #settle(jobs: readonly WaitingJob[], { outcomes, left }: PreparedWrites): Promise<void> {
    for (const [at, job] of jobs.entries()) {
      const outcome = outcomes[at];
      await setImmediate();
      if (!outcome || "error" in outcome) job.reject(outcome?.error);
      // The content after the last job becomes the current one: its look-ups are already built.
      else {
        this.#counter.addWrite();
        job.resolve({ value: outcome.value, snapshot: (outcome.left === left ? this.#loaded : outcome.left).snapshot });
      }
    }
  }

  #filesAfter({ changes }: PreparedWrites): Map<Path, WorkingFile | null> {
    const mtimeMs = Date.parse(this.#env.now());
    const files = new Map<Path, WorkingFile | null>();
    for (const [path, content] of changes) {
      if (placeOf(this.kinds, path)) files.set(path, content && fileOf(content, mtimeMs));
    }
    return files;
  }

  async #reload(): Promise<void> {
    this.#replace(await load(this.#loader, this.#loaded, await lookAt(this.#loader)));
  }

  /** Instead of the content cache, which cannot be read. */
  async #parseAll(): Promise<void> {
    this.#env.log.warn("The content cache is damaged: all files are parsed again");
    await this.#enqueue(async () => {
      this.#replace(await load(this.#loader, null, await lookAt(this.#loader)));
    }).catch((error: unknown) => this.#env.log.error("The content cannot be loaded again", error));
  }

  /** @returns null where they are too many */
  async #differences(from: Oid, to: Oid): Promise<ReadonlyMap<Path, unknown> | null> {
    return this.repo.differences(from, to).catch((error: unknown) => {
      if (error instanceof CmsError) return null;
      throw error;
    });
  }

  /** Loads the files at some paths, of a commit that differs from the current one in them only. */
  async #reloadPaths(changed: Iterable<Path>): Promise<void> {
    const part = await lookAtPaths(this.#loader, this.#loaded, new Set(changed));
    if (part) this.#replace(await loadPaths(this.#loader, this.#loaded, part));
    else await this.#reload();
  }

  /** @returns whether any content differs */
  #replace(next: Loaded): boolean {
    const before = this.current;
    const { snapshot } = next;
    const isSame =
      snapshot.owners === before.owners &&
      [...snapshot.tables()].every(([kind, table]) => before.table(kind) === table);
    this.#loaded = next;
    logProblems(this.#env, before.problems, snapshot.problems);
    if (!isSame || before.commit !== snapshot.commit) this.#notify(snapshot);
    return !isSame;
  }

  #notify(snapshot: Snapshot): void {
    for (const listener of this.#listeners) {
      try {
        listener(snapshot);
      } catch (error) {
        // The commit is made: a listener's error must not be reported to its author as a failure.
        this.#env.log.error("A listener for new content failed", error);
      }
    }
  }
}
