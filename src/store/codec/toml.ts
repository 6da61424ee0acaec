/** Parsing TOML, in which other generators have front matter, to JSON data. */
import { parse, TomlDate, TomlError } from "smol-toml";
import { objectOf, type Json } from "../../model/input/json.ts";
import { FileError } from "./file-error.ts";
import { checkSize, LIMITS } from "./yaml/guard.ts";

/**
 * The data of a TOML text: dates as they are written, with their zone or without one; numbers that JSON has not, or not
 * with all their digits, as texts.
 *
 * @param path only for messages
 * @throws FileError
 */
export function parseToml(text: string, path: string): Json {
  checkSize(text, path);
  try {
    return asJson(parse(text, { maxDepth: LIMITS.depth, integersAsBigInt: "asNeeded" }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = "cannot be read"] = error.message.split("\n", 1);
    throw new FileError(path, reason, { line: error.line, column: error.column }, { cause: error });
  }
}

function asJson(value: unknown): Json {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value === "object" && value !== null)
    return objectOf(Object.entries(value).map(([key, each]) => [key, asJson(each)] as const));
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return String(value);
  return value as Json;
}
