/**
 * The language of `fltr` (contract.md 5.1): `status=PUB AND (title__icontains='sea' OR id__in=[3,5])`.
 *
 * Operators bind left to right without precedence. Conditions side by side are ANDed, and more loosely than any
 * operator: `a=1 b=2 OR c=3` is `a=1 AND (b=2 OR c=3)`. Text outside the grammar is refused: skipping it would turn
 * `NOT a=1` into its opposite.
 */
import { trimBoth } from "../trim.ts";

/** A value as it was written; what it is a number, a moment or a text for, its field decides. */
export type Literal = string | readonly string[];

export interface Condition {
  /** Field, references, keys and lookup, as they stood between `__`. */
  readonly path: readonly string[];
  readonly value: Literal;
}

export type Expression = Condition | { readonly op: Operator; readonly items: readonly Expression[] };

type Operator = "AND" | "OR";

/** Why a parameter cannot be understood: a sentence for whoever sent it. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

const CONDITIONS_MAX = 200;
const DEPTH_MAX = 30;

const SPACE = /\s+/y;
const OPERATOR = /(AND|OR)(?![^\s(])/y;
/** Not an operator, but what it says is what happens. */
const SMALL_AND = /and(?![^\s(])/y;
const CONDITION = /([\p{L}\p{N}_]+)=('[^']+'|\S+)/uy;

/**
 * @returns undefined for text without any condition, which filters nothing
 * @throws Unreadable
 */
export function parseFilter(text: string): Expression | undefined {
  return text.trim() === "" ? undefined : parse(text, 0, { conditions: 0 });
}

function parse(text: string, depth: number, count: { conditions: number }): Expression {
  if (depth > DEPTH_MAX) throw new Unreadable("Too many parentheses inside each other.");
  /** ANDed in the end; operators join onto the last. */
  const chains: Expression[] = [];
  let operator: Operator | undefined;
  const add = (item: Expression): void => {
    const last = operator && chains.pop();
    chains.push(operator && last ? join(operator, last, item) : item);
    operator = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const take = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match) at = pattern.lastIndex;
      return match;
    };
    if (take(SPACE) || take(SMALL_AND)) continue;
    const found = take(OPERATOR)?.[1] as Operator | undefined;
    if (found) {
      if (operator || chains.length === 0) throw new Unreadable(`There is no condition before ${found}.`);
      operator = found;
      continue;
    }
    if (text[at] === "(") {
      const end = closing(text, at);
      add(parse(text.slice(at + 1, end), depth + 1, count));
      at = end + 1;
      continue;
    }
    const condition = take(CONDITION);
    if (!condition) throw new Unreadable(`Not a condition: ${excerpt(text.slice(at))}`);
    if (++count.conditions > CONDITIONS_MAX) throw new Unreadable(`More than ${CONDITIONS_MAX} conditions.`);
    add({ path: condition[1]!.split("__"), value: readLiteral(condition[2]!) });
  }
  if (operator) throw new Unreadable(`There is no condition after ${operator}.`);
  if (chains.length === 0) throw new Unreadable("There is no condition in the parentheses.");
  return chains.length === 1 ? chains[0]! : { op: "AND", items: chains };
}

/** The parenthesis that closes the one at `from`; those in quoted values do not count. */
function closing(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    const quoted = text[at] === "'" && text[at - 1] === "=" ? text.indexOf("'", at + 1) : -1;
    if (quoted >= 0) at = quoted;
    else if (text[at] === "(") open++;
    else if (text[at] === ")" && --open === 0) return at;
  }
  throw new Unreadable("A parenthesis is not closed.");
}

function join(op: Operator, left: Expression, right: Expression): Expression {
  const items = "op" in left && left.op === op ? left.items : [left];
  return { op, items: [...items, right] };
}

function readLiteral(written: string): Literal {
  const text = trimBoth(trimBoth(written, "'"), '"');
  if (text.includes("=")) throw new Unreadable("A value cannot hold another =.");
  if (!text.startsWith("[") || !text.endsWith("]")) return text;
  return text === "[]" ? [] : text.slice(1, -1).split(",");
}

const excerpt = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}...` : text);
