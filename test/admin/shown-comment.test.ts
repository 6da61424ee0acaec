import { expect, it } from "vitest";
import { shownComment } from "../../src/admin/history/shown-comment.ts";

const show = (iso: string): string => `<${Date.parse(iso)}>`;

it.each([
  ["Scheduled for 2026-12-01T08:00:00.000Z.", "Scheduled for <1796112000000>."],
  ["Scheduled for 2026-12-01T08:00:00Z", "Scheduled for <1796112000000>"],
  ["Opening hours of 2026-12-01", "Opening hours of 2026-12-01"],
  ["", ""],
])("%j is shown as %j", (comment, shown) => expect(shownComment(comment, show)).toBe(shown));
