/** Markdown files: YAML between two `---` lines, or TOML between `+++`, and a body that is not parsed here. */

import matter from "gray-matter";
import type { Json } from "../../model/input/json.ts";
import { FileError, positionAt } from "./file-error.ts";
import { parseToml } from "./toml.ts";
import { parseYaml } from "./yaml/yaml.ts";

export interface FileFrontMatter {
  /** Null for empty front matter. */
  readonly data: Json;
  /** Everything after the line of the closing fence, unchanged. */
  readonly body: string;
  /** Offsets of the text between the fences, from the end of the opening `---` to the line break before the closing one. */
  readonly start: number;
  readonly end: number;
  /** Such front matter is read only: a write replaces it by YAML. */
  readonly isToml: boolean;
}

/**
 * Splits a Markdown file.
 *
 * The parsed text begins on the line of the opening fence, so positions in messages are those of the file.
 *
 * @throws FileError when it is JSON, or when it names another language: gray-matter would execute `---js`
 */
export function splitFrontMatter(text: string, path: string): FileFrontMatter {
  const toml = TOML_OPENING.exec(text);
  if (toml) return splitToml(text, path, toml[0].length);
  if (isPlain(text, path)) return { data: null, body: text, start: 0, end: 0, isToml: false };
  const { start, end, bodyStart } = fencesOf(text, path);
  // gray-matter drops the last line break, which is part of a `|+` block.
  // Its types know mappings only, but it returns any value of its engine.
  const above = leadOf(text);
  const lines = "\n".repeat(text.slice(0, above).split("\n").length - 1);
  const read = (yaml: string): object => parseYaml(`${lines}${yaml}\n`, path) as object;
  // Without an options object gray-matter returns objects from a cache, shared among callers.
  const file = matter(text.slice(above), { language: "yaml", engines: { yaml: read } });
  return { data: file.data as Json, body: text.slice(bodyStart), start, end, isToml: false };
}

const TOML_OPENING = /^\uFEFF?\s{0,100}\+\+\+[ \t]*(?=\r?\n)/;

function splitToml(text: string, path: string, start: number): FileFrontMatter {
  const closing = /\n\+\+\+[ \t]*(?:\r?\n|$)/g;
  closing.lastIndex = start;
  const found = closing.exec(text);
  if (!found) throw new FileError(path, "has front matter that is not closed: put a `+++` line under the fields");
  const end = found.index + 1;
  // With line breaks for the lines above it, so that positions in messages are those of the file.
  const lines = "\n".repeat(text.slice(0, start).split("\n").length - 1);
  const data = parseToml(lines + text.slice(start, end), path);
  return { data, body: text.slice(closing.lastIndex), start, end, isToml: true };
}

/** The offset of the first fence: blank lines above it do not make it the text of a page. */
function leadOf(text: string): number {
  const blank = /^\uFEFF?(?:[ \t]*\r?\n){1,100}[ \t]*(?=---[ \t]*\r?\n)/.exec(text)?.[0].length ?? 0;
  return blank > 0 && text.includes("\n---", blank) ? blank : 0;
}

/** Whether a text has no front matter: it is all body. */
export function isPlain(text: string, path: string): boolean {
  const first = /^\uFEFF?([^\r\n]*)/.exec(text)?.[1] ?? "";
  if (first.trim() === "{")
    throw new FileError(path, "has front matter in JSON: only YAML and TOML are read", { line: 1, column: 1 });
  return !first.startsWith("---") && leadOf(text) === 0 && !TOML_OPENING.test(text);
}

/** The offsets at which gray-matter will split, after refusing every text that it would split or parse differently. */
function fencesOf(text: string, path: string): { start: number; end: number; bodyStart: number } {
  const lead = leadOf(text) || (text.startsWith("\uFEFF") ? 1 : 0);
  const opening = /^---([^\r\n]*)(?=\r?\n)/.exec(text.slice(lead));
  if (!opening) {
    throw new FileError(path, "has no front matter: begin it with a `---` line, the fields, and a `---` line", {
      line: 1,
      column: 1,
    });
  }
  const [, language = ""] = opening;
  // gray-matter looks this word up in a plain object, where it would find `constructor` too.
  if (!/^(|ya?ml)$/i.test(language.trim())) {
    throw new FileError(path, `has front matter in "${language.trim()}": only YAML is read`, { line: 1, column: 4 });
  }
  const start = lead + 3 + (language.trim() ? language.length : 0);
  const end = text.indexOf("\n---", start) + 1;
  if (end === 0) throw new FileError(path, "has front matter that is not closed: put a `---` line under the fields");
  const closing = /---[ \t]*(?:\r?\n|$)/y;
  closing.lastIndex = end;
  if (!closing.test(text)) {
    throw new FileError(
      path,
      "has a line that begins with `---` in its front matter: close it with a line of just `---`",
      positionAt(text, end),
    );
  }
  checkBlankLines(text.slice(start, end), path);
  return { start, end, bodyStart: closing.lastIndex };
}

/** gray-matter removes comments with a regular expression that is quadratic in the number of blank lines. */
function checkBlankLines(yaml: string, path: string): void {
  let blank = 0;
  for (const line of yaml.split("\n")) {
    blank = line.trim() === "" ? blank + 1 : 0;
    if (blank > MAX_BLANK_LINES)
      throw new FileError(path, `has more than ${MAX_BLANK_LINES} blank lines in a row in its front matter`);
  }
}

const MAX_BLANK_LINES = 100;
