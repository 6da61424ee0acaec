/** Unknown keys at any depth. */
import { describe, expect, it } from "vitest";
import type { FieldErrors } from "../../../src/errors.ts";
import {
  anything,
  listOf,
  mergeErrors,
  named,
  record,
  translated,
  unknownKeys,
  type Keys,
} from "../../../src/model/input/known-keys.ts";
import { pageKeys } from "../../../src/model/page/page-input.ts";

const LOCALES = { codes: ["en", "it", "pt-BR"], default: "en" };
const NODE: Keys = listOf(
  record({ ...named("title"), link: record(named("url_node", "static"), ["url"]), meta: anything }),
);
const MENU = translated(LOCALES, { nodes: NODE }, named("key", "enabled"), ["id"]);
const meant = (name: string) => [`Unknown field. Did you mean \`${name}\`?`];
const NO_LANGUAGE = ["Unknown field. The site has no language `fr`, only `en`, `it`, `pt-BR`."];

describe("unknownKeys", () => {
  it.each<[object]>([
    [{ key: "a", enabled: true, id: 7, nodes: [] }],
    [{ nodes_it: [], nodes_pt_br: [], translations: { en: { nodes: [] }, "PT-br": { nodes: [] } } }],
    [{ nodes: [{ title: "T", link: { static: "/", url: "/" }, meta: { any: { thing: 1 } } }] }],
    [{ nodes: "no list", translations: 7, key: { whatever: 1 } }],
  ])("finds nothing in %j", (body) => {
    expect(unknownKeys(MENU, body as never)).toEqual({});
  });

  it.each<[object, object]>([
    [{ kee: 1 }, { kee: meant("key") }],
    [{ nonsense: 1 }, { nonsense: ["Unknown field."] }],
    [{ nodes_fr: [] }, { nodes_fr: NO_LANGUAGE }],
    [{ noeds_it: [] }, { noeds_it: meant("nodes_it") }],
    [{ key_it: 1 }, { key_it: ["Unknown field."] }],
    [
      { translations: { fr: {}, it: { node: [] } } },
      { translations: { fr: NO_LANGUAGE, it: { node: meant("nodes") } } },
    ],
    [
      { nodes: [{ title: "A" }, { tilte: "B", link: { statik: "/" } }] },
      { nodes: [{}, { tilte: meant("title"), link: { statik: meant("static") } }] },
    ],
    [{ constructor: 1 }, { constructor: ["Unknown field."] }],
  ])("finds in %j", (body, errors) => {
    expect(unknownKeys(MENU, body as never)).toEqual(errors);
  });

  it("treats __proto__ as an ordinary key", () => {
    expect(Object.keys(unknownKeys(MENU, JSON.parse('{"__proto__": {"polluted": 1}}')))).toEqual(["__proto__"]);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("stops at a hundred, ten of them with a suggestion", () => {
    const body = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, n) => [n % 2 ? `kee${n % 7}${"x".repeat(n % 3)}` : `key${n}`, n]),
    );
    const messages = Object.values(unknownKeys(MENU, body)).flat() as string[];
    expect(messages).toHaveLength(100);
    expect(messages.filter((message) => message.includes("Did you mean")).length).toBeLessThanOrEqual(10);
  });
});

describe("pageKeys", () => {
  const keys = pageKeys(LOCALES, "page");
  it.each<[object, object]>([
    [{ titel: "x" }, { titel: meant("title") }],
    [{ title_fr: "x" }, { title_fr: NO_LANGUAGE }],
    [{ parent: 3 }, { parent: meant("parent_page") }],
    [{ content: "of articles" }, { content: ["Unknown field."] }],
    [{ translations: { it: { titel: "x" } } }, { translations: { it: { titel: meant("title") } } }],
    [{ template_data: { any: { thing: 1 } }, meta: { any: 1 } }, {}],
  ])("of %j", (body, errors) => {
    expect(unknownKeys(keys, body as never)).toEqual(errors);
  });
});

describe("mergeErrors", () => {
  it.each<[FieldErrors, FieldErrors, FieldErrors]>([
    [{ a: ["x"] }, { b: ["y"] }, { a: ["x"], b: ["y"] }],
    [{ a: { b: ["x"] } }, { a: { c: ["y"] } }, { a: { b: ["x"], c: ["y"] } }],
    [{ a: [{}, { b: ["x"] }] }, { a: [{ c: ["y"] }] }, { a: [{ c: ["y"] }, { b: ["x"] }] }],
    [{ a: ["x"] }, { a: { b: ["y"] } }, { a: ["x"] }],
    [{ a: {} }, { a: ["y"] }, { a: ["y"] }],
    [{}, {}, {}],
  ])("of %j and %j", (a, b, both) => {
    expect(mergeErrors(a, b)).toEqual(both);
  });
});
