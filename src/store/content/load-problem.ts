/** The problem reported for a record whose files do not load: file, line, column and reason. */
import { CmsError, messageOf, type FieldErrors } from "../../errors.ts";
import type { Problem } from "../../model/problem.ts";
import type { FileCodec } from "../codec/file-codec.ts";
import { FileError } from "../codec/file-error.ts";
import type { Repo } from "../repo.ts";
import { mainPart, type Base, type Part } from "./record-type.ts";

export async function problemOf(
  { repo, codec }: { readonly repo: Repo; readonly codec: FileCodec },
  error: unknown,
  base: Base,
  parts: readonly Part[],
): Promise<Problem> {
  if (error instanceof FileError) {
    return { path: error.path, line: error.line, column: error.column, message: error.reason };
  }
  const main = base + (mainPart(parts) ?? parts[0]!);
  if (!(error instanceof CmsError)) return { path: main, message: messageOf(error) };
  const [first] = flattenErrors(error.fields);
  if (!first) return { path: main, message: error.message };
  const text = await repo.read(main);
  // A missing key has no position, so the mapping that lacks it is reported.
  const paths = first.path.length > 1 ? [first.path, first.path.slice(0, -1)] : [first.path];
  const at = text && (await codec.locate(text.bytes, paths)).find((place) => place !== undefined);
  return { path: main, ...at, message: `${first.path.join(".")}: ${first.message}` };
}

/** Field errors one by one, each with its path. A key that is a number in text counts as an index. */
export function flattenErrors(
  errors: FieldErrors,
  above: readonly (string | number)[] = [],
): { path: (string | number)[]; message: string }[] {
  return Object.entries(errors).flatMap(([key, value]) => {
    const path = [...above, /^\d+$/.test(key) ? Number(key) : key];
    if (typeof value === "string" || typeof value === "number") return [{ path, message: String(value) }];
    if (!Array.isArray(value)) return flattenErrors(value as FieldErrors, path);
    const isMessages = value.every((item) => typeof item === "string");
    return isMessages
      ? value.map((message: string) => ({ path, message }))
      : flattenErrors(Object.fromEntries(value.entries()), path);
  });
}
