/** What another thread has just seen of a tree counts once, and only where it is what the start before saw. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { aheadOf, lookAhead, type Ahead } from "../../src/store/git/ahead.ts";
import { diskFs, type Fs } from "../../src/store/git/fs.ts";
import { openTurns } from "../../src/store/git/turns.ts";
import { openGitRepo } from "../../src/store/git/repo.ts";

const COUNT = 60;
const long = new Date(Date.now() - 60_000);
let root: string;
let looked: string[];
const fs: Fs = {
  ...diskFs,
  async lstat(path) {
    if (path.endsWith(".yaml")) looked.push(path.slice(root.length + 1));
    return diskFs.lstat(path);
  },
};
const file = (n: number): string => `content/pages/p${n}.yaml`;
function save(path: string, text: string): void {
  writeFileSync(join(root, path), text);
  utimesSync(join(root, path), long, long);
}
const open = (ahead?: Promise<Ahead | undefined>) => openGitRepo(root, { fs, ...(ahead && { ahead: () => ahead }) });
/** Ids and sizes by path, in a first look and in a second one. */
async function looks(ahead?: Promise<Ahead | undefined>): Promise<{ first: Map<string, string>; second: Map<string, string>; asked: string[] }> {
  const repo = await open(ahead);
  looked = [];
  const seen = async (): Promise<Map<string, string>> => new Map([...(await repo.files(["content"]))].map(([path, { oid, size, mtimeMs }]) => [path, `${oid} ${size} ${mtimeMs}`]));
  const first = await seen();
  const asked = looked;
  looked = [];
  const second = await seen();
  await repo.close();
  return { first, second, asked };
}
const ahead = async (): Promise<Ahead> => aheadOf([lookAhead(root, "content")])!;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "cms-ahead-"));
  looked = [];
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  mkdirSync(join(root, "content/pages"), { recursive: true });
  for (let n = 0; n < COUNT; n++) save(file(n), `a: ${n}\n`);
  await (await open()).files(["content"]);
  const repo = await open();
  await repo.files(["content"]);
  await repo.close();
});
afterEach(() => rmSync(root, { recursive: true }));

it("spares the first look, and only that", async () => {
  const plain = await looks();
  expect(plain.asked).toHaveLength(COUNT);
  const { first, second, asked } = await looks(ahead());
  expect(asked).toEqual([]);
  expect(first).toEqual(plain.first);
  expect(second).toEqual(plain.first);
  expect(looked).toHaveLength(COUNT);
});

it.each<[string, () => void]>([
  ["is another one now", () => save(file(7), "b: 7\n")],
  ["is new", () => save("content/pages/new.yaml", "a: 1\n")],
  ["has an odd name", () => save("content/pages/tab\there\n.yaml", "a: 1\n")],
  ["is a link", () => (renameSync(join(root, file(7)), join(root, "elsewhere")), symlinkSync("../../elsewhere", join(root, file(7))))],
  ["is gone", () => rmSync(join(root, file(7)))],
])("sees what it would see without it where a file %s", async (_what, change) => {
  change();
  const { first } = await looks(ahead());
  expect(first).toEqual((await looks()).first);
});

it("looks by itself where looking ahead has failed", async () => {
  const { first, asked } = await looks(Promise.resolve(undefined));
  expect(asked).toHaveLength(COUNT);
  expect(first.size).toBe(COUNT);
});

it("is the same shared as alone, and nothing where two have found other files", () => {
  for (let n = COUNT; n < 700; n++) save(file(n), `a: ${n}\n`);
  const alone = aheadOf([lookAhead(root, "content")])!.seen;
  const turns = openTurns();
  Atomics.add(turns, 0, 1); // the first is somebody else's
  const rest = lookAhead(root, "content", turns)!;
  expect(rest.seen.map(([turn]) => turn)).toEqual([1, 2]);
  const first = { ...rest, seen: lookAhead(root, "content")!.seen.slice(0, 1) };
  expect(aheadOf([rest, first])!.seen).toBe(alone);
  save("content/pages/late.yaml", "a: 1\n");
  expect(aheadOf([rest, lookAhead(root, "content", turns)])).toBeUndefined();
  expect(aheadOf([rest, undefined])).toBeUndefined();
});
