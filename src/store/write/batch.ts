/**
 * Prepares the commits of waiting transactions: first a commit of manual edits in the files they will write, then one
 * commit for each transaction, each based on the one before.
 */
import { setImmediate } from "node:timers/promises";
import { CmsError, notFound } from "../../errors.ts";
import { refuseStale } from "../../model/input/if-match.ts";
import type { Env } from "../../env.ts";
import type { Instant } from "../../model/time/instant.ts";
import type { Id } from "../../model/page/page.ts";
import { pace } from "../../time-slices.ts";
import { advance, type Loaded } from "../content/advance.ts";
import type { Loader } from "../content/load-group.ts";
import { placeOf } from "../content/load.ts";
import type { AnyKind } from "../records/record-type.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Batch, CommitPlan, Content, Oid, Path, Signature } from "../repo.ts";
import { commitOfManualEdits } from "./manual-edits.ts";
import { notLoaded, plan } from "./plan.ts";
import { openTransaction, withTrailers, type Touched, type Trailers, type Tx } from "./transaction.ts";
import { openWorkingTreeView, type WorkingTreeView } from "./working-tree-view.ts";

/** The author of a commit. */
export interface Author extends Signature {
  /** The version of the record on which the change is based. */
  readonly expects?: { readonly kind: AnyKind; readonly id: Id; readonly versions: readonly string[] };
  /** Gets the content from which the write starts, and throws what the author may not change there. */
  readonly permit?: (content: Snapshot) => void;
  /** Gets the content before and after the write, and throws when the author may not make the one of the other. */
  readonly judge?: (before: Snapshot, after: Snapshot) => void;
}

/** What a transaction changes, before it is committed. */
export interface Transition {
  readonly by: Author;
  readonly before: Snapshot;
  /** The records after it; null: removed. */
  readonly changes: Touched["records"];
  readonly now: Instant;
}

/**
 * Judges a transaction by the content it starts from.
 *
 * @returns trailers for its commit
 * @throws CmsError `forbidden`: then nothing is written
 */
export type Judge = (transition: Transition) => Trailers;

/** A transaction to run. */
export interface BatchJob {
  readonly by: Author;
  readonly work: (tx: Tx) => unknown;
}

/** The outcome of a job: its error, or the result of its work and the content after it. */
export type BatchOutcome = { readonly error: unknown } | { readonly value: unknown; readonly left: Loaded };

export interface PreparedWrites extends Batch {
  /** Content of the changed paths after the last commit; null for removed files. */
  readonly changes: ReadonlyMap<Path, Content | null>;
  /** In the order of the jobs. */
  readonly outcomes: readonly BatchOutcome[];
  /** The content after the last job. */
  readonly left: Loaded;
}

export interface BatchContext {
  readonly loader: Loader;
  readonly env: Env;
  readonly judge?: Judge | undefined;
}

/** @returns undefined when a file on disk is not the one that was loaded: then the content must be loaded first */
export async function prepareWrites(
  context: BatchContext,
  loaded: Loaded,
  head: Oid | null,
  jobs: readonly BatchJob[],
): Promise<PreparedWrites | undefined> {
  const { repo, kinds } = context.loader;
  const tree = openWorkingTreeView(repo, kinds, loaded, head);
  const commits: CommitPlan[] = [];
  const outcomes: BatchOutcome[] = [];
  let left = loaded;
  for (const job of jobs) {
    try {
      const done = await runJob(context, job, loaded, left, tree);
      if (!done) return undefined;
      if (done.commit) commits.push(done.commit);
      left = done.left;
      outcomes.push({ value: done.value, left });
    } catch (error) {
      if (tree.isOutdated()) return undefined; // the newer content may not cause the error
      outcomes.push({ error });
    }
  }
  const manual = await commitOfManualEdits(context.loader, loaded, head, context.env.now(), tree);
  if (tree.isOutdated()) return undefined;
  const manualEdits = new Set(manual?.changes.keys());
  return {
    base: head,
    commits: manual ? [manual, ...commits] : commits,
    expect: tree.expected(new Set([...tree.changes.keys(), ...manualEdits])),
    manualEdits,
    changes: tree.changes,
    outcomes,
    left,
  };
}

interface JobDone {
  readonly value: unknown;
  /** undefined where nothing changed. */
  readonly commit?: CommitPlan;
  readonly left: Loaded;
}

/**
 * @param before the content after the previous jobs
 * @returns undefined when a file on disk is not the one that was loaded
 */
async function runJob(
  { loader, env, judge }: BatchContext,
  { by, work }: BatchJob,
  loaded: Loaded,
  before: Loaded,
  tree: WorkingTreeView,
): Promise<JobDone | undefined> {
  const now = env.now();
  const { snapshot } = before;
  refuseUnexpected(snapshot, by);
  const { tx, deferred, touched } = openTransaction(snapshot, env, now);
  const value = work(tx);
  for (const piece of deferred) {
    await pace();
    piece();
  }
  const done = touched();
  const trailers = judge?.({ by, before: snapshot, changes: done.records, now }) ?? {};
  // With large values the work, its files and its answer each take long, so each gets its own turn of the event loop.
  await setImmediate();
  const { changes, entries } = await plan({ ...loader, snapshot, tree }, done);
  for (const path of changes.keys()) {
    await pace();
    await tree.oidOnDisk(path);
  }
  if (tree.isOutdated()) return undefined;
  refuseBroken(loaded, loader.kinds, changes.keys());
  if (changes.size === 0) return { value, left: before };
  const left = await advance(loader, before, snapshot.commit ?? "", entries, new Map());
  by.judge?.(snapshot, left.snapshot);
  tree.apply(changes);
  const commit = {
    author: { name: by.name, email: by.email },
    at: now,
    message: withTrailers(done.message, trailers),
    changes,
  };
  return { value, commit, left };
}

function refuseBroken(loaded: Loaded, kinds: readonly AnyKind[], paths: Iterable<Path>): void {
  const hasFailures = [...loaded.failures.values()].some(({ size }) => size > 0);
  for (const path of paths) {
    const unreadable = loaded.files.get(path)?.unreadable;
    if (unreadable) throw new CmsError("conflict", `${path} is in the way. ${unreadable}`);
    const place = hasFailures ? placeOf(kinds, path) : undefined;
    const problem = place && loaded.failures.get(place.kind)?.get(place.base)?.[0];
    if (problem) throw notLoaded(problem);
  }
}

function refuseUnexpected(snapshot: Snapshot, { expects, permit }: Author): void {
  permit?.(snapshot);
  if (!expects) return;
  const current = snapshot.version(expects.kind, expects.id);
  if (current === "") throw notFound(expects.kind.name);
  refuseStale(current, expects.versions);
}
