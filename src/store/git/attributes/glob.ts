/**
 * Glob patterns of git's attribute and ignore files, matched as `wildmatch` does with WM_PATHNAME.
 *
 * The pattern is run as a nondeterministic automaton, so a match costs at most the length of the pattern times that of
 * the path. As a backtracking regular expression, `*a*a*a*a*b` could block the process for minutes.
 *
 * Source: wildmatch.c of git 2.39. Patterns and paths have one character a byte.
 */

type Token =
  /** One character. */
  | { readonly kind: "one"; has(char: string): boolean }
  /** Any characters of one segment. */
  | { readonly kind: "star" }
  /** Any characters. */
  | { readonly kind: "rest" }
  /** Nothing, or any characters up to a slash. */
  | { readonly kind: "folders" };

/** @returns undefined for a malformed pattern, which matches nothing */
export function compileGlob(glob: string, ignoreCase: boolean): ((path: string) => boolean) | undefined {
  const tokens = tokensOf(ignoreCase ? lower(glob) : glob, ignoreCase);
  if (!tokens) return undefined;
  return (path) => matches(tokens, ignoreCase ? lower(path) : path);
}

/** ASCII only, as in git. */
const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function matches(tokens: readonly Token[], path: string): boolean {
  // `at` has the tokens that may match next; `inside`, the `folders` tokens that are waiting for a slash.
  let at = new Set<number>();
  let inside = new Set<number>();
  const arrive = (places: Set<number>, place: number): void => {
    for (let next = place; !places.has(next); next++) {
      places.add(next);
      const token = tokens[next];
      if (!token || token.kind === "one") return;
    }
  };
  arrive(at, 0);
  for (const char of path) {
    const next = new Set<number>();
    const nextInside = new Set<number>();
    const passFolder = (place: number): void => {
      nextInside.add(place);
      if (char === "/") arrive(next, place + 1);
    };
    for (const place of at) {
      const token = tokens[place];
      if (token?.kind === "one" && token.has(char)) arrive(next, place + 1);
      else if (token?.kind === "rest" || (token?.kind === "star" && char !== "/")) arrive(next, place);
      else if (token?.kind === "folders") passFolder(place);
    }
    for (const place of inside) passFolder(place);
    [at, inside] = [next, nextInside];
  }
  return at.has(tokens.length);
}

function tokensOf(glob: string, ignoreCase: boolean): Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < glob.length; at++) {
    const char = glob.charAt(at);
    if (char === "*") {
      let end = at;
      while (glob[end] === "*") end++;
      const isAlone = (at === 0 || glob[at - 1] === "/") && (end === glob.length || glob[end] === "/");
      const isFolders = end - at >= 2 && isAlone;
      if (isFolders && end < glob.length) end++;
      tokens.push({ kind: !isFolders ? "star" : glob[end - 1] === "/" ? "folders" : "rest" });
      at = end - 1;
    } else if (char === "?") tokens.push({ kind: "one", has: (other) => other !== "/" });
    else if (char === "[") {
      const set = setOf(glob, at, ignoreCase);
      if (!set) return undefined;
      tokens.push({ kind: "one", has: set.has });
      at = set.end;
    } else if (char === "\\") {
      const next = glob[++at];
      if (next === undefined) return undefined;
      tokens.push({ kind: "one", has: (other) => other === next });
    } else tokens.push({ kind: "one", has: (other) => other === char });
  }
  return tokens;
}

/** Ranges of characters, inclusive: each pair of characters is the first and the last of a range. */
const CLASSES: Readonly<Record<string, string>> = {
  alnum: "09AZaz",
  alpha: "AZaz",
  blank: "  \t\t",
  cntrl: "\x00\x1f\x7f\x7f",
  digit: "09",
  graph: "\x21\x7e",
  lower: "az",
  print: "\x20\x7e",
  punct: "\x21\x2f\x3a\x40\x5b\x60\x7b\x7e",
  space: "  \t\r",
  upper: "AZ",
  xdigit: "09AFaf",
};

/** Parses `[...]` from its bracket on. @returns undefined if it is malformed */
function setOf(
  glob: string,
  from: number,
  ignoreCase: boolean,
): { has(char: string): boolean; end: number } | undefined {
  let at = from + 1;
  const isNegated = glob[at] === "!" || glob[at] === "^";
  if (isNegated) at++;
  let ranges = "";
  for (let isFirst = true; isFirst || glob[at] !== "]"; isFirst = false) {
    const named = /^\[:([a-z]*):\]/.exec(glob.slice(at, at + 16));
    if (named) {
      const characters = CLASSES[named[1]!];
      if (characters === undefined) return undefined;
      // The path is in lower case, so the class of upper-case letters stands for lower-case ones.
      ranges += ignoreCase && named[1] === "upper" ? "az" : characters;
      at += named[0].length;
      continue;
    }
    const low = glob[at] === "\\" ? glob[++at] : glob[at];
    if (low === undefined) return undefined;
    at++;
    if (glob[at] === "-" && glob[at + 1] !== "]" && glob[at + 1] !== undefined) {
      const high = glob[at + 1] === "\\" ? glob[++at + 1] : glob[at + 1];
      if (high === undefined) return undefined;
      at += 2;
      ranges += low + high;
    } else ranges += low + low;
  }
  const isMember = (char: string): boolean => {
    for (let n = 0; n < ranges.length; n += 2)
      if (ranges.charAt(n) <= char && char <= ranges.charAt(n + 1)) return true;
    return false;
  };
  // A set never matches a slash.
  return { has: (char) => char !== "/" && isMember(char) !== isNegated, end: at };
}
