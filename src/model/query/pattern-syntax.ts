/** The syntax of regular expressions in filters: literals, classes, `.`, groups, `|`, `? * + {n,m}` and anchors. */
import { QuerySyntaxError } from "./grammar.ts";

const LENGTH_MAX = 300;
const REPEAT_MAX = 200;

/** Whether a character matches, by its code point. */
export type CodeTest = (code: number) => boolean;

export type PatternNode =
  | { readonly kind: "one"; readonly has: CodeTest }
  | { readonly kind: "start" | "end" }
  | { readonly kind: "all" | "any"; readonly items: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly item: PatternNode; readonly min: number; readonly max: number };

/**
 * @param ignoreCase whether letters stand for both of their cases
 * @throws QuerySyntaxError for other syntax, and for patterns that are too long
 */
export const parsePattern = (source: string, ignoreCase: boolean): PatternNode =>
  new PatternParser(source, ignoreCase).parse();

class PatternParser {
  readonly #characters: readonly string[];
  readonly #ignoreCase: boolean;
  #at = 0;

  constructor(source: string, ignoreCase: boolean) {
    this.#characters = Array.from(source);
    this.#ignoreCase = ignoreCase;
    if (this.#characters.length > LENGTH_MAX)
      throw new QuerySyntaxError(`The regular expression is longer than ${LENGTH_MAX} characters.`);
  }

  parse(): PatternNode {
    const node = this.#alternatives();
    if (!this.#isAtEnd()) throw new QuerySyntaxError("The regular expression closes a group that is not open.");
    return node;
  }

  #isAtEnd(): boolean {
    return this.#at >= this.#characters.length;
  }

  /** A character ahead; "" beyond the end. */
  #peek(ahead = 0): string {
    return this.#characters[this.#at + ahead] ?? "";
  }

  #next(): string {
    const character = this.#peek();
    this.#at++;
    return character;
  }

  #eat(character: string): boolean {
    const isEaten = this.#peek() === character;
    if (isEaten) this.#at++;
    return isEaten;
  }

  #alternatives(): PatternNode {
    const first = this.#sequence();
    const items = [first];
    while (this.#eat("|")) items.push(this.#sequence());
    return items.length === 1 ? first : { kind: "any", items };
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (!this.#isAtEnd() && this.#peek() !== "|" && this.#peek() !== ")") items.push(this.#repeated(this.#atom()));
    return { kind: "all", items };
  }

  #repeated(item: PatternNode): PatternNode {
    const [min, max] = this.#repetition();
    if (min === 1 && max === 1 && this.#peek() !== "?") return item;
    if (item.kind === "start" || item.kind === "end") throw unsupported("a repeated anchor");
    // A lazy repetition matches the same texts.
    this.#eat("?");
    if (/^[*+?{]$/.test(this.#peek())) throw unsupported("a repetition of a repetition");
    return { kind: "repeat", item, min, max };
  }

  #repetition(): readonly [min: number, max: number] {
    if (this.#eat("*")) return [0, Infinity];
    if (this.#eat("+")) return [1, Infinity];
    if (this.#eat("?")) return [0, 1];
    return this.#peek() === "{" ? this.#bounds() : [1, 1];
  }

  #bounds(): readonly [min: number, max: number] {
    const ahead = this.#characters.slice(this.#at, this.#at + 9).join("");
    const match = /^\{(\d{1,3})(,(\d{0,3}))?\}/.exec(ahead);
    if (!match) throw unsupported("a { that is no repetition (write \\{)");
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === "" ? Infinity : Number(match[3]);
    if (max < min || min > REPEAT_MAX || (max > REPEAT_MAX && max !== Infinity))
      throw unsupported(`the repetition ${match[0]}`);
    this.#at += match[0].length;
    return [min, max];
  }

  #atom(): PatternNode {
    const character = this.#next();
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return { kind: "one", has: this.#characterClass() };
      case ".":
        return { kind: "one", has: (other) => other !== 0x0a };
      case "^":
        return { kind: "start" };
      case "$":
        return { kind: "end" };
      case "\\": {
        const escaped = this.#escape();
        return typeof escaped === "number" ? this.#literal(escaped) : { kind: "one", has: escaped };
      }
      case "*":
      case "+":
      case "?":
      case "{":
        throw new QuerySyntaxError("The regular expression repeats nothing.");
      default:
        return this.#literal(codeOf(character));
    }
  }

  #literal(code: number): PatternNode {
    return { kind: "one", has: caseless(this.#ignoreCase, (other) => other === code) };
  }

  /** After the opening parenthesis. */
  #group(): PatternNode {
    if (this.#peek() === "?" && this.#peek(1) !== ":") throw unsupported("a group with (?");
    if (this.#eat("?")) this.#at++;
    const inner = this.#alternatives();
    if (!this.#eat(")")) throw new QuerySyntaxError("The regular expression has an open group.");
    return inner;
  }

  /** After the backslash: a character, or a class of them. */
  #escape(): number | CodeTest {
    if (this.#isAtEnd()) throw new QuerySyntaxError("The regular expression ends in a backslash.");
    const letter = this.#next();
    const control = "tnvfr".indexOf(letter);
    if (control >= 0) return 0x09 + control;
    const digits = letter === "x" ? 2 : letter === "u" ? 4 : 0;
    if (digits > 0) {
      const hex = this.#characters.slice(this.#at, this.#at + digits).join("");
      if (hex.length !== digits || !/^[\da-f]+$/i.test(hex))
        throw unsupported(`\\${letter} without ${digits} hex digits`);
      this.#at += digits;
      return Number.parseInt(hex, 16);
    }
    const named = CLASSES.get(letter.toLowerCase());
    if (named) return letter === letter.toLowerCase() ? matching(named) : not(matching(named));
    if (/[\p{L}\p{N}]/u.test(letter)) throw unsupported(`\\${letter}`);
    return codeOf(letter);
  }

  /** After the opening bracket. */
  #characterClass(): CodeTest {
    const isNegated = this.#eat("^");
    const tests: CodeTest[] = [];
    for (let isFirst = true; isFirst || this.#peek() !== "]"; isFirst = false) {
      if (this.#isAtEnd()) throw new QuerySyntaxError("The regular expression has an open [.");
      const from = this.#classItem();
      const isRange = this.#peek() === "-" && this.#peek(1) !== "" && this.#peek(1) !== "]";
      if (!isRange) {
        tests.push(typeof from === "number" ? (code) => code === from : from);
        continue;
      }
      this.#at++;
      const to = this.#classItem();
      if (typeof from !== "number" || typeof to !== "number" || to < from) throw unsupported("a range that is none");
      tests.push((code) => code >= from && code <= to);
    }
    this.#at++;
    const has = caseless(this.#ignoreCase, (code) => tests.some((test) => test(code)));
    return isNegated ? not(has) : has;
  }

  #classItem(): number | CodeTest {
    const character = this.#next();
    return character === "\\" ? this.#escape() : codeOf(character);
  }
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

const unsupported = (what: string): QuerySyntaxError =>
  new QuerySyntaxError(`The regular expression uses ${what}, which is not supported.`);

/** Letters and digits of every script are in the classes. */
const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ["d", /\p{Nd}/u],
  ["w", /[\p{L}\p{N}_]/u],
  ["s", /\s/],
]);

const matching =
  (pattern: RegExp): CodeTest =>
  (code) =>
    pattern.test(String.fromCodePoint(code));
const not =
  (test: CodeTest): CodeTest =>
  (code) =>
    !test(code);

function caseless(ignoreCase: boolean, test: CodeTest): CodeTest {
  if (!ignoreCase) return test;
  return (code) => {
    if (test(code)) return true;
    const character = String.fromCodePoint(code);
    return [character.toLowerCase(), character.toUpperCase()].some((other) => {
      const first = codeOf(other);
      return other.length === (first > 0xffff ? 2 : 1) && test(first);
    });
  };
}
