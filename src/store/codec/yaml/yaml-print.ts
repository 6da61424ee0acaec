/** Printing JSON data as YAML, by the `yaml` package, in a form for people to edit. */
import type { CreateNodeOptions, DocumentOptions, ParseOptions, Scalar, SchemaOptions, ToStringOptions } from "yaml";
import { sameJson, type Json, type JsonObject } from "../../../model/input/json.ts";
import { FileError } from "../file-error.ts";
import { printPlain } from "./plain-print.ts";
import { OTHER_IN_YAML_1_1 } from "./plain-yaml.ts";
import { newDocument, visit } from "./yaml-package.ts";
import { parseYaml } from "./yaml.ts";

/**
 * Block style, multi-line text as `|` blocks, quotes only where the plain form would be parsed as another value, no folding.
 *
 * @param path only for messages
 * @throws FileError when the text would not be parsed to equal data: files have limits that JSON has not
 */
export function stringifyYaml(data: JsonObject, path = ""): string {
  const text = printYaml(data);
  try {
    if (sameJson(parseYaml(text, path), data)) return text;
  } catch (error) {
    if (error instanceof FileError)
      throw new FileError(path, `cannot hold this data: it ${error.reason}`, undefined, { cause: error });
    throw error;
  }
  throw new FileError(path, "cannot hold this data: it reads back as something else");
}

/**
 * Prints without the check of `stringifyYaml`.
 *
 * @param layout must not change the meaning
 * @param type the style for strings among the direct values of `data`, if possible
 */
export function printYaml(data: Json, layout: ToStringOptions = {}, type?: Scalar.Type): string {
  const isBlock = layout.collectionStyle !== "flow" && (layout.indent ?? 2) === 2;
  const plain = isBlock && !type ? printPlain(data, layout.indentSeq ?? true) : undefined;
  return plain ?? printDocument(data, layout, type);
}

/** As `printYaml`, always by the package. */
export function printDocument(data: Json, layout: ToStringOptions = {}, type?: Scalar.Type): string {
  const document = newDocument(data, DIALECT);
  visit(document, {
    Scalar(key, node, path) {
      if (typeof node.value !== "string") return;
      const hasLines = node.value.includes("\n");
      // Our parser refuses `<<` as a merge key, and a multi-line key as an explicit one.
      const isOddKey = key === "key" && (hasLines || node.value === "<<");
      // In flow style a block breaks lines; with an indented first line the package always declares a width of 2.
      const isOddBlock =
        hasLines &&
        (layout.collectionStyle === "flow" ||
          (layout.indent !== undefined && layout.indent !== 2 && /^\s* /.test(node.value)));
      if (isOddKey || isOddBlock || NEEDS_ESCAPES.test(node.value)) node.type = "QUOTE_DOUBLE";
      else if (type && key !== "key" && path.length <= 3) node.type = type;
      else if (key !== "key" && OTHER_IN_YAML_1_1.test(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  return escapeInvisible(document.toString({ ...LAYOUT, ...layout }));
}

/** Options that make the `yaml` package agree with `parseYaml`. */
export const DIALECT: DocumentOptions & SchemaOptions & ParseOptions & CreateNodeOptions = {
  version: "1.2",
  schema: "core",
  merge: false,
  customTags: [],
  // The package's check is quadratic, and `parseYaml` has already done it.
  uniqueKeys: false,
  aliasDuplicateObjects: false,
};

export const LAYOUT: ToStringOptions = {
  lineWidth: 0,
  flowCollectionPadding: false,
  // Escapes instead of line breaks inside quotes, since such lines cannot be indented.
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
};

/** Characters that some reader drops, refuses, or takes for line breaks when they are not escaped. */
const INVISIBLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
// A block scalar that starts with blank lines has an ambiguous indentation.
const NEEDS_ESCAPES = new RegExp(
  `[\\0-\\x08\\x0b-\\x1f]|\\p{Surrogate}|^\\s*$|^\\s*[ \\t]\\n|${INVISIBLE.source}`,
  "u",
);

/** Such characters occur only in double-quoted text (`NEEDS_ESCAPES`), where an escape has the same meaning. */
export const escapeInvisible = (text: string): string =>
  text.replace(new RegExp(INVISIBLE, "g"), (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
