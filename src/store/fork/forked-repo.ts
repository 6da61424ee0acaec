/**
 * A repository in memory that begins with the files and the commit of another one. What is committed to it stays in memory,
 * so that a store over it is changed by the same code as any other, and nothing is written.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { CmsError, unavailable } from "../../errors.ts";
import { instantOf, msOf } from "../../model/time/instant.ts";
import type { SharedMap } from "../maps/shared-map.ts";
import { oidOf } from "../git/objects/object.ts";
import {
  isPrepared,
  REGULAR_MODE,
  type Batch,
  type BatchResult,
  type LogEntry,
  type Oid,
  type Path,
  type Repo,
  type TreeChange,
  type WorkingFile,
} from "../repo.ts";

export interface ForkPoint {
  /** null for a branch without a commit. */
  readonly head: Oid | null;
  /** The working files, as the content was loaded from them. */
  readonly files: SharedMap<Path, WorkingFile>;
}

interface ForkCommit extends LogEntry {
  readonly parent: Oid | null;
  /** How its tree differs from that of the fork point. */
  readonly differences: ReadonlyMap<Path, Oid | null>;
}

/** Forks a repository. The fork must not be used after the repository was closed. */
export function openForkedRepo(repo: Repo, point: ForkPoint): Repo {
  const blobs = new Map<Oid, Uint8Array>();
  const commits = new Map<Oid, ForkCommit>();
  let { head, files } = point;

  const differencesOf = (commit: Oid | null): ReadonlyMap<Path, Oid | null> =>
    (commit && commits.get(commit)?.differences) || NO_DIFFERENCES;
  /** The commit of the repository itself that a commit of the fork is based on. */
  const originOf = (commit: Oid | null): Oid | null => (commit && commits.has(commit) ? point.head : commit);

  /** The bytes of a working file that was not changed since the fork. */
  async function read(path: Path): Promise<{ bytes: Uint8Array; oid: Oid } | undefined> {
    const file = files.get(path);
    if (!file) return undefined;
    const own = blobs.get(file.oid);
    if (own) return { bytes: own, oid: file.oid };
    const present = await repo.read(path);
    if (present?.oid === file.oid) return present;
    return { bytes: await storedBytes(repo, path, file.oid), oid: file.oid };
  }

  async function commit(batch: Batch): Promise<BatchResult> {
    if (batch.base !== head) return { made: false, moved: "head" };
    for (const [path, oid] of batch.expect)
      if ((files.get(path)?.oid ?? null) !== oid) return { made: false, moved: "files" };
    const made: Oid[] = [];
    for (const plan of batch.commits) {
      const before = await committed(head, [...plan.changes.keys()]);
      const changed = new Map<Path, { before: Oid | null; after: Oid | null }>();
      const written = new Map<Path, WorkingFile | undefined>();
      for (const [path, content] of plan.changes) {
        const bytes = content && (isPrepared(content) ? await readFile(content.file) : content);
        const after = bytes && oidOf("blob", bytes);
        if (bytes && after) blobs.set(after, bytes);
        written.set(path, after ? { oid: after, size: bytes.length, mtimeMs: msOf(plan.at) } : undefined);
        changed.set(path, { before: before.get(path) ?? null, after });
      }
      const at = instantOf(Math.floor(Math.max(msOf(plan.at), await lastTime()) / 1000) * 1000);
      const id = createHash("sha1").update(`${head} ${at} ${plan.message}`);
      for (const [path, { after }] of changed) id.update(`\n${path} ${after}`);
      const oid = id.digest("hex");
      commits.set(oid, {
        id: oid,
        parent: head,
        parents: head === null ? [] : [head],
        author: plan.author,
        at,
        message: `${plan.message.trimEnd()}\n`,
        changed,
        differences: new Map([
          ...differencesOf(head),
          ...Array.from(changed, ([path, { after }]) => [path, after] as const),
        ]),
      });
      head = oid;
      files = files.with(written);
      made.push(oid);
    }
    return { made: true, commits: made };
  }

  /** In milliseconds since 1970: of the newest commit. */
  async function lastTime(): Promise<number> {
    const own = head === null ? undefined : commits.get(head);
    return own ? msOf(own.at) : head === null ? 0 : msOf(await repo.timeOf(head));
  }

  async function committed(commitId: Oid | null, paths: readonly Path[]): Promise<Map<Path, Oid | null>> {
    const found = await repo.committed(originOf(commitId), paths);
    const differences = differencesOf(commitId);
    for (const path of paths) if (differences.has(path)) found.set(path, differences.get(path)!);
    return found;
  }

  async function tree(commitId: Oid, under: readonly Path[]): Promise<Map<Path, Oid>> {
    const origin = originOf(commitId);
    const found = origin === null ? new Map<Path, Oid>() : await repo.tree(origin, under);
    for (const [path, oid] of differencesOf(commitId)) {
      if (!isUnder(path, under)) continue;
      if (oid === null) found.delete(path);
      else found.set(path, oid);
    }
    return found;
  }

  async function* log(from: Oid, until: Oid | null, under: readonly Path[]): AsyncGenerator<LogEntry> {
    let at: Oid | null = from;
    for (let own = commits.get(at); own && at !== until; own = at === null ? undefined : commits.get(at)) {
      yield { ...own, changed: new Map([...own.changed].filter(([path]) => isUnder(path, under))) };
      at = own.parent;
    }
    if (at !== null && at !== until) yield* repo.log(at, originOf(until), under);
  }

  async function differences(from: Oid, to: Oid): Promise<Map<Path, TreeChange>> {
    const [a, b] = [originOf(from), originOf(to)];
    const found = a !== null && b !== null && a !== b ? await repo.differences(a, b) : new Map<Path, TreeChange>();
    const paths = [...differencesOf(from).keys(), ...differencesOf(to).keys()];
    const [before, after] = [await committed(from, paths), await committed(to, paths)];
    const entry = (oid: Oid | null | undefined) => (oid ? { mode: REGULAR_MODE, oid } : null);
    for (const path of paths) {
      if (before.get(path) === after.get(path)) found.delete(path);
      else found.set(path, { before: entry(before.get(path)), after: entry(after.get(path)) });
    }
    return found;
  }

  return {
    ...repo,
    state: async () => ({ branch: null, head, blocked: null }),
    recover: async () => undefined,
    async files(under, except = []) {
      const found = new Map<Path, WorkingFile>();
      for (const [path, file] of files) if (isUnder(path, under) && !isUnder(path, except)) found.set(path, file);
      return found;
    },
    read,
    oid: async (path) => files.get(path)?.oid ?? null,
    committed,
    tree,
    blob: async (oid) => blobs.get(oid) ?? repo.blob(oid),
    content: async (oid) => blobs.get(oid) ?? repo.content(oid),
    resolveCommit: async (id) => (commits.has(id) ? id : repo.resolveCommit(id)),
    timeOf: async (id) => commits.get(id)?.at ?? repo.timeOf(id),
    log,
    commit,
    exclusively: (work) => work(),
    merge: () => Promise.reject(unavailable("Nothing is merged into a fork of the content.", "restart")),
    differences,
    maintain: async () => undefined,
    findDamage: async () => null,
    close: async () => undefined,
  };
}

const NO_DIFFERENCES: ReadonlyMap<Path, Oid | null> = new Map();

const isUnder = (path: Path, under: readonly Path[]): boolean =>
  under.some((start) => start === "" || path === start || path.startsWith(`${start}/`));

async function storedBytes(repo: Repo, path: Path, oid: Oid): Promise<Uint8Array> {
  try {
    const content = await repo.content(oid);
    return isPrepared(content) ? await readFile(content.file) : content;
  } catch (error) {
    if (!(error instanceof CmsError) || error.code !== "not_found") throw error;
    throw unavailable(`${path} was changed by hand while it was being read. Try again.`, "write", error);
  }
}
