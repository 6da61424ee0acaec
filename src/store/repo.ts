/**
 * The port to the repository: files of the working tree, and commits.
 *
 * It knows paths, bytes and blob ids, nothing of pages. `git/` implements it on disk, with the lock and crash protocol.
 * Tests of the layers above use an implementation in memory; both pass one contract suite (test/store/git/repo-contract.ts).
 */
import type { Instant } from "../model/time/instant.ts";

/** Relative to the site's root, `/`-separated, without `.` and `..`. */
export type Path = string;

/** 40 hexadecimal digits: the id git gives a blob or commit. */
export type Oid = string;

export interface Signature {
  readonly name: string;
  readonly email: string;
}

/** Whether folders exist, noted during one operation so that none is looked at twice. */
export type KnownFolders = Map<Path, boolean>;

/** Content too large to hold in memory: a file whose bytes are durable and do not change while it is in use. */
export interface PreparedFile {
  /** Absolute path, on the working tree's file system where it can be. */
  readonly file: string;
  readonly size: number;
  /** Blob id of the bytes; of a file of Git LFS, that of its pointer. */
  readonly oid: Oid;
  /** What git stores instead of an object of Git LFS. Its file must not be linked to from elsewhere. */
  readonly pointer?: Uint8Array;
}

export type Content = Uint8Array | PreparedFile;

export const isPrepared = (content: Content): content is PreparedFile => !(content instanceof Uint8Array);

/** One commit to make. A path mapped to null is removed. */
export interface CommitPlan {
  readonly author: Signature;
  /** Author time. The committer's time is this or the parent's, whichever is later, so commit times never decrease. */
  readonly at: Instant;
  /** Subject, blank line, body, trailers. */
  readonly message: string;
  /** At least one. A path whose bytes are those of the parent commit is allowed and changes nothing. */
  readonly changes: ReadonlyMap<Path, Content | null>;
}

/** Commits to make on top of each other: all of them are made, or none. */
export interface Batch {
  /** The commit the plans were made on; null for a branch without a commit. */
  readonly base: Oid | null;
  readonly commits: readonly CommitPlan[];
  /** For every path in the plans: blob id of the working file when the plans were made, null where there was none. */
  readonly expect: ReadonlyMap<Path, Oid | null>;
  /**
   * Paths whose content is a person's uncommitted edit. One that is staged, or that a running checkout is about to write,
   * makes the batch fail with `conflict`: it must not be committed in that person's name.
   */
  readonly manualEdits?: ReadonlySet<Path>;
}

/** Modes of tree entries, as git writes them. */
export const REGULAR_MODE = "100644";
export const EXECUTABLE_MODE = "100755";
export const SYMLINK_MODE = "120000";
export const SUBMODULE_MODE = "160000";

/** An entry of a tree that is not a folder. */
export interface TreeFile {
  readonly mode: string;
  readonly oid: Oid;
}

/** The entries at a path in two commits; null where there is none. */
export interface TreeChange {
  readonly before: TreeFile | null;
  readonly after: TreeFile | null;
}

/** A file of a merge; without `bytes`, its blob is stored already. */
export interface MergedFile extends TreeFile {
  readonly bytes?: Uint8Array;
}

/** Joins another line of history to the branch, or takes back commits of the branch. */
export interface Merge {
  /** The branch's commit when the merge was planned. */
  readonly base: Oid;
  /** The commit that is joined. It and all its objects are stored. null: none; then there is a `commit`. */
  readonly other: Oid | null;
  /** The new commit, whose parents are `base` and `other`; null moves the branch to `other` itself. */
  readonly commit: Pick<CommitPlan, "author" | "at" | "message"> | null;
  /** How the new tree differs from that of `base`. A path mapped to null is removed. */
  readonly changes: ReadonlyMap<Path, MergedFile | null>;
}

/** `made: false`: the branch or a file changed since the plans were made. Nothing was written; the caller plans again. */
export type BatchResult =
  | { readonly made: true; readonly commits: readonly Oid[] }
  | { readonly made: false; readonly moved: "head" | "files" };

export interface RepoState {
  /** The branch's short name; null when HEAD is detached. */
  readonly branch: string | null;
  /** null for a branch without a commit. */
  readonly head: Oid | null;
  /** Why nothing can be written at the moment, as a sentence that names the remedy; null when writing is possible. */
  readonly blocked: string | null;
}

/** One file of the working tree. */
export interface WorkingFile {
  readonly oid: Oid;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtimeMs: number;
  /** Why the file is not read (symbolic link, submodule, too large), as a sentence. */
  readonly unreadable?: string;
  /** For an unmodified file with a git filter: the blob id in the commit. `oid` is that of the bytes on disk. */
  readonly stored?: Oid;
}

export interface LogEntry {
  readonly id: Oid;
  readonly parents: readonly Oid[];
  readonly author: Signature;
  /** Commit time (seconds resolution). */
  readonly at: Instant;
  readonly message: string;
  /** Against the first parent, below the requested folders: blob ids before and after, null where there is no file. */
  readonly changed: ReadonlyMap<Path, { readonly before: Oid | null; readonly after: Oid | null }>;
}

export interface Repo {
  readonly root: string;
  /** Folder of the private state, created 0700; outside every tree. */
  readonly stateDir: string;

  state(): Promise<RepoState>;

  /** Repeats what failed when the repository was opened, such as the recovery after a crash. See `state().blocked`. */
  recover(): Promise<void>;

  /** Whether the repository is a shallow clone. */
  isShallow(): Promise<boolean>;

  /** `user.name` and `user.email` of the repository's configuration: the author of commits of manual edits. */
  user(): Promise<Signature>;

  /**
   * The regular files of the working tree under the given folders (or single files), without dotfiles.
   *
   * Content is hashed only where size, mtime or inode differ from those of the last scan.
   *
   * @param except folders below that are left out
   * @param read receives the bytes of small files that were read to be hashed, so that the caller need not read them
   *   again; an implementation may leave it empty
   */
  files(
    under: readonly Path[],
    except?: readonly Path[],
    read?: Map<Path, Uint8Array>,
  ): Promise<Map<Path, WorkingFile>>;

  /**
   * Bytes and blob id of a working file; undefined when there is none.
   *
   * @param known gets the folders of the path. `commit` looks at all of them once more
   */
  read(path: Path, known?: KnownFolders): Promise<{ bytes: Uint8Array; oid: Oid } | undefined>;

  /** Blob id of a working file, without reading it where its size, mtime and inode are known; null when there is none. */
  oid(path: Path): Promise<Oid | null>;

  /**
   * The content git would store for a path: the given object, unless line ends are converted there. For a path in Git LFS
   * its object is stored, and the result has its pointer.
   *
   * @param content null for a file that is to be removed
   * @param known folders whose attributes the caller has had read in the same piece of work, and that are not read again;
   *   gets that of the path. `commit` reads all of them once more
   * @throws CmsError `conflict` for a path with another git filter, which this service cannot apply
   */
  stored(path: Path, content: Content | null, known?: Set<Path>): Promise<Content | null>;

  /** Notes for the owner about the repository's settings and the files below the given folders; none is an error. */
  notes(under: readonly Path[]): Promise<string[]>;

  /** Blob ids of the given paths in a commit; null where it has no such file. */
  committed(commit: Oid | null, paths: readonly Path[]): Promise<Map<Path, Oid | null>>;

  /** Every file of a commit under the given folders. @throws CmsError `not_found` for no such commit */
  tree(commit: Oid, under: readonly Path[]): Promise<Map<Path, Oid>>;

  /** @throws CmsError `not_found` for no such object */
  blob(oid: Oid): Promise<Uint8Array>;

  /**
   * What a checkout writes for a blob: its bytes, or the object of Git LFS whose pointer it is, where this clone has it.
   *
   * @throws CmsError `not_found` for no such object
   */
  content(oid: Oid): Promise<Content>;

  /** Full id of a commit, given in full or as an unambiguous prefix of at least 4 digits; undefined when there is none. */
  resolveCommit(id: string): Promise<Oid | undefined>;

  /**
   * The commit of a tag, a branch, a branch of a remote (`origin/main`), `HEAD`, or a full or shortened id; or
   * an ancestor of one, as git writes it (`HEAD~3`, `main^2`). Any text may be given.
   *
   * @returns undefined where there is none, or no branch and no tag leads to it
   */
  resolveRevision(name: string): Promise<Oid | undefined>;

  /** The time of a commit (seconds resolution). @throws CmsError `not_found` for no such commit */
  timeOf(commit: Oid): Promise<Instant>;

  /**
   * The newest commit on a commit's line of first parents that was made at a moment or before it; undefined when all are
   * later, as far as a shallow clone has them.
   */
  commitBefore(from: Oid, moment: Instant): Promise<Oid | undefined>;

  /**
   * Commits reachable from `from` and not from `until`, each before its parents.
   *
   * Ends at the boundary of a shallow clone. With `until` null: the whole history.
   */
  log(from: Oid, until: Oid | null, under: readonly Path[]): AsyncIterable<LogEntry>;

  /**
   * Makes the commits, moves the branch, writes the working files and the index entries. All is durable on return.
   *
   * @throws CmsError `unavailable` when a lock stays held, a merge is in progress, HEAD is detached, the disk is full
   */
  commit(batch: Batch): Promise<BatchResult>;

  /**
   * Makes a merge commit, or moves the branch forward, with the guarantees of `commit`.
   *
   * Working files and index entries of all other paths stay as they are.
   *
   * @throws CmsError `conflict` naming the first path with an uncommitted or staged change that the merge would overwrite;
   *   `unavailable` as for `commit`
   */
  merge(merge: Merge): Promise<BatchResult>;

  /**
   * Runs work while no other process moves the branch or writes the index, for a batch that git commands have outrun: those
   * that begin meanwhile fail.
   *
   * @throws CmsError `unavailable` when a lock stays held
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;

  /** The paths whose entries differ between two commits. @throws CmsError `not_found` for no such commit */
  differences(from: Oid, to: Oid): Promise<Map<Path, TreeChange>>;

  /** Of these files of a commit, those in Git LFS of which this clone has the pointer and no intact object. */
  pointersAlone(files: ReadonlyMap<Path, TreeFile | null>): Promise<Path[]>;

  /**
   * Restores what other git processes have undone of recent commits: pruned objects, overwritten index entries.
   *
   * Called every few seconds, and cheap when there is nothing to restore.
   *
   * @param part "index" after the index was written: only what depends on it, at once where this service wrote it
   * @throws CmsError `unavailable` when a lock stays held
   */
  maintain(part?: "index"): Promise<void>;

  /** The first object of the newest commit that is missing, as a sentence with the remedy; null when none is. */
  findDamage(): Promise<string | null>;

  close(): Promise<void>;
}
