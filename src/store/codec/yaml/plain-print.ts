/**
 * Prints data as the `yaml` package would, in a fiftieth of its time: strings on one line, plain or in double quotes without an
 * escape, and texts of several lines as blocks.
 *
 * All values of an imported page, of a page that moves, and of a new draft are such.
 */
import { isList, isObject, type Json } from "../../../model/input/json.ts";
import { isBlockText, isPlainKey, isPlainText, isQuotedText } from "./plain-yaml.ts";

/** Integers of so many digits are printed as they are. */
const INTEGER_MAX = 1e15;

/**
 * @param indentSeq whether the items of a list below a key are indented
 * @returns the lines of a block in indentation 2; undefined if only the package can print the data
 */
export function printPlain(data: Json, indentSeq: boolean): string | undefined {
  const lines: string[] = [];
  const isPrinted =
    (isObject(data) && Object.keys(data).length > 0 && addMapping(lines, data, "", "", indentSeq)) ||
    (isList(data) && data.length > 0 && addItems(lines, data, "", indentSeq));
  return isPrinted ? `${lines.join("\n")}\n` : undefined;
}

/** The text of a value on the line of its key; undefined if it needs lines of its own, or the package. */
export function printPlainScalar(value: Json): string | undefined {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) < INTEGER_MAX && !Object.is(value, -0)
      ? String(value)
      : undefined;
  return typeof value === "string" && isPlainText(value) ? value : undefined;
}

/** @param first the indentation of the first line, which may end with the dash of an item */
function addMapping(
  lines: string[],
  data: { readonly [key: string]: Json },
  first: string,
  indent: string,
  indentSeq: boolean,
): boolean {
  let start = first;
  for (const [key, value] of Object.entries(data)) {
    if (!isPlainKey(key) || !addValue(lines, `${start}${key}:`, value, indent, indentSeq)) return false;
    start = indent;
  }
  return true;
}

function addValue(lines: string[], line: string, value: Json, indent: string, indentSeq: boolean): boolean {
  if (isObject(value) && Object.keys(value).length > 0) {
    lines.push(line);
    return addMapping(lines, value, `${indent}  `, `${indent}  `, indentSeq);
  }
  if (isList(value) && value.length > 0) {
    lines.push(line);
    return addItems(lines, value, indentSeq ? `${indent}  ` : indent, indentSeq);
  }
  if (typeof value === "string" && isBlockText(value)) {
    addBlock(lines, line, value, `${indent}  `);
    return true;
  }
  const text = isList(value) ? "[]" : isObject(value) ? "{}" : (printPlainScalar(value) ?? quoted(value));
  if (text === undefined) return false;
  lines.push(`${line} ${text}`);
  return true;
}

const quoted = (value: Json): string | undefined =>
  typeof value === "string" && isQuotedText(value) ? `"${value}"` : undefined;

/** @param text as `isBlockText` allows it */
function addBlock(lines: string[], line: string, text: string, indent: string): void {
  const isEnded = text.endsWith("\n");
  lines.push(`${line} |${isEnded ? "" : "-"}`);
  for (const each of (isEnded ? text.slice(0, -1) : text).split("\n")) lines.push(each === "" ? "" : indent + each);
}

function addItems(lines: string[], items: readonly Json[], indent: string, indentSeq: boolean): boolean {
  return items.every((item) => {
    if (isObject(item) && Object.keys(item).length > 0)
      return addMapping(lines, item, `${indent}- `, `${indent}  `, indentSeq);
    return !(isList(item) && item.length > 0) && addValue(lines, `${indent}-`, item, indent, indentSeq);
  });
}
