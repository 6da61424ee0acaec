/** A start trusts what the one before has seen of a file only while size, times and inode are the same. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { diskFs, type Fs } from "../../../src/store/git/fs.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";

const COUNT = 60;
let root: string;
let read: string[];
const fs: Fs = {
  ...diskFs,
  async readRegular(path) {
    read.push(path.slice(root.length + 1));
    return diskFs.readRegular(path);
  },
};

const file = (n: number): string => `content/p${n}.yaml`;
const long = new Date(Date.now() - 60_000);
function save(n: number, text: string): void {
  writeFileSync(join(root, file(n)), text);
  utimesSync(join(root, file(n)), long, long);
}
/** Ids by path, as a program sees them that starts now; `read` has the files it had to read. */
async function look(): Promise<Map<string, string>> {
  read = [];
  const repo = await openGitRepo(root, { fs });
  const found = await repo.files(["content"]);
  await repo.close();
  return new Map([...found].map(([path, { oid }]) => [path, oid]));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cms-looks-"));
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  mkdirSync(join(root, "content"));
  for (let n = 0; n < COUNT; n++) save(n, `a: ${n}\n`);
});
afterEach(() => rmSync(root, { recursive: true }));

it("reads each file once, over any number of starts", async () => {
  const first = await look();
  expect(read).toHaveLength(COUNT);
  expect(await look()).toEqual(first);
  expect(read).toEqual([]);
});

it("knows files of any name again", async () => {
  const names = ["a b.yaml", 'è "x".yaml', '"q.yaml', "nel\u0085.yaml"];
  for (const name of names) {
    writeFileSync(join(root, "content", name), name);
    utimesSync(join(root, "content", name), long, long);
  }
  const first = await look();
  expect(read).toHaveLength(COUNT + names.length);
  expect(await look()).toEqual(first);
  expect(read).toEqual([]);
});

it.each<[string, () => void]>([
  ["another size", () => save(7, "b: 17\n")],
  ["the same size and time", () => save(7, "b: 7\n")],
  [
    "another file of that name",
    () => {
      save(99, "b: 7\n");
      renameSync(join(root, file(99)), join(root, file(7)));
    },
  ],
])("reads a file again that has %s", async (_what, change) => {
  const before = await look();
  change();
  const after = await look();
  expect(read).toEqual([file(7)]);
  expect(after.get(file(7))).toBe(
    execFileSync("git", ["hash-object", join(root, file(7))], { encoding: "utf8" }).trim(),
  );
  expect(after.get(file(7))).not.toBe(before.get(file(7)));
});

it.each([
  "",
  "git-cms stat-cache 1\nnonsense\n",
  '{"format":"git-cms stat-cache 3","fingerprint":"","count":0,"bytes":0}\n',
  '{"format":"git-cms stat-cache 2","fingerprint":"","count":2,"bytes":9}\nnonsense\n',
])("reads all again when what was kept is %j", async (text) => {
  const before = await look();
  const kept = join(root, ".git/cms/stat.cache");
  writeFileSync(kept, text === "" ? readFileSync(kept).subarray(0, -20) : text);
  expect(await look()).toEqual(before);
  expect(read).toHaveLength(COUNT);
  expect(readdirSync(join(root, ".git/cms")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});
