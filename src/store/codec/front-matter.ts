/** Markdown files: YAML between two `---` lines, and the text under it, which is never parsed here. */

import matter from "gray-matter";
import type { Json } from "../../model/json.ts";
import { FileError, positionAt } from "./file-error.ts";
import { parseYaml } from "./yaml.ts";

export interface FrontMatter {
  /** Null when the fences hold nothing. */
  readonly data: Json;
  /** All that follows the line of the closing fence, to the byte. */
  readonly body: string;
  /** The text between the fences, as offsets: it begins behind the opening one, on its line, and ends with a line break. */
  readonly start: number;
  readonly end: number;
}

/**
 * The parts of a Markdown file.
 *
 * The opening fence is line 1 of what is parsed, so positions in messages are those of the file.
 *
 * @throws FileError without front matter, or when it names a language: `---js` is code
 */
export function splitFrontMatter(text: string, path: string): FrontMatter {
  const { start, end, bodyStart } = fencesOf(text, path);
  // gray-matter leaves out the last line break, which a `|+` block counts.
  const read = (yaml: string): object => asObject(parseYaml(`${yaml}\n`, path));
  // Without an options object gray-matter answers from a cache of objects that callers share.
  const file = matter(text, { language: "yaml", engines: { yaml: read } });
  return { data: file.data as Json, body: text.slice(bodyStart), start, end };
}

/** gray-matter hands on whatever its engine gives; its types know mappings only. */
const asObject = (value: Json): object => value as object;

/** Where gray-matter will look, once it is sure that it finds nothing else there. */
function fencesOf(text: string, path: string): { start: number; end: number; bodyStart: number } {
  const mark = text.startsWith("\uFEFF") ? 1 : 0;
  const opening = /^---([^\r\n]*)(?=\r?\n)/.exec(text.slice(mark));
  if (!opening) {
    throw new FileError(path, "has no front matter: begin it with a `---` line, the fields, and a `---` line", {
      line: 1,
      column: 1,
    });
  }
  const [, named = ""] = opening;
  // gray-matter picks an engine by this word from a plain object, where `constructor` is found as well.
  if (!/^(|ya?ml)$/i.test(named.trim())) {
    throw new FileError(path, `has front matter in "${named.trim()}": only YAML is read`, { line: 1, column: 4 });
  }
  const start = mark + 3 + (named.trim() ? named.length : 0);
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

/** gray-matter looks for comments with an expression that takes quadratic time over blank lines. */
function checkBlankLines(yaml: string, path: string): void {
  let blank = 0;
  for (const line of yaml.split("\n")) {
    blank = line.trim() === "" ? blank + 1 : 0;
    if (blank > MAX_BLANK_LINES)
      throw new FileError(path, `has more than ${MAX_BLANK_LINES} blank lines in a row in its front matter`);
  }
}

const MAX_BLANK_LINES = 100;
