/** What the page in the frame may say, and what becomes of it. */
import { expect, it } from "vitest";
import { isSamePath, readMessage, typedValue } from "../../src/admin/pages/preview/page-messages.ts";

// oxfmt-ignore
it.each<[string, unknown, unknown]>([
  ["a page that is ready",        { type: "cms:ready", path: "/a/" },                             { type: "cms:ready", path: "/a/" }],
  ["a click",                     { type: "cms:focus", field: "title" },                          { type: "cms:focus", field: "title", typed: false }],
  ["a click on words",            { type: "cms:focus", field: "title", typed: true, words: { text: "A b", at: 99 } }, { type: "cms:focus", field: "title", typed: true, words: { text: "A b", at: 3, length: 0 } }],
  ["selected words",              { type: "cms:focus", field: "title", words: { text: "A bc", at: 2, length: 9 } }, { type: "cms:focus", field: "title", typed: false, words: { text: "A bc", at: 2, length: 2 } }],
  ["a click on no words",         { type: "cms:focus", field: "title", words: { text: 1, at: {} } }, { type: "cms:focus", field: "title", typed: false }],
  ["a text",                      { type: "cms:input", field: "title", value: "A", more: 1 },     { type: "cms:input", field: "title", value: "A" }],
  ["nothing",                     null,                                                           undefined],
  ["a text alone",                "cms:ready",                                                    undefined],
  ["another type",                { type: "cms:save", field: "title" },                           undefined],
  ["one of the editor",           { type: "cms:payload", page: {}, field: "title" },              undefined],
  ["no path",                     { type: "cms:ready" },                                          undefined],
  ["a path without end",          { type: "cms:ready", path: "/".repeat(2_001) },                 undefined],
  ["no field",                    { type: "cms:focus" },                                          undefined],
  ["a field that is a selector",  { type: "cms:focus", field: 'a"] , [data-x="' },                undefined],
  ["a field without end",         { type: "cms:focus", field: "a".repeat(201) },                  undefined],
  ["a value that is no text",     { type: "cms:input", field: "title", value: { a: 1 } },         undefined],
  ["an oversized text",           { type: "cms:input", field: "title", value: "a".repeat(20_001) }, undefined],
])("%s", (_case, sent, read) => expect(readMessage(sent)).toEqual(read));

const VALUES = {
  title: "A",
  permalink: "/a",
  template: null,
  template_data: { lead: null, photo: 3, sections: [{ type: "quote", words: "So", by: "Ada" }] },
};
const PATHS = {
  title: "string",
  permalink: "permalink",
  "template_data.lead": "textarea",
  "template_data.photo": "media",
  "template_data.sections.0.words": "text",
  "template_data.sections.0.by": "string",
  "template_data.sections.1.by": "string",
  "template_data.gone.by": "string",
};

// oxfmt-ignore
it.each<[string, string, unknown]>([
  ["title",                                "B",       { name: "title", value: "B" }],
  ["title",                                "",        { name: "title", value: null }],
  ["title",                                "<b>",     { name: "title", value: "<b>" }],
  ["template_data.lead",                   "B",       { name: "template_data", value: { ...VALUES.template_data, lead: "B" } }],
  ["template_data.sections.0.by",          "B",       { name: "template_data", value: { ...VALUES.template_data, sections: [{ type: "quote", words: "So", by: "B" }] } }],
  ["permalink",                            "/stolen", undefined],
  ["template",                             "x.html",  undefined],
  ["template_data.photo",                  "4",       undefined],
  ["template_data.sections.0.words",       "# B",     undefined],
  ["template_data.sections.1.by",          "B",       undefined],
  ["template_data.gone.by",                "B",       undefined],
  ["template_data.none",                   "B",       undefined],
  ["__proto__.polluted",                   "B",       undefined],
  ["constructor",                          "B",       undefined],
])("a text for %s: %j", (field, text, value) => {
  expect(typedValue(VALUES, PATHS, field, text)).toEqual(value);
});

it.each([
  ["/a/", "/a", true],
  ["/caff%C3%A8/", "/caff\u00e8", true],
  ["/", "/", true],
  ["/a/", "/b/", false],
  ["/%", "/%", true],
])("%s and %s are the same page: %s", (a, b, isSame) => expect(isSamePath(a, b)).toBe(isSame));
