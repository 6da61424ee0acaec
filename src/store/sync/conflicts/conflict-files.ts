/** The files of conflicts, as they are in commits. */
import type { Id } from "../../../model/input/id.ts";
import type { Json } from "../../../model/input/json.ts";
import { valueAt } from "../../../model/merge/path.ts";
import { dataIn } from "../../codec/codec.ts";
import { MAIN_PARTS, type Base } from "../../records/record-type.ts";
import type { Oid, Path, Repo } from "../../repo.ts";

/** null for no such file. */
export async function bytesAt(repo: Repo, commit: Oid, path: Path): Promise<Uint8Array | null> {
  const oid = (await repo.committed(commit, [path])).get(path);
  return oid ? repo.blob(oid) : null;
}

/** null for no such file; undefined for one that does not load. */
export async function dataAt(repo: Repo, commit: Oid, path: Path): Promise<Json | undefined> {
  const bytes = await bytesAt(repo, commit, path);
  return bytes && dataIn(path, bytes);
}

/** The id in the main file of a record; undefined for no such record, or one without. */
export async function recordIdAt(repo: Repo, commit: Oid, base: Base): Promise<Id | undefined> {
  for (const part of MAIN_PARTS) {
    const bytes = await bytesAt(repo, commit, base + part);
    const id = bytes && valueAt(dataIn(base + part, bytes), ["id"]);
    if (typeof id === "number") return id;
  }
  return undefined;
}
