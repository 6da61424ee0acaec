/** Git LFS with the built command: a new site that uses it, and a server on a clone without the files. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GIT_ENV } from "../store/git-site.ts";
import { HAS_GIT_LFS } from "../support/git-lfs.ts";
import { cms, emptyFolder, eventually, serve } from "./process.ts";

const gitIn =
  (dir: string) =>
  (...args: string[]): string =>
    execFileSync("git", args, { cwd: dir, env: GIT_ENV, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

describe.skipIf(!HAS_GIT_LFS)("Git LFS", () => {
  it("keeps the media of a new site, and a server fetches what its clone lacks", { timeout: 60_000 }, async () => {
    const origin = join(emptyFolder(), "site");
    expect(await cms(["init", origin, "--lfs"])).toMatchObject({ code: 0 });
    const git = gitIn(origin);
    const [file = ""] = git("lfs", "ls-files", "--name-only").split("\n");
    expect(file).toMatch(/^media\/.+\.(jpg|png|webp|svg)$/);
    expect(git("show", `HEAD:${file}`)).toMatch(/^version https:\/\/git-lfs/);
    expect(git("status", "--porcelain")).toBe("");
    expect(git("lfs", "fsck")).toContain("Git LFS fsck OK");
    expect(git("config", "filter.lfs.clean")).toContain("git-lfs clean");

    const clone = emptyFolder();
    const there = gitIn(clone);
    there("init", "--quiet", "--initial-branch=main");
    there("lfs", "install", "--local", "--skip-smudge");
    there("remote", "add", "origin", `file://${origin}`);
    there("pull", "--quiet", "--set-upstream", "origin", "main");
    expect(readFileSync(join(clone, file), "utf8")).toMatch(/^version https:\/\/git-lfs/);
    const server = await serve(clone);
    const wanted = readFileSync(join(origin, file));
    await eventually(async () => {
      const response = await fetch(`${server.url}${file}`);
      return Buffer.from(await response.arrayBuffer()).equals(wanted);
    });
    await eventually(async () => (await server.ask("GET", "healthz")).body.problems === 0);
    expect(await server.stop()).toBe(0);
    expect(there("status", "--porcelain")).toBe("");
  });
});
