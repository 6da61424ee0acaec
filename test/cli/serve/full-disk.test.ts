/** A disk that is full, and one that is read-only, as real mounts: what is there is served, and writes go on when they can. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { jpeg } from "../../media/media-site.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { bury, faultyFs } from "../../store/git/faulty-fs.ts";
import { quietEnv } from "../../store/git/git-site.ts";
import { commit } from "../../store/git/repo-contract.ts";
import { emptyFolder, eventually, PAGE, serve, site, tokenFor, type Server } from "../process.ts";

const mount = (...args: string[]): boolean => spawnSync("mount", args).status === 0;

function canMount(): boolean {
  const probe = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
  if (probe.status === 0) return true;
  process.stderr.write("full-disk.test.ts is skipped: file systems cannot be mounted here (that needs root).\n");
  return false;
}

const ABOUT = "content/pages/about.yaml";
const AFTER = PAGE(12, "About").replace("title: About", "title: After the crash");

/** A commit whose process ended before its files were written. */
async function dieAfterRef(dir: string): Promise<void> {
  const faulty = faultyFs();
  const { rename } = faulty.fs;
  const fs = {
    ...faulty.fs,
    async rename(from: string, to: string) {
      await rename(from, to);
      if (to.endsWith("refs/heads/main")) faulty.failAt(1, { kind: "killed", when: "before" });
    },
  };
  const repo = await openGitRepo(dir, { env: quietEnv(), fs });
  await commit(repo, { [ABOUT]: AFTER }).catch(() => undefined);
  await faulty.closeAll();
  bury(join(dir, ".git"));
}

/** A site on a small disk of its own, with a recovery pending; the token of an editor. */
async function siteOnDisk(): Promise<{ dir: string; token: string; fill(): void; free(): void }> {
  const disk = emptyFolder();
  if (!mount("-t", "tmpfs", "-o", "size=8m,nr_inodes=1000", "tmpfs", disk)) throw new Error("It cannot be mounted");
  onTestFinished(() => void spawnSync("umount", ["--lazy", disk]));
  const dir = join(disk, "site");
  cpSync(site().dir, dir, { recursive: true });
  const token = await tokenFor(dir);
  await dieAfterRef(dir);
  const filler = join(disk, "filler");
  const until = (work: () => void): void =>
    expect(() => {
      for (;;) work();
    }).toThrow("ENOSPC");
  return {
    dir,
    token,
    fill() {
      mkdirSync(filler);
      const file = openSync(join(filler, "bytes"), "w");
      for (const size of [65_536, 4_096]) until(() => writeSync(file, Buffer.alloc(size)));
      closeSync(file);
      // No more files and folders either.
      let n = 0;
      until(() => writeFileSync(join(filler, String(n++)), ""));
    },
    free: () => rmSync(filler, { recursive: true }),
  };
}

async function expectToServe(server: Server, reason: RegExp): Promise<void> {
  expect((await server.ask("GET", "about/")).body).toBe("<h1>About</h1>");
  const { status, body } = await server.ask("GET", "healthz");
  expect([status, body]).toEqual([
    200,
    {
      status: "read-only",
      reason: expect.stringMatching(reason),
      commit: expect.any(String),
      problems: expect.any(Number),
      failing_templates: 0,
    },
  ]);
  expect(body.reason).not.toMatch(/\/\w/);
  const answer = await server.ask("PATCH", "api/cms/pages/12/", { title_en: "Mine" });
  expect([answer.status, answer.body.detail]).toEqual([503, expect.stringMatching(reason)]);
}

async function expectToWrite(server: Server, dir: string): Promise<void> {
  const answer = await server.ask("POST", "api/cms/pages/", { title_en: "New" });
  expect([answer.status, answer.body.id]).toEqual([201, expect.any(Number)]);
  expect(readFileSync(join(dir, ABOUT), "utf8")).toBe(AFTER);
  await eventually(async () => (await server.ask("GET", "about/")).body === "<h1>After the crash</h1>");
  expect((await server.ask("GET", "healthz")).body.status).toBe("ok");
}

describe.skipIf(!canMount())("with a recovery pending", { timeout: 60_000 }, () => {
  it("a full disk is served, and written to once there is room", async () => {
    const { dir, token, fill, free } = await siteOnDisk();
    fill();
    const server = await serve(dir, [], { token });
    expect(server.said()).toContain("error: Writes are refused. The disk is full");
    expect(server.said()).toContain("  ➜ Writes   refused. The disk is full");
    await expectToServe(server, /^The disk is full: .*nothing can be written\.$/);
    free();
    await expectToWrite(server, dir);
    expect(await server.stop()).toBe(0);
  });

  it("a read-only .git is served, and written to once it can be", async () => {
    const { dir, token } = await siteOnDisk();
    const git = join(dir, ".git");
    mount("--bind", git, git);
    onTestFinished(() => void spawnSync("umount", ["--lazy", git]));
    expect(mount("-o", "remount,bind,ro", git)).toBe(true);
    const server = await serve(dir, [], { token });
    await expectToServe(server, /^The disk is read-only: .*nothing can be written\.$/);
    // Not remounted: files cannot be renamed from one mount into another, not even of one file system.
    expect(spawnSync("umount", [git]).status).toBe(0);
    await expectToWrite(server, dir);
    expect(await server.stop()).toBe(0);
  });

  it.each(["full", "read-only"])("--read-only starts and stops on a disk that is %s", async (kind) => {
    const { dir, fill } = await siteOnDisk();
    if (kind === "full") fill();
    else {
      mount("--bind", dir, dir);
      onTestFinished(() => void spawnSync("umount", ["--lazy", dir]));
      expect(mount("-o", "remount,bind,ro", dir)).toBe(true);
    }
    const server = await serve(dir, ["--read-only"]);
    expect((await server.ask("GET", "about/")).body).toBe("<h1>About</h1>");
    expect((await server.ask("GET", "healthz")).body.status).toBe("ok");
    expect(await server.stop()).toBe(0);
  });

  it("an upload to a full disk says so, also where there was none before", async () => {
    const { dir, token, fill, free } = await siteOnDisk();
    const server = await serve(dir, [], { token });
    fill();
    const bytes = await jpeg(60, 40);
    const upload = async (): Promise<{ status: number; text: string }> => {
      const form = new FormData();
      form.set("file", new Blob([Uint8Array.from(bytes)]), "picture.jpg");
      const answer = await fetch(`${server.url}api/cms/media/`, {
        method: "POST",
        headers: { authorization: `Token ${token}` },
        body: form,
      });
      return { status: answer.status, text: await answer.text() };
    };
    expect(existsSync(join(dir, ".git/cms/uploads"))).toBe(false);
    expect(await upload()).toEqual({ status: 503, text: expect.stringContaining("The disk is full") });
    free();
    expect((await upload()).status).toBe(201);
    expect(readdirSync(join(dir, ".git/cms/uploads"))).toEqual([]);
  });
});

it.skipIf(process.platform === "win32" || process.getuid?.() !== 0)(
  "a folder that another user owns is served, and not written to",
  async () => {
    const { dir } = site();
    chmodSync(dir, 0o755);
    const server = await serve(dir, [], { uid: 65_534 });
    expect((await server.ask("GET", "about/")).body).toBe("<h1>About</h1>");
    expect((await server.ask("GET", "healthz")).body).toMatchObject({
      status: "read-only",
      reason: expect.stringMatching(/^Access is denied: /),
    });
  },
);
