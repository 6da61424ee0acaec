/**
 * Trims characters from the ends of a text, in linear time.
 *
 * The usual regular expression (`/\/+$/`) starts again at each slash of the text: its time is quadratic in the length
 * of untrusted input.
 */

/** @param characters each of them a single UTF-16 unit */
export function trimStart(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start++;
  return text.slice(start);
}

/** @param characters each of them a single UTF-16 unit */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** @param characters each of them a single UTF-16 unit */
export const trimBoth = (text: string, characters: string): string => trimEnd(trimStart(text, characters), characters);
