import { describe, expect, it } from "vitest";
import type { Locales } from "../../../src/model/language/locale.ts";
import {
  addressError,
  folded,
  isReserved,
  nameError,
  permalinkError,
} from "../../../src/model/address/possible-names.ts";

const SITE: Locales = {
  codes: ["en", "it", "pt-BR"],
  default: "en",
  taken: {
    mediaUrl: "/Files/library/",
    serviceRoots: ["/api/cms", "/old/api", "/edit", "/it/desk"],
    appendSlash: true,
  },
};

describe("names of files", () => {
  it.each([
    ...["con", "CON", "Con.yaml", "nul.tar.gz", "aux .txt", "com1.md", "lpt9", "LPT¹", "prn."],
    ...["a.", "a ", "a:b", "a?b", "a*", "a|b", 'a"b', "a<b", "a\\b", "a\tb", "x".repeat(256), "è".repeat(128)],
  ])("%j is not possible everywhere", (name) => expect(nameError(name)).toBeDefined());

  it.each(["console", "con-file", "com", "com10", "lpt", "nullify", ".gitkeep", "a b", "à.yaml", "x".repeat(255)])(
    "%j is",
    (name) => expect(nameError(name)).toBeUndefined(),
  );

  it("are one for some systems by case and Unicode form", () => {
    expect(folded("Caf\u0065\u0301/A")).toBe(folded("caf\u00e9/a"));
    expect(folded("ΛΌΓΟΣ")).toBe("λόγος");
  });
});

describe("addresses of pages", () => {
  // oxfmt-ignore
  it.each<[string, boolean, boolean, boolean]>([
    // permalink              possible  given by hand  reserved
    ["/",                     true,     true,          false],
    ["/about",                true,     true,          false],
    ["/about/con",            false,    false,         true],
    ["/con",                  false,    false,         true],
    ["/con/about",            false,    false,         false],
    ["/it",                   false,    false,         true],
    ["/pt-br",                false,    false,         true],
    ["/it/about",             false,    false,         false],
    ["/about/it",             true,     true,          false],
    ["/changes",              true,     true,          true],
    ["/changes/about",        true,     true,          false],
    ["/healthz",              false,    false,         true],
    ["/api",                  true,     false,         true],
    ["/api/cms/x",            false,    false,         false],
    ["/preview",              true,     false,         true],
    ["/old",                  true,     false,         true],
    ["/old/api",              false,    false,         true],
    ["/edit",                 false,    false,         true],
    ["/editors",              true,     true,          false],
    ["/desk",                 true,     false,         true],
    ["/files/library",        false,    false,         true],
    ["/files/library/x",      false,    false,         false],
    ["/files",                true,     false,         true],
    ["/media",                true,     true,          false],
    [`/${"è".repeat(128)}`,   false,    false,         true],
  ])("%s", (permalink, isPossible, mayBeGiven, isKept) => {
    expect([
      addressError(SITE, "en", permalink) === undefined,
      permalinkError(SITE, permalink) === undefined,
      isReserved(SITE, permalink),
    ]).toEqual([isPossible, mayBeGiven, isKept]);
  });

  it("in other languages are only those that are no names of files, nor below what else is there", () => {
    for (const permalink of ["/it", "/edit", "/files/library", "/healthz"])
      expect(addressError(SITE, "it", permalink)).toBeUndefined();
    for (const permalink of ["/con", "/desk", "/desk/x"]) expect(addressError(SITE, "it", permalink)).toBeDefined();
    expect(addressError({ ...SITE, taken: { ...SITE.taken!, mediaUrl: "/it/" } }, "it", "/")).toBeDefined();
  });

  it("without a final slash are not those of the router", () => {
    const bare = { ...SITE, taken: { ...SITE.taken!, appendSlash: false } };
    expect(addressError(bare, "en", "/changes")).toBe("The address /changes belongs to the service.");
    expect(addressError(bare, "it", "/changes")).toBeUndefined();
  });
});
