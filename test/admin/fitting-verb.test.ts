/** What the screen of a page says and offers first. */
import { expect, it } from "vitest";
import { fittingVerb, type FittingVerb } from "../../src/admin/pages/fitting-verb.ts";
import type { PageRecord } from "../../src/admin/pages/page-record.ts";
import { templateName } from "../../src/admin/pages/settings/template-name.ts";

const SOON = "2099-01-01T00:00:00Z";
const PAGE: Partial<PageRecord> = { status: "PUB", has_draft: false, published_at: null, draft_scheduled_for: null };

it.each<[what: string, page: Partial<PageRecord>, isChanged: boolean, verb: FittingVerb]>([
  ["a page in the trash", { status: "TRS", has_draft: true }, true, "restore"],
  ["a public page without changes", {}, false, "viewPage"],
  ["a public page that is typed into", {}, true, "publish"],
  ["a public page with a draft", { has_draft: true }, false, "publish"],
  ["a page that was never public", { status: "DRF" }, false, "publish"],
  ["a scheduled draft", { has_draft: true, draft_scheduled_for: SOON }, false, "changeSchedule"],
  ["a scheduled draft that is typed into", { has_draft: true, draft_scheduled_for: SOON }, true, "save"],
  ["a planned page", { status: "PLA", published_at: SOON }, false, "changeSchedule"],
])("of %s", (_, page, isChanged, verb) => {
  expect(fittingVerb({ ...PAGE, ...page } as PageRecord, isChanged)).toBe(verb);
});

it("calls a template by its file, and by its path where two are called the same", () => {
  const all = ["pages/contact-us.html", "pages/home.html", "old/pages/home.html"];
  expect(all.map((path) => templateName(path, all))).toEqual(["Contact us", "pages/home.html", "old/pages/home.html"]);
});
