import { parseDocument } from "./yaml-package.ts";
import { isObject, own, sameJson } from "../../../model/input/json.ts";
import type { Json, JsonObject } from "../../../model/input/json.ts";
import { FileError } from "../file-error.ts";
import { editInPlace } from "./in-place.ts";
import type { PlacedYaml } from "./source.ts";
import type { KeyOrder } from "../order.ts";
import { rebase } from "./rebase.ts";
import { DIALECT, escapeInvisible, LAYOUT, stringifyYaml } from "./yaml-print.ts";
import { placesInPlain } from "./plain-yaml.ts";
import { placesIn } from "./places.ts";
import { parseFullYaml, parseYaml } from "./yaml.ts";

/**
 * Applies the difference between `before` and `after` to a YAML text. Comments, order, quotes, line endings and unknown
 * keys stay byte for byte; without a difference, or if the text already has it, the text is unchanged.
 *
 * The result is parsed and must equal the wanted data. If splices do not achieve that, the document is printed again with
 * its comments, and as a last resort without.
 *
 * @param before may have keys the text omits (defaults), and lack keys it has (unknown ones)
 * @param order of added keys
 * @throws FileError when the text, or the result, cannot be parsed
 */
export function editYaml(text: string, before: JsonObject, after: JsonObject, order: KeyOrder = [], path = ""): string {
  const plain = placesInPlain(text);
  const current = plain?.data ?? parseFullYaml(text, path) ?? {};
  if (!isObject(current)) throw new FileError(path, "must hold `key: value` lines at its top level");
  const wanted = rebase(current, before, after);
  if (!isObject(wanted) || sameJson(current, wanted)) return text;

  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const body = text.slice(bom.length);
  const endsWithBreak = body === "" || body.endsWith("\n");
  const lines = endsWithBreak ? body : body + eol;
  const root = plain ? plain.root : placesIn(lines);
  const edited =
    root !== undefined &&
    editPlaced({ text: lines, root }, current, wanted, order, (result) =>
      endsWithBreak ? [bom + result] : [bom + result.replace(/\r?\n$/, ""), bom + result],
    );
  if (edited) return edited;
  const printed = printEdited(body.replaceAll("\r\n", "\n"), current, wanted);
  const isRight = printed !== undefined && parsesTo(printed, wanted);
  return (isRight ? printed : stringifyYaml(wanted, path)).replaceAll("\n", eol);
}

/**
 * The text edited by splices, and parsed.
 *
 * @param variantsOf the forms in which an edited text may be kept
 * @returns undefined where splices do not make the wanted data
 */
export function editPlaced(
  placed: PlacedYaml,
  current: JsonObject,
  wanted: JsonObject,
  order: KeyOrder,
  variantsOf: (edited: string) => readonly string[] = (edited) => [edited],
): string | undefined {
  // The second try uses quotes: a new `|+` block would take the blank lines after it into its value.
  for (const style of [{}, { blockQuote: false }]) {
    const edited = editInPlace(placed, current, wanted, order, style);
    const result = edited === undefined ? undefined : variantsOf(edited).find((each) => parsesTo(each, wanted));
    if (edited === undefined || result !== undefined) return result;
  }
  return undefined;
}

function parsesTo(text: string, wanted: JsonObject): boolean {
  try {
    return sameJson(parseYaml(text, ""), wanted);
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** Prints the whole edited document: keeps comments and order, but not the layout. */
function printEdited(text: string, current: JsonObject, wanted: JsonObject): string | undefined {
  const document = parseDocument(text, DIALECT);
  if (document.errors.length > 0) return undefined;
  const apply = (path: readonly string[], from: Json | undefined, to: Json | undefined): void => {
    if (to === undefined) document.deleteIn(path);
    else if (isObject(from) && isObject(to)) {
      for (const key of new Set([...Object.keys(from), ...Object.keys(to)]))
        apply([...path, key], own(from, key), own(to, key));
    } else if (!sameJson(from, to)) document.setIn(path, document.createNode(to));
  };
  try {
    apply([], current, wanted);
    return escapeInvisible(document.toString(LAYOUT));
  } catch {
    // The package throws for documents it cannot print, such as an alias without its anchor.
    return undefined;
  }
}
