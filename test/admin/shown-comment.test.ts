import { expect, it } from "vitest";
import { shownComment } from "../../src/admin/history/shown-comment.ts";

const show = (iso: string): string => `<${Date.parse(iso)}>`;

it.each([
  ["Scheduled for 2026-12-01T08:00:00.000Z.", "Scheduled for <1796112000000>."],
  ["Scheduled for 2026-12-01T08:00:00Z", "Scheduled for <1796112000000>"],
  ["Opening hours of 2026-12-01", "Opening hours of 2026-12-01"],
  ['Revert "Home" to 0123456789', 'Revert "Home" to <1796112000000>'],
  ["Picked from abcdefabcdef", "Picked from abcdefabcdef"],
  ["", ""],
])("%j is shown as %j", (comment, shown) => {
  const revisions = [{ id: "0123456789abcdef", date_created: "2026-12-01T08:00:00.000Z" }];
  expect(shownComment(comment, show, revisions)).toBe(shown);
});
