/**
 * The grammar of `fltr`: `status=PUB AND (title__icontains='sea' OR id__in=[3,5])`.
 *
 * Operators bind left to right without precedence. Conditions side by side are ANDed, and more loosely than any
 * operator: `a=1 b=2 OR c=3` is `a=1 AND (b=2 OR c=3)`. Text outside the grammar is an error: ignoring it would turn
 * `NOT a=1` into its opposite.
 */
import { trimBoth } from "../text/trim.ts";

/** A value as it was written; the type of its field determines how it is read. */
export type Literal = string | readonly string[];

interface Condition {
  /** The parts separated by `__`: field, references, keys and lookup. */
  readonly path: readonly string[];
  readonly value: Literal;
}

export type Expression = Condition | { readonly op: Operator; readonly items: readonly Expression[] };

type Operator = "AND" | "OR";

/** A syntax error in a query parameter; the message is shown to the client. */
export class QuerySyntaxError extends Error {
  override readonly name = "QuerySyntaxError";
}

const CONDITIONS_MAX = 200;
const DEPTH_MAX = 30;

const SPACE = /\s+/y;
const OPERATOR = /(AND|OR)(?![^\s(])/y;
/** Not an operator: ignored, since adjacent conditions are ANDed anyway. */
const LOWERCASE_AND = /and(?![^\s(])/y;
const CONDITION = /([\p{L}\p{N}_]+)=('[^']+'|"[^"]+"|\S+)/uy;

/**
 * @returns undefined for blank text, which filters nothing
 * @throws QuerySyntaxError
 */
export function parseFilter(text: string): Expression | undefined {
  return text.trim() === "" ? undefined : parse(text, 0, { conditions: 0 });
}

function parse(text: string, depth: number, count: { conditions: number }): Expression {
  if (depth > DEPTH_MAX) throw new QuerySyntaxError("Too many parentheses inside each other.");
  // The items are ANDed at the end; an operator combines the next condition with the last item.
  const chains: Expression[] = [];
  let operator: Operator | undefined;
  const add = (item: Expression): void => {
    const last = operator && chains.pop();
    chains.push(operator && last ? join(operator, last, item) : item);
    operator = undefined;
  };
  for (let at = 0; at < text.length;) {
    const take = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match) at = pattern.lastIndex;
      return match;
    };
    if (take(SPACE) || take(LOWERCASE_AND)) continue;
    const found = take(OPERATOR)?.[1] as Operator | undefined;
    if (found) {
      if (operator || chains.length === 0) throw new QuerySyntaxError(`There is no condition before ${found}.`);
      operator = found;
      continue;
    }
    if (text[at] === "(") {
      const end = closing(text, at);
      add(parse(text.slice(at + 1, end), depth + 1, count));
      at = end + 1;
      continue;
    }
    const [condition, path = "", written = ""] = take(CONDITION) ?? [];
    if (condition === undefined) throw new QuerySyntaxError(`Not a condition: ${excerpt(text.slice(at))}`);
    if (++count.conditions > CONDITIONS_MAX) throw new QuerySyntaxError(`More than ${CONDITIONS_MAX} conditions.`);
    add({ path: path.split("__"), value: readLiteral(written) });
  }
  if (operator) throw new QuerySyntaxError(`There is no condition after ${operator}.`);
  const [first] = chains;
  if (!first) throw new QuerySyntaxError("There is no condition in the parentheses.");
  return chains.length === 1 ? first : { op: "AND", items: chains };
}

/** The index of the parenthesis that closes the one at `from`, ignoring quoted values. */
function closing(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    const isQuote = (text[at] === "'" || text[at] === '"') && text[at - 1] === "=";
    const quoted = isQuote ? text.indexOf(text[at]!, at + 1) : -1;
    if (quoted >= 0) at = quoted;
    else if (text[at] === "(") open++;
    else if (text[at] === ")" && --open === 0) return at;
  }
  throw new QuerySyntaxError("A parenthesis is not closed.");
}

function join(op: Operator, left: Expression, right: Expression): Expression {
  const items = "op" in left && left.op === op ? left.items : [left];
  return { op, items: [...items, right] };
}

function readLiteral(written: string): Literal {
  const [quote] = written;
  const isQuoted = written.length > 1 && (quote === "'" || quote === '"') && written.endsWith(quote);
  // Within quotes of one kind, those of the other are part of the value.
  const text = isQuoted ? written.slice(1, -1) : trimBoth(trimBoth(written, "'"), '"');
  if (text.includes("=")) throw new QuerySyntaxError("A value cannot hold another =.");
  if (!text.startsWith("[") || !text.endsWith("]")) return text;
  return text === "[]" ? [] : text.slice(1, -1).split(",");
}

const excerpt = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}...` : text);
