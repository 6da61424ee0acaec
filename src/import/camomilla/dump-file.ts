/** The file that Django's `dumpdata` writes: a list of rows, or with `--format jsonl` one row a line. */
import { readFile } from "node:fs/promises";
import { CmsError, messageOf } from "../../errors.ts";
import { isObject, own, type Json, type JsonObject } from "../../model/input/json.ts";

export interface DumpRow {
  /** As Django writes it, in lower case: `camomilla.page`. */
  readonly label: string;
  /** Absent where the dump has natural keys only. */
  readonly pk: string | undefined;
  readonly fields: JsonObject;
  /** 1-based. */
  readonly line: number;
}

/** @param name of the file, for messages @throws CmsError `invalid` with file and line */
export async function readDumpFile(file: string, name: string): Promise<readonly DumpRow[]> {
  const text = (await readFile(file, "utf8")).replace(/^\uFEFF/, "");
  const first = text.trimStart()[0];
  if (first === "[") return rowsOf(listIn(text, name), itemLines(text), name);
  if (first === "{") return linesIn(text, name);
  throw new CmsError("invalid", `${name}:1: This is no dump of Django: a list of rows in JSON is expected.`);
}

function listIn(text: string, name: string): readonly Json[] {
  try {
    return JSON.parse(text) as readonly Json[];
  } catch (error) {
    throw new CmsError(
      "invalid",
      `${name}:${lineOfError(text, messageOf(error))}: The file is not JSON: ${messageOf(error)}`,
    );
  }
}

/** The messages of V8 have the position, but at the end of the text. */
function lineOfError(text: string, message: string): number {
  const position = /position (\d+)/.exec(message);
  return text.slice(0, position ? Number(position[1]) : text.length).split("\n").length;
}

function linesIn(text: string, name: string): readonly DumpRow[] {
  const rows: Json[] = [];
  const lines: number[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      rows.push(JSON.parse(line) as Json);
    } catch (error) {
      throw new CmsError("invalid", `${name}:${at + 1}: The line is not JSON: ${messageOf(error)}`);
    }
    lines.push(at + 1);
  }
  return rowsOf(rows, lines, name);
}

function rowsOf(rows: readonly Json[], lines: readonly number[], name: string): readonly DumpRow[] {
  return rows.map((row, at): DumpRow => {
    const line = lines[at] ?? 1;
    const label = isObject(row) ? own(row, "model") : undefined;
    const fields = isObject(row) ? own(row, "fields") : undefined;
    const pk = isObject(row) ? own(row, "pk") : undefined;
    if (typeof label !== "string" || !/^\w+\.\w+$/.test(label) || !isObject(fields))
      throw new CmsError(
        "invalid",
        `${name}:${line}: This is no row of a dump of Django: model and fields are expected.`,
      );
    const isKey = typeof pk === "number" || (typeof pk === "string" && pk !== "");
    return { label: label.toLowerCase(), pk: isKey ? String(pk) : undefined, fields, line };
  });
}

const QUOTE = 34;
const BACKSLASH = 92;
const NEWLINE = 10;

/** The lines at which the items of a list begin. @param text valid JSON */
export function itemLines(text: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE) line++;
    else if (code === QUOTE) {
      for (at++; text.charCodeAt(at) !== QUOTE && at < text.length; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth === 2) lines.push(line);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return lines;
}
