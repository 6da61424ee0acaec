/**
 * The text of a record file and its data, in the one form that is merged: a mapping, and the body of a Markdown file.
 *
 * `content/redirects.yaml` is a list: its data is a mapping with the one key `rows`, as for its kind.
 */
import { isList, own, type Json } from "../../model/json.ts";
import { decodeFile, encodeFile, FileError, type FileContent, type KeyOrder } from "../codec/codec.ts";
import { editYaml } from "../codec/edit.ts";
import { printYaml } from "../codec/yaml-print.ts";
import { parseYaml } from "../codec/yaml.ts";
import type { Path } from "../repo.ts";

const ROWS = "rows";
/** A list stays the same list below a key, if it is not indented and nothing else precedes it. */
const HEADING = `${ROWS}:\n`;

/** @throws FileError */
export function decodeRecord(path: Path, bytes: Uint8Array): FileContent {
  try {
    return decodeFile(path, bytes);
  } catch (error) {
    const rows = error instanceof FileError ? rowsIn(path, bytes) : undefined;
    if (rows) return { data: { [ROWS]: rows } };
    throw error;
  }
}

/**
 * The bytes of a record's file with the difference between their content and `after` applied.
 *
 * @throws FileError when the result would exceed the limits of a file
 */
export function editRecord(path: Path, bytes: Uint8Array, after: FileContent, order: KeyOrder): Uint8Array {
  const rows = rowsIn(path, bytes);
  if (!rows) return encodeFile(path, after, { bytes, before: decodeFile(path, bytes) }, order);
  const to = own(after.data, ROWS) ?? [];
  const text = HEADING + new TextDecoder().decode(bytes);
  const edited = editYaml(text, { [ROWS]: rows }, { [ROWS]: to }, order, path);
  const isHeaded = edited.startsWith(HEADING) && !edited.startsWith(" ", HEADING.length);
  return new TextEncoder().encode(isHeaded ? edited.slice(HEADING.length) : printYaml(to));
}

/** The items of a YAML file that is a list; undefined for any other file. */
function rowsIn(path: Path, bytes: Uint8Array): readonly Json[] | undefined {
  if (path.endsWith(".md")) return undefined;
  try {
    const value = parseYaml(new TextDecoder().decode(bytes), path);
    return isList(value) ? value : undefined;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
