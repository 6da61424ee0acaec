/** The variants that may be asked for. */
import { describe, expect, it } from "vitest";
import { readVariants } from "../../../src/model/media/variants.ts";

describe("readVariants", () => {
  const good = { name: "hero", width: 1200, format: "webp" };
  // oxfmt-ignore
  it.each<[unknown, unknown]>([
    [null,                            { variants: null }],
    [[],                              { variants: [] }],
    [[good],                          { variants: [good] }],
    ["x",                             { errors: ['Expected a list of items but got type "string".'] }],
    [{},                              { errors: ['Expected a list of items but got type "object".'] }],
    [[{ ...good, width: 0 }],         { errors: { 0: { width: [expect.stringContaining("1 to 16383")] } } }],
    [[{ ...good, width: "400" }],     { errors: { 0: { width: [expect.any(String)] } } }],
    [[{ ...good, width: 1.5 }],       { errors: { 0: { width: [expect.any(String)] } } }],
    [[good, { ...good, name: "HERO" }], { errors: { 1: { name: ["Names must be unique."] } } }],
    [[{ ...good, name: "../x" }],     { errors: { 0: { name: [expect.any(String)] } } }],
    [[{ ...good, name: "" }],         { errors: { 0: { name: [expect.any(String)] } } }],
    [[{ ...good, format: "bmp" }],    { errors: { 0: { format: [expect.stringContaining('"bmp" is not a valid choice')] } } }],
    [[7],                             { errors: { 0: { non_field_errors: [expect.any(String)], name: [expect.any(String)], width: [expect.any(String)], format: [expect.any(String)] } } }],
    [Array.from({ length: 33 }, (_, n) => ({ ...good, name: `v${n}` })), { errors: [expect.any(String)] }],
  ])("%j", (value, expected) => {
    expect(readVariants(value as never)).toEqual(expected);
  });
});
