/**
 * The port to the repository: files as they lie in the working tree, and commits.
 *
 * It knows paths, bytes and blob ids, nothing of pages. Two implementations pass one contract suite: git on disk
 * (`git/`), with the lock and crash protocol, and one in memory (`memory.ts`), for tests of everything above.
 */
import type { Instant } from "../model/instant.ts";

/** Relative to the site's root, `/`-separated, without `.` and `..`. */
export type Path = string;

/** 40 hexadecimal digits: the id git gives a blob or commit. */
export type Oid = string;

export interface Signature {
  readonly name: string;
  readonly email: string;
}

/** Content too large to hold in memory: a file whose bytes are durable and change no more while it is in use. */
export interface PreparedFile {
  /** Absolute path, on the working tree's file system where it can be. */
  readonly file: string;
  readonly size: number;
  /** Blob id of the bytes. */
  readonly oid: Oid;
}

export type Content = Uint8Array | PreparedFile;

export const isPrepared = (content: Content): content is PreparedFile => !(content instanceof Uint8Array);

/** One commit to make. A path mapped to null is removed. */
export interface CommitPlan {
  readonly author: Signature;
  /** Author time. The committer's is this or the parent's, whichever is later, so history never runs backwards. */
  readonly at: Instant;
  /** Subject, blank line, body, trailers. */
  readonly message: string;
  /** At least one; a path whose bytes are what the parent holds is allowed and changes nothing. */
  readonly changes: ReadonlyMap<Path, Content | null>;
}

/** Commits to make one on top of the other, all of them or none. */
export interface Batch {
  /** The commit the plans were made on; null for a branch without a commit. */
  readonly base: Oid | null;
  readonly commits: readonly CommitPlan[];
  /** Blob id of each working file as it was when the plans were made (null: there was none), for every path in them. */
  readonly expect: ReadonlyMap<Path, Oid | null>;
  /**
   * Paths whose content is a person's uncommitted edit. What that person has staged, or git is about to check out, is not
   * to be committed in their name: it is a `conflict`.
   */
  readonly adopted?: ReadonlySet<Path>;
}

/** What became of a batch: made, or not made because something moved meanwhile. Then nothing happened: plan again. */
export type BatchResult =
  | { readonly made: true; readonly commits: readonly Oid[] }
  | { readonly made: false; readonly moved: "head" | "files" };

export interface RepoState {
  /** The branch's short name; null when HEAD is detached. */
  readonly branch: string | null;
  /** null for a branch without a commit. */
  readonly head: Oid | null;
  /** Why nothing can be written just now, as a sentence that says the way out; null when all is well. */
  readonly blocked: string | null;
}

/** One file under the folders asked for. `unreadable` says why it is none we read (symlink, submodule, too large). */
export interface WorkingFile {
  readonly oid: Oid;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtimeMs: number;
  readonly unreadable?: string;
  /** Of a file that git filters, while it is as git left it: the blob id git has for it. `oid` is that of the bytes. */
  readonly stored?: Oid;
}

export interface LogEntry {
  readonly id: Oid;
  readonly parents: readonly Oid[];
  readonly author: Signature;
  /** Commit time (seconds resolution). */
  readonly at: Instant;
  readonly message: string;
  /** Against the first parent: blob ids before and after, null where there was or is no file. Only paths under the folders asked for. */
  readonly changed: ReadonlyMap<Path, { readonly before: Oid | null; readonly after: Oid | null }>;
}

export interface Repo {
  readonly root: string;
  /** Folder of the private state, created 0700; outside every tree. */
  readonly stateDir: string;

  state(): Promise<RepoState>;

  /** Tries again what could not be done when it was opened, such as finishing what a crash left; `state` says what is left. */
  mend?(): Promise<void>;

  /** Whether the history ends before its beginning here. */
  isShallow(): Promise<boolean>;

  /** `user.name` and `user.email` of the repository's configuration: whose an uncommitted edit is taken to be. */
  user(): Promise<Signature>;

  /**
   * The regular files under the given folders (or single files), as they lie in the working tree.
   *
   * Dotfiles are left out. Content is hashed only where size, mtime or inode differ from the last look.
   *
   * @param except folders below that are not looked into
   * @param read gets the bytes of small files that had to be read for it, as far as they are worth keeping
   */
  files(
    under: readonly Path[],
    except?: readonly Path[],
    read?: Map<Path, Uint8Array>,
  ): Promise<Map<Path, WorkingFile>>;

  /** Bytes and blob id of a working file; undefined when there is none. */
  read(path: Path): Promise<{ bytes: Uint8Array; oid: Oid } | undefined>;

  /** Blob id of a working file, which need not be read for it when it is known; null when there is none. */
  oid(path: Path): Promise<Oid | null>;

  /**
   * What git stores of content for a path: the very same unless ends of lines are converted there.
   *
   * @param content null for a file that is to be removed
   * @throws CmsError `conflict` for a path of which only git knows what to store: one with a filter, as for Git LFS
   */
  stored?(path: Path, content: Content | null): Promise<Content | null>;

  /** What the owner should know of commits, and of files below the given folders, though nothing is wrong. */
  notes?(under: readonly Path[]): Promise<string[]>;

  /** Blob ids of the given paths in a commit; null where it has no such file. */
  committed(commit: Oid | null, paths: readonly Path[]): Promise<Map<Path, Oid | null>>;

  /** Every file of a commit under the given folders. @throws CmsError `not_found` for no such commit */
  tree(commit: Oid, under: readonly Path[]): Promise<Map<Path, Oid>>;

  /** @throws CmsError `not_found` for no such object */
  blob(oid: Oid): Promise<Uint8Array>;

  /** Full id of a commit given in full or by an unambiguous beginning of at least 4 digits; undefined when there is none. */
  resolveCommit(id: string): Promise<Oid | undefined>;

  /**
   * Commits reachable from `from` and not from `until`, each before its parents.
   *
   * Ends at the boundary of a shallow clone. With `until` null: the whole history.
   */
  log(from: Oid, until: Oid | null, under: readonly Path[]): AsyncIterable<LogEntry>;

  /**
   * Makes the commits, moves the branch, writes the working files and the index entries: durable when it answers.
   *
   * @throws CmsError `unavailable` when a lock stays held, a merge is in progress, HEAD is detached, the disk is full
   */
  commit(batch: Batch): Promise<BatchResult>;

  /**
   * Puts right what other git processes have undone of recent commits: objects a prune removed, index entries written over.
   *
   * Called now and then; cheap when all is well. @throws CmsError `unavailable` when a lock stays held
   */
  tend?(): Promise<void>;

  /** What the newest commit names and is not stored, as a sentence with the way out; null when it is whole. */
  damage?(): Promise<string | null>;

  close(): Promise<void>;
}
