/** Random data, and the same data written by random hands: comments, blank lines, quotes, brackets, widths, line ends. */

import fc from "fast-check";
import { stringifyYaml } from "../../../src/store/codec/yaml/yaml-print.ts";
import { parseYaml } from "../../../src/store/codec/yaml/yaml.ts";
import { isObject, sameJson } from "../../../src/model/input/json.ts";
import type { Json, JsonObject } from "../../../src/model/input/json.ts";

const KEYS = ["id", "title", "it", "en", "body", "tags", "no", "a b", "1", "__proto__", "x:y"] as const;

const text = fc.oneof(
  fc.constantFrom(
    "",
    "yes",
    "no",
    "~",
    "null",
    "0b11",
    "1_000",
    "12:30",
    "2024-01-01",
    " lead",
    "trail ",
    "\t",
    "a: b",
    "a #b",
    "- x",
    "? x",
    "[x",
    "{",
    "*a",
    "&a",
    "!x",
    "%x",
    "@x",
    "`x",
    "'q'",
    '"q"',
    "|",
    ">",
    "<<",
    "---",
    "...",
    "1e400",
    "0x1F",
    ".inf",
    "-0",
  ),
  fc.constantFrom(
    "a\nb",
    "a\nb\n",
    "\n",
    "a\n\n\n",
    "\n\na",
    "  a\n b\n",
    "a \n\tb",
    "a\n ",
    "# x\n# y\n",
    "---\nx\n",
    "a\r\nb",
    "a\u0085b",
    "a\u2028b",
    "\ufeffa",
    "😀",
    "\ud83d",
    "\u0000",
    "\u007f",
  ),
  fc.string({ maxLength: 12 }),
  fc
    .array(fc.constantFrom("word", "", " ", "# no comment", "k: v", "- item", "  in", "\t"), { maxLength: 6 })
    .map((lines) => lines.join("\n")),
);

/** JSON knows one zero. */
const unsigned = (number: number): number => number + 0;

const { value } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(
      text,
      fc.constantFrom(null, true, false),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(unsigned),
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom(...KEYS), tie("value")), { maxLength: 5 })
    .map((entries) => Object.fromEntries(entries)),
}));

export const json: fc.Arbitrary<Json> = value;
export const record: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(fc.constantFrom(...KEYS), value), { minLength: 1, maxLength: 7 })
  .map((entries) => Object.fromEntries(entries));

/** `data` with a few of its values replaced, removed or added, at any depth. */
export const changed = (data: JsonObject): fc.Arbitrary<JsonObject> =>
  fc.infiniteStream(fc.tuple(fc.nat(9), value)).map((stream) => {
    const next = (): [number, Json] => stream.next().value as [number, Json];
    const change = (old: Json): Json => {
      const [dice, fresh] = next();
      if (dice === 0) return fresh;
      if (Array.isArray(old)) {
        const items = (old as readonly Json[]).map(change);
        if (dice === 1) items.splice(Math.floor(items.length / 2), 1);
        if (dice === 2) items.push(fresh);
        if (dice === 3) items.unshift(fresh);
        return items;
      }
      return isObject(old) ? changeObject(old) : old;
    };
    const changeObject = (old: JsonObject): JsonObject => {
      const entries = Object.entries(old).flatMap(([key, item]): [string, Json][] => {
        const [dice] = next();
        return dice === 1 ? [] : [[key, dice < 6 ? change(item) : item]];
      });
      const [dice, fresh] = next();
      const key = KEYS[dice];
      if (key !== undefined && dice % 2 === 0) entries.push([key, fresh]);
      return Object.fromEntries(entries);
    };
    return changeObject(data);
  });

export interface Written {
  readonly data: JsonObject;
  readonly text: string;
  /** The lines of each top-level key, comments above not included. */
  readonly chunks: ReadonlyMap<string, string>;
}

/** A record as somebody might have written it; where a stray blank line got into a `|+` block, it is left out. */
export const written: fc.Arbitrary<Written> = fc
  .tuple(
    record,
    fc.constantFrom(2, 3, 4),
    fc.boolean(),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
    fc.infiniteStream(fc.nat(9)),
  )
  .map(([data, width, listsIndented, eol, isClosed, dice]) =>
    write(data, { width, listsIndented, eol, isClosed, roll: () => dice.next().value as number }),
  )
  .filter(({ text, data }) => sameJson(parseYaml(text, "sample.yaml"), data));

interface Hand {
  readonly width: number;
  readonly listsIndented: boolean;
  readonly eol: string;
  readonly isClosed: boolean;
  readonly roll: () => number;
}

function write(data: JsonObject, hand: Hand): Written {
  const chunks = new Map(Object.entries(data).map(([key, item]) => [key, pair(key, item, hand)]));
  const lines: string[] = hand.roll() < 3 ? ["# a file", ""] : [];
  for (const chunk of chunks.values()) lines.push(...above(hand), ...chunk);
  // Without its last line break a block scalar would mean something else.
  const end = hand.isClosed || lines.some((line) => /[|>][-+\d]*$/.test(line)) ? hand.eol : "";
  return {
    data,
    text: lines.join(hand.eol) + end,
    chunks: new Map([...chunks].map(([key, chunk]) => [key, chunk.join(hand.eol)])),
  };
}

function above({ roll }: Hand): string[] {
  return [[], [], [], [], [], [], [""], ["# about: this"], ["", "# one", "# two"], ["# apart", ""]][roll()] ?? [];
}

const behind = ({ roll }: Hand): string => (roll() < 2 ? " # why: so" : "");

function pair(key: string, item: Json, hand: Hand): string[] {
  return value_(
    stringifyYaml({ [key]: null }).slice(0, -" null\n".length),
    item,
    hand,
    hand.width,
    hand.listsIndented ? hand.width : 0,
  );
}

/** @returns the lines of `head` and a value, those under the first moved right by the width that fits its kind */
function value_(head: string, item: Json, hand: Hand, mapIndent: number, listIndent: number): string[] {
  const indent = (lines: string[], by: number): string[] => lines.map((line) => (line ? " ".repeat(by) + line : line));
  const isSimple = !JSON.stringify(item).includes("\\");
  if (Array.isArray(item) && item.length > 0 && hand.roll() < 8) {
    const items = (item as readonly Json[]).flatMap((each) => [...above(hand), ...value_("-", each, hand, 2, 2)]);
    return [head + behind(hand), ...indent(items, listIndent)];
  }
  if (isObject(item) && Object.keys(item).length > 0 && hand.roll() < 8) {
    const lines = Object.entries(item).flatMap(([key, each]) => [...above(hand), ...pair(key, each, hand)]);
    const isCompact =
      head === "-" && lines[0] !== undefined && lines[0] !== "" && !lines[0].startsWith("#") && hand.roll() < 7;
    const [first = "", ...rest] = indent(lines, mapIndent);
    return isCompact ? [`- ${first.slice(mapIndent)}`, ...rest] : [head + behind(hand), first, ...rest];
  }
  if (item === null && hand.roll() < 3) return [head + behind(hand)];
  if (isSimple && hand.roll() < 4) {
    const plain =
      typeof item === "string" && hand.roll() < 5
        ? `'${item.replaceAll("'", "''")}'`
        : JSON.stringify(item).replaceAll('":', '": ');
    if (![...plain].some((char) => char < " " || (char > "~" && char < "\u00a0") || char > "\u2000"))
      return [`${head} ${plain}${behind(hand)}`];
  }
  const [first = "", ...rest] = stringifyYaml({ k: item }).slice(2, -1).split("\n");
  const isBlock = first.length > 0 && rest.length > 0;
  return [head + first + (isBlock || first === "" ? "" : behind(hand)), ...indent(rest, 0)];
}
