/** Merge of texts by line. */
import { agreedEnds } from "./alignment.ts";
import { betweenMarkers } from "./marked-text.ts";
import { regionsOf } from "./sequence.ts";

/** Lines that both sides have, or a place where they clash. */
export type TextPart =
  | { readonly lines: readonly string[] }
  | { readonly ours: readonly string[]; readonly theirs: readonly string[] };

/**
 * Changes of neighbouring lines clash, as in git: two people who work on one paragraph are likely to mean one thing.
 *
 * @param base undefined for a text that both sides added
 */
export function mergeText(base: string | undefined, ours: string, theirs: string): TextPart[] {
  const o = base?.split("\n") ?? [];
  const [a, b] = [ours.split("\n"), theirs.split("\n")];
  return regionsOf(o, a, b, true).flatMap((region): TextPart[] => {
    const [left, right] = [a.slice(...region.ours), b.slice(...region.theirs)];
    if (region.changedBy === "both") return clashingParts(region.base[1] > region.base[0], left, right);
    return [{ lines: region.changedBy === "ours" ? left : right }];
  });
}

/** Without the lines at both ends on which the sides agree. @param replaces whether lines of the base were there */
function clashingParts(replaces: boolean, ours: readonly string[], theirs: readonly string[]): TextPart[] {
  const { head, tail } = agreedEnds(ours, theirs);
  const [a, b] = [ours.slice(head, ours.length - tail), theirs.slice(head, theirs.length - tail)];
  // One side added all that the other added, and more.
  const isMore = !replaces && (a.length === 0 || b.length === 0);
  return [
    { lines: theirs.slice(0, head) },
    ...(a.length === 0 && b.length === 0 ? [] : [isMore ? { lines: [...a, ...b] } : { ours: a, theirs: b }]),
    { lines: theirs.slice(theirs.length - tail) },
  ];
}

/** The merged text where one side stands wherever the two clash. */
export const textOfSide = (parts: readonly TextPart[], side: "ours" | "theirs"): string =>
  parts.flatMap((part) => ("lines" in part ? part.lines : part[side])).join("\n");

export const hasClash = (parts: readonly TextPart[]): boolean => parts.some((part) => "ours" in part);

/** The merged text with both sides wherever the two clash, between git's markers. @param size of the markers, in characters */
export const textWithMarkers = (parts: readonly TextPart[], size: number): string =>
  parts.flatMap((part) => ("lines" in part ? part.lines : betweenMarkers(part.ours, part.theirs, size))).join("\n");
