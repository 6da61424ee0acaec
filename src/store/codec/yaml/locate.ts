import { EVENT_ID, getScalarValue } from "js-yaml";
import type { Event } from "js-yaml";
import { FileError, positionAt } from "../file-error.ts";
import type { Position } from "../file-error.ts";
import { startOf } from "./guard.ts";
import { readEvents } from "./yaml.ts";

/** Keys and 0-based indices, outermost first. */
export type KeyPath = readonly (string | number)[];

/**
 * The position of a key or list item in a YAML text or in the front matter of a Markdown file.
 *
 * @param path an index also matches a key that looks like a number
 * @returns undefined when the path does not exist, or the text cannot be parsed
 */
export function locate(text: string, path: KeyPath): Position | undefined {
  if (/^\uFEFF?\s{0,100}\+\+\+/.test(text)) return locateInToml(text, path[0]);
  const yaml = yamlPartOf(text);
  const events = eventsOf(yaml);
  let node = 1; // 0 is the document's event
  let offset = -1;
  for (const step of path) {
    const found = childAt(yaml, events, node, step);
    if (!found) return undefined;
    ({ node, offset } = found);
  }
  return offset < 0 ? undefined : positionAt(yaml, offset);
}

/** The line of a key at the top of TOML. */
function locateInToml(text: string, key: string | number | undefined): Position | undefined {
  const at = text.split(LINE_BREAK).findIndex((line) => /^[ \t["']*([^\s="'\].]+)/.exec(line)?.[1] === String(key));
  return at < 0 ? undefined : { line: at + 1, column: 1 };
}

/**
 * The position of an address within a value: of the first one after the value's key, or in the body of a Markdown
 * file when the key is not in its front matter.
 *
 * @returns undefined where it is not written literally, as in a YAML text with escapes
 */
export function locateAddress(text: string, path: KeyPath, address: string): Position | undefined {
  if (address === "") return undefined;
  const front = yamlPartOf(text);
  const first = locate(text, path)?.line ?? (front.length < text.length ? front.split(LINE_BREAK).length : 1);
  for (const [at, line] of text
    .replace(/^\uFEFF/, "")
    .split(LINE_BREAK)
    .entries()) {
    const column = at + 1 < first ? -1 : columnOf(line, address);
    if (column >= 0) return { line: at + 1, column: column + 1 };
  }
  return undefined;
}

const LINE_BREAK = /\r\n|\r|\n/;
/** `=` comes before an address in HTML. */
const IN_ADDRESS_BEFORE = /[\p{L}\p{N}/_.~%#?&-]/u;
const IN_ADDRESS_AFTER = /[\p{L}\p{N}/_.~%#?&=-]/u;

/** Where an address is that is not a part of a longer one. */
function columnOf(line: string, address: string): number {
  for (let at = line.indexOf(address); at >= 0; at = line.indexOf(address, at + 1))
    if (!IN_ADDRESS_BEFORE.test(line[at - 1] ?? "") && !IN_ADDRESS_AFTER.test(line[at + address.length] ?? ""))
      return at;
  return -1;
}

/** The text up to the closing fence, if there is one: a file is one document, so a second `---` line can only be a fence. */
export function yamlPartOf(text: string): string {
  const opening = /^\uFEFF?(?:[ \t]*\r?\n){0,100}[ \t]*---/.exec(text)?.[0];
  if (opening === undefined) return text;
  const firstEnd = text.indexOf("\n", opening.length);
  const fence = firstEnd < 0 ? -1 : text.indexOf("\n---", firstEnd);
  return fence < 0 ? text : text.slice(0, fence + 1);
}

/** Empty for a text that cannot be parsed. */
export function eventsOf(text: string): readonly Event[] {
  try {
    return readEvents(text, "");
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}

interface Found {
  /** Index of the value's event. */
  readonly node: number;
  /** Offset of the key or item in the text. */
  readonly offset: number;
}

function childAt(text: string, events: readonly Event[], parent: number, step: string | number): Found | undefined {
  const { type } = events[parent] ?? {};
  if (type !== EVENT_ID.MAPPING && type !== EVENT_ID.SEQUENCE) return undefined;
  for (let at = parent + 1, index = 0; events[at] && events[at]?.type !== EVENT_ID.POP; index++) {
    const child = events[at];
    const node = type === EVENT_ID.MAPPING ? at + 1 : at;
    const name = child?.type === EVENT_ID.SCALAR && type === EVENT_ID.MAPPING ? getScalarValue(text, child) : index;
    if (String(name) === String(step) && child && "anchorStart" in child) return { node, offset: startOf(child) };
    at = after(events, node);
  }
  return undefined;
}

/** The index after a node and its descendants. */
function after(events: readonly Event[], node: number): number {
  let [at, depth] = [node, 0];
  do {
    const type = events[at]?.type;
    if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth += 1;
    if (type === EVENT_ID.POP) depth -= 1;
    at += 1;
  } while (depth > 0 && at < events.length);
  return at;
}
