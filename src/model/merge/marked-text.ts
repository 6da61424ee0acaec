/** Two versions of a text in one, with git's conflict markers. */
import { regionsOf } from "./sequence.ts";

/** In the markers' lines: a text that only quotes git's usual ones is no conflict. */
export const OURS_LABEL = "ours (git-cms)";
export const THEIRS_LABEL = "theirs (git-cms)";

/**
 * The text with each part that differs between markers, as `git merge` writes them.
 *
 * @param ours undefined: that side has no text
 * @param size of the markers, in characters; git's default is 7
 */
export function markedText(ours: string | undefined, theirs: string | undefined, size: number): string {
  const [a, b] = [ours, theirs].map((text) => text?.split("\n") ?? []) as [string[], string[]];
  return regionsOf(b, a, b, true)
    .flatMap((region) => {
      const theirLines = b.slice(...region.theirs);
      if (region.changedBy === "neither") return theirLines;
      return betweenMarkers(a.slice(...region.ours), theirLines, size);
    })
    .join("\n");
}

/** The lines of both sides, as `git merge` writes a conflict. @param size of the markers, in characters */
export const betweenMarkers = (ours: readonly string[], theirs: readonly string[], size: number): string[] => [
  `${"<".repeat(size)} ${OURS_LABEL}`,
  ...ours,
  "=".repeat(size),
  ...theirs,
  `${">".repeat(size)} ${THEIRS_LABEL}`,
];

/** The parts between the markers of `markedText`; empty for a text without them. */
export function markedParts(text: string): { readonly ours: string; readonly theirs: string }[] {
  const found: { ours: string; theirs: string }[] = [];
  let open: { size: number; ours: string[]; theirs: string[]; side: "ours" | "theirs" } | undefined;
  for (const line of text.includes(OURS_LABEL) ? text.split("\n") : []) {
    const start = /^(<+) /.exec(line)?.[1]?.length;
    if (start !== undefined && line.endsWith(` ${OURS_LABEL}`) && line.length === start + 1 + OURS_LABEL.length)
      open = { size: start, ours: [], theirs: [], side: "ours" };
    else if (open && line === "=".repeat(open.size)) open.side = "theirs";
    else if (open && line === `${">".repeat(open.size)} ${THEIRS_LABEL}`) {
      found.push({ ours: open.ours.join("\n"), theirs: open.theirs.join("\n") });
      open = undefined;
    } else open?.[open.side].push(line);
  }
  return found;
}
