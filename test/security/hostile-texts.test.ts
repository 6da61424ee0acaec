/**
 * Texts that once took quadratic or unbounded time, given to the functions that process
 * them at their maximal size. Twice the length must not take four times as long.
 */
import { describe, expect, it } from "vitest";
import { networkOf } from "../../src/actions/accounts/attempts.ts";
import { byteRange } from "../../src/http/public/byte-range.ts";
import { normalUsername, sameUsername } from "../../src/model/account/account.ts";
import { derivePermalink } from "../../src/model/address/omitted-permalinks.ts";
import { preferredLang, publicPath } from "../../src/model/language/locale.ts";
import { isSafeAddress } from "../../src/model/address/link.ts";
import { extensionOf, sniff } from "../../src/model/media/media-type.ts";
import { folderName, safeName } from "../../src/model/media/media-name.ts";
import type { MetaInstance } from "../../src/model/records/meta.ts";
import { permalinkIn, type Page } from "../../src/model/page/page.ts";
import { asciiSlugify, fileSlug, slugify } from "../../src/model/address/slug.ts";
import { generatePermalink } from "../../src/model/address/generated-permalink.ts";
import { permalinkOf, sanitizePermalink } from "../../src/model/address/permalink.ts";
import { parseFilter } from "../../src/model/query/grammar.ts";
import { sortKey } from "../../src/model/query/order.ts";
import { richText } from "../../src/render/rich-text.ts";
import { settingsIn } from "../../src/store/git/config.ts";
import { cleanSignature, parseSignatureLine } from "../../src/store/git/objects/signature.ts";
import { freeBase } from "../../src/store/records/record-type.ts";
import { META_INSTANCES } from "../../src/store/records/meta-instances.ts";
import { langPath } from "../../src/store/records/redirects.ts";
import { at, blankPage, LOCALES } from "../model/page/blank-page.ts";
import { memorySite } from "../site.ts";
import { processorTimer } from "../support/processor-time.ts";

const HEADER = 16_000;
const BODY = 120_000;
const TEXT = 200_000;
const MARKS = "\u0301\u0316";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
const range = (value: string) => byteRange(new Headers({ range: value }), 100, "e", "l");
const generated = (title: string) =>
  generatePermalink({ title, parent: `/${"_".repeat(300)}`, current: null, taken: () => false, uuid: () => "" });

/** Function, and text by size. */
// oxfmt-ignore
const CASES: readonly (readonly [string, number, (text: string) => unknown, (size: number) => string])[] = [
  ["a path of slashes",               HEADER, permalinkOf,                      (size) => `/a${"/".repeat(size)}x`],
  ["its public form",                 HEADER, (text) => publicPath(LOCALES, "en", text, true), (size) => `/a${"/".repeat(size)}x`],
  ["where it leads",                  HEADER, (text) => langPath(text, "en", LOCALES), (size) => `/a${"/".repeat(size)}x`],
  ["a range of spaces",               HEADER, range,                            (size) => `bytes=${" ".repeat(size)}x`],
  ["a range of digits",               HEADER, range,                            (size) => `bytes=${"1".repeat(size)}`],
  ["languages",                       HEADER, (text) => preferredLang(LOCALES, text), (size) => `en;${" q=1;".repeat(size / 5)}`],
  ["an address with zones",           HEADER, networkOf,                        (size) => `${"%".repeat(size)}\n%`],
  ["a name of combining marks",       HEADER, normalUsername,                   (size) => MARKS.repeat(size)],
  ["a password of combining marks",   HEADER, (text) => sameUsername(text, text), (size) => MARKS.repeat(size)],
  ["a slug of underscores",           BODY,   slugify,                          (size) => `x${"_".repeat(size)}x`],
  ["of combining marks",              BODY,   slugify,                          (size) => `x${MARKS.repeat(size)}`],
  ["an ASCII one",                    BODY,   asciiSlugify,                     (size) => `x${MARKS.repeat(size)}`],
  ["a file's name",                   BODY,   (text) => fileSlug(text, 80),     (size) => `x${"_".repeat(size)}x`],
  ["a permalink of underscores",      BODY,   sanitizePermalink,                (size) => `/x${"_".repeat(size)}x`],
  ["of empty parts",                  BODY,   sanitizePermalink,                (size) => "/_-".repeat(size / 3)],
  ["an automatic permalink",          BODY,   generated,                        (size) => `x${"_".repeat(size)}x`],
  ["a media folder's title",          BODY,   folderName,                       (size) => `x${"-".repeat(size)}x`],
  ["a file name of dots",             BODY,   safeName,                         (size) => `x${".".repeat(size)}-`],
  ["its extension",                   BODY,   extensionOf,                      (size) => ".".repeat(size)],
  ["a quoted filter",                 HEADER, (text) => parseFilter(text),      (size) => `title=x${"'".repeat(size)}x`],
  ["a text to sort by",               TEXT,   sortKey,                          (size) => MARKS.repeat(size / 2)],
  ["an address",                      BODY,   isSafeAddress,                    (size) => `${"a".repeat(size)}:`],
  ["an address of spaces",            BODY,   isSafeAddress,                    (size) => `a${" ".repeat(size)}`],
  ["anchors without an end",          TEXT,   richText,                         (size) => "<a ".repeat(size / 3)],
  ["anchors without an address",      TEXT,   richText,                         (size) => `${"<a ".repeat(size / 3)}>`],
  ["half an address, many times",     TEXT,   richText,                         (size) => '<a href="/'.repeat(size / 10)],
  ["git's configuration",             BODY,   (text) => [...settingsIn(text)],  (size) => `[-${"\t".repeat(size)}-]"]`],
  ["a name of white space",           BODY,   (text) => cleanSignature({ name: text, email: "" }), (size) => `x${" .".repeat(size / 2)}x`],
  ["a line of a commit",              BODY,   parseSignatureLine,               (size) => "0<".repeat(size / 2)],
];

/** In milliseconds of processor time. */
const time = (work: () => unknown): number => {
  const used = processorTimer();
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error)) throw error; // refusing is fine
  }
  return used();
};

/** The best of a few runs, since the machine has other load. */
const fastest = (work: () => unknown): number => Math.min(...[1, 2, 3].map(() => time(work)));

const pages = (size: number): Page[] =>
  Array.from({ length: size }, (_, at) => blankPage({ id: at + 1, translations: { en: { title: "Title" } } }));

/** The permalinks of pages, one after the other. */
function derivedOf(all: readonly Page[]): ReadonlySet<string> {
  const known = new Set<string>();
  const ground = { lang: "en", locales: LOCALES, parent: undefined, isTaken: (each: string) => known.has(each) };
  for (const page of all) known.add(permalinkIn(derivePermalink(page, ground), "en")!);
  return known;
}

/** An instance whose texts yield no file name. */
const instance = (size: number): MetaInstance => ({
  id: 1,
  meta_type: 1,
  identifier: "",
  folder: "team",
  created_at: at("2026-01-01"),
  updated_at: at("2026-01-01"),
  data: Object.fromEntries(Array.from({ length: size }, (_, key) => [`k${key}`, MARKS.repeat(500)])),
});
const EMPTY_SHELF = { baseOf: () => undefined, count: () => 0, taken: () => false };

describe("takes linear time", () => {
  // oxfmt-ignore
  it.each<[string, number, (size: number) => () => unknown]>([
    ["files of one title",              10_000, (size) => { const all = pages(size); return () => derivedOf(all); }],
    ["texts that name no file",         20_000, (size) => { const one = instance(size); return () => META_INSTANCES.newBase(one, EMPTY_SHELF, LOCALES); }],
  ])("%s", (_what, size, prepare) => {
    const [half, whole] = [prepare(size / 2), prepare(size)];
    const [short, long] = [fastest(half), fastest(whole)];
    expect(long < 100 || long < 3 * short, `${short} ms, ${long} ms for twice as many`).toBe(true);
  });

  it("a file name used ten thousand times takes few look-ups", () => {
    let asked = 0;
    const taken = (base: string): boolean => (
      asked++,
      base === "content/x/name" || Number(base.slice("content/x/name-".length)) <= 10_000
    );
    expect(freeBase("content/x", "name", { ...EMPTY_SHELF, taken })).toBe("content/x/name-10001");
    expect(asked).toBeLessThan(50);
  });

  it.each(CASES)("%s", (_what, size, run, text) => {
    const [half, whole] = [text(size / 2), text(size)];
    run(text(64));
    const [short, long] = [fastest(() => run(half)), fastest(() => run(whole))];
    // Below 100 ms measurements are noise.
    expect(long < 100 || long < 3 * short, `${short} ms, ${long} ms for twice as much`).toBe(true);
  });

  const long = "_".repeat(120_000);
  // oxfmt-ignore
  it.each([
    ["a permalink",             "pages/a.yaml",   `id: 1\ntranslations: { en: { permalink: "/${long}" } }\n`,              "translations.en.permalink: Ensure this field has no more than 400 characters."],
    ["a former permalink",      "pages/a.yaml",   `id: 1\naliases: [{ language: en, from: "/${long}" }]\n`,                "aliases.0.from: Ensure this field has no more than 400 characters."],
    ["a title",                 "pages/a.yaml",   `id: 1\ntranslations: { en: { title: "${long}" } }\n`,                   "translations.en.title: Ensure this field has no more than 200 characters."],
    ["where a redirect begins", "redirects.yaml", `- { from: "/${"/".repeat(120_000)}x", to: /b }\n`,                       "from: at most 2000 characters are expected."],
    ["where it leads",          "redirects.yaml", `- { from: /a, to: "/b${"/".repeat(120_000)}x" }\n`,                      "to: at most 2000 characters are expected."],
  ])("%s in a file is checked by length first", async (_what, file, text, message) => {
    const { cms } = await memorySite({ [`content/${file}`]: text });
    expect(cms.store.current.problems.map((problem) => problem.message)).toEqual([expect.stringContaining(message)]);
  });

  // oxfmt-ignore
  it.each([
    ["comments without an end", "<!---->".repeat(140)],
    ["and then something else", `${"<!---->".repeat(140)}X`],
    ["comments in comments",    "<!-- <!-- -->".repeat(75)],
    ["white space",             `<!---->${" <!----> <!---->".repeat(60)}>`],
    ["doctypes",                "<!DOCTYPE svg>".repeat(70)],
  ])("the type of a file of %s", (_what, text) => {
    expect(time(() => sniff(bytes(text.slice(0, 1024))))).toBeLessThan(1000);
  });
});
