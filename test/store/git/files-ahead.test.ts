/** Files written by a thread while their batch is planned. Built, as Node starts no thread from TypeScript. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Instant } from "../../../src/model/time/instant.ts";
import type { FilesAhead } from "../../../src/store/git/ahead/files-ahead.ts";
import type { Path, Repo } from "../../../src/store/repo.ts";
import { built, builtDiskFs, warningsTo } from "../built.ts";
import { gitSite, quietEnv, type GitSite } from "./git-site.ts";

async function openSite(files: Readonly<Record<Path, string>> = {}): Promise<{ site: GitSite; repo: Repo }> {
  const site = gitSite({ "content/a.yaml": "a: 1\n", ...files });
  onTestFinished(() => site.remove());
  const { openGitRepo } = (await built("repo")) as typeof import("../../../src/store/git/repo.ts");
  const repo = await openGitRepo(site.dir, { env: quietEnv() });
  onTestFinished(() => repo.close());
  return { site, repo };
}

const COUNT = 300;
const pathOf = (n: number): Path => `content/pages/${n % 3}/page-${n}.yaml`;
const newFiles = (): Map<Path, Uint8Array> =>
  new Map(Array.from({ length: COUNT }, (_, n) => [pathOf(n), Buffer.from(`title: Page ${n}\n`.repeat(1 + (n % 40)))]));

const commit = async (repo: Repo, changes: ReadonlyMap<Path, Uint8Array>) =>
  repo.commit({
    base: (await repo.state()).head,
    commits: [
      { author: { name: "E", email: "e@e.org" }, at: "2026-01-01T00:00:00.000Z" as Instant, message: "Add", changes },
    ],
    expect: new Map([...changes.keys()].map((path) => [path, null])),
  });

/** The temporary files of the process. */
const temporaries = (site: GitSite): string[] => {
  const run = join(site.dir, ".git/cms/run");
  const folders = existsSync(run) ? readdirSync(run) : [];
  return folders.flatMap((folder) =>
    readdirSync(join(run, folder)).flatMap((name) => (name.startsWith("new-") ? [join(run, folder, name)] : [])),
  );
};

/** So many files go to the thread at once; those that are left are written by the main thread. */
const SENT = 256;
const written = (site: GitSite): Promise<void> =>
  vi.waitFor(() => expect(temporaries(site)).toHaveLength(SENT), { timeout: 20_000 });

function expectCommitted(site: GitSite, files: ReadonlyMap<Path, Uint8Array>): void {
  for (const [path, content] of files) expect(site.text(path), path).toBe(Buffer.from(content).toString());
  expect(site.git("status", "--porcelain")).toBe("");
  expect(site.complaints()).toBe("");
  expect(temporaries(site)).toEqual([]);
}

it("are those of the commit, without being written again", async () => {
  const { site, repo } = await openSite();
  const files = newFiles();
  for (const [path, content] of files) repo.ahead!.add(path, content);
  await written(site);
  expect(site.git("status", "--porcelain")).toBe("");
  const early = new Set(temporaries(site).map((path) => statSync(path).ino));
  expect(await commit(repo, files)).toMatchObject({ made: true });
  await repo.ahead!.discard();
  expectCommitted(site, files);
  const inodes = [...files.keys()].map((path) => statSync(join(site.dir, path)).ino);
  expect(inodes.filter((ino) => early.has(ino))).toHaveLength(SENT);
});

it("committed at once, are written by both threads", async () => {
  const { site, repo } = await openSite();
  const files = newFiles();
  for (const [path, content] of files) repo.ahead!.add(path, content);
  expect(await commit(repo, files)).toMatchObject({ made: true });
  await repo.ahead!.discard();
  expectCommitted(site, files);
});

it("are removed where the plan came to something else", async () => {
  const { site, repo } = await openSite();
  for (const [path, content] of newFiles()) repo.ahead!.add(path, content);
  await written(site);
  const others = new Map(
    [...newFiles()].map(([path, content]) => [path, Buffer.from(`other: true\n${String(content)}`)]),
  );
  expect(await commit(repo, others)).toMatchObject({ made: true });
  await repo.ahead!.discard();
  expectCommitted(site, others);
});

it("are removed where nothing is committed, and the next plan begins anew", async () => {
  const { site, repo } = await openSite();
  const files = newFiles();
  for (const attempt of [1, 2]) {
    for (const [path, content] of files) repo.ahead!.add(path, content);
    await written(site);
    await repo.ahead!.discard();
    expect([attempt, temporaries(site)]).toEqual([attempt, []]);
  }
  await repo.close();
  expect(readdirSync(join(site.dir, ".git/cms/run"))).toEqual([]);
});

it("have the ends of lines of the checkout", async () => {
  const { site, repo } = await openSite({ ".gitattributes": "*.yaml text eol=crlf\n", "content/a.yaml": "a: 1\n" });
  const files = newFiles();
  for (const [path, content] of files) repo.ahead!.add(path, content);
  await written(site);
  expect(await commit(repo, files)).toMatchObject({ made: true });
  await repo.ahead!.discard();
  expect(site.text(pathOf(7))).toContain("title: Page 7\r\n");
  expect(temporaries(site)).toEqual([]);
});

it("are written again where somebody removed them", async () => {
  const { site, repo } = await openSite();
  const files = newFiles();
  for (const [path, content] of files) repo.ahead!.add(path, content);
  await written(site);
  for (const folder of readdirSync(join(site.dir, ".git/cms/run")))
    rmSync(join(site.dir, ".git/cms/run", folder), { recursive: true });
  expect(await commit(repo, files)).toMatchObject({ made: true });
  await repo.ahead!.discard();
  expectCommitted(site, files);
});

it("have the permissions that a checkout gives", async () => {
  const { site, repo } = await openSite();
  const files = newFiles();
  for (const [path, content] of files) repo.ahead!.add(path, content);
  await written(site);
  await commit(repo, files);
  await repo.ahead!.discard();
  const modes = new Set([...files.keys()].map((path) => statSync(join(site.dir, path)).mode & 0o777));
  expect([...modes]).toEqual([0o666 & ~process.umask()]);
});

/** The files without a repository, so that the thread can be another. */
async function openAhead(thread?: URL): Promise<{ ahead: FilesAhead; said: string[]; dir: string }> {
  const { site } = await openSite();
  const { openFilesAhead } = (await built(
    "ahead/files-ahead",
  )) as typeof import("../../../src/store/git/ahead/files-ahead.ts");
  const diskFs = await builtDiskFs();
  const said: string[] = [];
  const log = warningsTo(said);
  const dir = join(site.dir, "scratch");
  await diskFs.mkdir(dir, 0o700);
  const scratch = { folder: async () => ({ dir, ownerFile: "", ino: 0n }) } as never;
  const ahead = openFilesAhead({ fs: diskFs, scratch, log, ...(thread && { thread }) });
  onTestFinished(() => ahead.discard());
  return { ahead, said, dir };
}

it.each([
  ["throws", "throw new Error('broken')"],
  ["ends without a word", "setImmediate(() => process.exit(1))"],
])("a thread that %s leaves them to the main thread", async (_name, program) => {
  const { ahead, said, dir } = await openAhead(new URL(`data:text/javascript,${program}`));
  const files = newFiles();
  for (const [path, content] of files) ahead.add(path, content);
  for (const [path, content] of files) expect(await ahead.take(path, content)).toBeUndefined();
  await ahead.settled();
  expect(said).toEqual([
    expect.stringMatching(/^The thread for new files failed \(.+\): the main thread does its work\.$/),
  ]);
  ahead.add("content/a.yaml", Buffer.from("a: 2\n"));
  await ahead.settled();
  expect(readdirSync(dir)).toEqual([]);
});

it("a file that cannot be written is left to the main thread, and nothing stays of it", async () => {
  const { ahead, dir } = await openAhead();
  const files = newFiles();
  rmSync(dir, { recursive: true });
  for (const [path, content] of files) ahead.add(path, content);
  for (const [path, content] of files) expect(await ahead.take(path, content)).toBeUndefined();
  await ahead.discard();
  expect(existsSync(dir)).toBe(false);
});

it("all that were added are written once they are waited for, and say what was written", async () => {
  const { ahead, dir } = await openAhead();
  const files = newFiles();
  for (const [path, content] of files) ahead.add(path, content);
  await ahead.settled();
  for (const [path, content] of files) {
    const staged = await ahead.take(path, content);
    const { ino, mtimeNs, size } = statSync(staged!.temporary, { bigint: true });
    expect(staged!.stat).toEqual({ ino, mtimeNs, size });
    expect(readFileSync(staged!.temporary, "utf8")).toBe(Buffer.from(content).toString());
  }
  expect(readdirSync(dir)).toHaveLength(COUNT);
});
