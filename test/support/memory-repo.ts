/**
 * The repository port in memory, for tests of the layers above it.
 *
 * Blob and commit ids are computed as git does. `write`, `erase`, `commitByHand` and `block` stand for a person working
 * in the same repository.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { CmsError } from "../../src/errors.ts";
import { instantOf, msOf, type Instant } from "../../src/model/instant.ts";
import { encodeCommit } from "../../src/store/git/objects/commits.ts";
import { oidOf } from "../../src/store/git/objects/object.ts";
import { cleanSignature, secondsOf } from "../../src/store/git/objects/signature.ts";
import { checkPath } from "../../src/store/git/worktree/worktree.ts";
import {
  isPrepared,
  type Batch,
  type BatchResult,
  type LogEntry,
  type Oid,
  type Path,
  type Repo,
  type Signature,
} from "../../src/store/repo.ts";

export interface MemoryRepo extends Repo {
  /** A person saves a file. */
  write(path: Path, content: string | Uint8Array): void;
  /** A person deletes a file. */
  erase(path: Path): void;
  /** A person commits the working tree as it is. @returns the commit */
  commitByHand(message: string, at?: Instant): Oid;
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
  readonly parent: Oid | null;
  readonly author: Signature;
  readonly seconds: number;
  readonly message: string;
  readonly files: ReadonlyMap<Path, Oid>;
}

const PERSON: Signature = { name: "Pat Person", email: "pat@example.org" };
const SERVICE: Signature = { name: "git-cms", email: "git-cms@cms.invalid" };
const BEGINNING = instantOf(Date.UTC(2026, 0, 1));

/** @param files the working tree, committed by a person unless there are none */
export function memoryRepo(files: Readonly<Record<Path, string>> = {}, options: MemoryRepoOptions = {}): MemoryRepo {
  const user = options.user ?? PERSON;
  const blobs = new Map<Oid, Uint8Array>();
  const commits = new Map<Oid, MemoryCommit>();
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
    parent: Oid | null,
    plan: { author: Signature; at: Instant; message: string },
    committer: Signature,
    tree: ReadonlyMap<Path, Oid>,
  ): Oid {
    const { author, message } = plan;
    const authoredAt = secondsOf(plan.at);
    const seconds = Math.max(authoredAt, parent ? getCommit(parent).seconds : 0);
    const draft = { parent, author, authoredAt, committer, committedAt: seconds, message };
    // Stands for the tree's id, which no test reads: it only has to differ where the files do.
    const listing = [...tree].sort(([a], [b]) => (a < b ? -1 : 1)).join("\n");
    const bytes = encodeCommit({ ...draft, tree: createHash("sha1").update(listing).digest("hex") });
    const id = oidOf("commit", bytes);
    commits.set(id, {
      id,
      parent,
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
    if (blocked) throw new CmsError("unavailable", blocked, { retryAfter: 30 });
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
      made.push(append(made.at(-1) ?? head, plan, SERVICE, tree));
      tree = new Map(tree);
    }
    head = made.at(-1)!;
    for (const [path, oid] of changed) if ((working.get(path)?.oid ?? null) !== oid) save(path, oid);
    return { made: true, commits: made };
  }

  function* log(from: Oid, until: Oid | null, under: readonly Path[]): Generator<LogEntry> {
    const excluded = new Set<Oid>();
    for (let id = until; id; id = getCommit(id).parent) excluded.add(id);
    for (let id: Oid | null = from; id && !excluded.has(id);) {
      const { parent, author, seconds, message, files: after } = getCommit(id);
      const before = filesOf(parent);
      const changed = new Map<Path, { before: Oid | null; after: Oid | null }>();
      for (const path of new Set([...before.keys(), ...after.keys()])) {
        const change = { before: before.get(path) ?? null, after: after.get(path) ?? null };
        if (change.before !== change.after && isUnder(path, under)) changed.set(path, change);
      }
      yield { id, parents: parent ? [parent] : [], author, at: instantOf(seconds * 1000), message, changed };
      id = parent;
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
    async resolveCommit(id) {
      if (!/^[0-9a-f]{4,40}$/.test(id)) return undefined;
      const found = [...commits.keys()].filter((commitId) => commitId.startsWith(id));
      return found.length === 1 ? found[0] : undefined;
    },
    async *log(from, until, under) {
      yield* log(from, until, under);
    },
    commit: async (batch) => commit(batch),
    async maintain() {},
    findDamage: async () => null,
    async close() {},

    write: (path, content) => save(path, keep(typeof content === "string" ? Buffer.from(content) : content)),
    erase: (path) => save(path, null),
    commitByHand(message, at = BEGINNING) {
      const tree = new Map([...working].map(([path, { oid }]) => [path, oid]));
      return (head = append(head, { author: user, at, message }, user, tree));
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
