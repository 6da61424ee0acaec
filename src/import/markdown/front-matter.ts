/**
 * Front matter of other generators: YAML between `---`, TOML between `+++`, JSON at the start.
 *
 * What one generator takes for front matter is text to another. Whatever looks like it is read here, and never becomes the
 * text of a page; where the generator reads it otherwise, or not at all, the file is a draft and says so.
 */
import { messageOf } from "../../errors.ts";
import { isObject, type Json, type JsonObject } from "../../model/input/json.ts";
import { jsonMeter } from "../../model/input/json-limits.ts";
import type { Generator } from "../../model/front-matter/foreign-visibility.ts";
import { FileError } from "../../store/codec/file-error.ts";
import { parseToml } from "../../store/codec/toml.ts";
import { parseForeignYaml, parseYaml, type ForeignYaml } from "../../store/codec/yaml/yaml.ts";

export interface SplitFile {
  /** Empty without front matter. Where it cannot be read: its text, as `front_matter`. */
  readonly data: JsonObject;
  readonly hasFrontMatter: boolean;
  /** Never a part of the front matter, unless that has no end. */
  readonly body: string;
  /** 1-based line at which the body begins. */
  readonly bodyLine: number;
  /** Why the file has to stay a draft: its front matter cannot be read, or its generator did not read it as such. */
  readonly trouble?: Trouble;
}

export interface Trouble {
  readonly message: string;
  readonly line: number;
}

/** What front matter may be called after `---`; code is not run. */
const LANGUAGES: Readonly<Record<string, DataFormat>> = {
  "": "yaml",
  yaml: "yaml",
  yml: "yaml",
  toml: "toml",
  json: "json",
};

/** The generators that read front matter below blank lines. */
const BELOW_BLANKS: ReadonlySet<Generator> = new Set(["hugo", "astro", "plain"]);

/** @param path for messages */
export function splitFile(text: string, path: string, generator: Generator = "plain"): SplitFile {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const start = source.search(/\S/);
  const opening = start < 0 ? null : OPENING.exec(source.slice(start, start + OPENING_MAX));
  const split = opening
    ? splitFenced({ source, path, generator }, start, opening)
    : source[start] === "{"
      ? splitJson({ source, path, generator }, start)
      : undefined;
  if (!split) return whole(source);
  if (start === 0 || BELOW_BLANKS.has(generator) || split.trouble) return split;
  const message = `Its front matter is not at its very beginning, where ${generator} looks for it: it is a draft.`;
  return { ...split, trouble: { message, line: 1 + linesIn(source, 0, start) } };
}

/** A fence and what its language is called; four dashes are a line across the page. */
const OPENING = /^(---(?!-)|\+\+\+(?!\+))([^\r\n]{0,60})(?=\r?\n|$)/;
const OPENING_MAX = 70;

const whole = (body: string): SplitFile => ({ data: {}, hasFrontMatter: false, body, bodyLine: 1 });

const lineAt = (text: string, start: number): string => {
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? undefined : end);
};

interface Source {
  readonly source: string;
  readonly path: string;
  readonly generator: Generator;
}

function splitFenced(file: Source, start: number, [, fence = "", rest = ""]: RegExpExecArray): SplitFile | undefined {
  const { source, generator } = file;
  const language = rest.trim().toLowerCase();
  const closing = closingFence(file, start, fence);
  if (!closing) {
    // A line across the page, or the head of a table.
    if (language !== "") return undefined;
    const trouble = {
      message: `The front matter is not closed with ${fence}: it is a draft.`,
      line: 1 + linesIn(source, 0, start),
    };
    return { ...whole(source), hasFrontMatter: true, trouble };
  }
  const bodyStart = source.indexOf("\n", closing.at + 1);
  const body = bodyStart < 0 ? "" : source.slice(bodyStart + 1);
  const bodyLine = 1 + linesIn(source, 0, bodyStart < 0 ? source.length : bodyStart + 1);
  const line = 1 + linesIn(source, 0, start);
  const head = source.slice(start + fence.length + rest.length, closing.at + 1);
  const format = fence === "+++" ? "toml" : LANGUAGES[language];
  // With line breaks for the lines above it, so that lines in messages are those of the file.
  const read: Parsed = format
    ? parsed(format, "\n".repeat(line - 1) + head, file, head)
    : unread(head, { message: `Front matter in ${language} is code, which is not run: it is a draft.`, line });
  if (read.trouble) return { body, bodyLine, ...read };
  const trouble =
    fence === "+++" && generator === "jekyll"
      ? "Jekyll reads no front matter in TOML: it is a draft."
      : closing.isDots && generator !== "jekyll"
        ? `Its front matter ends with "...", which ${generator} does not read so: it is a draft.`
        : undefined;
  return { body, bodyLine, ...read, ...(trouble !== undefined && { trouble: { message: trouble, line } }) };
}

/** The offset of the line break before the closing fence. Of Jekyll, `...` closes as `---` does; else only where no fence is. */
function closingFence(
  { source, generator }: Source,
  start: number,
  fence: string,
): { at: number; isDots: boolean } | undefined {
  const dots = fence === "---" ? lineOf(source, start, "...") : -1;
  const end = lineOf(source, start, fence);
  if (dots >= 0 && (end < 0 || (generator === "jekyll" && dots < end))) return { at: dots, isDots: true };
  return end < 0 ? undefined : { at: end, isDots: false };
}

/** The offset of the line break before a line that is just these characters; -1 for none. */
function lineOf(source: string, start: number, text: string): number {
  for (let at = source.indexOf(`\n${text}`, start); at >= 0; at = source.indexOf(`\n${text}`, at + 1))
    if (lineAt(source, at + 1 + text.length).trim() === "") return at;
  return -1;
}

/** JSON front matter ends with the brace that closes it. Only Hugo has it; elsewhere it is a text, unless it is read. */
function splitJson(file: Source, start: number): SplitFile | undefined {
  const { source, generator } = file;
  if (!/^\{\s*["}]/.test(source.slice(start, start + 200))) return undefined;
  const end = closingBrace(source, start);
  const line = 1 + linesIn(source, 0, start);
  if (end < 0) {
    if (generator !== "hugo") return undefined;
    return {
      ...whole(source),
      hasFrontMatter: true,
      trouble: { message: "The front matter is not closed with }: it is a draft.", line },
    };
  }
  const head = source.slice(start, end + 1);
  const read = parsed("json", head, file, head);
  if (read.trouble && generator !== "hugo") return undefined;
  const rest = source.slice(end + 1).replace(/^[ \t]*\r?\n/, "");
  const split = { ...read, body: rest, bodyLine: 1 + linesIn(source, 0, source.length - rest.length) };
  if (read.trouble) return { ...split, trouble: { ...read.trouble, line } };
  if (generator === "hugo" || generator === "plain") return split;
  return {
    ...split,
    trouble: { message: `It begins with JSON, which is no front matter to ${generator}: it is a draft.`, line },
  };
}

/** The offset of the brace that closes the one at an offset; -1 for none. */
function closingBrace(text: string, start: number): number {
  let [depth, isText] = [0, false];
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (isText && char === "\\") at++;
    else if (char === '"') isText = !isText;
    else if (isText) continue;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at;
  }
  return -1;
}

type Parsed = Pick<SplitFile, "data" | "hasFrontMatter" | "trouble">;

/** Kept as it is, so that nothing is lost. */
const unread = (head: string, trouble: Trouble): Parsed => ({
  data: { front_matter: head.trim() },
  hasFrontMatter: true,
  trouble,
});

function parsed(format: DataFormat, text: string, { path, generator }: Source, head: string): Parsed {
  const read = readFrontMatterData(format, text, path);
  if ("error" in read) {
    const { message, line } = read.error;
    return unread(head, {
      message: `${message}. It is a draft, and its front matter is in template_data.front_matter.`,
      line,
    });
  }
  const { value, hasDuplicates = false } = read;
  if (!isObject(value) && value !== null)
    return unread(head, { message: "Its front matter is no mapping: it is a draft.", line: 1 });
  const data = isObject(value) ? value : {};
  if (!hasDuplicates || generator === "jekyll") return { data, hasFrontMatter: true };
  return {
    data,
    hasFrontMatter: true,
    trouble: { message: "A key stands twice in its front matter: it is a draft.", line: 1 },
  };
}

export type DataFormat = "yaml" | "toml" | "json";

/** The value of a data file, or what is wrong with it. */
export function readFrontMatterData(
  format: DataFormat,
  text: string,
  path: string,
): { readonly value: Json; readonly hasDuplicates?: boolean } | { readonly error: Trouble } {
  try {
    if (format === "yaml") return readYaml(text, path);
    if (format === "json") return { value: parseJson(text, path) };
    return { value: parseToml(text, path) };
  } catch (error) {
    const line = error instanceof FileError ? (error.line ?? 1) : 1;
    return { error: { message: `It cannot be read: ${messageOf(error).split("\n", 1)[0]}`, line } };
  }
}

/** As content files have it, else as other programs do. */
function readYaml(text: string, path: string): ForeignYaml {
  if (text.trim() === "") return { value: null, hasDuplicates: false };
  try {
    return { value: parseYaml(text, path), hasDuplicates: false };
  } catch (error) {
    if (error instanceof FileError) return parseForeignYaml(text, path);
    throw error;
  }
}

/** As deep as the parsers of YAML and TOML go, about: what is done with the values recurses. */
const JSON_DEPTH_MAX = 100;

function parseJson(text: string, path: string): Json {
  const meter = jsonMeter({ depth: JSON_DEPTH_MAX, valueBytes: Infinity, valueKeys: Infinity });
  if (meter.take(Buffer.from(text))) throw new FileError(path, `nests deeper than ${JSON_DEPTH_MAX} levels`);
  return JSON.parse(text) as Json;
}

/** Line breaks between two offsets. */
export function linesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
