/** The limits of JSON values, checked while the text arrives, before it is parsed. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_LIST = 0x5d;
const SPACE_MAX = 0x20;

export interface JsonLimits {
  /** Nesting of arrays and objects, the outermost included. */
  readonly depth: number;
  /** In bytes, of each value of the outermost object. */
  readonly valueBytes: number;
  /** Keys and list items in each value of the outermost object; of all values together, twice as many. */
  readonly valueKeys: number;
}

/** The limit that is exceeded, and by which field of the outermost object; null when no single field exceeds it. */
export interface JsonExcess {
  readonly what: "depth" | "valueBytes" | "valueKeys" | "keys";
  readonly field: string | null;
}

interface JsonMeter {
  /** Reads the next chunk, which may end anywhere, in linear time. @returns the first excess */
  take(bytes: Uint8Array): JsonExcess | undefined;
}

/** Longer field names are truncated in the report. */
const FIELD_BYTES = 100;

/** Measures UTF-8 JSON text as it arrives. The result is meaningless for invalid JSON, which the parser rejects. */
export function jsonMeter({ depth: depthMax, valueBytes, valueKeys }: JsonLimits): JsonMeter {
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let justOpened = false;
  let isInObject = false; // the outermost value is an object
  let isFieldNext = false; // a string here is a key of the outermost object
  let field: number[] | undefined;
  let [keys, all, bytes] = [0, 0, 0];

  const excess = (what: JsonExcess["what"]): JsonExcess => ({
    what,
    field: what === "keys" || !field ? null : Buffer.from(field).toString(),
  });

  function take(chunk: Uint8Array): JsonExcess | undefined {
    for (const code of chunk) {
      if (field && !isFieldNext && ++bytes > valueBytes) return excess("valueBytes");
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) inString = false;
        if (inString && isFieldNext && field && field.length < FIELD_BYTES) field.push(code);
        continue;
      }
      if (code <= SPACE_MAX) continue;
      const isClose = code === CLOSE_OBJECT || code === CLOSE_LIST;
      if ((justOpened && !isClose) || code === COMMA) {
        all += 1;
        if (depth > 1 || !isInObject) keys += 1;
        if (keys > valueKeys) return excess("valueKeys");
        if (all > 2 * valueKeys) return excess("keys");
      }
      justOpened = false;
      if (isClose) depth -= 1;
      else if (code === QUOTE) {
        inString = true;
        if (isFieldNext) field = [];
      } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        justOpened = true;
        if (++depth > depthMax) return excess("depth");
        if (depth === 1) isFieldNext = isInObject = code === OPEN_OBJECT;
      } else if (depth === 1 && isInObject) {
        if (code === COLON) [isFieldNext, keys, bytes] = [false, 0, 0];
        else if (code === COMMA) isFieldNext = true;
      }
    }
    return undefined;
  }
  return { take };
}
