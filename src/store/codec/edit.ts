import { parseDocument } from "./yaml-package.ts";
import { isObject, own, sameJson } from "../../model/json.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { FileError } from "./file-error.ts";
import { editInPlace } from "./in-place.ts";
import type { KeyOrder } from "./order.ts";
import { rebase } from "./rebase.ts";
import { DIALECT, escapeInvisible, LAYOUT, parseYaml, stringifyYaml } from "./yaml.ts";

/**
 * The text with the difference between two readings of it applied, and nothing else: comments, order, quotes, line
 * ends and unknown keys stay byte for byte. No difference, or one the text has already: the very same text.
 *
 * The result is read again and must mean exactly what it should. Where splices cannot reach that, the document is
 * written anew with its comments, and as a last resort without.
 *
 * @param before what the text was taken to mean: it may have keys the text leaves out and lack keys it has
 * @param order places the keys that are added
 * @throws FileError when the text cannot be read, or the result could not
 */
export function editYaml(text: string, before: JsonObject, after: JsonObject, order: KeyOrder = [], path = ""): string {
  const said = parseYaml(text, path) ?? {};
  if (!isObject(said)) throw new FileError(path, "must hold `key: value` lines at its top level");
  const wanted = rebase(said, before, after);
  if (!isObject(wanted) || sameJson(said, wanted)) return text;

  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const bare = text.slice(mark.length);
  const isClosed = bare === "" || bare.endsWith("\n");
  const whole = isClosed ? bare : bare + eol;
  // A `|+` block takes in the blank lines that follow it, where quotes would not.
  for (const style of [{}, { blockQuote: false }]) {
    const spliced = editInPlace(whole, said, wanted, order, style);
    if (spliced === undefined) break;
    const results = isClosed ? [mark + spliced] : [mark + spliced.replace(/\r?\n$/, ""), mark + spliced];
    const right = results.find((result) => reads(result, wanted));
    if (right !== undefined) return right;
  }
  const rewritten = editDocument(bare, said, wanted);
  return rewritten !== undefined && reads(rewritten, wanted) ? rewritten : stringifyYaml(wanted, path);
}

function reads(text: string, wanted: JsonObject): boolean {
  try {
    return sameJson(parseYaml(text, ""), wanted);
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** Keeps comments and order, but not layout: the whole document is printed again. */
function editDocument(text: string, said: JsonObject, wanted: JsonObject): string | undefined {
  const document = parseDocument(text, DIALECT);
  if (document.errors.length > 0) return undefined;
  const put = (path: readonly string[], from: Json | undefined, to: Json | undefined): void => {
    if (to === undefined) document.deleteIn(path);
    else if (isObject(from) && isObject(to)) {
      for (const key of new Set([...Object.keys(from), ...Object.keys(to)]))
        put([...path, key], own(from, key), own(to, key));
    } else if (!sameJson(from, to)) document.setIn(path, document.createNode(to));
  };
  try {
    put([], said, wanted);
    return escapeInvisible(document.toString(LAYOUT));
  } catch {
    // It refuses what it cannot print, such as an alias whose anchor is gone.
    return undefined;
  }
}
