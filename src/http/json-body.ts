/** JSON from outside: measured before it is parsed, and held to what a file can keep. */
import { setImmediate } from "node:timers/promises";
import { CmsError, invalid, messageOf } from "../errors.ts";
import { jsonMeter, type JsonExcess, type JsonLimits } from "../model/json-text.ts";
import { isObject } from "../model/json.ts";
import type { Config } from "../config.ts";

/** Of arrays and objects in each other, the outermost included. */
export const DEPTH_MAX = 64;
/** Bytes looked at in one turn of the event loop. */
const SLICE = 256 * 1024;

export const jsonLimits = ({ API }: Pick<Config, "API">): JsonLimits => ({
  depth: DEPTH_MAX,
  valueBytes: API.MAX_VALUE,
  valueKeys: API.MAX_KEYS,
});

/**
 * The value of JSON text in UTF-8. Other requests are answered in between: each step alone is short, whatever the text.
 *
 * @throws CmsError `invalid` for text that is no JSON, is larger than the limits, or holds half a character
 */
export async function parseJson(bytes: Uint8Array, limits: JsonLimits): Promise<unknown> {
  const meter = jsonMeter(limits);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const pieces: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += SLICE) {
      if (at > 0) await setImmediate();
      const slice = bytes.subarray(at, at + SLICE);
      const excess = meter.take(slice);
      if (excess) throw tooMuch(excess, limits);
      pieces.push(decoder.decode(slice, { stream: true }));
    }
    pieces.push(decoder.decode());
  } catch (error) {
    if (error instanceof CmsError) throw error;
    throw new CmsError("invalid", "JSON parse error - the body is not valid UTF-8", { cause: error });
  }
  const text = pieces.join("");
  if (pieces.length > 2) await setImmediate();
  const value = parsed(text);
  if (pieces.length > 2) await setImmediate();
  // Half a surrogate pair has no form in UTF-8: no file could hold what was sent. It can only come from an escape.
  if (/\\ud[89a-f]/i.test(text) && !isWellFormed(value))
    throw new CmsError("invalid", "JSON parse error - a text holds half a character (an unpaired surrogate)");
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CmsError("invalid", `JSON parse error - ${messageOf(error)}`);
  }
}

/** Recursion is bounded by the depth that was let through. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  return !isObject(value) || Object.entries(value).every(([key, each]) => key.isWellFormed() && isWellFormed(each));
}

function tooMuch({ what, field }: JsonExcess, { depth, valueBytes, valueKeys }: JsonLimits): CmsError {
  if (what === "depth") return new CmsError("invalid", `JSON parse error - nested deeper than ${depth} levels`);
  const message = {
    valueBytes: `A value has at most ${valueBytes} bytes of JSON text.`,
    valueKeys: `A value has at most ${valueKeys} keys and list items.`,
    keys: `All values together have at most ${2 * valueKeys} keys and list items.`,
  }[what];
  return invalid({ [field ?? "non_field_errors"]: [message] });
}
