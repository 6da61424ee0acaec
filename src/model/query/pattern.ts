/**
 * Linear-time regular expressions for the lookups `regex` and `iregex` (decisions.md 40).
 *
 * The built-in engine backtracks: `(a+)+$` on thirty letters can take minutes. This one simulates an NFA and caches the
 * states of the equivalent DFA, so the time is linear in the length of the text. It supports no backreferences, no
 * lookaround and no word boundaries.
 */
import { invalid } from "../../errors.ts";
import { QuerySyntaxError } from "./grammar.ts";

const LENGTH_MAX = 300;
const REPEAT_MAX = 200;
const PROGRAM_MAX = 1000;
/** Empty groups add no steps, but nested repetitions of them multiply all the same: `((){200}){200}`. */
const EMITTED_MAX = 20_000;
/** In units of about 5 ns, the cost of one cached transition. */
const BUDGET = 25_000_000;
/** Units per NFA step visited to compute a new DFA state, so that the budget also limits memory. */
const STEP_COST = 25;

/** The work that all patterns of one query may still do together. */
export interface Budget {
  left: number;
}

export const newBudget = (): Budget => ({ left: BUDGET });

export function resetBudget(budget: Budget): void {
  budget.left = BUDGET;
}

type CodeTest = (code: number) => boolean;

type Node =
  | { readonly kind: "one"; readonly has: CodeTest }
  | { readonly kind: "start" | "end" }
  | { readonly kind: "all" | "any"; readonly items: readonly Node[] }
  | { readonly kind: "repeat"; readonly item: Node; readonly min: number; readonly max: number };

type Step =
  | { readonly kind: "one"; readonly has: CodeTest; readonly next: number }
  | { readonly kind: "start" | "end"; readonly next: number }
  | { readonly kind: "fork"; readonly to: number[] }
  | { readonly kind: "match" };

/** A DFA state: the set of NFA steps, with its cached transitions. */
interface State {
  readonly waiting: readonly number[];
  /** Steps after a `$`, which are reached if the text ends here. */
  readonly atEnd: readonly number[];
  readonly matched: boolean;
  readonly ascii: (State | undefined)[];
  readonly others: Map<number, State>;
}

/**
 * Compiles a pattern to a test whether it matches anywhere in a text. `^` and `$` match at the ends of the whole text.
 *
 * @param budget is used up by tests; when it is exhausted, a test throws CmsError `invalid`
 * @throws QuerySyntaxError for anything but literals, classes, `.`, groups, `|`, `? * + {n,m}` and anchors
 */
export function compilePattern(source: string, ignoreCase: boolean, budget: Budget): (text: string) => boolean {
  const { program, entry } = compileProgram(parsePattern(source, ignoreCase));
  const known = new Map<string, State>();
  const initial = closure(program, [entry], true, false, budget);

  const follow = (from: State, code: number): State => {
    const next = from.waiting.flatMap((at) => {
      const step = program[at]!;
      return step.kind === "one" && step.has(code) ? [step.next] : [];
    });
    spend(budget, STEP_COST * from.waiting.length);
    const fresh = closure(program, [...next, entry], false, false, budget);
    const key = `${fresh.matched ? "!" : ""}${fresh.waiting.join(",")};${fresh.atEnd.join(",")}`;
    const state = known.get(key) ?? fresh;
    known.set(key, state);
    if (code < 128) from.ascii[code] = state;
    else from.others.set(code, state);
    return state;
  };

  return (text) => {
    let state = initial;
    let at = 0;
    while (at < text.length && !state.matched && !cannotMatch(state)) {
      const code = text.codePointAt(at)!;
      state = (code < 128 ? state.ascii[code] : state.others.get(code)) ?? follow(state, code);
      at += code > 0xffff ? 2 : 1;
    }
    spend(budget, at + 1);
    if (state.matched || at < text.length || state.atEnd.length === 0) return state.matched;
    return closure(program, state.atEnd, text === "", true, budget).matched;
  };
}

/** Whether no further text can match. An unanchored pattern is never dead: its start is in every state. */
const cannotMatch = (state: State): boolean => state.waiting.length === 0 && state.atEnd.length === 0;

function spend(budget: Budget, units: number): void {
  budget.left -= units;
  if (budget.left < 0) throw invalid({ fltr: ["The regular expression takes too long on these records."] });
}

/** The state of a set of steps and all steps reachable from them without consuming a character. */
function closure(
  program: readonly Step[],
  from: readonly number[],
  isStart: boolean,
  isEnd: boolean,
  budget: Budget,
): State {
  const seen = new Set<number>();
  const open = [...from];
  const waiting: number[] = [];
  const atEnd: number[] = [];
  let matched = false;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const step = program[at]!;
    if (step.kind === "match") matched = true;
    else if (step.kind === "one") waiting.push(at);
    else if (step.kind === "fork") open.push(...step.to);
    else if (step.kind === "start" ? isStart : isEnd) open.push(step.next);
    else if (step.kind === "end") atEnd.push(step.next);
  }
  spend(budget, STEP_COST * seen.size);
  const ascending = (a: number, b: number): number => a - b;
  return { waiting: waiting.sort(ascending), atEnd: atEnd.sort(ascending), matched, ascii: [], others: new Map() };
}

function compileProgram(pattern: Node): { program: readonly Step[]; entry: number } {
  const program: Step[] = [{ kind: "match" }];
  let emitted = 0;
  const add = (step: Step): number => program.push(step) - 1;

  /** Adds the steps of a node that continues at `next`. @returns the index of its first step */
  function emit(node: Node, next: number): number {
    if (++emitted > EMITTED_MAX || program.length > PROGRAM_MAX)
      throw new QuerySyntaxError("The regular expression is too large.");
    if (node.kind === "one") return add({ kind: "one", has: node.has, next });
    if (node.kind === "all") return node.items.reduceRight((after, item) => emit(item, after), next);
    if (node.kind === "any") return add({ kind: "fork", to: node.items.map((item) => emit(item, next)) });
    if (node.kind !== "repeat") return add({ kind: node.kind, next });
    let entry = next;
    if (node.max === Infinity) {
      const to = [next];
      entry = add({ kind: "fork", to });
      to.push(emit(node.item, entry));
    } else {
      for (let n = node.min; n < node.max; n++) entry = add({ kind: "fork", to: [next, emit(node.item, entry)] });
    }
    for (let n = 0; n < node.min; n++) entry = emit(node.item, entry);
    return entry;
  }

  return { program, entry: emit(pattern, 0) };
}

function parsePattern(source: string, ignoreCase: boolean): Node {
  const codes = Array.from(source, (character) => character.codePointAt(0)!);
  if (codes.length > LENGTH_MAX)
    throw new QuerySyntaxError(`The regular expression is longer than ${LENGTH_MAX} characters.`);
  let at = 0;
  const peek = (): string => (at < codes.length ? String.fromCodePoint(codes[at]!) : "");
  const eat = (character: string): boolean => {
    const eaten = peek() === character;
    if (eaten) at++;
    return eaten;
  };
  const unsupported = (what: string): QuerySyntaxError =>
    new QuerySyntaxError(`The regular expression uses ${what}, which is not supported.`);
  const literal = (code: number): Node => ({ kind: "one", has: caseless(ignoreCase, (other) => other === code) });

  function alternatives(): Node {
    const items = [sequence()];
    while (eat("|")) items.push(sequence());
    return items.length === 1 ? items[0]! : { kind: "any", items };
  }

  function sequence(): Node {
    const items: Node[] = [];
    while (at < codes.length && peek() !== "|" && peek() !== ")") items.push(repeated(atom()));
    return { kind: "all", items };
  }

  function repeated(item: Node): Node {
    const [min, max] = eat("*")
      ? [0, Infinity]
      : eat("+")
        ? [1, Infinity]
        : eat("?")
          ? [0, 1]
          : peek() === "{"
            ? bounds()
            : [1, 1];
    if (min === 1 && max === 1 && peek() !== "?") return item;
    if (item.kind === "start" || item.kind === "end") throw unsupported("a repeated anchor");
    // A lazy repetition matches the same texts.
    eat("?");
    if (/^[*+?{]$/.test(peek())) throw unsupported("a repetition of a repetition");
    return { kind: "repeat", item, min, max };
  }

  function bounds(): [number, number] {
    const match = /^\{(\d{1,3})(,(\d{0,3}))?\}/.exec(String.fromCodePoint(...codes.slice(at, at + 9)));
    if (!match) throw unsupported("a { that is no repetition (write \\{)");
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === "" ? Infinity : Number(match[3]);
    if (max < min || min > REPEAT_MAX || (max > REPEAT_MAX && max !== Infinity))
      throw unsupported(`the repetition ${match[0]}`);
    at += match[0].length;
    return [min, max];
  }

  function atom(): Node {
    const code = codes[at++]!;
    switch (String.fromCodePoint(code)) {
      case "(": {
        if (peek() === "?" && codes[at + 1] !== 0x3a) throw unsupported("a group with (?");
        if (eat("?")) at++;
        const inner = alternatives();
        if (!eat(")")) throw new QuerySyntaxError("The regular expression has an open group.");
        return inner;
      }
      case "[":
        return { kind: "one", has: characterClass() };
      case ".":
        return { kind: "one", has: (other) => other !== 0x0a };
      case "^":
        return { kind: "start" };
      case "$":
        return { kind: "end" };
      case "\\": {
        const escaped = escape();
        return typeof escaped === "number" ? literal(escaped) : { kind: "one", has: escaped };
      }
      case "*":
      case "+":
      case "?":
      case "{":
        throw new QuerySyntaxError("The regular expression repeats nothing.");
      default:
        return literal(code);
    }
  }

  /** After the backslash: a character, or a class of them. */
  function escape(): number | CodeTest {
    if (at >= codes.length) throw new QuerySyntaxError("The regular expression ends in a backslash.");
    const letter = String.fromCodePoint(codes[at++]!);
    const control = "tnvfr".indexOf(letter);
    if (control >= 0) return 0x09 + control;
    const digits = letter === "x" ? 2 : letter === "u" ? 4 : 0;
    if (digits > 0) {
      const hex = String.fromCodePoint(...codes.slice(at, at + digits));
      if (hex.length !== digits || !/^[\da-f]+$/i.test(hex))
        throw unsupported(`\\${letter} without ${digits} hex digits`);
      at += digits;
      return Number.parseInt(hex, 16);
    }
    const named = CLASSES.get(letter.toLowerCase());
    if (named) return letter === letter.toLowerCase() ? matching(named) : not(matching(named));
    if (/[\p{L}\p{N}]/u.test(letter)) throw unsupported(`\\${letter}`);
    return letter.codePointAt(0)!;
  }

  function characterClass(): CodeTest {
    const negated = eat("^");
    const tests: CodeTest[] = [];
    for (let first = true; first || peek() !== "]"; first = false) {
      if (at >= codes.length) throw new QuerySyntaxError("The regular expression has an open [.");
      const from = classItem();
      const isRange = peek() === "-" && at + 1 < codes.length && codes[at + 1] !== 0x5d;
      if (!isRange) {
        tests.push(typeof from === "number" ? (code) => code === from : from);
        continue;
      }
      at++;
      const to = classItem();
      if (typeof from !== "number" || typeof to !== "number" || to < from) throw unsupported("a range that is none");
      tests.push((code) => code >= from && code <= to);
    }
    at++;
    const has = caseless(ignoreCase, (code) => tests.some((test) => test(code)));
    return negated ? not(has) : has;
  }

  function classItem(): number | CodeTest {
    const code = codes[at++]!;
    return code === 0x5c ? escape() : code;
  }

  const node = alternatives();
  if (at < codes.length) throw new QuerySyntaxError("The regular expression closes a group that is not open.");
  return node;
}

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
      const first = other.codePointAt(0)!;
      return other.length === (first > 0xffff ? 2 : 1) && test(first);
    });
  };
}
