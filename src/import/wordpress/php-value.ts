/** Values as PHP's `serialize` writes them, which WordPress stores in custom fields. */
import { objectOf, type Json } from "../../model/input/json.ts";

const DEPTH_MAX = 32;

/**
 * The value as JSON: an array whose keys are 0, 1, 2 ... is a list, any other an object.
 *
 * @returns undefined for any other text, also for one with an object or a reference of PHP, which no JSON has
 */
export function readPhpValue(text: string): Json | undefined {
  if (!/^(?:[aidbs]:|N;)/.test(text)) return undefined;
  const bytes = Buffer.from(text);
  let at = 0;

  /** The text up to an ASCII character, which is passed. */
  const upTo = (end: string): string | undefined => {
    const found = bytes.indexOf(end, at);
    if (found < 0 || found - at > NUMBER_LENGTH_MAX) return undefined;
    const part = bytes.toString("latin1", at, found);
    at = found + 1;
    return part;
  };
  const numberUpTo = (end: string): number | undefined => {
    const part = upTo(end);
    const value = part !== undefined && /^[-+]?[\d.]+(?:E[-+]?\d+)?$/i.test(part) ? Number(part) : undefined;
    return Number.isFinite(value) ? value : undefined;
  };
  const skip = (expected: string): boolean => {
    const isThere = bytes.toString("latin1", at, at + expected.length) === expected;
    at += expected.length;
    return isThere;
  };

  function stringValue(): string | undefined {
    const length = numberUpTo(":");
    if (length === undefined || !Number.isInteger(length) || length < 0 || !skip('"')) return undefined;
    const value = bytes.toString("utf8", at, at + length);
    at += length;
    return skip('";') ? value : undefined;
  }

  function arrayValue(depth: number): Json | undefined {
    const count = numberUpTo(":");
    if (count === undefined || !skip("{")) return undefined;
    const entries: [string, Json][] = [];
    for (let index = 0; index < count; index++) {
      const key = settingAt(depth + 1);
      const value = settingAt(depth + 1);
      if ((typeof key !== "string" && typeof key !== "number") || value === undefined) return undefined;
      entries.push([String(key), value]);
    }
    if (!skip("}")) return undefined;
    const isListed = entries.every(([key], index) => key === String(index));
    return isListed ? entries.map(([, value]) => value) : objectOf(entries);
  }

  function settingAt(depth: number): Json | undefined {
    if (depth > DEPTH_MAX || at >= bytes.length) return undefined;
    const kind = bytes.toString("latin1", at, at + 2);
    at += 2;
    switch (kind) {
      case "N;":
        return null;
      case "i:":
      case "d:":
        return numberUpTo(";");
      case "b:":
        return numberUpTo(";") === 1;
      case "s:":
        return stringValue();
      case "a:":
        return arrayValue(depth);
      default:
        return undefined;
    }
  }

  const value = settingAt(0);
  return at === bytes.length ? value : undefined;
}

/** In characters; the search for the end of a longer one would make the time quadratic. */
const NUMBER_LENGTH_MAX = 40;
