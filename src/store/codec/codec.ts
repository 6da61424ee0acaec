/**
 * Content files: bytes to data and back.
 *
 * An existing file is edited in place: only the difference between old and new data changes in the text. The meaning of
 * the data is the caller's concern.
 */

import { isUtf8 } from "node:buffer";
import { isObject, objectOf, sameJson } from "../../model/input/json.ts";
import type { Json, JsonObject } from "../../model/input/json.ts";
import { refuseConflicts } from "./conflict.ts";
import { editYaml } from "./yaml/edit.ts";
import { FileError } from "./file-error.ts";
import { isPlain, splitFrontMatter } from "./front-matter.ts";
import { checkDataSize } from "./yaml/guard.ts";
import { inKeyOrder } from "./order.ts";
import type { KeyOrder } from "./order.ts";
import { stringifyYaml } from "./yaml/yaml-print.ts";
import { parseYaml } from "./yaml/yaml.ts";

export { FileError };
export { locate, locateAddress, type KeyPath } from "./yaml/locate.ts";
export type { Position } from "./file-error.ts";
export type { KeyOrder } from "./order.ts";

/** The mapping of a YAML file, or the front matter and body of a Markdown file. */
export interface FileContent {
  readonly data: JsonObject;
  /** Only for `.md` files. */
  readonly body?: string;
}

/** Files that are a list at their top, and the key under which their data has it. */
const LISTS: ReadonlyMap<string, string> = new Map([["content/redirects.yaml", "rows"]]);

/**
 * The data of a file, wherever it is read: what is written has this data too, or it is refused.
 *
 * @param path its extension (`.yaml`, `.yml` or `.md`) selects the format
 * @throws FileError with path, line and column; also for a file in which a merge left a conflict
 */
export function decodeFile(path: string, bytes: Uint8Array): FileContent {
  const content = decodeUnresolved(path, bytes);
  refuseConflicts(path, bytes, content);
  return content;
}

/** The data of a file; undefined for one that does not load: `cms check` names it. */
export function dataIn(path: string, bytes: Uint8Array): JsonObject | undefined {
  try {
    return decodeFile(path, bytes).data;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** As `decodeFile`, also of a file with conflicts: both sides' texts are in its values, between markers. */
export function decodeUnresolved(path: string, bytes: Uint8Array): FileContent {
  const text = decodeUtf8(path, bytes);
  if (text.replace(/^\uFEFF/, "").trim() === "") throw new FileError(path, "is empty");
  try {
    return contentOf(path, text);
  } catch (error) {
    const line = error instanceof FileError ? text.split("\n").findIndex((each) => each.startsWith("<<<<<<< ")) : -1;
    throw line < 0 ? error : new FileError(path, UNMERGED, { line: line + 1, column: 1 }, { cause: error });
  }
}

const UNMERGED =
  "is not merged: keep one side of each part between <<<<<<< and >>>>>>>, remove these lines, then `git add` it";

function contentOf(path: string, text: string): FileContent {
  const list = LISTS.get(path);
  if (list !== undefined) return { data: { [list]: parseYaml(text, path) } };
  if (!isMarkdown(path)) return { data: mappingOf(path, parseYaml(text, path)) };
  const { data, body } = splitFrontMatter(text, path);
  return { data: mappingOf(path, data ?? {}), body };
}

/** An existing file: its bytes, and the data the caller derived from them. */
export interface Previous {
  readonly bytes: Uint8Array;
  /** May have keys the file omits (defaults), and lack keys it has (unknown ones). */
  readonly before: FileContent;
}

/**
 * The bytes of a file with content `after`: a new file in the given key order, or the previous one with only the
 * difference between `before` and `after` applied. Without a difference the bytes are unchanged.
 *
 * @throws FileError when the previous bytes cannot be parsed, or the result would exceed the limits of a file
 */
export function encodeFile(path: string, after: FileContent, previous?: Previous, order: KeyOrder = []): Uint8Array {
  checkDataSize(after.data, path);
  const text = previous && decodeUtf8(path, previous.bytes);
  const list = LISTS.get(path);
  if (list !== undefined)
    return encodeUtf8(encodeList(path, list, after, previous && { text: text!, before: previous.before }));
  return encodeUtf8(previous ? edit(path, text!, previous.before, after, order) : write(path, after, order));
}

/** As `encodeFile`, where the content of the previous file has not been changed in memory. */
export const editFile = (path: string, bytes: Uint8Array, after: FileContent, order: KeyOrder): Uint8Array =>
  encodeFile(path, after, { bytes, before: decodeFile(path, bytes) }, order);

/** A list is a mapping without its first line: below a key, the items of a list need no indentation. */
function encodeList(
  path: string,
  key: string,
  after: FileContent,
  previous: { readonly text: string; readonly before: FileContent } | undefined,
): string {
  const head = `${key}:\n`;
  const edited = previous && editList(path, head + previous.text.replace(/^\uFEFF/, ""), previous.before, after);
  const text = edited ?? write(path, after, []);
  const list = text.startsWith(head) ? text.slice(head.length) : text.slice(key.length + 2);
  const isIndented = list.split("\n").every((line) => line === "" || line.startsWith("  "));
  return isIndented ? list.replaceAll(/^ {2}/gm, "") : list;
}

/** undefined for a list that is none below a key, such as one after a `---` line. */
function editList(path: string, text: string, before: FileContent, after: FileContent): string | undefined {
  try {
    return editYaml(text, before.data, after.data, [], path);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

export const encodeUtf8 = (text: string): Uint8Array => ENCODER.encode(text);

const ENCODER = new TextEncoder();

function write(path: string, { data, body }: FileContent, order: KeyOrder): string {
  const yaml = stringifyYaml(inKeyOrder(data, order), path);
  if (!isMarkdown(path)) return yaml;
  return `---\n${Object.keys(data).length > 0 ? yaml : ""}---\n${body ?? ""}`;
}

function edit(path: string, text: string, before: FileContent, after: FileContent, order: KeyOrder): string {
  if (!isMarkdown(path)) return editYaml(text, before.data, after.data, order, path);
  if (isPlain(text, path)) return addFrontMatter(path, text, before, after, order);
  const { data, start, end, body, isToml } = splitFrontMatter(text, path);
  if (isToml) return withYaml(path, body, { data: mappingOf(path, data ?? {}), body }, { before, after, order, text });
  const yaml = editYaml(text.slice(start, end), before.data, after.data, order, path);
  const newBody = after.body ?? "";
  if (newBody === (before.body ?? "")) return text.slice(0, start) + yaml + text.slice(end);
  const fence = text.slice(end, text.length - body.length);
  const lineBreak = fence.endsWith("\n") || newBody === "" ? "" : /\r?\n/.exec(text)?.[0];
  return text.slice(0, start) + yaml + fence + lineBreak + newBody;
}

function addFrontMatter(path: string, text: string, before: FileContent, after: FileContent, order: KeyOrder): string {
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const yaml = stringifyYaml(inKeyOrder(after.data, order), path).replace(/\r?\n/g, lineBreak);
  const body = (after.body ?? "") === (before.body ?? "") ? text.replace(/^\uFEFF/, "") : (after.body ?? "");
  return `---${lineBreak}${yaml}---${lineBreak}${body}`;
}

interface Edit {
  readonly before: FileContent;
  readonly after: FileContent;
  readonly order: KeyOrder;
  readonly text: string;
}

/** A file with front matter in TOML gets YAML in its place, once it is changed: comments would be lost in either. */
function withYaml(path: string, body: string, file: FileContent, { before, after, order, text }: Edit): string {
  const isSame = (after.body ?? "") === (before.body ?? "");
  if (isSame && sameJson(before.data, after.data)) return text;
  const kept = Object.entries(file.data).filter(([key]) => !Object.hasOwn(before.data, key));
  const data = objectOf([...Object.entries(after.data), ...kept.filter(([key]) => !Object.hasOwn(after.data, key))]);
  return write(path, { data, body: isSame ? body : (after.body ?? "") }, order);
}

const isMarkdown = (path: string): boolean => path.endsWith(".md");

/** Whether a file has nothing but YAML. */
export const isYaml = (path: string): boolean => !isMarkdown(path);

function mappingOf(path: string, value: Json): JsonObject {
  if (isObject(value)) return value;
  throw new FileError(path, value === null ? "is empty" : "must hold `key: value` lines at its top level", {
    line: 1,
    column: 1,
  });
}

/** @throws FileError */
export function decodeUtf8(path: string, bytes: Uint8Array): string {
  try {
    // The byte order mark is kept, since an edit must not remove it.
    return DECODER.decode(bytes);
  } catch (cause) {
    throw new FileError(path, "is not UTF-8 text", { line: firstInvalidLine(bytes), column: 1 }, { cause });
  }
}

const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function firstInvalidLine(bytes: Uint8Array): number {
  // No byte of a multi-byte character is a line break.
  const lines = new TextDecoder("latin1").decode(bytes).split("\n");
  return 1 + lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1")));
}
