/**
 * Linear-time regular expressions for the lookups `regex` and `iregex`.
 *
 * The built-in engine backtracks: `(a+)+$` on thirty letters can take minutes. This one simulates an NFA and caches the
 * states of the equivalent DFA, so the time is linear in the length of the text. It supports no backreferences, no
 * lookaround and no word boundaries.
 */
import { keptBy } from "../../memo.ts";
import { invalid } from "../../errors.ts";
import { QuerySyntaxError } from "./grammar.ts";
import { parsePattern, type CodeTest, type PatternNode } from "./pattern-syntax.ts";

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

export const newBudget = (left = BUDGET): Budget => ({ left });

export function resetBudget(budget: Budget): void {
  budget.left = BUDGET;
}

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
 * @throws QuerySyntaxError as `parsePattern`
 */
export function compilePattern(source: string, ignoreCase: boolean, budget: Budget): (text: string) => boolean {
  const { program, entry } = compileProgram(parsePattern(source, ignoreCase));
  const known = new Map<string, State>();
  const initial = closure(program, [entry], true, false, budget);

  const follow = (from: State, code: number): State => {
    const next = from.waiting.flatMap((at) => {
      const step = program[at];
      return step?.kind === "one" && step.has(code) ? [step.next] : [];
    });
    spend(budget, STEP_COST * from.waiting.length);
    const fresh = closure(program, [...next, entry], false, false, budget);
    const key = `${fresh.matched ? "!" : ""}${fresh.waiting.join(",")};${fresh.atEnd.join(",")}`;
    const state = keptBy(known, key, () => fresh);
    if (code < 128) from.ascii[code] = state;
    else from.others.set(code, state);
    return state;
  };

  return (text) => {
    let state = initial;
    let at = 0;
    while (at < text.length && !state.matched && !cannotMatch(state)) {
      const code = text.codePointAt(at) ?? 0;
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
    const step = program[at];
    if (!step) continue;
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

function compileProgram(pattern: PatternNode): { program: readonly Step[]; entry: number } {
  const program: Step[] = [{ kind: "match" }];
  let emitted = 0;
  const add = (step: Step): number => program.push(step) - 1;

  /** Adds the steps of a node that continues at `next`. @returns the index of its first step */
  function emit(node: PatternNode, next: number): number {
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
