/**
 * HTML with a piece at the end of its body; at its end, where it has none.
 *
 * The place is found in the text as it is: in lower case some letters take more units than before.
 */
export function beforeBodyEnd(html: string, piece: string): string {
  let at = html.length;
  for (const { index } of html.matchAll(/<\/body\s*>/gi)) at = index;
  return html.slice(0, at) + piece + html.slice(at);
}
