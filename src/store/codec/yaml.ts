/**
 * YAML text to JSON data and back.
 *
 * The language is YAML 1.2 with its core schema, cut down to what JSON can hold: dates, `no` and `12:30` are strings,
 * and there is nothing in a file that its reader could be surprised by (tags, merge keys, several documents).
 * Reading is js-yaml's, which is fast and bounded; writing is the `yaml` package's, which writes for people.
 */

import {
  constructFromEvents,
  CORE_SCHEMA,
  defineScalarTag,
  EVENT_ID,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from "js-yaml";
import type { Event } from "js-yaml";
import { newDocument, visit } from "./yaml-package.ts";
import type { CreateNodeOptions, DocumentOptions, ParseOptions, Scalar, SchemaOptions, ToStringOptions } from "yaml";
import { sameJson } from "../../model/json.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { FileError, positionAt } from "./file-error.ts";
import { checkEvents, checkSize, LIMITS } from "./guard.ts";
import { readPlainYaml } from "./plain-yaml.ts";

/**
 * The data a YAML text stands for; null for a text without content.
 *
 * Keys such as `__proto__` are data. Objects may be shared where the text uses aliases.
 *
 * @param path only for messages
 * @throws FileError
 */
export function parseYaml(text: string, path: string): Json {
  return readPlainYaml(text) ?? parseAnyYaml(text, path);
}

/** As `parseYaml`, by the parser whatever the text is. */
export function parseAnyYaml(text: string, path: string): Json {
  const events = readEvents(text, path);
  try {
    const [value] = constructFromEvents(events, { source: text, schema: SCHEMA });
    if (events.some((event) => "anchorStart" in event && event.anchorStart >= 0)) checkExpansion(value, path);
    // The schema builds nothing but JSON: strings, finite numbers, booleans, null, arrays and plain objects.
    return (value ?? null) as Json;
  } catch (error) {
    throw asFileError(error, text, path, events);
  }
}

/**
 * The parser's events, every limit checked: a text that passes is safe for the `yaml` package too.
 *
 * @throws FileError
 */
export function readEvents(text: string, path: string): Event[] {
  checkSize(text, path);
  try {
    const events = parseEvents(text, { maxDepth: LIMITS.depth });
    checkEvents(text, events, path);
    return events;
  } catch (error) {
    throw asFileError(error, text, path, []);
  }
}

/**
 * Block style, multi-line text as `|` blocks, quotes where the plain form would read as something else, no folding.
 *
 * @param path only for messages
 * @throws FileError when the text would not read back as the very same data: it has limits that JSON has not
 */
export function stringifyYaml(data: JsonObject, path = ""): string {
  const text = render(data);
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
 * @param layout what it changes never changes the meaning
 * @param type the style of the one string among `data`'s direct values, where it can be kept
 */
export function render(data: Json, layout: ToStringOptions = {}, type?: Scalar.Type): string {
  const document = newDocument(data, DIALECT);
  visit(document, {
    Scalar(key, node, path) {
      if (typeof node.value !== "string") return;
      const hasLines = node.value.includes("\n");
      // `<<` would be a merge key, and a key of several lines an explicit one: our reader refuses both.
      const isOddKey = key === "key" && (hasLines || node.value === "<<");
      // Inside brackets it breaks lines, and for an indented first line it states a width of 2, whatever the layout's.
      const isOddBlock =
        hasLines &&
        (layout.collectionStyle === "flow" ||
          (layout.indent !== undefined && layout.indent !== 2 && /^\s* /.test(node.value)));
      if (isOddKey || isOddBlock || NEEDS_ESCAPES.test(node.value)) node.type = "QUOTE_DOUBLE";
      else if (type && key !== "key" && path.length <= 3) node.type = type;
    },
  });
  return escapeInvisible(document.toString({ ...LAYOUT, ...layout }));
}

/** How the `yaml` package must read and write so that it agrees with `parseYaml`. */
export const DIALECT: DocumentOptions & SchemaOptions & ParseOptions & CreateNodeOptions = {
  version: "1.2",
  schema: "core",
  merge: false,
  customTags: [],
  // Its check is quadratic, and `parseYaml` has made it already.
  uniqueKeys: false,
  aliasDuplicateObjects: false,
};

export const LAYOUT: ToStringOptions = {
  lineWidth: 0,
  flowCollectionPadding: false,
  // Escapes instead of line breaks inside quotes, which would be lines that nobody can indent.
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
};

/** Characters that are lost, seen as line breaks, or refused somewhere when they stand unescaped. */
const INVISIBLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
// Blank lines at the start of a block scalar hide where its indentation begins.
const NEEDS_ESCAPES = new RegExp(
  `[\\0-\\x08\\x0b-\\x1f]|\\p{Surrogate}|^\\s*$|^\\s*[ \\t]\\n|${INVISIBLE.source}`,
  "u",
);

/** Only double-quoted text holds such characters (`NEEDS_ESCAPES`), and there an escape means the same. */
export const escapeInvisible = (text: string): string =>
  text.replace(new RegExp(INVISIBLE, "g"), (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A plain number that JSON cannot hold, or not with all its digits. */
class UnfitNumber extends Error {
  readonly source: string;
  constructor(source: string) {
    super(`the number ${source} cannot be kept exactly: put it in quotes to keep it as text`);
    this.source = source;
  }
}

/** The core schema's numbers, refused where the value would not print as it was written. */
const exact = (tag: typeof intCoreTag, isFit: (source: string, value: number) => boolean) =>
  defineScalarTag<number>(tag.tagName, {
    ...tag,
    resolve: (source, isExplicit, tagName) => {
      const value = tag.resolve(source, isExplicit, tagName);
      if (value !== NOT_RESOLVED && !isFit(source, value)) throw new UnfitNumber(source);
      return value;
    },
  });

const SCHEMA = CORE_SCHEMA.withTags(
  exact(intCoreTag, (source, value) => Number.isSafeInteger(value) || String(value) === source),
  exact(floatCoreTag, (_, value) => Number.isFinite(value)),
);

/**
 * Aliases let a short text stand for data of any size, or for a value inside itself: what it comes to is counted here.
 */
function checkExpansion(value: unknown, path: string): void {
  const open = [value];
  for (let nodes = 0; open.length > 0; nodes++) {
    const next = open.pop();
    if (nodes > LIMITS.expanded) throw new FileError(path, "has aliases that repeat too much: write the values out");
    if (typeof next === "object" && next !== null) open.push(...Object.values(next));
  }
}

/** js-yaml's words that need more than themselves to be acted on. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^bad indentation of a mapping entry/,
    "does not fit here: check the indentation, and put text with `: `, quotes or a leading @, `, % in quotes",
  ],
  [/^bad indentation of a sequence entry/, "does not fit here: check the indentation of the list"],
  [/^duplicated mapping key/, "is a key that stands here twice: keep one"],
  [/^tab characters/, "has a tab in the indentation: use spaces"],
  [/^end of the stream or a document separator/, "does not fit here: check the indentation and the line above"],
  [/^unexpected end of the stream within a (.*) quoted scalar/, "ends inside quoted text: a closing quote is missing"],
  [/^unexpected end of the stream within a flow collection/, "ends inside brackets: a `]` or `}` is missing"],
  [/^deficient indentation/, "needs more indentation, or brackets or quotes above are not closed"],
  [/^missed comma/, "needs a comma here, or a closing bracket before"],
  [/^unidentified alias/, "uses an alias (`*name`) that is not defined above: put text with a leading `*` in quotes"],
  [/^can not read a block mapping entry/, "does not fit here: a `:` is missing, or text of several lines needs `|`"],
  [/^expected ':'/, "needs a `:` after the key"],
  [/^nesting exceeded/, "nests too deep"],
  [/^(the stream contains non-printable|null byte|expected valid JSON)/, "has a control character: remove it"],
];

function asFileError(error: unknown, text: string, path: string, events: readonly Event[]): unknown {
  if (error instanceof FileError) return error;
  if (error instanceof UnfitNumber) {
    const event = events.find(
      (each) =>
        each.type === EVENT_ID.SCALAR &&
        each.style === SCALAR_STYLE.PLAIN &&
        getScalarValue(text, each) === error.source,
    );
    return new FileError(
      path,
      error.message,
      event && "valueStart" in event ? positionAt(text, event.valueStart) : undefined,
    );
  }
  if (!(error instanceof YAMLException)) return error;
  const [, advice] = ADVICE.find(([pattern]) => pattern.test(error.reason)) ?? [];
  const at = error.mark && { line: error.mark.line + 1, column: error.mark.column + 1 };
  return new FileError(path, advice ?? error.reason, at, { cause: error });
}
