import { expect, it } from "vitest";
import { directionOf } from "../../src/admin/fields/text-language.ts";

it.each([
  ["en", "ltr"],
  ["it", "ltr"],
  ["pt-BR", "ltr"],
  ["zh-Hant", "ltr"],
  ["ar", "rtl"],
  ["ar-EG", "rtl"],
  ["he", "rtl"],
  ["fa", "rtl"],
  ["ur-PK", "rtl"],
  ["az-Arab", "rtl"], // the script wins over the language
  ["ar-Latn", "ltr"],
])("%s is written %s", (lang, direction) => {
  expect(directionOf(lang)).toBe(direction);
});
