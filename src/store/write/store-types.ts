/** What the store offers: see `store.ts` for how it works. */
import type { Env } from "../../env.ts";
import type { Action } from "../../model/access/rule.ts";
import type { Id } from "../../model/input/id.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import type { Sharing } from "../content/shared-reads.ts";
import type { FileCodec } from "../codec/file-codec.ts";
import type { Loaded } from "../content/advance.ts";
import type { Examine, Look } from "../content/load-group.ts";
import type { AnyKind } from "../records/record-type.ts";
import type { Snapshot } from "../snapshot.ts";
import type { ForkOptions, NearContent } from "../fork/fork.ts";
import type { History } from "../history/history.ts";
import type { BatchResult, Merge, Oid, Path, Repo, WorkingFile } from "../repo.ts";
import type { Author, Judge } from "./batch.ts";
import type { Sync, Tx } from "./transaction.ts";
import type { WriteCounts } from "./write-counts.ts";

/** The result of a transaction. */
export interface Written<R> {
  /** What its work returned. */
  readonly value: R;
  /**
   * The content after this transaction, also if it changed nothing. Each transaction of a batch has its own, so an
   * answer made from it never shows a later write.
   */
  readonly snapshot: Snapshot;
}

export interface Store {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  /** Reads content files, large ones without holding the event loop. */
  readonly codec: FileCodec;
  /** Whether the store was opened to refuse every write. */
  readonly isReadOnly: boolean;
  readonly judge?: Judge | undefined;
  /** The newest content. */
  readonly current: Snapshot;
  /** Set where this is the store as an account has it (access/judged-store.ts). */
  readonly narrowing?: StoreNarrowing;
  readonly writeCounts: WriteCounts;
  /**
   * Runs the work and commits what it changed; resolves when that is durable. No difference, no commit.
   *
   * The work may run more than once, on newer content each time, so it must do nothing but read and change `tx`.
   *
   * @throws any error of the work; then nothing is written
   * @throws CmsError `unavailable` when nothing can be written at the moment; `conflict` when a file to be written does
   *   not load; `stale` when the author expects a version that is no longer the newest
   */
  transact<R>(by: Author, work: (tx: Tx) => Sync<R>): Promise<Written<R>>;
  /** Makes a merge, and loads its content. Transactions wait for it. @throws as `Repo.merge` */
  merge(merge: Merge): Promise<BatchResult>;
  /**
   * Runs the work while transactions wait for it.
   *
   * @param work must not use the store but by the `merge` that it gets, which is that of the store
   * @param isExclusive whether git waits, too (`Repo.exclusively`)
   */
  inTurn<T>(work: (merge: Store["merge"]) => Promise<T>, isExclusive?: boolean): Promise<T>;
  /**
   * Loads changes on disk, if there are any.
   *
   * @param accept called when the scan begins. The function it returns gets the result of the scan before anything is
   *   loaded; if it returns false, nothing is loaded, and the result is "unsettled"
   * @param paths the files and folders that may have changed; without them, the whole tree is scanned
   */
  refresh(
    accept?: () => (found: Found) => boolean | Promise<boolean>,
    paths?: ReadonlySet<Path>,
  ): Promise<"same" | "other" | "unsettled">;
  /**
   * A store in memory over the present content, or that of a commit: it is read and written as this one, and nothing of it
   * is stored. It is dropped, not closed, and must not be used after this store was closed.
   *
   * @throws CmsError `not_found` for no such commit
   */
  fork(options: ForkOptions): Promise<{ readonly store: Store; readonly history: History }>;
  /** What `current` was loaded from. */
  readonly loaded: Loaded;
  /**
   * The content at a commit, which shares equal records with the content nearby: by default, the newest. Properties of
   * binary files that differ are unknown.
   *
   * @param commit null for the empty content before the first one
   */
  contentAt(commit: Oid | null, near?: NearContent): Promise<Loaded>;
  /** Refuses every write from now on. */
  seal(): void;
  /** See `Repo.maintain`; does nothing in a store that only reads. */
  maintain(part?: "index"): Promise<void>;
  /** Called after each change of `current`. Returns the function that removes the listener. */
  onChange(listener: (snapshot: Snapshot) => void): () => void;
  /** Writes the content cache for the next start; only the first call does. */
  flushCache(): Promise<void>;
  /** See `readSummaries` (content/first-load.ts). */
  readSummaries(): Promise<void>;
  /** Waits for the running write, refuses further ones, and closes the repository. */
  close(): Promise<void>;
}

/** How a store differs from the one of the service. */
export interface StoreNarrowing {
  /** The store that shows everything. */
  readonly whole: Store;
  /** What the account sees, the same object for accounts with the same rules; undefined: everything. */
  seen(): object | undefined;
  /** A store of other content, as the account sees it. */
  of(other: Store): Store;
  /** @throws CmsError `forbidden` where the account may not do this to a record */
  ask(kind: AnyKind, id: Id, action: Action, language?: Lang): void;
}

/** A scan of the working tree or of a part of it, and the files of that part from which the content was loaded. */
export interface Found extends Look {
  readonly served: ReadonlyMap<Path, WorkingFile>;
}

export interface StoreOptions {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
  readonly env: Env;
  readonly readOnly?: boolean;
  /** Folder of the content cache; null for none. */
  readonly cacheDir?: string | null;
  /** Whether the cache is written (the default); of several processes that open one site at once, one writes it. */
  readonly writesCache?: boolean;
  /** Whether the cache is written only by `flushCache` or at the end, instead of before the store is opened. */
  readonly defersCache?: boolean;
  /** Other processes that open the same content at the same time. */
  readonly sharing?: Sharing;
  /** Finds which of several files that claim one id or permalink is older; by default it is kept in memory only. */
  readonly history?: History;
  /** Closed with the store; without it, reading and writing large files blocks the event loop. */
  readonly codec?: FileCodec;
  /** Judges each transaction; those of forks are judged by nobody, since nothing of them is stored. */
  readonly judge?: Judge;
  /** Detects the properties of binary files; without it, only their size is known. */
  readonly examine?: Examine;
}
