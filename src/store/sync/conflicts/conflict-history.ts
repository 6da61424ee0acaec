/** The conflicts of all syncs in the history of HEAD that are still open, from the trailers of their merge commits. */
import type { Json } from "../../../model/input/json.ts";
import type { Lang } from "../../../model/language/locale.ts";
import { placeOf } from "../../content/load.ts";
import type { Base } from "../../records/record-type.ts";
import type { History } from "../../history/history.ts";
import type { Oid, Path, Repo } from "../../repo.ts";
import { stillUndecided, type DecisionSource } from "./conflict-decisions.ts";
import { recordIdAt } from "./conflict-files.ts";
import { pathProblem } from "../fetched-tree.ts";
import { readMergeMessage, resolvedBy, type MergeNote } from "../merge-message.ts";
import type { PastConflict } from "./past-conflict.ts";

interface Found {
  readonly head: Oid;
  /** The newest merge first. */
  readonly open: readonly PastConflict[];
}

/** @returns those that no commit has decided, by name or by another value, the newest first */
export async function undecidedConflicts(source: DecisionSource, history: History): Promise<readonly PastConflict[]> {
  const text = await history.derived("open-conflicts", async (last) => {
    // Read here, so that the result is never cached for a commit that came meanwhile.
    const { head } = await source.repo.state();
    return head === null ? null : JSON.stringify(await extend(source, head, parseFound(last)));
  });
  return parseFound(text)?.open ?? [];
}

/** Walks the commits that are new since the last time, or all if the history was rewritten. */
async function extend(source: DecisionSource, head: Oid, last: Found | undefined): Promise<Found> {
  const { repo } = source;
  const known = last !== undefined && (await isAncestor(repo, last.head, head)) ? last : undefined;
  const added: PastConflict[] = [];
  const resolved = new Set<string>();
  for await (const { id: merge, parents, message } of repo.log(head, known?.head ?? null, [])) {
    for (const id of resolvedBy(message)) resolved.add(id);
    const [ours, theirs] = parents;
    const note = ours !== undefined && theirs !== undefined ? readMergeMessage(message) : undefined;
    if (!note || ours === undefined || theirs === undefined) continue;
    // Anyone can write a message: a base that is no commit would make the whole list fail.
    if ((await repo.resolveCommit(note.base)) === undefined) continue;
    added.push(...(await conflictsOf(source, note, { merge, base: note.base, ours, theirs })));
  }
  const conflicts = [...added, ...(known?.open ?? [])].filter(({ id }) => !resolved.has(id));
  const until = known && known.open.length > 0 ? known.head : added.at(-1)?.merge;
  if (until === undefined || conflicts.length === 0) return { head, open: [] };
  return { head, open: await stillUndecided(source, head, until, conflicts) };
}

async function conflictsOf(
  { repo, kinds }: DecisionSource,
  note: MergeNote,
  commits: Pick<PastConflict, "merge" | "base" | "ours" | "theirs">,
): Promise<PastConflict[]> {
  const { merge } = commits;
  const found: PastConflict[] = [];
  for (const [number, conflict] of note.conflicts.entries()) {
    if (conflict.base !== undefined && (await repo.resolveCommit(conflict.base)) === undefined) continue;
    if ([conflict.path, ...Object.values(conflict.from ?? {})].some((path) => pathProblem(path) !== undefined))
      continue;
    const place = placeOf(kinds, conflict.path);
    const id = place && (await recordIdAt(repo, merge, place.base));
    const path =
      conflict.draft === undefined ? conflict.path : place && (await draftAt(repo, merge, place.base, conflict.draft));
    // A draft that is not there was never made by a sync.
    if (path === undefined) continue;
    const record = place && id !== undefined ? { record: { kind: place.kind.name, id } } : {};
    const base = conflict.base ?? commits.base;
    found.push({ ...conflict, ...commits, base, ...record, id: `${merge.slice(0, 12)}-${number + 1}`, paths: [path] });
  }
  return found;
}

async function draftAt(repo: Repo, commit: Oid, base: Base, language: Lang): Promise<Path | undefined> {
  const paths = [".yaml", ".yml"].map((ending) => `${base}.draft.${language}${ending}`);
  if (paths.some((path) => pathProblem(path) !== undefined)) return undefined;
  const committed = await repo.committed(commit, paths);
  return paths.find((path) => committed.get(path) != null);
}

async function isAncestor(repo: Repo, commit: Oid, of: Oid): Promise<boolean> {
  try {
    const { done } = await repo.log(commit, of, [])[Symbol.asyncIterator]().next();
    return done === true;
  } catch {
    return false; // it is not stored any more
  }
}

/** @param text written by this version of the program, as `derived` ensures */
const parseFound = (text: Json | undefined): Found | undefined =>
  typeof text === "string" ? (JSON.parse(text) as Found) : undefined;
