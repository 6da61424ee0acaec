/** Names of commits as git writes them: a name, and the steps from its commit to an ancestor (`main~2^2`). */

/** Each step reads a commit. */
const STEPS_MAX = 100_000;

const WITH_STEPS = /^([^~^]+)((?:~\d{0,6}|\^\d?)+)$/;

export interface RevisionName {
  /** A tag, a branch, `HEAD` or an id. */
  readonly base: string;
  /** Which parent to follow at each step, from 1: `main~2^2` has `[1, 1, 2]`. */
  readonly steps: readonly number[];
}

/** @returns undefined for over 100,000 steps */
export function parseRevisionName(text: string): RevisionName | undefined {
  const [, base = text, suffix = ""] = WITH_STEPS.exec(text) ?? [];
  const steps: number[] = [];
  for (const [, sign, digits = ""] of suffix.matchAll(/([~^])(\d*)/g)) {
    const number = digits === "" ? 1 : Number(digits);
    if (sign === "^") steps.push(...(number === 0 ? [] : [number]));
    else if (steps.length + number > STEPS_MAX) return undefined;
    else for (let count = 0; count < number; count++) steps.push(1);
  }
  return { base, steps };
}
