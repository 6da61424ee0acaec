/**
 * Limits of YAML texts, checked before any value is built.
 *
 * The checks use the events of js-yaml's parser, which is linear and bounded in depth. The `yaml` package, used for edits
 * that keep comments, is neither: 4 KB of nested explicit keys abort the process. It must only see texts checked here.
 */

import { COLLECTION_STYLE, EVENT_ID, SCALAR_STYLE } from "js-yaml";
import type { DocumentEvent, Event, ScalarEvent } from "js-yaml";
import { FileError, positionAt } from "../file-error.ts";

export const LIMITS = {
  /** In UTF-16 units. A value of 1 MB of JSON (`API.MAX_VALUE`) takes somewhat more as YAML. */
  size: 1_572_864,
  /** Nested collections, block or flow; an API payload may nest 64 levels, inside a record. */
  depth: 100,
  flowDepth: 64,
  /** A value may have 20,000 (`API.MAX_KEYS`), and the record has keys of its own. */
  keys: 25_000,
  /** Keys, values and items. */
  nodes: 100_000,
  /** Anchors, and aliases. */
  aliases: 100,
  /** Values after expanding aliases. */
  expanded: 100_000,
} as const;

/** @throws FileError when the text is longer than a content file may be */
export function checkSize(text: string, path: string): void {
  if (text.length > LIMITS.size) throw tooLarge(path);
}

const tooLarge = (path: string): FileError =>
  new FileError(path, "is too large: the YAML of a content file may take 1.5 MB");

/** Spaces a level is indented by. */
const INDENT = 2;

/**
 * Refuses data whose YAML would be too large, before it is printed: indentation can make a deeply nested multi-line text
 * many times longer.
 *
 * @throws FileError
 */
export function checkDataSize(data: unknown, path: string): void {
  measure(data, path);
}

/** The most characters that an escape takes for one. */
const ESCAPED = 6;
/** In characters; YAML allows 1024 on the line of a key. */
const SURE_KEY = 1024 / ESCAPED - 10;

/**
 * Whether data is so far below all limits that a file can have it, however it is printed. Found in a tenth of the time that
 * printing it takes; false says nothing.
 */
export function isSurelyStorable(data: unknown): boolean {
  try {
    const { size, nodes, depth, key, isFinite } = measure(data, "");
    return (
      isFinite && size < LIMITS.size / ESCAPED && 2 * nodes < LIMITS.keys && depth < LIMITS.flowDepth && key < SURE_KEY
    );
  } catch {
    return false;
  }
}

interface Measures {
  /** The length of the YAML without escapes. */
  size: number;
  /** Values. */
  nodes: number;
  depth: number;
  /** The length of the longest key. */
  key: number;
  /** Whether all numbers are: YAML has others, files have not. */
  isFinite: boolean;
}

/** @throws FileError for too large a size */
function measure(data: unknown, path: string): Readonly<Measures> {
  const measures: Measures = { size: 0, nodes: 0, depth: 0, key: 0, isFinite: true };
  addTo(measures, data, -1, path);
  return measures;
}

function addTo(measures: Measures, value: unknown, depth: number, path: string): void {
  measures.nodes++;
  if (depth > measures.depth) measures.depth = depth;
  let size = measures.size + INDENT * depth + 1;
  if (typeof value === "string") {
    size += value.length;
    for (let at = value.indexOf("\n"); at >= 0 && size <= LIMITS.size; at = value.indexOf("\n", at + 1))
      size += value[at + 1] === "\n" ? 0 : INDENT * (depth - 1);
  } else if (typeof value === "number") measures.isFinite &&= Number.isFinite(value);
  measures.size = size;
  if (Array.isArray(value)) for (const child of value) addTo(measures, child, depth + 1, path);
  else if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) {
      measures.size += key.length + 1;
      if (key.length > measures.key) measures.key = key.length;
      addTo(measures, (value as { readonly [key: string]: unknown })[key], depth + 1, path);
    }
  }
  if (measures.size > LIMITS.size) throw tooLarge(path);
}

/**
 * Refuses a second document, tags, merge keys, explicit keys (`? key`), keys that are not scalars, and too many keys,
 * anchors or aliases.
 *
 * @param events of `text`, from js-yaml's `parseEvents`
 * @throws FileError
 */
export function checkEvents(text: string, events: readonly Event[], path: string): void {
  new EventGuard(text, path).check(events);
}

interface OpenCollection {
  readonly isFlow: boolean;
  readonly isMapping: boolean;
  /** Whether the next child of a mapping is a key. */
  atKey: boolean;
}

class EventGuard {
  readonly #text: string;
  readonly #path: string;
  readonly #open: OpenCollection[] = [];
  readonly #counts = { documents: 0, nodes: 0, keys: 0, anchors: 0, aliases: 0, flowDepth: 0 };
  /** End of the last token: between tokens are only indicators, white space and comments. */
  #end = 0;

  constructor(text: string, path: string) {
    this.#text = text;
    this.#path = path;
  }

  check(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === EVENT_ID.POP) {
        if (this.#open.pop()?.isFlow) this.#counts.flowDepth -= 1;
      } else if (event.type === EVENT_ID.DOCUMENT) this.#document(event);
      else this.#node(event);
    }
    this.#refuseExplicitKey(this.#text.length);
  }

  #document({ directives }: DocumentEvent): void {
    if (++this.#counts.documents > 1) {
      const offset = startOfSecondDocument(this.#text, this.#end);
      this.#refuse(offset, "holds more than one document: remove the second `---`");
    }
    if (directives.some((directive) => directive.kind === "tag" || directive.version !== "1.2"))
      this.#refuse(0, "has a directive (`%`): remove it, content files are plain YAML 1.2");
    this.#open.push({ isFlow: false, isMapping: false, atKey: false });
  }

  #node(event: NodeEvent): void {
    const start = startOf(event);
    if (++this.#counts.nodes > LIMITS.nodes)
      this.#refuse(Math.max(start, this.#end), `has more than ${LIMITS.nodes} values`);
    if (start >= 0) {
      this.#refuseExplicitKey(start);
      this.#end = Math.max(start, endOf(event));
    }
    this.#checkProperties(event, start);
    const parent = this.#open.at(-1);
    if (parent?.isMapping) {
      if (parent.atKey) this.#checkKey(event, start);
      parent.atKey = !parent.atKey;
    }
    if (event.type !== EVENT_ID.MAPPING && event.type !== EVENT_ID.SEQUENCE) return;
    const isFlow = event.style === COLLECTION_STYLE.FLOW;
    if (isFlow && ++this.#counts.flowDepth > LIMITS.flowDepth)
      this.#refuse(start, `nests more than ${LIMITS.flowDepth} brackets`);
    const isMapping = event.type === EVENT_ID.MAPPING;
    this.#open.push({ isFlow, isMapping, atKey: isMapping });
  }

  /** Tag, anchor and alias. */
  #checkProperties(event: NodeEvent, start: number): void {
    if ("tagStart" in event && event.tagStart >= 0) {
      const tag = this.#text.slice(event.tagStart, event.tagEnd);
      this.#refuse(event.tagStart, `has a tag (\`${tag}\`): tags are not allowed`);
    }
    if (event.type === EVENT_ID.ALIAS) {
      if (++this.#counts.aliases > LIMITS.aliases)
        this.#refuse(start, `has more than ${LIMITS.aliases} aliases (\`*name\`)`);
    } else if (event.anchorStart >= 0 && ++this.#counts.anchors > LIMITS.aliases) {
      this.#refuse(start, `has more than ${LIMITS.aliases} anchors (\`&name\`)`);
    }
  }

  #checkKey(event: NodeEvent, start: number): void {
    if (++this.#counts.keys > LIMITS.keys) this.#refuse(start, `has more than ${LIMITS.keys} keys`);
    if (event.type !== EVENT_ID.SCALAR) this.#refuse(start, "has a key that is not plain text: put it in quotes");
    else if (event.style === SCALAR_STYLE.PLAIN && this.#text.slice(event.valueStart, event.valueEnd) === "<<")
      this.#refuse(start, "has a merge key (`<<`): write the keys out");
  }

  /** The gap before a token can contain `?` only as an indicator or inside a comment. */
  #refuseExplicitKey(until: number): void {
    for (let at = this.#end; at < until; at++) {
      const char = this.#text[at];
      if (char === "?") this.#refuse(at, "has an explicit key (`? `): write `key: value`");
      if (char === "#") while (at + 1 < until && !isLineBreak(this.#text[at + 1])) at++;
    }
  }

  #refuse(offset: number, reason: string): never {
    throw new FileError(this.#path, reason, positionAt(this.#text, offset));
  }
}

const isLineBreak = (char: string | undefined): boolean => char === "\n" || char === "\r";

type NodeEvent = Exclude<Event, { type: typeof EVENT_ID.POP | typeof EVENT_ID.DOCUMENT }>;

/** The offset of a node, including its anchor, tag and quote; -1 for an omitted value. */
export function startOf(event: NodeEvent): number {
  const starts = [event.anchorStart - 1]; // `anchorStart` is after the `&` or `*`
  if ("tagStart" in event) starts.push(event.tagStart);
  if ("start" in event) starts.push(event.start);
  if ("valueStart" in event) starts.push(isQuoted(event) ? event.valueStart - 1 : event.valueStart);
  const written = starts.filter((start) => start >= 0);
  return written.length > 0 ? Math.min(...written) : -1;
}

const isQuoted = ({ style }: ScalarEvent): boolean =>
  style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;

/** The end of a node's anchor, tag and scalar; the children of a collection are events of their own. */
function endOf(event: NodeEvent): number {
  const ends = [event.anchorEnd];
  if ("tagEnd" in event) ends.push(event.tagEnd);
  if ("valueEnd" in event) ends.push(event.valueEnd);
  return Math.max(...ends);
}

function startOfSecondDocument(text: string, from: number): number {
  const marker = /^---(?=\s|$)/gm;
  marker.lastIndex = from;
  return marker.exec(text)?.index ?? from;
}
