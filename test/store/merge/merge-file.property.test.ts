/** Merges of random pages as files: the result always loads, holds the merged data, and changes no line without need. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sameJson, type Json, type JsonObject } from "../../../src/model/input/json.ts";
import { PAGE_RULES } from "../../../src/model/merge/rules.ts";
import { mergeValues } from "../../../src/model/merge/values.ts";
import { decodeFile, decodeUnresolved, encodeFile } from "../../../src/store/codec/codec.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { withConflicts } from "../../../src/store/merge/conflicted-file.ts";
import { mergeRecordFile, type FileMerge } from "../../../src/store/merge/merge-file.ts";

/** Writing a file and its edits takes some milliseconds. */
const RUNS = Number(process.env.MERGE_RUNS ?? 300);
const LOCALES = { codes: ["en", "it"], default: "en" };
const PATH = "content/pages/about.yaml";

const moment = fc.integer({ min: 1, max: 28 }).map((day) => `2026-01-${String(day).padStart(2, "0")}T00:00:00.000Z`);
const line = fc.constantFrom("", "One.", "Two: 2", "- three", "# four", "  five", "'six'");
const longText = fc.array(line, { minLength: 2, maxLength: 6 }).map((lines) => `${lines.join("\n")}\n`);
const text = fc.oneof(
  fc.constantFrom("", "A", "B: b", "yes", "2026", '"c"', "é # d"),
  longText,
  fc.string({ maxLength: 8 }),
);
const node = fc.oneof(
  text,
  fc.integer({ min: -3, max: 3 }),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 4 }),
  fc.uniqueArray(fc.record({ id: fc.nat(4), title: text }), { maxLength: 3, selector: ({ id }) => id }),
  fc.dictionary(fc.constantFrom("x", "y", "0"), text, { maxKeys: 2 }),
);
const optional = { requiredKeys: [] };
const language = fc.record(
  {
    title: fc.constantFrom("A", "B: b", "C # c"),
    permalink: fc.constantFrom("/a", "/b", "/c"),
    published_at: moment,
    indexable: fc.boolean(),
    description: text,
    template_data: fc.dictionary(fc.constantFrom("body", "lead", "rows", "n"), node, { maxKeys: 4 }),
  },
  optional,
);
const page = fc.record(
  {
    id: fc.constant(12),
    ordering: fc.nat(3),
    og_image: fc.nat(3).map((id) => id + 1),
    deleted_at: moment,
    date_updated_at: moment,
    aliases: fc.array(
      fc.constantFrom("/o", "/p", "/q").map((from) => ({ language: "en", from })),
      { maxLength: 2 },
    ),
    translations: fc.record({ en: language, it: language }, optional),
  },
  { requiredKeys: ["id"] },
) as fc.Arbitrary<JsonObject>;

/** The page with some of the values of another. */
const mixed = (from: JsonObject, other: JsonObject, picks: readonly boolean[]): JsonObject => {
  let at = 0;
  const pick = (a: Json | undefined, b: Json | undefined): Json | undefined => {
    if (isMapping(a) && isMapping(b)) {
      const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
      const entries = keys.map((key) => [key, pick(a[key], b[key])] as const);
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonObject;
    }
    return picks[at++ % picks.length] ? b : a;
  };
  return { ...(pick(from, other) as JsonObject), id: 12 };
};
const isMapping = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const picks = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });
const COMMENT = "# Kept for reasons.\n";

interface Sides {
  readonly base: JsonObject;
  readonly ours: JsonObject;
  readonly theirs: JsonObject;
  readonly bytes: { readonly base: Uint8Array; readonly ours: Uint8Array; readonly theirs: Uint8Array };
}

/** Three versions of a page: a file that a person wrote, and two edits of it. */
const sides: fc.Arbitrary<Sides> = fc.tuple(page, page, page, picks, picks).map(([base, a, b, ofOurs, ofTheirs]) => {
  const [ours, theirs] = [mixed(base, a, ofOurs), mixed(base, b, ofTheirs)];
  const first = new TextEncoder().encode(COMMENT + new TextDecoder().decode(encodeFile(PATH, { data: base })));
  const edited = (after: JsonObject): Uint8Array =>
    encodeFile(PATH, { data: after }, { bytes: first, before: { data: base } }, PAGES.order(".yaml"));
  return { base, ours, theirs, bytes: { base: first, ours: edited(ours), theirs: edited(theirs) } };
});

type Merged = Extract<FileMerge, { outcome: "merged" }> & { readonly bytes: Uint8Array };

function merged(bytes: Sides["bytes"]): Merged {
  const merge = mergeRecordFile({ path: PATH, kind: PAGES, locales: LOCALES }, bytes);
  if (merge.outcome === "unreadable" || merge.bytes === null) throw new Error("It was not merged.");
  return { ...merge, bytes: merge.bytes };
}

const dataOf = (bytes: Uint8Array): JsonObject => decodeFile(PATH, bytes).data;

// On a busy machine.
const PATIENCE_MS = 300_000;

describe("mergeRecordFile", () => {
  it(
    "gives a file that loads with exactly the merged data, and with the comments",
    () => {
      fc.assert(
        fc.property(sides, ({ base, ours, theirs, bytes }) => {
          const { bytes: result } = merged(bytes);
          const expected = mergeValues(base, ours, theirs, PAGE_RULES).value;
          expect(dataOf(result)).toEqual(expected);
          expect(
            PAGES.fromFiles("content/pages/about", new Map([[".yaml", { data: dataOf(result) }]]), LOCALES),
          ).toBeDefined();
          expect(new TextDecoder().decode(result)).toContain(COMMENT);
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE_MS,
  );

  it(
    "is the identity where one side did nothing, and idempotent",
    () => {
      fc.assert(
        fc.property(sides, ({ bytes }) => {
          const { base, ours, theirs } = bytes;
          expect(merged({ base, ours, theirs: base }).bytes).toEqual(ours);
          expect(merged({ base, ours: base, theirs }).bytes).toEqual(theirs);
          const result = merged(bytes).bytes;
          expect(merged({ base: theirs, ours: result, theirs }).bytes).toEqual(result);
          expect(merged({ base: ours, ours, theirs: result }).bytes).toEqual(result);
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE_MS,
  );

  it(
    "has every value of a side in the result or in the conflicts",
    () => {
      fc.assert(
        fc.property(sides, ({ base, ours, theirs, bytes }) => {
          const { bytes: result, conflicts } = merged(bytes);
          const values = dataOf(result);
          const listed = conflicts.flatMap((each) => (each.kind === "field" ? [each] : []));
          for (const [path, value] of leaves(ours)) {
            if (sameJson(at(base, path), value) || DERIVED.has(path.join("."))) continue;
            const isListed = listed.some((each) => each.path.every((step, index) => step === path[index]));
            const isThere =
              sameJson(at(values, path), value) || isMergedInside(at(base, path), at(theirs, path), value);
            expect(isListed || isThere).toBe(true);
          }
          for (const [path, value] of leaves(theirs)) {
            if (sameJson(at(base, path), value) || DERIVED.has(path.join("."))) continue;
            expect(sameJson(at(values, path), value) || isMergedInside(at(base, path), at(ours, path), value)).toBe(
              true,
            );
          }
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE_MS,
  );

  it(
    "gives a person a file that parses, with both values of each conflict",
    () => {
      fc.assert(
        fc.property(sides, ({ bytes }) => {
          const merge = merged(bytes);
          const conflicts = merge.conflicts.flatMap((each) => (each.kind === "field" ? [each] : []));
          fc.pre(conflicts.length > 0);
          const text = new TextDecoder().decode(withConflicts(PATH, merge.bytes, conflicts, 7));
          expect(() => decodeUnresolved(PATH, new TextEncoder().encode(text))).not.toThrow();
          const marks = text.split("# merge conflict: ").length - 1;
          expect(marks).toBeGreaterThanOrEqual(conflicts.length);
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE_MS,
  );
});

/** Decided by rules instead: the later stamp, the remote's removal, an automatic permalink and the alias it leaves. */
const PERMALINKS = ["translations.en.permalink", "translations.it.permalink", "aliases"];
const DERIVED = new Set(["date_updated_at", "deleted_at", ...PERMALINKS]);

/** Lists and texts of several lines that both changed are merged from the two. */
const isMergedInside = (base: Json | undefined, other: Json | undefined, value: Json): boolean =>
  !sameJson(base, other) && (Array.isArray(value) || (typeof value === "string" && value.includes("\n")));

/** The values that are no mappings, with their paths; not those of lists. */
function* leaves(value: Json, above: readonly string[] = []): Generator<readonly [readonly string[], Json]> {
  if (!isMapping(value)) yield [above, value];
  else for (const [key, inner] of Object.entries(value)) yield* leaves(inner, [...above, key]);
}

const at = (value: Json | undefined, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((inner, key) => (isMapping(inner) ? inner[key] : undefined), value);
