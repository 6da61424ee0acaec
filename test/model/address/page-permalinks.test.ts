import { describe, expect, it } from "vitest";
import { createsCycle, dropAliases, settlePermalinks, TAKEN } from "../../../src/model/address/page-permalinks.ts";
import { sentPermalinkErrors } from "../../../src/model/address/sent-permalinks.ts";
import type { Instant } from "../../../src/model/time/instant.ts";
import { textOf, withText, type Id, type Page, type PageText } from "../../../src/model/page/page.ts";
import { at, blankPage, LOCALES } from "../page/blank-page.ts";

const UUID = "00000000-0000-4000-8000-000000000001";

function settle(page: Page, before?: Page, others: readonly Page[] = []): ReturnType<typeof settlePermalinks> {
  return settlePermalinks(page, before, {
    locales: LOCALES,
    now: at("2026-06-01"),
    page: (id) => others.find((other) => other.id === id),
    ownerOf: (lang, permalink) => others.find((other) => textOf(other, lang).permalink === permalink)?.id,
    uuid: () => UUID,
  });
}

/** Saves a page with changed English values. */
const saveEn = (page: Page, change: Partial<PageText>): Page => settle(withText(page, "en", change), page).page;

const created = (title: string, published_at: Instant | null = null): Page =>
  settle(blankPage({ translations: { en: { title, published_at } } })).page;

describe("automatic permalinks", () => {
  const parent = blankPage({ id: 2, translations: { en: { permalink: "/about" }, it: { permalink: "/chi-siamo" } } });
  const home = blankPage({ id: 3, translations: { en: { permalink: "/" }, it: { permalink: "/" } } });
  const rival = blankPage({ id: 4, translations: { en: { permalink: "/team" } } });
  // oxfmt-ignore
  it.each<[string, Page, string, string]>([
    // case                                page                                                                                en             it
    ["each language by its title",         blankPage({ translations: { en: { title: "Team" }, it: { title: "Squadra" } } }),   "/team-2",     "/squadra"],
    ["without a title, by the default's",  blankPage({ translations: { en: { title: "Us" } } }),                               "/us",         "/us"],
    ["by any title rather than none",      blankPage({ translations: { it: { title: "Noi" } } }),                              "/noi",        "/noi"],
    ["without any title, by a UUID",       blankPage(),                                                                        `/${UUID}`,    `/${UUID}`],
    ["below the parent of each language",  blankPage({ parent_page: 2, translations: { en: { title: "Team" } } }),             "/about/team", "/chi-siamo/team"],
    ["below the home page",                blankPage({ parent_page: 3, translations: { en: { title: "Us" } } }),               "/us",         "/us"],
    ["a title that is a language code",    blankPage({ translations: { en: { title: "It" } } }),                               "/it-2",       "/it-2"],
    ["reserved by the router",             blankPage({ translations: { en: { title: "Changes" }, it: { title: "Publish due" } } }), "/changes-2", "/publish-due-2"],
    ["but not below a page",               blankPage({ parent_page: 2, translations: { en: { title: "Changes" }, it: { title: "It" } } }), "/about/changes", "/chi-siamo/it"],
    ["a manual wish is passed over",       blankPage({ translations: { en: { title: "Us", permalink: "/mine" } } }),           "/us",         "/us"],
  ])("%s", (_case, page, en, it) => {
    const { page: settled, errors } = settle(page, undefined, [parent, home, rival]);
    expect(errors).toEqual({});
    expect([textOf(settled, "en").permalink, textOf(settled, "it").permalink]).toEqual([en, it]);
  });

  it("two languages may have the same path", () => {
    const other = blankPage({ id: 2, translations: { it: { permalink: "/us" } } });
    const { page } = settle(blankPage({ translations: { en: { title: "Us" }, it: { title: "Noi" } } }), undefined, [
      other,
    ]);
    expect(textOf(page, "en").permalink).toBe("/us");
  });

  it.each<[string, Page[]]>([
    ["that is missing", []],
    ["in a circle made by hand", [blankPage({ id: 2, parent_page: 1, translations: { en: { permalink: "/b" } } })]],
  ])("a parent %s counts as none", (_case, others) => {
    const page = blankPage({ id: 1, parent_page: 2, translations: { en: { title: "A", permalink: "/b/a" } } });
    expect(textOf(settle(page, page, others).page, "en").permalink).toBe("/a");
  });

  it("saving again changes nothing", () => {
    const page = created("About");
    expect(settle(page, page).page).toEqual(page);
  });
});

describe("manual permalinks", () => {
  const rival = blankPage({ id: 2, translations: { en: { permalink: "/taken" }, it: { permalink: "/preso" } } });
  const manual = (en: string | null, it: string | null = "/libero"): Page =>
    blankPage({
      translations: { en: { autopermalink: false, permalink: en }, it: { autopermalink: false, permalink: it } },
    });
  // oxfmt-ignore
  it.each<[string, Page, object]>([
    ["a free one",                    manual("/mine"),                {}],
    ["the home page",                 manual("/"),                    {}],
    ["another language's",            manual("/preso"),               {}],
    ["none at all",                   manual(null, null),             {}],
    ["a taken one",                   manual("/taken"),               { permalink_en: [TAKEN] }],
    ["one that sanitises to taken",   manual("Taken/"),               { permalink_en: [TAKEN] }],
    ["two taken, told together",      manual("/taken", "/preso"),     { permalink_en: [TAKEN], permalink_it: [TAKEN] }],
    ["one too long",                  manual(`/${"x".repeat(400)}`),  { permalink_en: ["Ensure this field has no more than 400 characters."] }],
    ["one just long enough",          manual(`/${"x".repeat(199)}/${"y".repeat(199)}`), {}],
    ["a part too long",               manual(`/a/${"\u0434".repeat(101)}`), { permalink_en: ["Ensure no part of this path has more than 200 bytes."] }],
    ["what the router has",           manual("/changes"),             {}],
    ["a language's own path",         manual("/it/foo"),              { permalink_en: ["A permalink cannot begin with a language code."] }],
    ["whatever its case",             manual("/IT"),                  { permalink_en: ["A permalink cannot begin with a language code."] }],
  ])("%s", (_case, page, errors) => {
    expect(settle(page, undefined, [rival]).errors).toEqual(errors);
  });

  it("are stored sanitised, and not prefixed by a parent", () => {
    const page = { ...manual(" Über Straße//Ça va?/"), parent_page: 2 };
    expect(textOf(settle(page, undefined, [rival]).page, "en").permalink).toBe("/über-straße/ça-va");
  });

  it("cannot be removed, only replaced", () => {
    const before = settle(manual("/mine")).page;
    const after = withText(before, "en", { permalink: null });
    expect(settle(after, before).errors).toEqual({ permalink_en: ["This field may not be null."] });
  });

  it("are replaced when autopermalink is turned on again", () => {
    const before = withText(settle(manual("/mine")).page, "en", { title: "Title" });
    expect(textOf(saveEn(before, { autopermalink: true }), "en").permalink).toBe("/title");
  });

  it("leave the other languages automatic", () => {
    const page = blankPage({ translations: { en: { autopermalink: false, permalink: "/mine", title: "Us" } } });
    const { page: settled } = settle(page);
    expect([textOf(settled, "en").permalink, textOf(settled, "it").permalink]).toEqual(["/mine", "/us"]);
  });
});

describe("permalinks in a request", () => {
  const automatic = "This permalink is automatic. Send autopermalink_en: false with it, or leave it out.";
  const stored = (text: Partial<PageText>): Page =>
    blankPage({ aliases: [{ language: "en", from: "/old" }], translations: { en: text } });
  const auto = stored({ permalink: "/about" });
  const manual = stored({ permalink: "/mine", autopermalink: false });
  const none = stored({ autopermalink: false });
  const noNull = { permalink_en: ["This field may not be null."] };
  // oxfmt-ignore
  it.each<[string, Page | undefined, Partial<PageText>, object]>([
    // case                                      before     sent                                          errors
    ["another beside an automatic one",          auto,      { permalink: "/x" },                          { permalink_en: [automatic] }],
    ["on a new page",                            undefined, { permalink: "/x" },                          { permalink_en: [automatic] }],
    ["with autopermalink true",                  manual,    { permalink: "/x", autopermalink: true },     { permalink_en: [automatic] }],
    ["null for an automatic one",                auto,      { permalink: null },                          { permalink_en: [automatic] }],
    ["what it has",                              auto,      { permalink: "/about" },                      {}],
    ["what it had",                              auto,      { permalink: "/old" },                        {}],
    ["what it has, made automatic",              manual,    { permalink: "/mine", autopermalink: true },  {}],
    ["an empty one on a new page",               undefined, { permalink: "" },                            {}],
    ["null on a new page",                       undefined, { permalink: null },                          {}],
    ["made manual",                              auto,      { permalink: "/x", autopermalink: false },    {}],
    ["another manual one",                       manual,    { permalink: "/x" },                          {}],
    ["null for a manual one",                    manual,    { permalink: null },                          noNull],
    ["null made manual",                         auto,      { permalink: null, autopermalink: false },    noNull],
    ["null made manual on a new page",           undefined, { permalink: null, autopermalink: false },    noNull],
    ["null where there is none",                 none,      { permalink: null },                          {}],
    ["nothing",                                  auto,      { autopermalink: false },                     {}],
  ])("%s", (_case, before, sent, errors) => {
    const page = withText(before ?? blankPage(), "en", sent);
    expect(sentPermalinkErrors(page, before, { en: sent }, "refuse")).toEqual(errors);
  });
});

describe("former permalinks", () => {
  const en = (from: string): object => ({ language: "en", from });

  // oxfmt-ignore
  it.each<[string, string[], string, string[]]>([
    // case                                     titles in turn                      now       aliases
    ["a new page has none",                     ["One"],                            "/one",   []],
    ["a rename leaves one",                     ["One", "Two"],                     "/two",   ["/one"]],
    ["three renames leave three, one hop each", ["One", "Two", "Three", "Four"],    "/four",  ["/one", "/two", "/three"]],
    ["a return takes its own back",             ["One", "Two", "One"],              "/one",   ["/two"]],
    ["to and fro never piles up",               ["One", "Two", "One", "Two"],       "/two",   ["/one"]],
    ["a save without a rename adds none",       ["One", "One"],                     "/one",   []],
  ])("%s", (_case, [first, ...titles], now, aliases) => {
    // The Italian permalink follows the English title, but was never public.
    const page = titles.reduce((before, title) => saveEn(before, { title }), created(first!, at("2026-01-01")));
    expect(textOf(page, "en").permalink).toBe(now);
    expect(page.aliases).toEqual(aliases.map(en));
  });

  it.each([null, at("2026-06-02")])("a language that was not public yet (%s) leaves none", (published) => {
    expect(saveEn(created("One", published), { title: "Two" }).aliases).toEqual([]);
  });

  it("a public one is kept while the language is hidden, and redirects once it is public elsewhere", () => {
    const [hidden, shown] = [{ published_at: null }, { published_at: at("2026-01-01") }];
    const unpublished = saveEn(created("One", at("2026-01-01")), hidden);
    expect(unpublished.aliases).toEqual([en("/one")]);
    const edited = saveEn(saveEn(unpublished, { description: "Edited" }), { published_at: at("2026-07-01") });
    expect(edited.aliases).toEqual([en("/one")]);
    const between = saveEn(saveEn(edited, hidden), { title: "Two" });
    const back = saveEn(saveEn(between, { title: "Three" }), shown);
    expect([textOf(back, "en").permalink, back.aliases]).toEqual(["/three", [en("/one")]]);
    expect(saveEn(edited, shown).aliases).toEqual([]);
  });

  it("a published language without a title of its own leaves one", () => {
    const before = withText(created("One"), "it", { published_at: at("2026-01-01") });
    expect(saveEn(before, { title: "Two" }).aliases).toEqual([{ language: "it", from: "/one" }]);
  });

  it("are dropped when another page takes the path, in that language only", () => {
    const page = blankPage({
      aliases: [
        { language: "en", from: "/one" },
        { language: "it", from: "/one" },
      ],
    });
    expect(dropAliases(page, [{ language: "en", from: "/one" }]).aliases).toEqual([{ language: "it", from: "/one" }]);
    expect(dropAliases(page, [{ language: "en", from: "/two" }])).toBe(page);
  });
});

describe("createsCycle", () => {
  // 3 is below 2, 2 is below 1; 8 and 9 are a circle from files
  const parents: Record<Id, Id | null> = { 1: null, 2: 1, 3: 2, 4: null, 8: 9, 9: 8 };
  const page = (id: Id): Page | undefined => (id in parents ? blankPage({ id, parent_page: parents[id]! }) : undefined);
  // oxfmt-ignore
  it.each([
    // page  parent  closes
    [1,      1,      true],
    [1,      2,      true],
    [1,      3,      true],
    [2,      1,      false],
    [3,      1,      false],
    [1,      4,      false],
    [1,      7,      false], // no such page
    [1,      8,      false], // terminates despite the circle of 8 and 9
  ])("%i below %i: %s", (id, parent, closes) => {
    expect(createsCycle(id, parent, page)).toBe(closes);
  });
});
