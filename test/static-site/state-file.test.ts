/** A state is read as it was written, whatever the names in it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readBuildState, STATE_FILE, writeState } from "../../src/static-site/state/state-file.ts";
import { nextPages, type BuiltPage, type DependencyColumns, type State } from "../../src/static-site/state/state.ts";

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
const word = fc
  .constantFrom<fc.Arbitrary<string | number | null>[]>(
    fc.integer(),
    fc.oneof(fc.integer(), fc.constant(null)),
    text,
    fc.oneof(text, fc.constant(null), fc.integer()),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(null),
  )
  .chain((kind) =>
    fc.array(
      kind.map((each) => (Object.is(each, -0) ? 0 : each)),
      { minLength: 3, maxLength: 3 },
    ),
  );
const group: fc.Arbitrary<DependencyColumns> = fc.record({
  name: text,
  lang: text,
  args: fc.array(word, { maxLength: 3 }),
  digests: fc.array(text, { minLength: 3, maxLength: 3 }),
});

function stateOf(pages: readonly BuiltPage[], dependencies: readonly DependencyColumns[]): State {
  const next = nextPages();
  for (const each of pages) next.add(each);
  return {
    fingerprint: "f",
    names: ["index.html"],
    server_time: "now",
    epoch: null,
    next_change: null,
    pages: next.columns(),
    redirects: [],
    dependencies,
    tables: {},
    tablesOf: {},
    templates: [],
    lastScan: { began: 1, unchangedDirs: Float64Array.from(pages, (_, at) => at / 2) },
    files: {},
  };
}

it("reads what was written, and writes what was read", () => {
  fc.assert(
    fc.property(fc.array(page), fc.array(group), (pages, dependencies) => {
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

it.each(["path", "id", "payloadDeps"])("ignores a state whose list %s is too short", (name) => {
  const page = {
    path: "/",
    permalink: "/",
    language_code: "en",
    place: "",
    updated: "",
    hash: "",
    id: 1,
    templates: 0,
  };
  writeState(dir, stateOf([{ ...page, payloadDeps: [1, 2, 3], renderDeps: [], sizes: [] }], []));
  const state = JSON.parse(readFileSync(join(dir, STATE_FILE), "utf8")) as { pages: Record<string, unknown[]> };
  expect(state.pages.payloadDeps).toEqual([[1, 2, 3]]);
  state.pages[name]!.pop();
  writeFileSync(join(dir, STATE_FILE), JSON.stringify(state));
  expect(readBuildState(dir)).toBeUndefined();
});
