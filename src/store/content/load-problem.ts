/** The problems reported for a record whose files do not load: file, line, column and reason of each. */
import { CmsError, flattenErrors, messageOf } from "../../errors.ts";
import type { Problem } from "../../model/text/problem.ts";
import type { FileCodec } from "../codec/file-codec.ts";
import { FileError } from "../codec/file-error.ts";
import type { Repo } from "../repo.ts";
import { mainPart, type Base, type Part } from "../records/record-type.ts";

/** @returns at least one */
export async function problemsOfFiles(
  { repo, codec }: { readonly repo: Repo; readonly codec: FileCodec },
  error: unknown,
  base: Base,
  parts: readonly Part[],
): Promise<readonly [Problem, ...Problem[]]> {
  if (error instanceof FileError) {
    return [{ path: error.path, line: error.line, column: error.column, message: error.reason }];
  }
  const main = base + (mainPart(parts) ?? parts[0]!);
  if (!(error instanceof CmsError)) return [{ path: main, message: messageOf(error) }];
  const found = flattenErrors(error.fields);
  const text = found.length > 0 ? await repo.read(main) : undefined;
  // A missing key has no position, so the mapping that lacks it is reported.
  const paths = found.flatMap(({ path }) => [path, path.slice(0, -1)]);
  const places = text && (await codec.locate(text.bytes, paths));
  const [first, ...others] = found.map(({ path, message }, at): Problem => {
    const place = places?.[2 * at] ?? (path.length > 1 ? places?.[2 * at + 1] : undefined);
    return { path: main, ...place, message: `${path.join(".")}: ${message}` };
  });
  return first ? [first, ...others] : [{ path: main, message: error.message }];
}
