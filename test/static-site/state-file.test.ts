/** A state is read as it was written, whatever the names in it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readBuildState, STATE_FILE, writeState } from "../../src/static-site/state/state-file.ts";
import type { BuiltPage, Dependency, State, StoredDependencies } from "../../src/static-site/state/state.ts";

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), "git-cms-state-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("", "\x7f", "a\nb", "\u{1F600}", "/caffè/"),
);
const count = fc.nat(2 ** 31 - 1);
const page: fc.Arbitrary<BuiltPage> = fc.record({
  path: text,
  permalink: text,
  language_code: text,
  place: text,
  updated: text,
  hash: text,
  id: fc.nat(Number.MAX_SAFE_INTEGER),
  templates: fc.integer({ min: -1, max: 9 }),
  payloadDeps: fc.array(count),
  renderDeps: fc.array(count),
  sizes: fc.array(count),
});
const argument = fc.oneof(
  fc.integer(),
  text,
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => (Object.is(each, -0) ? 0 : each)),
);
const dependency: fc.Arbitrary<Dependency> = fc
  .tuple(text, text, fc.array(argument, { maxLength: 3 }))
  .map(([name, lang, args]) => [name, lang, ...args]);
const stored: fc.Arbitrary<StoredDependencies> = fc.record({ all: fc.array(dependency), digests: fc.array(text) });

function stateOf(pages: readonly BuiltPage[], dependencies: StoredDependencies): State {
  return {
    fingerprint: "f",
    names: ["index.html"],
    server_time: "now",
    epoch: null,
    next_change: null,
    pages,
    redirects: [],
    dependencies,
    tables: {},
    tablesOf: {},
    templates: [],
    files: {},
  };
}

it("reads what was written, and writes what was read", () => {
  fc.assert(
    fc.property(fc.array(page), stored, (pages, dependencies) => {
      const state = stateOf(pages, dependencies);
      writeState(dir, state);
      const written = readFileSync(join(dir, STATE_FILE), "utf8");
      expect(readBuildState(dir)).toEqual(state);
      writeState(dir, readBuildState(dir)!);
      expect(readFileSync(join(dir, STATE_FILE), "utf8")).toBe(written);
    }),
    { numRuns: 100 },
  );
});

// oxfmt-ignore
it.each([
  ["nothing",                                  undefined],
  ["what is no JSON",                          "{"],
  ["a state of another version",               '{"version":3,"pages":{}}'],
  ["a state without pages",                    '{"version":8}'],
])("ignores %s", (_, lies) => {
  if (lies !== undefined) writeFileSync(join(dir, STATE_FILE), lies);
  expect(readBuildState(dir)).toBeUndefined();
});
