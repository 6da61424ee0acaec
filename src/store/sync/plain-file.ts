/** Merges files that are no records: texts by line; of all others the remote's stands. */
import { hasClash, mergeText, textOfSide } from "../../model/merge/text.ts";
import { oidOf } from "../git/objects/object.ts";
import { EXECUTABLE_MODE, REGULAR_MODE, type MergedFile, type Path, type Repo, type TreeFile } from "../repo.ts";
import type { SyncConflict } from "./conflicts/sync-conflict.ts";
import type { FileVersions } from "./tree-sides.ts";

export interface MergedPlainFile {
  readonly file: MergedFile | null;
  readonly conflict?: SyncConflict;
}

/** Larger texts are treated like binary files. */
const TEXT_MAX = 4 * 1024 * 1024;
const BINARY_CHECK_BYTES = 8000;

/** @param versions both sides differ from the base and from each other */
export async function mergePlainFile(repo: Repo, path: Path, versions: FileVersions): Promise<MergedPlainFile> {
  const { base, ours, theirs } = versions;
  if (!ours || !theirs)
    return { file: ours ?? theirs, conflict: { kind: "deleted", path, by: ours ? "theirs" : "ours" } };
  const conflict: SyncConflict = { kind: "file", path };
  if (![base ?? ours, ours, theirs].every(isRegular)) return { file: theirs, conflict };
  const mode = base && theirs.mode === base.mode ? ours.mode : theirs.mode;
  if (ours.oid === theirs.oid || theirs.oid === base?.oid) return { file: { mode, oid: ours.oid } };
  if (ours.oid === base?.oid) return { file: { mode, oid: theirs.oid } };
  const merged = base && (await mergeLines(repo, base, ours, theirs));
  if (!merged) return { file: { mode, oid: theirs.oid }, conflict };
  return { file: { mode, oid: oidOf("blob", merged), bytes: merged } };
}

const isRegular = ({ mode }: TreeFile): boolean => mode === REGULAR_MODE || mode === EXECUTABLE_MODE;

/**
 * Bytes stand for characters while lines are merged, so that a file of any encoding keeps its bytes.
 *
 * @returns undefined if lines clash, or a version is no text
 */
async function mergeLines(repo: Repo, ...versions: [TreeFile, TreeFile, TreeFile]): Promise<Uint8Array | undefined> {
  const texts: Buffer[] = [];
  for (const { oid } of versions) texts.push(Buffer.from(await repo.blob(oid)));
  if (texts.some((bytes) => bytes.length > TEXT_MAX || bytes.subarray(0, BINARY_CHECK_BYTES).includes(0)))
    return undefined;
  const [base, ours = "", theirs = ""] = texts.map((bytes) => bytes.toString("latin1"));
  const parts = mergeText(base, ours, theirs);
  return hasClash(parts) ? undefined : Buffer.from(textOfSide(parts, "ours"), "latin1");
}
