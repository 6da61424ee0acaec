/** Front matter of other generators: YAML between `---`, TOML between `+++`, JSON at the start. */
import { parse as parseToml, TomlDate, TomlError } from "smol-toml";
import { messageOf } from "../../errors.ts";
import { isObject, objectOf, type Json, type JsonObject } from "../../model/json.ts";
import { jsonMeter } from "../../model/json-limits.ts";
import { FileError } from "../../store/codec/file-error.ts";
import { parseYaml } from "../../store/codec/yaml.ts";

export interface SplitFile {
  /** Empty without front matter, and where it cannot be read. */
  readonly data: JsonObject;
  readonly hasFrontMatter: boolean;
  readonly body: string;
  /** 1-based line at which the body begins. */
  readonly bodyLine: number;
  /** Why the front matter cannot be read; the body is then the whole text. */
  readonly error?: { readonly message: string; readonly line: number };
}

const FENCES = { "---": "yaml", "+++": "toml" } as const;

/** @param path for messages */
export function splitFile(text: string, path: string): SplitFile {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const fence = source.slice(0, 3);
  if ((fence === "---" || fence === "+++") && /^[ \t]*\r?$/m.test(lineAt(source, 3)))
    return splitFenced(source, fence, path);
  if (source.startsWith("{")) return splitJson(source, path);
  return whole(source);
}

const whole = (body: string): SplitFile => ({ data: {}, hasFrontMatter: false, body, bodyLine: 1 });

const lineAt = (text: string, start: number): string => {
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? undefined : end);
};

function splitFenced(source: string, fence: "---" | "+++", path: string): SplitFile {
  const end = closingFence(source, fence);
  if (end < 0)
    return { ...whole(source), error: { message: `The front matter is not closed with ${fence}.`, line: 1 } };
  const bodyStart = source.indexOf("\n", end + 1);
  const body = bodyStart < 0 ? "" : source.slice(bodyStart + 1);
  const bodyLine = 1 + linesIn(source, 0, bodyStart < 0 ? source.length : bodyStart + 1);
  // With the line break of the opening fence, so that lines in messages are those of the file.
  return { body, bodyLine, ...parsed(FENCES[fence], source.slice(3, end + 1), path) };
}

/** The offset of the line break before the closing fence. */
function closingFence(source: string, fence: string): number {
  for (let at = source.indexOf(`\n${fence}`); at >= 0; at = source.indexOf(`\n${fence}`, at + 1)) {
    if (lineAt(source, at + 1 + fence.length).trim() === "") return at;
  }
  return -1;
}

/** JSON front matter ends with the brace that closes it, at the beginning of a line. */
function splitJson(source: string, path: string): SplitFile {
  const end = source.indexOf("\n}");
  if (end < 0) return whole(source);
  const read = parsed("json", source.slice(0, end + 2), path);
  if (read.error) return whole(source);
  const rest = source.slice(end + 2).replace(/^[ \t]*\r?\n/, "");
  return { ...read, body: rest, bodyLine: 1 + linesIn(source, 0, source.length - rest.length) };
}

type Parsed = Pick<SplitFile, "data" | "hasFrontMatter" | "error">;

function parsed(format: DataFormat, text: string, path: string): Parsed {
  const read = readData(format, text, path);
  return "error" in read
    ? { data: {}, hasFrontMatter: true, error: read.error }
    : { data: isObject(read.value) ? read.value : {}, hasFrontMatter: true };
}

export type DataFormat = "yaml" | "toml" | "json";

/** The value of a data file, or what is wrong with it. */
export function readData(
  format: DataFormat,
  text: string,
  path: string,
): { readonly value: Json } | { readonly error: { readonly message: string; readonly line: number } } {
  try {
    if (format === "yaml") return { value: text.trim() === "" ? null : parseYaml(text, path) };
    if (format === "json") return { value: parseJson(text, path) };
    return { value: withoutDates(parseToml(text)) };
  } catch (error) {
    const line = error instanceof TomlError || error instanceof FileError ? (error.line ?? 1) : 1;
    return { error: { message: `It cannot be read: ${messageOf(error).split("\n", 1)[0]}`, line } };
  }
}

/** As deep as the parsers of YAML and TOML go, about: what is done with the values recurses. */
const JSON_DEPTH_MAX = 100;

function parseJson(text: string, path: string): Json {
  const meter = jsonMeter({ depth: JSON_DEPTH_MAX, valueBytes: Infinity, valueKeys: Infinity });
  if (meter.take(Buffer.from(text))) throw new FileError(path, `nests deeper than ${JSON_DEPTH_MAX} levels`);
  return JSON.parse(text) as Json;
}

/** Dates of TOML as they are written, with their zone or without one; `inf` and `nan`, which no JSON has, as text. */
function withoutDates(value: unknown): Json {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(withoutDates);
  if (typeof value === "object" && value !== null)
    return objectOf(Object.entries(value).map(([key, each]) => [key, withoutDates(each)] as const));
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return typeof value === "bigint" ? Number(value) : (value as Json);
}

/** Line breaks between two offsets. */
export function linesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
