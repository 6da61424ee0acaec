/** Which folders of the output are listed again; the sizes of files are always read. */
import { cpSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
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

function stateOf(lastScan: State["lastScan"]): State {
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
    lastScan,
    files: {},
  };
}
const NEVER = { began: 0, unchangedDirs: Array<number>(2 * COUNT).fill(0) };
/** As if each folder had held nothing else, and had been as it is now. */
function ALL(began: number): State["lastScan"] {
  const facts = Array.from({ length: COUNT }, (_, n) => lstatSync(folder(n), { throwIfNoEntry: false }));
  return {
    began,
    unchangedDirs: facts.flatMap((stat) => (stat ? [stat.ino, stat.ctimeMs] : [0, 0])),
  };
}
/** As if this were that much later. */
const LATER = 60_000;

const pagesNot = (of: Uint8Array): number[] => [...of.keys()].filter((at) => of[at] === 0);
const hasUnchangedDir = ({ unchangedDirs }: OutputScan): Uint8Array =>
  Uint8Array.from({ length: COUNT }, (_, at) => (unchangedDirs[2 * at] === 0 ? 0 : 1));
const summary = (look: OutputScan): unknown => ({
  files: [...look.files.keys()],
  changed: pagesNot(look.intact),
  notAlone: pagesNot(hasUnchangedDir(look)),
});

it("finds added, removed and changed files", () => {
  writeFileSync(join(folder(1), "mine.txt"), "mine");
  writeFileSync(join(folder(2), "index.html"), "other text");
  rmSync(folder(3), { recursive: true });
  expect(summary(scanOutput(out, [], stateOf(NEVER)))).toEqual({
    files: ["p1/mine.txt", "p2/index.html"],
    changed: [2, 3],
    notAlone: [1, 3],
  });
});

it.each([
  ["was looked into a moment ago", () => Date.now(), Date.now],
  ["says it was looked into later than now", () => Date.now() + LATER, Date.now],
  ["was looked into long before", () => Date.now() - LATER, Date.now],
])("lists a folder that %s", (_, began, now) => {
  writeFileSync(join(folder(1), "mine.txt"), "mine");
  expect(summary(scanOutput(out, [], stateOf(ALL(began())), now()))).toEqual({
    files: ["p1/mine.txt"],
    changed: [],
    notAlone: [1],
  });
});

it("does not list an unchanged folder again, but reads the sizes of its files", () => {
  // Nobody else can be asked whether it was listed: this is what would be seen if it were.
  writeFileSync(join(folder(1), "mine.txt"), "mine");
  writeFileSync(join(folder(2), "index.html"), "other text");
  rmSync(folder(3), { recursive: true });
  const began = Date.now() + LATER;
  const look = scanOutput(out, [], stateOf(ALL(began)), began + 1);
  expect(summary(look)).toEqual({ files: ["p2/index.html"], changed: [2, 3], notAlone: [3] });
  expect(look.began).toBe(began + 1);
});

it("lists another folder in the place of a known one, however old", () => {
  const began = Date.now() + LATER;
  const lastScan = ALL(began);
  cpSync(folder(1), join(out, "p1-copy"), { recursive: true });
  writeFileSync(join(out, "p1-copy/mine.txt"), "mine");
  renameSync(folder(1), join(out, "p1-old"));
  renameSync(join(out, "p1-copy"), folder(1));
  expect(summary(scanOutput(out, ["p1-old"], stateOf(lastScan), began + 1))).toEqual({
    files: ["p1/mine.txt"],
    changed: [],
    notAlone: [1],
  });
});
