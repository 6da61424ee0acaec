/** Kinds whose files are tables of rows: what a file may leave out, and what is said of wrong values. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/input/json.ts";
import type { AnyKind } from "../../src/store/records/record-type.ts";
import { META_TYPES } from "../../src/store/records/meta-types.ts";
import { REVIEWS } from "../../src/store/records/people/reviews.ts";
import { THREADS } from "../../src/store/records/people/threads.ts";
import { RELEASES } from "../../src/store/records/releases.ts";

const LOCALES = { codes: ["en", "it"], default: "en" };

const read = (kind: AnyKind, data: JsonObject, name = "spring") =>
  kind.fromFiles(`${kind.dir}/${name}`, new Map([[".yaml", { data }]]), LOCALES);

const written = (kind: AnyKind, data: JsonObject) =>
  kind.toFiles(read(kind, data), ".yaml", LOCALES).get(".yaml")?.data;

const UNDATED = "1970-01-01T00:00:00.000Z";

describe("a table of rows", () => {
  it.each<[AnyKind, JsonObject, JsonObject]>([
    [RELEASES, { id: 1, items: [{ page: 3 }] }, { id: 1, items: [{ page: 3, language: "en", action: "publish" }] }],
    [
      RELEASES,
      { id: 1, comment: "", items: [{ page: 3, language: "it", action: "trash" }] },
      { id: 1, items: [{ page: 3, action: "trash" }] },
    ],
    [
      THREADS,
      { id: 1, page: 3, field: "", comments: [{ id: 2, by: "ada", text: " Is it? " }] },
      { id: 1, page: 3, language: "en", comments: [{ id: 2, by: "ada", name: "ada", at: UNDATED, text: "Is it?" }] },
    ],
    [
      REVIEWS,
      { id: 1, by: "ada", items: [{ page: 3, action: "publish" }], decisions: [], asked: [] },
      { id: 1, by: "ada", name: "ada", at: UNDATED, items: [{ page: 3, language: "en" }] },
    ],
    [META_TYPES, { id: 1, created_at: UNDATED }, { id: 1, key: "spring", name: "spring", schema: [] }],
  ])("is written without what it may leave out (row %#)", (kind, data, expected) => {
    expect(written(kind, data)).toEqual(expected);
  });

  it.each<[AnyKind, JsonObject, object]>([
    [RELEASES, { items: 3 }, { items: ["A list of items is expected, each with a page."] }],
    [RELEASES, { items: [{}] }, { items: { 0: { page: ["The id or a permalink of a page is expected."] } } }],
    [RELEASES, { publish_at: "soon" }, { publish_at: [expect.stringContaining("A moment is written")] }],
    [THREADS, {}, { page: ["The id of a page is expected."] }],
    [
      THREADS,
      { page: 3, language: "fr", comments: [{ by: "", text: "Is it?" }] },
      {
        language: ["Expected one of en, it."],
        comments: {
          0: {
            id: ["An id is expected, by which two versions of the list are joined."],
            by: ["The user name of the author is expected."],
          },
        },
      },
    ],
    [REVIEWS, { items: {} }, { items: ["A list is expected."] }],
    [
      REVIEWS,
      { items: [{ page: "3", hash: 4, authors: "ada" }], decisions: [{ id: 1, by: "ada" }] },
      {
        items: {
          0: {
            page: ["The id of a page is expected."],
            hash: ["The hash of a draft is a text."],
            authors: ["A list of addresses is expected."],
          },
        },
        decisions: { 0: { verdict: ["Expected one of approve, changes."] } },
      },
    ],
    [META_TYPES, { schema: [{ name: "a" }, { name: "a" }] }, { schema: [{}, { name: [expect.any(String)] }] }],
  ])("refuses wrong values with a message for each (row %#)", (kind, data, fields) => {
    expect(() => read(kind, data)).toThrow(expect.objectContaining({ code: "invalid", fields }));
  });
});
