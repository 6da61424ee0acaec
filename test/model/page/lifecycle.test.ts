import { describe, expect, it } from "vitest";
import { isPublic, restore, schedule, stampPublished, statusOf, trash } from "../../../src/model/page/lifecycle.ts";
import { textOf, type Page } from "../../../src/model/page/page.ts";
import { at, blankPage } from "./blank-page.ts";

const now = at("2026-03-01");
const PAST = "2026-02-28";
const NOW = "2026-03-01";
const FUTURE = "2026-03-02";
const LATER = "2026-03-09";

/** @param draft when the English draft is scheduled; null: not scheduled, undefined: no draft */
const pageAt = (published: string | null, deleted: string | null = null, draft?: string | null): Page =>
  blankPage({
    deleted_at: deleted === null ? null : at(deleted),
    translations: { en: { published_at: published === null ? null : at(published) } },
    drafts:
      draft === undefined
        ? {}
        : { en: { payload: { title: "New" }, scheduled_for: draft === null ? null : at(draft) } },
  });

describe("statusOf", () => {
  // oxfmt-ignore
  it.each([
    // published_at  deleted_at  status
    [null,           null,       "DRF"],
    [PAST,           null,       "PUB"],
    [NOW,            null,       "PUB"], // the instant itself counts as published
    [FUTURE,         null,       "PLA"],
    [null,           PAST,       "TRS"],
    [PAST,           PAST,       "TRS"],
    [FUTURE,         PAST,       "TRS"],
    [PAST,           FUTURE,     "TRS"], // any value means trashed
  ])("published %s, deleted %s is %s", (published, deleted, status) => {
    const page = pageAt(published, deleted);
    expect(statusOf(page, "en", now)).toBe(status);
    expect(isPublic(page, "en", now)).toBe(status === "PUB");
  });

  it("keeps languages apart, without fallback", () => {
    expect(statusOf(pageAt(PAST), "it", now)).toBe("DRF");
  });

  it("is never changed by a draft", () => {
    for (const published of [null, PAST, FUTURE]) {
      expect(statusOf(pageAt(published, null, PAST), "en", now)).toBe(statusOf(pageAt(published), "en", now));
    }
  });

  it("moves from PLA to PUB by time alone", () => {
    const page = pageAt(FUTURE);
    expect([PAST, NOW, FUTURE, LATER].map((moment) => statusOf(page, "en", at(moment)))).toEqual([
      "PLA",
      "PLA",
      "PUB",
      "PUB",
    ]);
  });
});

describe("stampPublished", () => {
  // oxfmt-ignore
  it.each([
    // published_at  stamp
    [null,           NOW],
    [PAST,           PAST], // a re-publication keeps the first stamp
    [NOW,            NOW],
    [FUTURE,         NOW],
  ])("%s becomes %s", (published, stamp) => {
    const page = stampPublished(pageAt(published), "en", now);
    expect(textOf(page, "en").published_at).toBe(at(stamp));
    expect(textOf(page, "it").published_at).toBeNull();
  });

  it("keeps a trashed page trashed", () => {
    expect(statusOf(stampPublished(pageAt(null, PAST), "en", now), "en", now)).toBe("TRS");
  });
});

describe("schedule", () => {
  // oxfmt-ignore
  it.each<[string, string | null, string | null | undefined, string, string | null, string | null | undefined, string]>([
    // case                          published_at  draft      for      published_at  draft      status
    ["never public",                 null,         undefined, FUTURE,  FUTURE,       undefined, "PLA"],
    ["never public, with a draft",   null,         null,      FUTURE,  FUTURE,       null,      "PLA"], // its draft stays pending
    ["never public, for the past",   null,         undefined, PAST,    PAST,         undefined, "PUB"],
    ["planned",                      FUTURE,       undefined, LATER,   LATER,        undefined, "PLA"],
    ["planned, with a draft",        FUTURE,       null,      LATER,   LATER,        LATER,     "PLA"],
    ["planned, for the past",        FUTURE,       null,      PAST,    PAST,         PAST,      "PUB"],
    ["public, with a draft",         PAST,         null,      FUTURE,  PAST,         FUTURE,    "PUB"],
    ["public, scheduled again",      PAST,         FUTURE,    LATER,   PAST,         LATER,     "PUB"],
    ["public, for the past",         PAST,         null,      PAST,    PAST,         PAST,      "PUB"],
    ["public since this instant",    NOW,          null,      FUTURE,  NOW,          FUTURE,    "PUB"],
  ])("%s", (_case, published, draft, moment, publishedAfter, draftAfter, status) => {
    const scheduled = schedule(pageAt(published, null, draft), "en", at(moment), now);
    if ("warning" in scheduled) throw new Error(scheduled.warning);
    const { page } = scheduled;
    expect(textOf(page, "en").published_at).toBe(publishedAfter && at(publishedAfter));
    expect(page.drafts.en?.scheduled_for).toBe(draftAfter && at(draftAfter));
    expect(page.drafts.en?.payload).toEqual(draft === undefined ? undefined : { title: "New" });
    expect(statusOf(page, "en", now)).toBe(status);
  });

  it("public without a draft: only a warning", () => {
    expect(schedule(pageAt(PAST), "en", at(FUTURE), now)).toEqual({ warning: expect.stringContaining("no draft") });
  });

  it("keeps languages apart", () => {
    const scheduled = schedule(pageAt(PAST, null, null), "it", at(FUTURE), now);
    if ("warning" in scheduled) throw new Error(scheduled.warning);
    expect(scheduled.page.drafts.en?.scheduled_for).toBeNull();
    expect([statusOf(scheduled.page, "en", now), statusOf(scheduled.page, "it", now)]).toEqual(["PUB", "PLA"]);
  });

  it("never public: a draft that is wanted with it is scheduled for the same moment", () => {
    const scheduled = schedule(pageAt(null, null, null), "en", at(FUTURE), now, true);
    if ("warning" in scheduled) throw new Error(scheduled.warning);
    expect(scheduled.page.drafts.en?.scheduled_for).toBe(at(FUTURE));
    expect(statusOf(scheduled.page, "en", now)).toBe("PLA");
    expect(schedule(pageAt(null), "en", at(FUTURE), now, true)).toEqual(schedule(pageAt(null), "en", at(FUTURE), now));
  });

  it("keeps a trashed page trashed", () => {
    const scheduled = schedule(pageAt(null, PAST), "en", at(FUTURE), now);
    expect("page" in scheduled && statusOf(scheduled.page, "en", now)).toBe("TRS");
  });
});

describe("trash and restore", () => {
  // oxfmt-ignore
  it.each([
    [null,   "DRF"],
    [PAST,   "PUB"],
    [FUTURE, "PLA"],
  ])("published %s is restored as %s", (published, status) => {
    const trashed = trash(pageAt(published), now);
    expect(statusOf(trashed, "en", now)).toBe("TRS");
    expect(statusOf(trashed, "it", now)).toBe("TRS");
    expect(statusOf(restore(trashed), "en", now)).toBe(status);
  });

  it("a page restored after its planned publication is public", () => {
    const trashed = trash(pageAt(FUTURE), now);
    expect(statusOf(restore(trashed), "en", at(LATER))).toBe("PUB");
  });

  it("trashing again keeps the first timestamp; restoring again changes nothing", () => {
    const page = pageAt(PAST);
    const trashed = trash(page, now);
    expect(trash(trashed, at(LATER))).toBe(trashed);
    expect(restore(page)).toBe(page);
    expect(restore(trashed)).toEqual(page);
  });
});
