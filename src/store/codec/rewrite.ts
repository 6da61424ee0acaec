/** Writing one content file: the bytes, and what they read back as. */
import { CmsError, messageOf } from "../../errors.ts";
import { isObject, own, sameJson, type Json, type JsonObject } from "../../model/json.ts";
import { decodeFile, encodeFile, type FileContent, type KeyOrder } from "./codec.ts";
import { FileError } from "./file-error.ts";

/** What a file is to hold. */
export interface Rewrite {
  readonly path: string;
  readonly content: FileContent;
  /** The file as it lies there; undefined for a new one. */
  readonly previous: Uint8Array | undefined;
  /** What the record before would be written as, defaults and derived values included. */
  readonly was: FileContent | undefined;
  readonly order: KeyOrder;
}

export interface Rewritten {
  readonly bytes: Uint8Array;
  /** What the bytes are read as, where that is not the very content that was given. */
  readonly reading: FileContent | undefined;
}

/**
 * @throws FileError when the previous bytes cannot be read
 * @throws CmsError `invalid` for data that a file may not hold: too large, too many keys
 */
export function rewriteFile({ path, content, previous, was, order }: Rewrite): Rewritten {
  const actual = previous && decodeFile(path, previous);
  try {
    const before = actual && (was ? { ...was, data: present(was.data, actual.data) } : actual);
    const bytes = encodeFile(path, content, previous && before && { bytes: previous, before }, order);
    const reading = decodeFile(path, bytes);
    return { bytes, reading: sameJson(reading, content) ? undefined : reading };
  } catch (error) {
    if (error instanceof FileError) throw unstorable(path, error);
    throw error;
  }
}

export const unstorable = (path: string, cause: unknown): CmsError =>
  new CmsError("invalid", `${path} cannot be stored: ${messageOf(cause)}`, {
    fields: { non_field_errors: [`This cannot be stored as a file: ${messageOf(cause)}`] },
    cause,
  });

/** Of what we take the file to mean, the part that stands in it: derived values it leaves out count as absent. */
function present(meant: JsonObject, actual: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(meant).flatMap(([key, value]): [string, Json][] => {
      const there = own(actual, key);
      if (there === undefined) return [];
      return [[key, isObject(value) && isObject(there) ? present(value, there) : value]];
    }),
  );
}
