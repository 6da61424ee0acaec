/** Scans of large sites by a thread. Built, as Node starts no thread from TypeScript. */
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { decodeListing, encodeListing, lookAtEach, SeenStats } from "../../../src/store/git/worktree/scan-columns.ts";
import type { ScannedTree, TreeScan, TreeScanOptions } from "../../../src/store/git/worktree/tree-scan.ts";
import { encodeStats, statEntry, type StatEntry } from "../../../src/store/git/worktree/saved-stats.ts";
import type { Path } from "../../../src/store/repo.ts";
import { built, builtDiskFs, warningsTo } from "../built.ts";
import { gitSite, quietEnv, type GitSite } from "./git-site.ts";

/** From here on a thread scans. */
const MANY = 20_000;

function siteWith(files: Readonly<Record<Path, string>>): GitSite {
  const site = gitSite(files);
  onTestFinished(() => site.remove());
  return site;
}

async function openScan(
  root: string,
  options: Pick<TreeScanOptions, "thread" | "largeCount"> = {},
): Promise<{ scan: TreeScan; warned: string[] }> {
  const { openTreeScan } = (await built(
    "worktree/tree-scan",
  )) as typeof import("../../../src/store/git/worktree/tree-scan.ts");
  const warned: string[] = [];
  return { scan: openTreeScan({ fs: await builtDiskFs(), root, log: warningsTo(warned), ...options }), warned };
}

const many = async (): Promise<number> => MANY;
const few = async (): Promise<number> => MANY - 1;

const listed = (tree: ScannedTree): ScannedTree => ({ ...tree, seen: undefined });

function unusualSite(): GitSite {
  const site = siteWith({
    "content/pages/a.yaml": "a: 1\n",
    "content/pages/a/b.yaml": "b: 1\n",
    "content/pages/Überblick.yaml": "c: 1\n",
    "content/.hidden/d.yaml": "d: 1\n",
    "content/.gitattributes": "*.yaml text\n",
    "content/left-out/e.yaml": "e: 1\n",
    "media/f.txt": "f\n",
  });
  symlinkSync("a.yaml", join(site.dir, "content/pages/link.yaml"));
  writeFileSync(Buffer.concat([Buffer.from(join(site.dir, "content/latin-")), Buffer.from([0xe9])]), "g\n");
  mkdirSync(join(site.dir, "content/module"));
  execFileSync("git", ["init", "-q", join(site.dir, "content/module")]);
  return site;
}

it("finds what the main thread finds", async () => {
  const { dir } = unusualSite();
  const { scan, warned } = await openScan(dir);
  const folders = ["content", "media"];
  const here = await (await openScan(dir)).scan.list(folders, ["content/left-out"], few);
  const there = await scan.list(folders, ["content/left-out"], many);
  expect(here.seen).toBeUndefined();
  expect(there.seen).toBeDefined();
  expect(listed(there)).toEqual(listed(here));
  expect(here.files.toSorted()).toEqual([
    "content/module",
    "content/pages/a.yaml",
    "content/pages/a/b.yaml",
    "content/pages/link.yaml",
    "content/pages/Überblick.yaml",
    "media/f.txt",
  ]);
  expect([here.unsupported.size, here.attributeFolders]).toEqual([1, ["content"]]);
  expect(warned).toEqual([]);
});

it("scans a large tree whatever was scanned since, and few files in the main thread", async () => {
  const { dir } = unusualSite();
  const { scan } = await openScan(dir, { largeCount: 6 });
  const isByThread = async (...folders: Path[]) => (await scan.list(folders, [], async () => 0)).seen !== undefined;
  const whole = ["content", "media"];
  expect(await isByThread(...whole)).toBe(false); // nothing is known yet
  expect(await isByThread(...whole)).toBe(true);
  expect(await isByThread("content/pages")).toBe(false);
  expect(await isByThread(...whole)).toBe(true);
});

it("finds nothing in folders that are empty or missing", async () => {
  const { dir } = siteWith({ "other.txt": "" });
  mkdirSync(join(dir, "content"));
  const { scan } = await openScan(dir);
  expect((await scan.list(["content", "missing"], [], many)).files).toEqual([]);
});

it.each([
  ["throws", "throw new Error('broken')", /broken/],
  ["ends without an answer", "process.exit(1)", /it ended/],
])("a thread that %s leaves it to the main thread, with one warning", async (_name, program, reason) => {
  const { dir } = unusualSite();
  const { scan, warned } = await openScan(dir, { thread: new URL(`data:text/javascript,${program}`), largeCount: 1 });
  const { scan: plain } = await openScan(dir, { thread: null });
  for (let turn = 0; turn < 2; turn++)
    expect(await scan.list(["content"], [], many)).toEqual(await plain.list(["content"], [], many));
  expect(warned).toEqual([expect.stringMatching(reason)]);
});

it("passes on what was seen of each file, and that one was removed meanwhile", async () => {
  const seen = new Map([
    ["a", { size: 3n, mtimeNs: 1_764_000_000_123_456_789n, ctimeNs: 2n, ino: 4n, mtimeMs: 1_764_000_000_123n }],
    ["ü", { size: 0n, mtimeNs: 0n, ctimeNs: 0n, ino: 2n ** 40n, mtimeMs: 0n }],
  ]);
  const listing = { files: ["a", "removed", "ü"], attributeFolders: ["b"], unsupported: new Map([["c", "Why."]]) };
  const columns = encodeListing(listing);
  expect(decodeListing(structuredClone(columns))).toEqual(listing);
  const stats = new SeenStats(columns.numbers);
  const waiting = stats.until(0);
  const onProgress = vi.fn((count: number) => stats.advance(count));
  await lookAtEach(listing.files, columns.numbers, async (path) => seen.get(path), onProgress);
  await waiting;
  expect(onProgress.mock.calls).toEqual([[3]]);
  expect(stats.at(0)).toEqual({
    size: 3,
    mtimeNs: Number(1_764_000_000_123_456_789n),
    ctimeNs: 2,
    ino: 4,
    mtimeMs: 1_764_000_000_123,
  });
  expect(Object.values(stats.at(1)!)).toEqual([NaN, NaN, NaN, NaN, NaN]);
  expect(stats.at(2)!.ino).toBe(2 ** 40);
  expect([stats.until(2), stats.at(3)]).toEqual([undefined, undefined]);
});

it("a thread that ends while it looks at the files leaves the others to the main thread", async () => {
  const { dir } = unusualSite();
  const others = "{ attributeFolders: [], unsupported: new Map() }";
  const program = [
    "import { parentPort } from 'node:worker_threads';",
    "const paths = new TextEncoder().encode('content/pages/a.yaml\\0media/f.txt\\0media/g.txt');",
    "const numbers = new Float64Array(new SharedArrayBuffer(120)).fill(7);",
    "parentPort.once('message', ({ id }) => {",
    `parentPort.postMessage({ id, progress: { paths, numbers, others: ${others} } });`,
    "parentPort.postMessage({ id, progress: 1 });",
    "});",
  ].join("");
  const { scan, warned } = await openScan(dir, { thread: new URL(`data:text/javascript,${program}`), largeCount: 1 });
  const { files, seen } = await scan.list(["content"], [], many);
  expect(files).toEqual(["content/pages/a.yaml", "media/f.txt", "media/g.txt"]);
  while (seen!.until(2)) await seen!.until(2);
  expect([seen!.at(0)?.size, seen!.at(1), seen!.at(2), seen!.isComplete]).toEqual([7, undefined, undefined, false]);
  expect(warned).toEqual([expect.stringMatching(/it ended/)]);
  expect((await scan.list(["content"], [], many)).seen).toBeUndefined();
});

const COUNT = 5;
const fileOf = (n: number): Path => `content/pages/p${n}.yaml`;
const LONG_AGO = new Date(Date.now() - 60_000);

function save(site: GitSite, n: number, text: string): void {
  writeFileSync(join(site.dir, fileOf(n)), text);
  utimesSync(join(site.dir, fileOf(n)), LONG_AGO, LONG_AGO);
}

/** Entries of what an earlier process has seen of the files, and of so many others that a thread scans. */
function writeStatCache(site: GitSite): void {
  const entries = new Map<Path, StatEntry>();
  for (let n = 0; n < COUNT; n++) {
    const stat = lstatSync(join(site.dir, fileOf(n)), { bigint: true });
    entries.set(fileOf(n), statEntry(String(n).repeat(40), stat));
  }
  const other: StatEntry = { oid: "0".repeat(40), size: 0, mtimeNs: 0, ctimeNs: 0, ino: 0 };
  for (let n = 0; n < 1.5 * MANY; n++) entries.set(`content/pages/other-${n}.yaml`, other);
  mkdirSync(join(site.dir, ".git/cms"), { recursive: true });
  writeFileSync(join(site.dir, ".git/cms/stat.cache"), encodeStats("", entries));
}

it("a repository reads the files that have changed since an earlier process has seen them, and no others", async () => {
  const site = siteWith(Object.fromEntries(Array.from({ length: COUNT }, (_, n) => [fileOf(n), ""])));
  for (let n = 0; n < COUNT; n++) save(site, n, `a: ${n}\n`);
  writeStatCache(site);
  save(site, 1, "b: 1\n"); // as long as before, with the same modification time
  rmSync(join(site.dir, fileOf(2)));
  save(site, COUNT, "c: 1\n");
  const { openGitRepo } = (await built("repo")) as typeof import("../../../src/store/git/repo.ts");
  const repo = await openGitRepo(site.dir, { env: quietEnv() });
  onTestFinished(() => repo.close());
  const found = await repo.files(["content", "README.md"]);
  const hashed = (n: number): string => site.git("hash-object", fileOf(n)).trim();
  expect(Object.fromEntries(Array.from(found, ([path, { oid }]) => [path, oid]))).toEqual({
    [fileOf(0)]: "0".repeat(40),
    [fileOf(1)]: hashed(1),
    [fileOf(3)]: "3".repeat(40),
    [fileOf(4)]: "4".repeat(40),
    [fileOf(COUNT)]: hashed(COUNT),
  });
  const { size, mtimeMs } = lstatSync(join(site.dir, fileOf(3)));
  expect(found.get(fileOf(3))).toEqual({ oid: "3".repeat(40), size, mtimeMs: Math.floor(mtimeMs) });
});
