/** What can be told of JSON text without parsing it. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/**
 * How deep arrays and objects nest, the outermost counted; of text that is no JSON some number.
 *
 * @param enough where to stop counting: the answer is then one more
 */
export function jsonTextDepth(text: string, enough: number): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPEN.has(code)) {
      deepest = Math.max(deepest, ++depth);
      if (deepest > enough) return deepest;
    } else if (CLOSE.has(code)) depth--;
  }
  return deepest;
}

/** @param from the opening quote. @returns where the closing one is, or the end */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
