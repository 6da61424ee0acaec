/** New bytes for one content file, verified by parsing them. */
import { CmsError, messageOf } from "../../../errors.ts";
import { isObject, objectOf, own, sameJson, type Json, type JsonObject } from "../../../model/input/json.ts";
import { decodeFile, decodeUtf8, encodeFile, encodeUtf8, isYaml, type FileContent, type KeyOrder } from "../codec.ts";
import { editPlaced } from "./edit.ts";
import { FileError } from "../file-error.ts";
import { isSurelyStorable } from "./guard.ts";
import { placesInPlain } from "./plain-yaml.ts";
import { rebase } from "./rebase.ts";

export interface Rewrite {
  readonly path: string;
  readonly content: FileContent;
  /** The existing file; undefined for a new one. */
  readonly previous: Uint8Array | undefined;
  /** The content of the previous record, including defaults and derived values; undefined if it was not loaded. */
  readonly before: FileContent | undefined;
  readonly order: KeyOrder;
}

export interface Rewritten {
  readonly bytes: Uint8Array;
  /** The parsed bytes, if they differ from the given content (unknown keys of the file stay). */
  readonly reading: FileContent | undefined;
}

/**
 * @throws FileError when the previous bytes cannot be parsed
 * @throws CmsError `invalid` for data beyond the limits of a file: too large, too many keys
 */
export function rewriteFile(job: Rewrite): Rewritten {
  const { path, content, previous, before, order } = job;
  const rewritten = previous && isYaml(path) ? rewritePlain(job, previous) : undefined;
  if (rewritten) return rewritten;
  const current = previous && decodeFile(path, previous);
  try {
    const stated = current && (before ? { ...before, data: statedIn(current.data, before.data) } : current);
    const bytes = encodeFile(path, content, previous && stated && { bytes: previous, before: stated }, order);
    // The text of a new YAML file was parsed as it was printed, and compared with the data.
    if (!current && isYaml(path)) return { bytes, reading: undefined };
    const reading = decodeFile(path, bytes);
    return { bytes, reading: sameJson(reading, content) ? undefined : reading };
  } catch (error) {
    if (error instanceof FileError) throw unstorable(path, error);
    throw error;
  }
}

/**
 * As `rewriteFile`, of a file in the form of our own writer, which is parsed once, as is the result.
 *
 * @returns undefined for other files, for changes that splices do not make, and for data beyond the limits
 */
function rewritePlain({ path, content, before, order }: Rewrite, previous: Uint8Array): Rewritten | undefined {
  const plain = placesInPlain(decodeUtf8(path, previous));
  if (!plain || !isSurelyStorable(content.data)) return undefined;
  const { data } = plain;
  const wanted = rebase(data, before ? statedIn(data, before.data) : data, content.data);
  if (!isObject(wanted)) return undefined;
  if (sameJson(data, wanted)) return { bytes: previous, reading: sameJson(data, content.data) ? undefined : { data } };
  const edited = editPlaced(plain, data, wanted, order);
  if (edited === undefined) return undefined;
  const reading = sameJson(wanted, content.data) ? undefined : { data: wanted };
  return { bytes: encodeUtf8(edited), reading };
}

export const unstorable = (path: string, cause: unknown): CmsError =>
  new CmsError("invalid", `${path} cannot be stored: ${messageOf(cause)}`, {
    fields: { non_field_errors: [`This cannot be stored as a file: ${messageOf(cause)}`] },
    cause,
  });

/**
 * The keys of `data` that the file states: derived values it omits count as absent, so that a write can add them. What
 * the file states whole is not copied.
 */
function statedIn(file: JsonObject, data: JsonObject): JsonObject {
  const entries: [string, Json][] = [];
  let isWhole = true;
  for (const key of Object.keys(data)) {
    const value = data[key]!;
    const stated = own(file, key);
    const kept = stated !== undefined && isObject(value) && isObject(stated) ? statedIn(stated, value) : value;
    if (stated !== undefined) entries.push([key, kept]);
    if (stated === undefined || kept !== value) isWhole = false;
  }
  return isWhole ? data : objectOf(entries);
}
