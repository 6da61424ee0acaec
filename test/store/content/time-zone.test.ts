/** Dates and times without a zone in files, where the setting TIME_ZONE names theirs. */
import { describe, expect, it } from "vitest";
import { showProblem } from "../../../src/model/text/problem.ts";
import { readPageChange } from "../../../src/model/page/page-input.ts";
import { openTimeZone } from "../../../src/model/time/time-zone.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { EDITH, openContent, openMemory, retitle } from "../store-site.ts";

const ABOUT = "content/pages/about.yaml";
const DRAFT = "content/pages/about.draft.en.yaml";
const FILES = {
  [ABOUT]:
    "id: 1\ndate_created: 2026-01-05 # before the opening\ntranslations:\n  en:\n    title: About\n    permalink: /about\n    published_at: 2026-07-01 08:30\n",
  [DRAFT]: "scheduled_for: 2099-05-01\npayload: { translations: { en: { title: New } } }\n",
};
const locales = { codes: ["en", "it"], default: "en" };

describe("a moment without a zone", () => {
  it("is in the time zone of the site, and stays as it is written until it changes", async () => {
    const timeZone = openTimeZone("Europe/Rome")!;
    const { store, hands } = await openContent(openMemory, FILES, { locales: { ...locales, timeZone } });
    expect(store.current.problems).toEqual([]);
    const page = store.current.get(PAGES, 1);
    expect(page).toMatchObject({
      date_created: "2026-01-04T23:00:00.000Z",
      translations: { en: { published_at: "2026-07-01T06:30:00.000Z" } },
      drafts: { en: { scheduled_for: "2099-04-30T22:00:00.000Z" } },
    });
    await store.transact(EDITH, retitle(1, "About us"));
    expect(hands.text(ABOUT)).toContain("date_created: 2026-01-05 # before the opening\n");
    expect(hands.text(ABOUT)).toContain(
      "    title: About us\n    permalink: /about\n    published_at: 2026-07-01 08:30\n",
    );
    const draft = store.current.get(PAGES, 1).drafts.en!;
    await store.transact(EDITH, (tx) =>
      tx.put(PAGES, { ...tx.get(PAGES, 1), drafts: { en: { ...draft, scheduled_for: draft.created_at } } }),
    );
    expect(hands.text(DRAFT)).not.toContain("2099-05-01");
    expect(hands.text(ABOUT)).toContain("published_at: 2026-07-01 08:30\n");
  });

  it.each([
    ["translations: { en: { published_at: 2099-07-01 08:30 } }"],
    ["published_at: 2099-07-01 08:30"],
    ["published_at_en: 2099-07-01 08:30"],
  ])("may be in the payload of a draft: %s", async (payload) => {
    const timeZone = openTimeZone("Europe/Rome")!;
    const draft = `payload: { title: New, ${payload} }\n`;
    const options = { locales: { ...locales, timeZone } };
    const { store, hands } = await openContent(openMemory, { [ABOUT]: FILES[ABOUT], [DRAFT]: draft }, options);
    const { payload: read } = store.current.get(PAGES, 1).drafts.en!;
    expect(readPageChange(read, options.locales, "en").texts.en).toMatchObject({
      published_at: "2099-07-01T06:30:00.000Z",
    });
    await store.transact(EDITH, (tx) => {
      const page = tx.get(PAGES, 1);
      const renamed = { ...page.drafts.en!, payload: { ...read, title: "Newer" } };
      tx.put(PAGES, { ...page, drafts: { en: renamed } });
    });
    expect(hands.text(DRAFT)).toContain(draft.replace("New,", "Newer,"));
  });

  it("is an error without that setting", async () => {
    const { store } = await openContent(openMemory, { [ABOUT]: FILES[ABOUT] }, { locales });
    expect(store.current.problems.map(showProblem)).toEqual([
      "content/pages/about.yaml:2:1: date_created: A moment is written with its zone, as 2026-03-01T09:00:00.000Z.",
      expect.stringContaining("about.yaml:7:5: translations.en.published_at: Datetime has wrong format."),
    ]);
  });
});
