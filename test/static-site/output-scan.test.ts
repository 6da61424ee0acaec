/** What the output has beside the intact pages of the last build. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { scanOutput, type OutputScan } from "../../src/static-site/output/output-scan.ts";
import type { State } from "../../src/static-site/state/state.ts";

const COUNT = 600;
let out: string;
const folder = (n: number): string => join(out, `p${n}`);

beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), "git-cms-look-"));
  for (let n = 0; n < COUNT; n++) {
    mkdirSync(folder(n));
    writeFileSync(join(folder(n), "index.html"), "text");
  }
});
afterEach(() => rmSync(out, { recursive: true }));

function stateOf(): State {
  const pages = Array.from({ length: COUNT }, (_, n) => ({
    path: `/p${n}/`,
    permalink: `/p${n}`,
    language_code: "en",
    place: "",
    id: n,
    updated: "",
    hash: "",
    payloadDeps: [],
    renderDeps: [],
    templates: 0,
    sizes: [4],
  }));
  return {
    fingerprint: "f",
    names: ["index.html"],
    server_time: "now",
    epoch: null,
    next_change: null,
    pages,
    redirects: [],
    dependencies: { all: [], digests: [] },
    tables: {},
    tablesOf: {},
    templates: [],
    files: {},
  };
}
const pagesNot = (of: Uint8Array): number[] => [...of.keys()].filter((at) => of[at] === 0);
const summary = (look: OutputScan): unknown => ({
  files: [...look.files.keys()],
  changed: pagesNot(look.intact),
});

it("finds added, removed and changed files", () => {
  writeFileSync(join(folder(1), "mine.txt"), "mine");
  writeFileSync(join(folder(2), "index.html"), "other text");
  rmSync(folder(3), { recursive: true });
  expect(summary(scanOutput(out, [], stateOf()))).toEqual({
    files: ["p1/mine.txt", "p2/index.html"],
    changed: [2, 3],
  });
});
