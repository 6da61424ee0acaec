/**
 * Finds commits by what people call them. A name becomes part of a path only where git accepts it as that of a ref: such a
 * name cannot lead out of `refs/`, unless a person put a symbolic link there, which git follows, too. It never becomes an
 * argument.
 */
import { derived } from "../../../memo.ts";
import type { Instant } from "../../../model/time/instant.ts";
import { parseRevisionName } from "../../../model/text/revision-name.ts";
import { pace } from "../../../time-slices.ts";
import type { Oid } from "../../repo.ts";
import type { Fs } from "../fs.ts";
import { parseCommit, readCommit, type Commit } from "../objects/commits.ts";
import type { Objects } from "../objects/objects.ts";
import { shallowBoundary, type HistorySource } from "./commit-walk.ts";
import { isOid, readHead, readPackedRef, refsBelow, refText } from "./refs.ts";

/** As git looks a name up: tags before branches. */
const FOLDERS = ["refs/tags", "refs/heads", "refs/remotes"];

const TAG_DEPTH_MAX = 10;

/** For how long a commit that was reachable is taken to be: each walk over a long history costs more than most reads. */
const REACHABLE_MS = 10_000;

/** Until when commits are taken to be reachable, as `performance.now` counts. */
const reachableIn = derived((_objects: Objects) => new Map<Oid, number>());
const REMEMBERED_MAX = 1000;

/** The repository, and the way to find commits by the beginning of their id. */
export interface RevisionSource extends HistorySource {
  resolveCommit(id: string): Promise<Oid | undefined>;
}

/**
 * The commit of a tag, a branch, a branch of a remote (`origin/main`), `HEAD`, or a full or shortened id; after any of
 * them, `~3` and `^2` lead to ancestors as in git.
 *
 * @returns undefined where there is none, or no branch and no tag leads to it
 */
export async function resolveRevision(source: RevisionSource, text: string): Promise<Oid | undefined> {
  const name = parseRevisionName(text);
  if (!name) return undefined;
  const commit = await namedCommit(source, name.base);
  return commit === undefined || name.steps.length === 0 ? commit : ancestorOf(source, commit, name.steps);
}

/** @returns undefined also where a shallow clone does not have it */
async function ancestorOf(source: HistorySource, commit: Oid, steps: readonly number[]): Promise<Oid | undefined> {
  const boundary = await shallowBoundary(source);
  let id: Oid | undefined = commit;
  for (const parent of steps) {
    if (id === undefined || boundary.has(id)) return undefined;
    id = (await readCommit(source.objects, id)).parents[parent - 1];
    await pace();
  }
  return id;
}

async function namedCommit(source: RevisionSource, name: string): Promise<Oid | undefined> {
  const { fs, gitDir, objects } = source;
  const known = reachableIn(objects);
  if ((known.get(name) ?? 0) > performance.now()) return name;
  if (name === "HEAD") {
    const { ref, commit } = await readHead(fs, gitDir);
    return commit ?? (ref === null ? undefined : findRef(fs, gitDir, ref));
  }
  for (const folder of isOid(name) || !isRefName(name) ? [] : FOLDERS) {
    const oid = await findRef(fs, gitDir, `${folder}/${name}`);
    if (oid !== undefined) return commitOfRef(source, oid);
  }
  const commit = await source.resolveCommit(name.toLowerCase());
  if (commit === undefined) return undefined;
  if ((known.get(commit) ?? 0) > performance.now()) return commit;
  const head = await readHead(fs, gitDir);
  const refs = await refsBelow(fs, gitDir, FOLDERS);
  const tips = new Set([...refs.values(), ...(head.commit === undefined ? [] : [head.commit])]);
  if (!(await isReachable(source, commit, tips))) return undefined;
  if (known.size >= REMEMBERED_MAX) known.clear();
  known.set(commit, performance.now() + REACHABLE_MS);
  return commit;
}

/**
 * The newest commit on a commit's line of first parents that was made at a moment or before it.
 *
 * @returns undefined when all are later, as far as the clone has them
 */
export async function commitBefore(source: HistorySource, from: Oid, moment: Instant): Promise<Oid | undefined> {
  const boundary = await shallowBoundary(source);
  for (let id: Oid | undefined = from; id !== undefined;) {
    const commit: Commit = await readCommit(source.objects, id);
    if (commit.at <= moment) return id;
    id = boundary.has(id) ? undefined : commit.parents[0];
    await pace();
  }
  return undefined;
}

const NAME_BYTES_MAX = 250;

/** Whether git accepts a text as the name of a tag or a branch (`git check-ref-format`). */
function isRefName(name: string): boolean {
  if (FORBIDDEN_IN_NAME.test(name) || name.includes("..") || name.includes("@{") || name.endsWith(".")) return false;
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

// oxlint-disable-next-line no-control-regex
const FORBIDDEN_IN_NAME = /[\0-\x20\x7f~^:?*[\\]/;

/** The object of one tag or branch; undefined where there is none, or its file holds no id. */
async function findRef(fs: Fs, gitDir: string, ref: string): Promise<Oid | undefined> {
  const text = await refText(fs, `${gitDir}/${ref}`);
  if (text !== undefined) return isOid(text) ? text : undefined;
  // Also where a folder of branches has the name of a packed ref that was removed.
  return readPackedRef(fs, gitDir, ref);
}

/** What objects of refs lead to, which never changes: the commit is not read again for each request. */
const commitsIn = derived((_objects: Objects) => new Map<Oid, Oid>());

async function commitOfRef(source: HistorySource, oid: Oid): Promise<Oid | undefined> {
  const known = commitsIn(source.objects);
  const commit = known.get(oid) ?? (await commitOf(source, oid));
  if (known.size >= REMEMBERED_MAX) known.clear();
  if (commit !== undefined) known.set(oid, commit);
  return commit;
}

/** The commit that a ref or an annotated tag leads to; undefined when that is another object. */
async function commitOf({ objects }: HistorySource, oid: Oid): Promise<Oid | undefined> {
  let at = oid;
  for (let depth = 0; depth < TAG_DEPTH_MAX; depth++) {
    const object = await objects.read(at);
    if (object?.type === "commit") return at;
    if (object?.type !== "tag") return undefined;
    const target = /^object ([0-9a-f]{40})\n/.exec(object.content.toString("latin1", 0, 48))?.[1];
    if (target === undefined) return undefined;
    at = target;
  }
  return undefined;
}

/**
 * Whether one of the commits is the wanted one or comes after it. Walks the newest commits first; a history whose clocks
 * were wrong is walked to its end.
 */
async function isReachable(source: HistorySource, wanted: Oid, tips: Iterable<Oid>): Promise<boolean> {
  const boundary = await shallowBoundary(source);
  const seen = new Set<Oid>();
  /** By time, the newest last. */
  const queue: { readonly id: Oid; readonly commit: Commit }[] = [];
  const add = async (id: Oid): Promise<void> => {
    if (seen.has(id)) return;
    seen.add(id);
    const object = await source.objects.read(id);
    if (object?.type !== "commit") return;
    const commit = parseCommit(object.content);
    const index = queue.findLastIndex((other) => other.commit.at <= commit.at) + 1;
    queue.splice(index, 0, { id, commit });
  };
  for (const tip of tips) {
    const commit = await commitOf(source, tip);
    if (commit !== undefined) await add(commit);
  }
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (next.id === wanted) return true;
    if (!boundary.has(next.id)) for (const parent of next.commit.parents) await add(parent);
    await pace();
  }
  return false;
}
