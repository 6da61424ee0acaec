/** The number that a text of an export is: an id, or a place in an order; 0 for any other text. */
export function wholeNumber(text: string | null | undefined): number {
  const written = text?.trim() ?? "";
  return written.length <= 15 && /^\d+$/.test(written) ? Number(written) : 0;
}
