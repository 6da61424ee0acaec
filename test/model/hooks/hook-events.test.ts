import { describe, expect, it } from "vitest";
import { eventsOfPage, languagesOfChange } from "../../../src/model/hooks/hook-events.ts";
import type { Instant } from "../../../src/model/time/instant.ts";
import { withText, type Draft, type Page } from "../../../src/model/page/page.ts";
import { at, blankPage } from "../page/blank-page.ts";

const NOW = at("2026-03-01");
const [PAST, OLDER, FUTURE, LATER] = [at("2026-02-01"), at("2026-01-01"), at("2026-04-01"), at("2026-05-01")];
const LANGS = ["en", "it"];

const page = (text: { published_at?: Instant | null; title?: string } = {}, rest: Partial<Page> = {}): Page => ({
  ...withText(blankPage(), "en", text),
  ...rest,
});
const draft = (scheduled_for: Instant | null = null): Draft => ({
  payload: { title: "New" },
  scheduled_for,
  created_at: PAST,
  updated_at: PAST,
});
const live = { published_at: PAST, title: "Old" };

describe("eventsOfPage", () => {
  // oxfmt-ignore
  it.each<[string, Page | undefined, Page | undefined, Record<string, readonly string[]>]>([
    ["created, not public",        undefined,                            page({ title: "A" }),                        { change: ["en"] }],
    ["created, public",            undefined,                            page(live),                                  { change: ["en"], publish: ["en"] }],
    ["created, planned",           undefined,                            page({ published_at: FUTURE }),              { change: ["en"], schedule: ["en"] }],
    ["first published",            page({ title: "Old" }),               page(live),                                  { change: ["en"], publish: ["en"] }],
    ["unpublished",                page(live),                           page({ title: "Old" }),                      { change: ["en"] }],
    ["edited while public",        page(live),                           page({ ...live, title: "New" }),             { change: ["en"] }],
    ["its draft published",        page(live, { drafts: { en: draft() } }), page({ ...live, title: "New" }),          { change: ["en"], publish: ["en"] }],
    ["its draft discarded",        page(live, { drafts: { en: draft() } }), page(live),                               { change: ["en"] }],
    ["its draft saved",            page(live),                           page(live, { drafts: { en: draft() } }),     { change: ["en"] }],
    ["its draft scheduled",        page(live, { drafts: { en: draft() } }), page(live, { drafts: { en: draft(FUTURE) } }), { change: ["en"], schedule: ["en"] }],
    ["its draft moved",            page(live, { drafts: { en: draft(FUTURE) } }), page(live, { drafts: { en: draft(LATER) } }), { change: ["en"], schedule: ["en"] }],
    ["its schedule removed",       page(live, { drafts: { en: draft(FUTURE) } }), page(live, { drafts: { en: draft() } }), { change: ["en"] }],
    ["a draft of Italian",         page(live),                           page(live, { drafts: { it: draft(FUTURE) } }), { change: ["it"], schedule: ["it"] }],
    ["planned for later",          page({ published_at: FUTURE }),       page({ published_at: LATER }),               { change: ["en"], schedule: ["en"] }],
    ["dated back",                 page(live),                           page({ ...live, published_at: OLDER }),      { change: ["en"], publish: ["en"] }],
    ["trashed",                    page(live),                           page(live, { deleted_at: PAST }),            { change: ["en", "it"] }],
    ["restored",                   page(live, { deleted_at: PAST }),     page(live),                                  { change: ["en", "it"], publish: ["en"] }],
    ["published in the trash",     page({}, { deleted_at: PAST }),       page(live, { deleted_at: PAST }),            { change: ["en"] }],
    ["deleted",                    page(live),                           undefined,                                   { change: ["en"] }],
    ["only its stamp",             page(live),                           page(live, { date_updated_at: NOW }),        {}],
    ["nothing",                    page(live),                           page(live),                                  {}],
  ])("%s", (_what, before, after, events) => {
    expect(Object.fromEntries(eventsOfPage(before, after, LANGS, NOW))).toEqual(events);
  });
});

describe("languagesOfChange", () => {
  it("is every language for records without translations", () => {
    expect(languagesOfChange({ id: 1, file: "a" }, { id: 1, file: "b" }, LANGS)).toEqual(LANGS);
    expect(languagesOfChange(undefined, { id: 1, file: "b" }, LANGS)).toEqual(LANGS);
    expect(languagesOfChange({ id: 1, file: "b" }, { id: 1, file: "b" }, LANGS)).toEqual([]);
  });
});
