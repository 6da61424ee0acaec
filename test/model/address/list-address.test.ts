/** Addresses of lists: what is written is read, and different places have different addresses. */
import { expect, it } from "vitest";
import {
  groupSlugs,
  listPermalink,
  listPlaces,
  placeOfText,
  placeText,
  type NamedPlace,
} from "../../../src/model/address/list-address.ts";
import { listWordsOf } from "../../../src/model/language/locale.ts";

const LOCALES = { codes: ["en", "it"], default: "en", listWords: { it: listWordsOf({ page: "pagina", tag: "tema" }) } };

// oxfmt-ignore
it.each<[string, string, NamedPlace]>([
  ["en", "/a",                      { list: "/a", number: 1 }],
  ["en", "/a/page/2",               { list: "/a", number: 2 }],
  ["en", "/page/2",                 { list: "/", number: 2 }],
  ["it", "/a/pagina/2",             { list: "/a", number: 2 }],
  ["en", "/a/tag/x",                { list: "/a", number: 1, group: { each: "tags", slug: "x" } }],
  ["en", "/tag/x",                  { list: "/", number: 1, group: { each: "tags", slug: "x" } }],
  ["it", "/a/tema/x/pagina/12",     { list: "/a", number: 12, group: { each: "tags", slug: "x" } }],
  ["it", "/a/author/x",             { list: "/a", number: 1, group: { each: "authors", slug: "x" } }],
  ["en", "/a/2026",                 { list: "/a", number: 1, group: { each: "year", slug: "2026" } }],
  ["en", "/2026/page/3",            { list: "/", number: 3, group: { each: "year", slug: "2026" } }],
  ["en", "/a/tag/page/page/2",      { list: "/a", number: 2, group: { each: "tags", slug: "page" } }],
  ["en", "/a/tag/2026",             { list: "/a", number: 1, group: { each: "tags", slug: "2026" } }],
])("in %s, %s is that of %j", (lang, permalink, place) => {
  expect(listPermalink(LOCALES, lang, place.list, place)).toBe(permalink);
  if (permalink !== place.list) expect(listPlaces(LOCALES, lang, permalink)).toContainEqual(place);
});

it.each(["/", "/a", "/a/b", "/a/page/0", "/a/page/02", "/a/page/x", "/a/tag", "/tag", "/a/02026", "/a/pagina/2"])(
  "%s is that of no place",
  (permalink) => expect(listPlaces(LOCALES, "en", permalink)).toEqual([]),
);

// oxfmt-ignore
it.each<[readonly string[], readonly string[]]>([
  [["Fine clay", "Caff\u00e8"],      ["fine-clay", "caff\u00e8"]],
  [["C", "C#", "C++", "C 2"],         ["c", "c-2", "c-3", "c-2-2"]],
  [["!", "?"],                        ["1", "2"]],
  [["Con", "aux"],                    ["con-2", "aux-2"]],
  [["x".repeat(300)],                 ["x".repeat(200)]],
])("the groups %j have the slugs %j, in any order", (titles, slugs) => {
  const groups = titles.map((title, at) => ({ key: at + 1, title }));
  for (const given of [groups, groups.toReversed()])
    expect(groups.map(({ key }) => groupSlugs(given).get(key))).toEqual(slugs);
});

it("gives ten thousand groups of one title different slugs at once", () => {
  const groups = Array.from({ length: 10_000 }, (_, key) => ({ key, title: "News" }));
  expect(new Set(groupSlugs(groups).values()).size).toBe(10_000);
});

it.each([{ number: 1 }, { number: 12 }, { number: 1, group: 0 }, { number: 3, group: 2_026 }])(
  "%j is read from its text",
  (place) => expect(placeOfText(placeText(place))).toEqual(place),
);
