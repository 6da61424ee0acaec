/**
 * What a YAML text may be made of, checked before anything is built from it.
 *
 * The check reads the events of js-yaml's parser, which is linear and bounded in depth, so it knows block scalars,
 * quoted strings and comments as well as the reader does. The `yaml` package, needed for edits that keep comments,
 * is neither linear nor bounded: 4 KB of nested explicit keys abort the process in it. It only ever sees a text
 * that has passed here.
 */

import { COLLECTION_STYLE, EVENT_ID, SCALAR_STYLE } from "js-yaml";
import type { Event, ScalarEvent } from "js-yaml";
import { FileError, positionAt } from "./file-error.ts";

export const LIMITS = {
  /** In UTF-16 units. A value of 1 MB of JSON (`API.MAX_VALUE`) takes somewhat more as YAML. */
  size: 1_572_864,
  /** Nested collections, block or flow; an API payload may nest 64 deep, and a record wraps it. */
  depth: 100,
  flowDepth: 64,
  /** A value may have 20,000 (`API.MAX_KEYS`), and stands in a record with keys of its own. */
  keys: 25_000,
  /** Keys, values and items. */
  nodes: 100_000,
  /** Each of anchors and aliases. */
  aliases: 100,
  /** Values, counted as often as aliases repeat them. */
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
 * Refuses data whose YAML would be too large, before any of it is written: a text of many lines far down takes many
 * times its own length in indentation.
 *
 * @throws FileError
 */
export function checkDataSize(data: unknown, path: string): void {
  let size = 0;
  const add = (value: unknown, depth: number): void => {
    size += INDENT * depth + 1;
    if (typeof value === "string") {
      size += value.length;
      for (let at = value.indexOf("\n"); at >= 0 && size <= LIMITS.size; at = value.indexOf("\n", at + 1))
        size += value[at + 1] === "\n" ? 0 : INDENT * (depth - 1);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        if (!Array.isArray(value)) size += key.length + 1;
        add(child, depth + 1);
      }
    }
    if (size > LIMITS.size) throw tooLarge(path);
  };
  add(data, -1);
}

/**
 * Refuses a second document, tags, merge keys, explicit keys (`? key`), keys that are no scalars, and too many keys,
 * anchors or aliases.
 *
 * @param events of `text`, from js-yaml's `parseEvents`
 */
export function checkEvents(text: string, events: readonly Event[], path: string): void {
  const refuse = (offset: number, reason: string): never => {
    throw new FileError(path, reason, positionAt(text, offset));
  };
  /** The open collections; `atKey` of a mapping says whether its next child is a key. */
  const open: { kind: "mapping" | "sequence" | "document"; flow: boolean; atKey: boolean }[] = [];
  let [documents, nodes, keys, anchors, aliases, flowDepth] = [0, 0, 0, 0, 0, 0];
  let end = 0; // of the last token seen: between tokens stand only indicators, white space and comments

  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      if (open.pop()?.flow) flowDepth -= 1;
      continue;
    }
    if (event.type === EVENT_ID.DOCUMENT) {
      if (++documents > 1)
        refuse(startOfSecondDocument(text, end), "holds more than one document: remove the second `---`");
      if (event.directives.some((directive) => directive.kind === "tag" || directive.version !== "1.2")) {
        refuse(0, "has a directive (`%`): remove it, content files are plain YAML 1.2");
      }
      open.push({ kind: "document", flow: false, atKey: false });
      continue;
    }

    const start = startOf(event);
    if (++nodes > LIMITS.nodes) refuse(Math.max(start, end), `has more than ${LIMITS.nodes} values`);
    if (start >= 0) {
      const explicit = explicitKeyIn(text, end, start);
      if (explicit >= 0) refuse(explicit, "has an explicit key (`? `): write `key: value`");
      end = Math.max(start, endOf(event));
    }
    if ("tagStart" in event && event.tagStart >= 0) {
      refuse(event.tagStart, `has a tag (\`${text.slice(event.tagStart, event.tagEnd)}\`): tags are not allowed`);
    }
    if (event.type === EVENT_ID.ALIAS) {
      if (++aliases > LIMITS.aliases) refuse(start, `has more than ${LIMITS.aliases} aliases (\`*name\`)`);
    } else if (event.anchorStart >= 0 && ++anchors > LIMITS.aliases) {
      refuse(start, `has more than ${LIMITS.aliases} anchors (\`&name\`)`);
    }

    const parent = open.at(-1);
    if (parent?.kind === "mapping") {
      if (parent.atKey) {
        if (++keys > LIMITS.keys) refuse(start, `has more than ${LIMITS.keys} keys`);
        if (event.type !== EVENT_ID.SCALAR) refuse(start, "has a key that is not plain text: put it in quotes");
        else if (event.style === SCALAR_STYLE.PLAIN && text.slice(event.valueStart, event.valueEnd) === "<<") {
          refuse(start, "has a merge key (`<<`): write the keys out");
        }
      }
      parent.atKey = !parent.atKey;
    }
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) {
      const flow = event.style === COLLECTION_STYLE.FLOW;
      if (flow && ++flowDepth > LIMITS.flowDepth) refuse(start, `nests more than ${LIMITS.flowDepth} brackets`);
      const isMapping = event.type === EVENT_ID.MAPPING;
      open.push({ kind: isMapping ? "mapping" : "sequence", flow, atKey: isMapping });
    }
  }
  const explicit = explicitKeyIn(text, end, text.length);
  if (explicit >= 0) refuse(explicit, "has an explicit key (`? `): write `key: value`");
}

type NodeEvent = Exclude<Event, { type: typeof EVENT_ID.POP | typeof EVENT_ID.DOCUMENT }>;

/** Where a node begins, its anchor, tag and quote included; -1 for a value that is not written at all. */
export function startOf(event: NodeEvent): number {
  const starts = [event.anchorStart - 1]; // the name without its `&` or `*`
  if ("tagStart" in event) starts.push(event.tagStart);
  if ("start" in event) starts.push(event.start);
  if ("valueStart" in event) starts.push(isQuoted(event) ? event.valueStart - 1 : event.valueStart);
  const written = starts.filter((start) => start >= 0);
  return written.length > 0 ? Math.min(...written) : -1;
}

const isQuoted = ({ style }: ScalarEvent): boolean =>
  style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;

/** Past an anchor, a tag and a scalar; a collection ends with its last child. */
function endOf(event: NodeEvent): number {
  const ends = [event.anchorEnd];
  if ("tagEnd" in event) ends.push(event.tagEnd);
  if ("valueEnd" in event) ends.push(event.valueEnd);
  return Math.max(...ends);
}

/** The offset of a `?` between two tokens, or -1. A gap can hold one only as an indicator or inside a comment. */
function explicitKeyIn(text: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const char = text[at];
    if (char === "?") return at;
    if (char === "#") while (at + 1 < to && text[at + 1] !== "\n" && text[at + 1] !== "\r") at++;
  }
  return -1;
}

function startOfSecondDocument(text: string, from: number): number {
  const marker = /^---(?=\s|$)/gm;
  marker.lastIndex = from;
  return marker.exec(text)?.index ?? from;
}
