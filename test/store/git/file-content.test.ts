/** Content that comes as a file, since it may be too large for memory. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantOf } from "../../../src/model/time/instant.ts";
import { diskFs, type Fs } from "../../../src/store/git/fs.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { memoryRepo } from "../../support/memory-repo.ts";
import { prepareFile } from "../../../src/store/git/objects/file-content.ts";
import type { Content, Repo } from "../../../src/store/repo.ts";
import { bury, faultyFs } from "./faulty-fs.ts";
import { gitSite, quietEnv, type GitSite } from "./git-site.ts";

const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7919) % 251));

let site: GitSite;
let source: string;
let folder: string;
beforeEach(() => {
  site = gitSite({ "content/home.yaml": "n: 0\n" });
  folder = mkdtempSync(join(tmpdir(), "cms-prepared-"));
  source = join(folder, "upload");
  writeFileSync(source, BYTES);
});
afterEach(() => {
  site.remove();
  rmSync(folder, { recursive: true, force: true });
});

const open = (fs?: Fs): Promise<Repo> => openGitRepo(site.dir, { env: quietEnv(), fs, lockWaitMs: 30 });

async function commit(repo: Repo, changes: Readonly<Record<string, Content | null>>) {
  const { head } = await repo.state();
  const expect = new Map<string, string | null>();
  for (const path of Object.keys(changes)) expect.set(path, await repo.oid(path));
  return repo.commit({
    base: head,
    expect,
    commits: [
      {
        author: { name: "E", email: "e@x" },
        at: instantOf(0),
        message: "Change",
        changes: new Map(Object.entries(changes)),
      },
    ],
  });
}

it("has the id that git gives it", async () => {
  expect(await prepareFile(source)).toEqual({
    file: source,
    size: BYTES.length,
    oid: site.git("hash-object", source).trim(),
  });
});

it("is committed and put in place, and git finds nothing wrong", async () => {
  const repo = await open();
  expect(
    await commit(repo, { "media/a.bin": await prepareFile(source), "content/home.yaml": Buffer.from("n: 1\n") }),
  ).toMatchObject({ made: true });
  expect(readFileSync(join(site.dir, "media/a.bin")).equals(BYTES)).toBe(true);
  expect(site.complaints()).toBe("");
  rmSync(source); // whoever made it ready removes it
  expect((await repo.read("media/a.bin"))!.bytes.length).toBe(BYTES.length);
  expect((await commit(repo, { "media/a.bin": null })).made).toBe(true);
  expect(site.complaints()).toBe("");
  await repo.close();
});

it("that moves in the working tree is one commit", async () => {
  site.save("media/a.bin", "moving");
  site.git("add", "--all");
  site.git("commit", "--quiet", "--message=a");
  const repo = await open();
  await commit(repo, { "media/b/c.bin": await prepareFile(join(site.dir, "media/a.bin")), "media/a.bin": null });
  expect([site.text("media/b/c.bin"), site.text("media/a.bin"), site.complaints()]).toEqual(["moving", undefined, ""]);
  await repo.close();
});

it.each(["EXDEV", "EPERM"])("is copied where it cannot be linked (%s)", async (code) => {
  const repo = await open({
    ...diskFs,
    link: async (from, to) =>
      from === source ? Promise.reject(Object.assign(new Error(code), { code })) : diskFs.link(from, to),
  });
  await commit(repo, { "media/a.bin": await prepareFile(source) });
  expect(site.complaints()).toBe("");
  await repo.close();
});

it("that is no longer what it was is not committed", async () => {
  const repo = await open();
  const prepared = await prepareFile(source);
  writeFileSync(source, Buffer.alloc(BYTES.length));
  const before = site.git("rev-parse", "HEAD");
  await expect(commit(repo, { "media/a.bin": prepared })).rejects.toThrow(/changed while it was being stored/);
  expect([site.git("rev-parse", "HEAD"), site.text("media/a.bin"), site.complaints()]).toEqual([before, undefined, ""]);
  await repo.close();
});

it("is taken by the repository in memory, too", async () => {
  const repo = memoryRepo({ "content/home.yaml": "n: 0\n" });
  expect(await commit(repo, { "media/a.bin": await prepareFile(source) })).toMatchObject({ made: true });
  expect((await repo.read("media/a.bin"))!.oid).toBe((await prepareFile(source)).oid);
});

describe("when the disk fails at any call", () => {
  it.each([{ kind: "error", code: "ENOSPC", lasts: true } as const, { kind: "killed", when: "half way" } as const])(
    "%j, it is there as a whole or not at all",
    { timeout: 60_000 },
    async (fault) => {
      // `faults.test.ts` fails every call of a commit; what is special about a file is among these.
      for (let call = 1; ; call += 3) {
        const faulty = faultyFs();
        const repo = await open(faulty.fs);
        const before = site.git("rev-parse", "HEAD");
        const path = `media/${call}.bin`;
        const calls = faulty.calls();
        faulty.failAt(call, fault);
        const outcome = await commit(repo, { [path]: await prepareFile(source) }).catch(() => undefined);
        const isReached = faulty.calls() - calls >= call;
        faulty.heal();
        if (fault.kind === "killed") {
          await faulty.closeAll();
          bury(join(site.dir, ".git"));
        } else await repo.close();
        const again = await open();
        const isThere = (await again.oid(path)) !== null;
        expect([call, isThere, site.complaints()]).toEqual([call, site.git("rev-parse", "HEAD") !== before, ""]);
        if (outcome?.made) expect(isThere).toBe(true);
        await again.close();
        if (!isReached) break;
      }
    },
  );
});
