/** Patterns of paths in configurations: what is left out of a site, and what values are for. */
import { folderPath } from "../source-tree.ts";

/** Whether a text is a pattern in which `*` stands for any characters. Linear in both. */
export function matchesWildcard(text: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest.slice(0, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - rest.at(-1)!.length >= at && text.endsWith(rest.at(-1)!);
}

/**
 * Whether a file is one that a list leaves out, as `.gitignore` and `exclude` of Jekyll have it: a pattern is a file, a folder,
 * or a name at any depth where it has no slash.
 */
export function isLeftOut(path: string, patterns: readonly string[]): boolean {
  return patterns.some((written) => {
    const pattern = folderPath(written.trim());
    if (pattern === "" || pattern.startsWith("#") || pattern.startsWith("!")) return false;
    const anywhere = written.trim().replace(/\/$/, "").includes("/") ? [pattern] : [pattern, `*/${pattern}`];
    return anywhere.some((each) => matchesWildcard(path, each) || matchesWildcard(path, `${each}/*`));
  });
}
