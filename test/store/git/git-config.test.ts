import { expect, it } from "vitest";
import { configOf, settingsIn, type GitConfig } from "../../../src/store/git/config.ts";

const parseConfig = (...texts: readonly string[]): GitConfig =>
  configOf(new Map(texts.flatMap((text) => [...settingsIn(text)])));

// oxfmt-ignore
it.each([
  // text                                             key                      value
  ["[core]\n\tbare = false",                          "core.bare",             "false"],
  ["[CORE]\n\tBare=true",                             "core.bare",             "true"],
  ["[core]\n\tbare",                                  "core.bare",             "true"],
  ["[core] bare = yes",                               "core.bare",             "yes"],
  ["[user]\n\tname = Zoë  van Dam  ; the editor",     "user.name",             "Zoë  van Dam"],
  ["[user]\n\tname = \"A # B\" ; C",                  "user.name",             "A # B"],
  ["[user]\n\tname = \"a \\\"b\\\" \\\\ c\"",         "user.name",             "a \"b\" \\ c"],
  ["[user]\n\tname = one \\\n two",                   "user.name",             "one  two"],
  ["[user]\nname = A\n[user]\nname = B",              "user.name",             "B"],
  ["# [user]\n;name = A\n",                           "user.name",             undefined],
  ["[remote \"My Origin\"]\n\turl = x",               "remote.My Origin.url",  "x"],
  ["[remote \"My Origin\"]\n\turl = x",               "remote.my origin.url",  undefined],
  ["\uFEFF[core]\r\n\tbare = true\r\n",               "core.bare",             "true"],
  ["",                                                "core.bare",             undefined],
])("%j has for %s %j", (text, key, value) => {
  expect(parseConfig(text).get(key)).toBe(value);
});

it("lets a later file override an earlier one, and lists a section", () => {
  const config = parseConfig("[extensions]\na = 1\nb = 1", '[extensions]\nB = 2\n[extensions "sub"]\nc = 3');
  expect([...config.section("extensions")]).toEqual([
    ["a", "1"],
    ["b", "2"],
  ]);
  expect(config.isTrue("extensions.a")).toBe(true);
  expect(config.isTrue("extensions.c")).toBe(false);
});
