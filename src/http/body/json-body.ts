/** Parses JSON from requests within limits that are checked before parsing. */
import { setImmediate } from "node:timers/promises";
import { CmsError, invalid, messageOf } from "../../errors.ts";
import { jsonMeter, type JsonExcess, type JsonLimits } from "../../model/input/json-limits.ts";
import { isObject } from "../../model/input/json.ts";
import type { Config } from "../../config.ts";

/** Levels of nested arrays and objects, the outermost included. */
export const DEPTH_MAX = 64;
/** In bytes. After each slice, other requests are served. */
const SLICE = 256 * 1024;

export const jsonLimits = ({ API }: Pick<Config, "API">): JsonLimits => ({
  depth: DEPTH_MAX,
  valueBytes: API.MAX_VALUE,
  valueKeys: API.MAX_KEYS,
});

/**
 * The value of JSON text in UTF-8. Works in short steps, between which other requests are served.
 *
 * @throws CmsError `invalid` for invalid JSON, for values above the limits, and for unpaired surrogates
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
  // An unpaired surrogate, which only an escape can contain, cannot be stored as UTF-8.
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

/** The recursion is limited by the depth that was checked before. */
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
