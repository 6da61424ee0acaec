/** Files without the problems that have one right answer. */
import type { JsonObject } from "../../model/input/json.ts";
import type { Problem } from "../../model/text/problem.ts";
import { decodeFile, encodeFile } from "../codec/codec.ts";
import { placeOf } from "../content/load.ts";
import type { Path } from "../repo.ts";
import type { Store } from "../write/store.ts";

export interface FixedFile {
  readonly path: Path;
  readonly bytes: Uint8Array;
  /** What is mended in it. */
  readonly problems: readonly Problem[];
}

/** Nothing is written. Comments, order and layout of a file stay. */
export async function fixedFiles({ repo, kinds }: Store, problems: readonly Problem[]): Promise<FixedFile[]> {
  const byPath = new Map<Path, Problem[]>();
  for (const problem of problems)
    if (problem.fix) byPath.set(problem.path, [...(byPath.get(problem.path) ?? []), problem]);
  const files: FixedFile[] = [];
  for (const [path, found] of byPath) {
    const place = placeOf(kinds, path);
    const file = await repo.read(path);
    if (!place || !file) continue;
    const before = decodeFile(path, file.bytes);
    const data = found.reduce<JsonObject>((now, { fix }) => fix?.(now) ?? now, before.data);
    const bytes = encodeFile(path, { ...before, data }, { bytes: file.bytes, before }, place.kind.order(place.part));
    files.push({ path, bytes, problems: found });
  }
  return files;
}
