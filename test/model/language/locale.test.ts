import { describe, expect, it } from "vitest";
import {
  encodePath,
  findLang,
  langSuffix,
  preferredLang,
  publicPath,
  splitLang,
  splitSuffixed,
  type Locales,
} from "../../../src/model/language/locale.ts";

const locales: Locales = { codes: ["it", "en", "pt-BR"], default: "en" };

describe("findLang", () => {
  // oxfmt-ignore
  it.each([
    ["en",     "en"],
    ["IT",     "it"],
    ["pt-br",  "pt-BR"],
    [" it ",   "it"],
    ["pt",     undefined],
    ["pt_br",  undefined],
    ["it-IT",  undefined],
    ["fr",     undefined],
    ["",       undefined],
    ["length", undefined],
  ])("%j is %s", (code, lang) => {
    expect(findLang(locales, code)).toBe(lang);
  });

  it("is the first of those that differ in case only", () => {
    expect(findLang({ codes: ["EN", "en"], default: "en" }, "en")).toBe("EN");
  });
});

describe("splitSuffixed", () => {
  // oxfmt-ignore
  it.each([
    ["title_it",            { field: "title", lang: "it" }],
    ["og_title_en",         { field: "og_title", lang: "en" }],
    ["title_pt_br",         { field: "title", lang: "pt-BR" }],
    ["title_IT",            { field: "title", lang: "it" }],
    ["template_data_en",    { field: "template_data", lang: "en" }],
    ["title",               undefined],
    ["title_fr",            undefined],
    ["title_pt-br",         undefined],
    ["_it",                 undefined],
    ["titleit",             undefined],
  ])("%s is %j", (key, split) => {
    expect(splitSuffixed(locales, key)).toEqual(split);
  });

  it.each([[["br", "pt-BR"]], [["pt-BR", "br"]]])("the longest code wins in any order: %j", (codes) => {
    const tricky = { codes, default: "br" };
    expect(splitSuffixed(tricky, "title_pt_br")).toEqual({ field: "title", lang: "pt-BR" });
    expect(splitSuffixed(tricky, "title_br")).toEqual({ field: "title", lang: "br" });
  });

  it("is undone by langSuffix", () => {
    for (const lang of locales.codes) expect(splitSuffixed(locales, `title_${langSuffix(lang)}`)?.lang).toBe(lang);
  });
});

describe("preferredLang by RFC 4647", () => {
  it.each([
    // configured                       header                        language
    [["en", "zh-Hant"], "zh-Hant-TW", "zh-Hant"],
    [["en", "zh-Hans", "zh-Hant"], "zh-Hant-HK,zh;q=0.5", "zh-Hant"],
    [["en", "pt-BR"], "pt", "pt-BR"],
    [["en", "pt-BR"], "pt-PT,pt;q=0.9,en;q=0.8", "pt-BR"],
    [["en", "pt-BR", "pt"], "pt-PT", "pt"],
    [["en-US", "de"], "en-GB", "en-US"],
    [["en", "de"], "*,fr", undefined],
    [["en", "ptx"], "pt", undefined],
  ])("of %j, %s is %s", (codes, header, lang) => {
    expect(preferredLang({ codes, default: codes[0]! }, header)).toBe(lang);
  });
});

describe("preferredLang", () => {
  // oxfmt-ignore
  it.each([
    ["it",                              "it"],
    ["it-IT",                           "it"],
    ["it-IT,it;q=0.9,en;q=0.8",         "it"],
    ["fr,en;q=0.5,it;q=0.7",            "it"],
    ["en;q=0.8,it;q=0.8",               "en"], // of equals the first
    ["pt-BR",                           "pt-BR"],
    ["pt",                              "pt-BR"], // widened to a language that begins with it
    ["EN-us",                           "en"],
    ["it;q=0,en",                       "en"],
    ["it;q=0",                          undefined],
    ["fr",                              undefined],
    ["*",                               undefined],
    ["",                                undefined],
    [";;,,;q=",                         undefined],
    [" it ; q=0.5 , en ; q=0.6 ",       "en"],
  ])("%j asks for %s", (header, lang) => {
    expect(preferredLang(locales, header)).toBe(lang);
  });
});

describe("splitLang", () => {
  // oxfmt-ignore
  it.each([
    ["/it/chi-siamo/", "it",    "/chi-siamo/", true],
    ["/IT/chi-siamo",  "it",    "/chi-siamo",  true],
    ["/it",            "it",    "",            true],
    ["/it/",           "it",    "/",           true],
    ["/en/about/",     "en",    "/about/",     true],
    ["/pt-br/",        "pt-BR", "/",           true],
    ["/about/",        "en",    "/about/",     false],
    ["/",              "en",    "/",           false],
    ["",               "en",    "",            false],
    ["/itx/",          "en",    "/itx/",       false],
    ["/it-IT/x/",      "en",    "/it-IT/x/",   false],
    ["//it/x/",        "en",    "//it/x/",     false],
    ["/it//x/",        "it",    "//x/",        true],
  ])("%s is %s and %s", (path, lang, rest, prefixed) => {
    expect(splitLang(locales, path)).toEqual({ lang, rest, prefixed });
  });
});

describe("publicPath", () => {
  // oxfmt-ignore
  it.each([
    // lang  permalink      with a slash       without
    ["en",    "/about",      "/about/",         "/about"],
    ["en",    "/a/b",        "/a/b/",           "/a/b"],
    ["en",    "/",           "/",               "/"],
    ["it",    "/chi-siamo",  "/it/chi-siamo/",  "/it/chi-siamo"],
    ["it",    "/",           "/it/",            "/it"],
    ["pt-BR", "/sobre",      "/pt-BR/sobre/",   "/pt-BR/sobre"],
    ["en",    "/日本語",      "/日本語/",         "/日本語"],
  ])("%s %s is %s or %s", (lang, permalink, slashed, bare) => {
    expect(publicPath(locales, lang, permalink, true)).toBe(slashed);
    expect(publicPath(locales, lang, permalink, false)).toBe(bare);
  });
});

describe("encodePath", () => {
  // oxfmt-ignore
  it.each([
    ["/about/",         "/about/"],
    ["/crème-brûlée/",  "/cr%C3%A8me-br%C3%BBl%C3%A9e/"],
    ["/日本/",           "/%E6%97%A5%E6%9C%AC/"],
    ["/a b?c#d/",       "/a%20b%3Fc%23d/"],
    ["/",               "/"],
  ])("%s is %s", (path, encoded) => {
    expect(encodePath(path)).toBe(encoded);
    expect(decodeURIComponent(encoded)).toBe(path);
  });
});
