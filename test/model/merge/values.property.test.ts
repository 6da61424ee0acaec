/** The merge of random data, against a simple reference and its laws. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isObject, own, sameJson, type Json, type JsonObject } from "../../../src/model/input/json.ts";
import { mergeValues } from "../../../src/model/merge/values.ts";

const RUNS = Number(process.env.MERGE_RUNS ?? 10_000);

const scalar = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom<Json>(null, true, false, 0, 1, 2, "", "a", "b", "a\nb\n", "a\nc\n", "b\nb\nc\n"),
  },
  { weight: 1, arbitrary: fc.nat().map((number): Json => `word ${number}`) },
);
const key = fc.constantFrom("id", "a", "b", "__proto__", "title");
const { json } = fc.letrec<{ json: Json; object: JsonObject }>((tie) => ({
  json: fc.oneof({ depthSize: "small" }, scalar, tie("object"), fc.array(tie("json"), { maxLength: 4 })),
  object: fc
    .array(fc.tuple(key, tie("json")), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries) as JsonObject),
}));

/** A value that resembles another: the same with some of its parts replaced. */
const changed = (value: Json): fc.Arbitrary<Json> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(value) },
    { weight: 1, arbitrary: json },
    ...(isObject(value)
      ? [
          {
            weight: 5,
            arbitrary: fc
              .tuple(
                fc.tuple(
                  ...Object.entries(value).map(([name, inner]) =>
                    fc.tuple(fc.constant(name), changed(inner), fc.nat(5)),
                  ),
                ),
                fc.array(fc.tuple(key, json, fc.constant(1)), { maxLength: 1 }),
              )
              .map(
                ([kept, added]) =>
                  Object.fromEntries([...kept, ...added].filter(([, , rest]) => rest > 0)) as JsonObject,
              ),
          },
        ]
      : []),
    ...(Array.isArray(value)
      ? [
          {
            weight: 5,
            arbitrary: fc
              .tuple(
                fc.tuple(...(value as readonly Json[]).map((inner) => fc.tuple(changed(inner), fc.nat(5)))),
                fc.array(json, { maxLength: 1 }),
              )
              .map(([kept, added]): Json => [...kept.flatMap(([inner, rest]) => (rest > 0 ? [inner] : [])), ...added]),
          },
        ]
      : []),
  );

const triples = json.chain((base) => fc.tuple(fc.constant(base), changed(base), changed(base)));

/**
 * The merge of scalars and mappings, from its definition. undefined: absent.
 *
 * @returns the value, or CLASH where the sides disagree; a list or a text of several lines that both changed is any value
 */
const CLASH = Symbol("clash");
const ANY = Symbol("any");
type Expected = Json | undefined | typeof CLASH | typeof ANY | ReadonlyMap<string, unknown>;

function reference(base: Json | undefined, ours: Json | undefined, theirs: Json | undefined): Expected {
  if (sameJson(ours, theirs)) return ours;
  if (sameJson(base, ours)) return theirs;
  if (sameJson(base, theirs)) return ours;
  if (isObject(ours) && isObject(theirs)) {
    const from = isObject(base) ? base : {};
    const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    return new Map([...keys].map((name) => [name, reference(own(from, name), own(ours, name), own(theirs, name))]));
  }
  if (Array.isArray(ours) && Array.isArray(theirs)) return ANY;
  if (typeof ours === "string" && typeof theirs === "string" && ours.includes("\n") && theirs.includes("\n"))
    return ANY;
  return CLASH;
}

/** @param theirs stands where the sides clash */
function expectLike(value: Json | undefined, expected: Expected, theirs: Json | undefined): void {
  if (expected === ANY) return;
  if (expected === CLASH) expect(value).toEqual(theirs);
  else if (expected instanceof Map) {
    if (!isObject(value)) throw new Error(`A mapping is expected, not ${JSON.stringify(value)}`);
    for (const [name, inner] of expected)
      expectLike(own(value, name), inner as Expected, isObject(theirs) ? own(theirs, name) : undefined);
    const names = [...expected].flatMap(([name]) => (own(value, name) === undefined ? [] : [name]));
    expect(Object.keys(value).sort()).toEqual(names.sort());
  } else expect(value).toEqual(expected);
}

/** All scalars in a value, by line. */
function* wordsIn(value: Json | undefined): Generator<string> {
  if (typeof value === "string") yield* value.split("\n");
  else if (isObject(value) || Array.isArray(value))
    for (const inner of Object.values(value)) yield* wordsIn(inner as Json);
  else if (value !== undefined) yield String(value);
}

// On a busy machine.
const PATIENCE_MS = 300_000;

describe("mergeValues", () => {
  it(
    "agrees with the reference",
    () => {
      fc.assert(
        fc.property(triples, ([base, ours, theirs]) => {
          expectLike(mergeValues(base, ours, theirs).value, reference(base, ours, theirs), theirs);
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE_MS,
  );

  it(
    "is the other side where one side did nothing, and the same again",
    () => {
      fc.assert(
        fc.property(triples, ([base, ours, theirs]) => {
          expect(mergeValues(base, ours, base)).toEqual({ value: ours, ours, conflicts: [] });
          expect(mergeValues(base, base, theirs)).toEqual({ value: theirs, ours: theirs, conflicts: [] });
          expect(mergeValues(base, ours, ours)).toEqual({ value: ours, ours, conflicts: [] });
          const { value } = mergeValues(base, ours, theirs);
          expect(mergeValues(theirs, value, theirs)).toEqual({ value, ours: value, conflicts: [] });
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE_MS,
  );

  it(
    "is commutative up to who counts as remote",
    () => {
      fc.assert(
        fc.property(triples, ([base, ours, theirs]) => {
          const [one, other] = [mergeValues(base, ours, theirs), mergeValues(base, theirs, ours)];
          const paths = ({ conflicts }: typeof one): string[] => conflicts.map(({ path }) => path.join(".")).sort();
          expect(paths(one)).toEqual(paths(other));
          if (one.conflicts.length === 0)
            expect([...wordsIn(one.value)].sort()).toEqual([...wordsIn(other.value)].sort());
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE_MS,
  );

  it(
    "has ours in the second version, and a conflict exactly where the two differ",
    () => {
      fc.assert(
        fc.property(triples, ([base, ours, theirs]) => {
          const { value, ours: asOurs, conflicts } = mergeValues(base, ours, theirs);
          expect(sameJson(value, asOurs)).toBe(conflicts.length === 0);
          for (const conflict of conflicts) expect(sameJson(conflict.ours, conflict.theirs)).toBe(false);
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE_MS,
  );

  it(
    "loses nothing that a side added: it is in the merged value or in a conflict",
    () => {
      fc.assert(
        fc.property(triples, ([base, ours, theirs]) => {
          const { value, conflicts } = mergeValues(base, ours, theirs);
          const known = new Set([...wordsIn(value), ...conflicts.flatMap((each) => [...wordsIn(each.ours)])]);
          const before = new Set(wordsIn(base));
          for (const side of [ours, theirs])
            for (const word of wordsIn(side)) if (!before.has(word)) expect(known).toContain(word);
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE_MS,
  );
});
