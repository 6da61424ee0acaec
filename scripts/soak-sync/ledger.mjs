/** What was acknowledged: the last value of each field, and the pages that were deleted. */

export function openLedger() {
  /** By page, language and field: the last value, and the number of its acknowledgement. */
  const values = new Map();
  const deleted = new Map();
  let order = 0;
  let count = 0;

  return {
    /** A text that no other write has. */
    nextValue: () => `value ${++count}.`,
    size: () => order,
    noteValue(page, language, field, value) {
      values.set(`${page} ${language} ${field}`, { page, value, at: ++order });
    },
    noteDeleted: (page) => void deleted.set(page, ++order),
    /** Those that must be found, unless their page was deleted after them. */
    expected: () =>
      [...values].map(([key, { page, value, at }]) => ({ key, page, value, mayBeGone: (deleted.get(page) ?? 0) > at })),
  };
}
