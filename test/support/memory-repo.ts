/**
 * The repository port in memory, for tests of the layers above it.
 *
 * Blob and commit ids are computed as git does. `write`, `erase`, `commitByHand` and `block` stand for a person working
 * in the same repository.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { CmsError, unavailable } from "../../src/errors.ts";
import { instantOf, msOf, type Instant } from "../../src/model/time/instant.ts";
import { parseRevisionName } from "../../src/model/text/revision-name.ts";
import { encodeCommit } from "../../src/store/git/objects/commits.ts";
import { oidOf } from "../../src/store/git/objects/object.ts";
import { cleanSignature, secondsOf } from "../../src/store/git/objects/signature.ts";
import { checkPath } from "../../src/store/git/worktree/worktree.ts";
import {
  isPrepared,
  REGULAR_MODE,
  type Batch,
  type BatchResult,
  type LogEntry,
  type Merge,
  type Oid,
  type Path,
  type Repo,
  type Signature,
  type TreeChange,
} from "../../src/store/repo.ts";

export interface MemoryRepo extends Repo {
  /** A person saves a file. */
  write(path: Path, content: string | Uint8Array): void;
  /** A person deletes a file. */
  erase(path: Path): void;
  /** A person commits the working tree as it is. @returns the commit */
  commitByHand(message: string, at?: Instant): Oid;
  /** A commit of another clone is fetched: it is stored, and on no branch. */
  receive(parent: Oid, changes: Readonly<Record<Path, string | null>>, message: string): Oid;
  /** A fresh clone with a commit checked out. */
  cloneAt(commit: Oid, options: MemoryRepoOptions): MemoryRepo;
  /** Moves the branch to a commit, whatever is in the working tree. */
  checkOut(commit: Oid): void;
  /** Text of a working file; undefined when there is none. */
  text(path: Path): string | undefined;
  /** Makes every write fail with this reason, until it is set to null. */
  block(reason: string | null): void;
}

export interface MemoryRepoOptions {
  readonly user?: Signature;
  readonly branch?: string;
  readonly root?: string;
  readonly stateDir?: string;
}

interface MemoryCommit {
  readonly id: Oid;
  readonly parents: readonly Oid[];
  readonly author: Signature;
  readonly seconds: number;
  readonly message: string;
  readonly files: ReadonlyMap<Path, Oid>;
}

const PERSON: Signature = { name: "Pat Person", email: "pat@example.org" };
const SERVICE: Signature = { name: "git-cms", email: "git-cms@cms.invalid" };
const BEGINNING = instantOf(Date.UTC(2026, 0, 1));

/**
 * @param files the working tree, committed by a person unless there are none
 * @param objects of another repository
 */
export function memoryRepo(
  files: Readonly<Record<Path, string>> = {},
  options: MemoryRepoOptions = {},
  objects?: { readonly blobs: ReadonlyMap<Oid, Uint8Array>; readonly commits: ReadonlyMap<Oid, MemoryCommit> },
): MemoryRepo {
  const user = options.user ?? PERSON;
  const blobs = new Map(objects?.blobs);
  const commits = new Map(objects?.commits);
  const working = new Map<Path, { oid: Oid; mtimeMs: number }>();
  let head: Oid | null = null;
  let blocked: string | null = null;
  let saves = 0;

  function keep(bytes: Uint8Array): Oid {
    const oid = oidOf("blob", bytes);
    blobs.set(oid, Uint8Array.from(bytes));
    return oid;
  }

  function save(path: Path, oid: Oid | null): void {
    if (oid === null) working.delete(path);
    else working.set(path, { oid, mtimeMs: msOf(BEGINNING) + ++saves });
  }

  function append(
    parents: readonly Oid[],
    plan: { author: Signature; at: Instant; message: string },
    committer: Signature,
    tree: ReadonlyMap<Path, Oid>,
  ): Oid {
    const { author, message } = plan;
    const authoredAt = secondsOf(plan.at);
    const seconds = Math.max(authoredAt, ...parents.map((parent) => getCommit(parent).seconds));
    const draft = { parents, author, authoredAt, committer, committedAt: seconds, message };
    // Stands for the tree's id, which no test reads: it only has to differ where the files do.
    const listing = [...tree].sort(([a], [b]) => (a < b ? -1 : 1)).join("\n");
    const bytes = encodeCommit({ ...draft, tree: createHash("sha1").update(listing).digest("hex") });
    const id = oidOf("commit", bytes);
    commits.set(id, {
      id,
      parents,
      author: cleanSignature(author),
      seconds,
      message: `${message.trimEnd()}\n`,
      files: tree,
    });
    return id;
  }

  function getCommit(id: Oid): MemoryCommit {
    const commit = commits.get(id);
    if (!commit) throw new CmsError("not_found", `There is no commit ${id}.`);
    return commit;
  }

  const filesOf = (id: Oid | null): ReadonlyMap<Path, Oid> => (id ? getCommit(id).files : new Map());

  function commit(batch: Batch): BatchResult {
    if (blocked) throw unavailable(blocked, "repair");
    if (batch.commits.length === 0) throw new Error("The batch has no commits");
    if (batch.base !== head) return { made: false, moved: "head" };
    for (const [path, oid] of batch.expect) {
      checkPath(path);
      if ((working.get(path)?.oid ?? null) !== oid) return { made: false, moved: "files" };
    }
    // Nothing is stored before every plan has been validated.
    const made: Oid[] = [];
    const changed = new Map<Path, Oid | null>();
    let tree = new Map(filesOf(head));
    for (const plan of batch.commits) {
      for (const [path, content] of plan.changes) {
        checkPath(path);
        if (!batch.expect.has(path)) throw new Error(`The batch changes ${path} without saying what it expects there`);
        const oid = content && keep(isPrepared(content) ? readFileSync(content.file) : content);
        if (oid) tree.set(path, oid);
        else tree.delete(path);
        changed.set(path, oid);
      }
      checkFolders(tree);
      made.push(append(listOf(made.at(-1) ?? head), plan, SERVICE, tree));
      tree = new Map(tree);
    }
    head = made.at(-1)!;
    for (const [path, oid] of changed) if ((working.get(path)?.oid ?? null) !== oid) save(path, oid);
    return { made: true, commits: made };
  }

  function ancestors(from: Oid | null, found = new Set<Oid>()): Set<Oid> {
    if (from === null || found.has(from)) return found;
    found.add(from);
    for (const parent of getCommit(from).parents) ancestors(parent, found);
    return found;
  }

  function merge({ base, other, commit: made, changes }: Merge): BatchResult {
    if (blocked) throw unavailable(blocked, "repair");
    if (base !== head) return { made: false, moved: "head" };
    const tree = new Map(filesOf(base));
    for (const [path, file] of changes) {
      checkPath(path);
      const onDisk = working.get(path)?.oid ?? null;
      if (onDisk !== (tree.get(path) ?? null) && onDisk !== (file?.oid ?? null)) {
        throw new CmsError("conflict", `${path} has a change that is not committed.`);
      }
    }
    for (const [path, file] of changes) {
      if (file?.bytes) keep(file.bytes);
      if (file) tree.set(path, file.oid);
      else tree.delete(path);
    }
    checkFolders(tree);
    head = made ? append([base, ...listOf(other)], made, SERVICE, tree) : other!;
    for (const [path, file] of changes) {
      if ((working.get(path)?.oid ?? null) !== (file?.oid ?? null)) save(path, file?.oid ?? null);
    }
    return { made: true, commits: [head] };
  }

  function differences(from: Oid, to: Oid): Map<Path, TreeChange> {
    const [before, after] = [filesOf(from), filesOf(to)];
    const entry = (oid: Oid | undefined) => (oid === undefined ? null : { mode: REGULAR_MODE, oid });
    const paths = [...new Set([...before.keys(), ...after.keys()])].filter((at) => before.get(at) !== after.get(at));
    return new Map(paths.map((at) => [at, { before: entry(before.get(at)), after: entry(after.get(at)) }]));
  }

  function* log(from: Oid, until: Oid | null, under: readonly Path[]): Generator<LogEntry> {
    const excluded = ancestors(until);
    // A commit is never older than its parents, and of the same age was made after them.
    const order = [...commits.keys()];
    const wanted = [...ancestors(from)].filter((id) => !excluded.has(id));
    wanted.sort((a, b) => getCommit(b).seconds - getCommit(a).seconds || order.indexOf(b) - order.indexOf(a));
    for (const id of wanted) {
      const { parents, author, seconds, message, files: after } = getCommit(id);
      const before = filesOf(parents[0] ?? null);
      const changed = new Map<Path, { before: Oid | null; after: Oid | null }>();
      for (const path of new Set([...before.keys(), ...after.keys()])) {
        const change = { before: before.get(path) ?? null, after: after.get(path) ?? null };
        if (change.before !== change.after && isUnder(path, under)) changed.set(path, change);
      }
      yield { id, parents, author, at: instantOf(seconds * 1000), message, changed };
    }
  }

  const repo: MemoryRepo = {
    root: options.root ?? "/memory",
    stateDir: options.stateDir ?? "/memory/.git/cms",

    async state() {
      return { branch: options.branch ?? "main", head, blocked };
    },
    async recover() {},
    isShallow: async () => false,

    async user() {
      return user;
    },
    async files(under, except = []) {
      const found = [...working.keys()].filter(
        (path) => isUnder(path, under) && !isUnder(path, except) && !isHidden(path, under),
      );
      return new Map(
        found.map((path) => {
          const { oid, mtimeMs } = working.get(path)!;
          return [path, { oid, mtimeMs, size: blobs.get(oid)!.length }];
        }),
      );
    },
    async read(path) {
      checkPath(path);
      const file = working.get(path);
      return file && { bytes: blobs.get(file.oid)!, oid: file.oid };
    },
    async oid(path) {
      checkPath(path);
      return working.get(path)?.oid ?? null;
    },
    stored: async (_path, content) => content,
    notes: async () => [],
    async committed(id, paths) {
      return new Map(paths.map((path) => [path, filesOf(id).get(path) ?? null]));
    },
    async tree(id, under) {
      return new Map([...filesOf(id)].filter(([path]) => isUnder(path, under)));
    },
    async blob(oid) {
      const bytes = blobs.get(oid);
      if (!bytes) throw new CmsError("not_found", `There is no blob ${oid}.`);
      return bytes;
    },
    content: (oid) => repo.blob(oid),
    async resolveCommit(id) {
      if (!/^[0-9a-f]{4,40}$/.test(id)) return undefined;
      const found = [...commits.keys()].filter((commitId) => commitId.startsWith(id));
      return found.length === 1 ? found[0] : undefined;
    },
    async resolveRevision(text) {
      const { base, steps } = parseRevisionName(text) ?? { base: "", steps: [] };
      const isHead = base === "HEAD" || base === (options.branch ?? "main");
      const found = isHead ? (head ?? undefined) : await repo.resolveCommit(base.toLowerCase());
      if (found === undefined || !ancestors(head).has(found)) return undefined;
      return steps.reduce((id: Oid | undefined, parent) => id && getCommit(id).parents[parent - 1], found);
    },
    async timeOf(id) {
      return instantOf(getCommit(id).seconds * 1000);
    },
    async commitBefore(from, moment) {
      for (let id: Oid | undefined = from; id !== undefined; id = getCommit(id).parents[0])
        if (instantOf(getCommit(id).seconds * 1000) <= moment) return id;
      return undefined;
    },
    async *log(from, until, under) {
      yield* log(from, until, under);
    },
    commit: async (batch) => commit(batch),
    merge: async (plan) => merge(plan),
    exclusively: (work) => work(),
    pointersAlone: async () => [],
    differences: async (from, to) => differences(from, to),
    async maintain() {},
    findDamage: async () => null,
    async close() {},

    write: (path, content) => save(path, keep(typeof content === "string" ? Buffer.from(content) : content)),
    erase: (path) => save(path, null),
    commitByHand(message, at = BEGINNING) {
      const tree = new Map([...working].map(([path, { oid }]) => [path, oid]));
      return (head = append(listOf(head), { author: user, at, message }, user, tree));
    },
    receive(parent, changes, message) {
      const tree = new Map(filesOf(parent));
      for (const [path, text] of Object.entries(changes)) {
        if (text === null) tree.delete(path);
        else tree.set(path, keep(Buffer.from(text)));
      }
      return append([parent], { author: user, at: BEGINNING, message }, user, tree);
    },
    cloneAt(id, cloneOptions) {
      const clone = memoryRepo({}, cloneOptions, { blobs, commits });
      for (const [path, oid] of filesOf(id)) clone.write(path, blobs.get(oid)!);
      clone.checkOut(id);
      return clone;
    },
    checkOut(id) {
      head = id;
    },
    text(path) {
      const file = working.get(path);
      return file && Buffer.from(blobs.get(file.oid)!).toString("utf8");
    },
    block(reason) {
      blocked = reason;
    },
  };

  for (const [path, text] of Object.entries(files)) repo.write(path, text);
  if (working.size > 0) repo.commitByHand("Begin");
  return repo;
}

const listOf = (id: Oid | null): Oid[] => (id === null ? [] : [id]);

const isUnder = (path: Path, under: readonly Path[]): boolean =>
  under.some((start) => start === "" || path === start || path.startsWith(`${start}/`));

/** A name with a leading dot below every one of the folders asked for. */
const isHidden = (path: Path, under: readonly Path[]): boolean =>
  under
    .filter((start) => isUnder(path, [start]))
    .every((start) =>
      path
        .slice(start.length)
        .split("/")
        .some((name) => name.startsWith(".")),
    );

/** @throws CmsError when a path is both a file and a folder */
function checkFolders(tree: ReadonlyMap<Path, Oid>): void {
  for (const path of tree.keys()) {
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
      if (tree.has(path.slice(0, at)))
        throw new CmsError("conflict", `${path.slice(0, at)} is a file in the last commit.`);
    }
  }
}
