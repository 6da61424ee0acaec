/**
 * The pattern that a definition states for its texts.
 *
 * It comes from a site, so it is matched in linear time. As in JSON Schema it may match anywhere in a text.
 */
import { CmsError } from "../../errors.ts";
import { keptBy } from "../../memo.ts";
import { QuerySyntaxError } from "../query/grammar.ts";
import { compilePattern, newBudget } from "../query/pattern.ts";

/** In the units of `Budget`: 25 ms, for all texts of one record. */
const WORK_MAX = 5_000_000;

/** What is wrong with a pattern; undefined for one that can be matched, and that other validators can read, too. */
export function patternError(source: string): string | undefined {
  try {
    compilePattern(source, false, newBudget());
    // linear: it is only read, and matches no text.
    new RegExp(source, "u");
    return undefined;
  } catch (error) {
    if (error instanceof QuerySyntaxError) return error.message;
    if (error instanceof SyntaxError) return "This is not a regular expression that JSON Schema can have.";
    throw error;
  }
}

/** A test for the texts of one record. A text on which a pattern takes too long does not match it. */
export function patternMatcher(): (pattern: string, text: string) => boolean {
  const budget = newBudget(WORK_MAX);
  const tests = new Map<string, (text: string) => boolean>();
  return (pattern, text) => {
    try {
      return keptBy(tests, pattern, () => compilePattern(pattern, false, budget))(text);
    } catch (error) {
      // The work is used up, or a definition that was never checked has a pattern that cannot be read.
      if (error instanceof CmsError || error instanceof QuerySyntaxError) return false;
      throw error;
    }
  };
}
