/** Names of tags and branches, loose and packed. */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { parseInstant } from "../../../src/model/time/instant.ts";
import { diskFs, type Fs } from "../../../src/store/git/fs.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import type { Repo } from "../../../src/store/repo.ts";
import { temporaryFolder } from "../../site.ts";
import { gitSite, quietEnv, type GitSite } from "../git/git-site.ts";

let site: GitSite;
let repo: Repo;
/** Paths of the calls since the last look. */
let calls: string[];
let head: string;

beforeEach(async () => {
  site = gitSite({ "content/a.yaml": "a: 1\n" });
  onTestFinished(() => site.remove());
  calls = [];
  const fs: Fs = {
    ...diskFs,
    readFile: (path) => (calls.push(path), diskFs.readFile(path)),
    readdir: (path) => (calls.push(path), diskFs.readdir(path)),
  };
  repo = await openGitRepo(site.dir, { env: quietEnv(), fs });
  onTestFinished(() => repo.close());
  head = site.git("rev-parse", "HEAD").trim();
});

it("follows tags, branches and branches of remotes, loose and packed, tags first", async () => {
  site.git("tag", "v1");
  site.git("tag", "-a", "v1-annotated", "-m", "One");
  site.git("branch", "feature/one");
  site.git("update-ref", "refs/remotes/origin/main", head);
  const names = ["v1", "v1-annotated", "feature/one", "origin/main"];
  for (const name of names) expect([name, await repo.resolveRevision(name)]).toEqual([name, head]);
  site.git("pack-refs", "--all");
  for (const name of names) expect([name, await repo.resolveRevision(name)]).toEqual([name, head]);
  site.save("content/a.yaml", "a: 2\n");
  site.git("commit", "-qam", "Two");
  const two = site.git("rev-parse", "HEAD").trim();
  site.git("branch", "-f", "feature/one");
  expect(await repo.resolveRevision("feature/one")).toBe(two);
  site.git("branch", "v1");
  expect(await repo.resolveRevision("v1")).toBe(head);
  site.git("tag", "-d", "v1");
  expect(await repo.resolveRevision("v1")).toBe(two);
});

it("follows the parents of a merge", async () => {
  site.git("switch", "-qc", "side");
  site.save("content/b.yaml", "b: 1\n");
  site.git("add", ".");
  site.git("commit", "-qm", "Beside");
  site.git("switch", "-q", "main");
  site.git("merge", "-q", "--no-ff", "-m", "Merge", "side");
  for (const name of ["HEAD^", "main~", "HEAD^2", "HEAD^2~1", "HEAD^0"])
    expect([name, await repo.resolveRevision(name)]).toEqual([name, site.git("rev-parse", name).trim()]);
  for (const name of ["HEAD^3", "HEAD~2"]) expect([name, await repo.resolveRevision(name)]).toEqual([name, undefined]);
});

it("follows HEAD, also where it is on no branch, as in a build of a pull request", async () => {
  site.git("branch", "design");
  site.save("content/a.yaml", "a: 2\n");
  site.git("commit", "-qam", "Two");
  const two = site.git("rev-parse", "HEAD").trim();
  expect(await repo.resolveRevision("HEAD")).toBe(two);
  site.git("pack-refs", "--all");
  expect(await repo.resolveRevision("HEAD")).toBe(two);
  site.git("checkout", "-q", "--detach", "design");
  expect(await repo.resolveRevision("HEAD")).toBe(head);
});

it("passes over what is no commit: a tag of a file, a folder of branches, a file without an id, a symbolic ref", async () => {
  site.git("tag", "file", "HEAD:content/a.yaml");
  site.git("branch", "feature/one");
  writeFileSync(join(site.dir, ".git/refs/heads/broken"), "nothing\n");
  site.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
  for (const name of ["file", "feature", "broken", "origin/HEAD"])
    expect([name, await repo.resolveRevision(name)]).toEqual([name, undefined]);
  rmSync(join(site.dir, ".git/refs/heads/broken"));
  mkdirSync(join(site.dir, ".git/refs/heads/gone"));
  appendFileSync(join(site.dir, ".git/packed-refs"), `${head} refs/heads/gone\n`);
  expect(await repo.resolveRevision("gone")).toBe(head);
});

it("costs the same however many refs there are", async () => {
  for (let n = 0; n < 20; n++) site.git("update-ref", `refs/heads/some/b${n}`, head);
  const looks = async (name: string): Promise<number> => {
    calls.length = 0;
    expect(await repo.resolveRevision(name)).toBe(head);
    return calls.filter((path) => path.includes("refs")).length;
  };
  expect(await looks("some/b7")).toBeLessThan(4);
  expect(await looks(head.slice(0, 10))).toBeGreaterThan(20);
  // That it can be reached is remembered.
  expect(await looks(head)).toBe(0);
  for (const name of [head.slice(0, 10), head.toUpperCase()]) expect(await looks(name)).toBeLessThan(7);
});

it("ends at the boundary of a shallow clone", async () => {
  site.git("-c", "user.name=P", "commit", "--allow-empty", "-qm", "Two", "--date=2026-02-01T00:00:00Z");
  const root = await temporaryFolder();
  const dir = join(root, "clone");
  site.git("clone", "-q", "--depth=1", `file://${site.dir}`, dir);
  const shallow = await openGitRepo(dir, { env: quietEnv() });
  onTestFinished(() => shallow.close());
  const newest = (await shallow.state()).head!;
  expect(await shallow.isShallow()).toBe(true);
  expect(await shallow.resolveRevision(newest)).toBe(newest);
  expect(await shallow.resolveRevision(head)).toBeUndefined();
  expect(await shallow.commitBefore(newest, parseInstant("2000-01-01T00:00:00Z")!)).toBeUndefined();
});
