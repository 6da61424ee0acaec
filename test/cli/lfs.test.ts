/** Git LFS with the built command: a new site that uses it, and a server on a clone without the files. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parsePointer } from "../../src/store/git/lfs/pointer.ts";
import { GIT_ENV } from "../store/git/git-site.ts";
import { HAS_GIT_LFS } from "../support/git-lfs.ts";
import { cms, emptyFolder, eventually, serve, site } from "./process.ts";

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

  it("is fetched by a build, or fails it", { timeout: 60_000 }, async () => {
    const origin = site({ ".gitattributes": "media/** filter=lfs diff=lfs merge=lfs -text\n" });
    origin.git("lfs", "install", "--local");
    origin.save("media/note.txt", "a note\n");
    origin.git("add", "--all");
    origin.git("commit", "--quiet", "--message=Media");
    const clone = join(emptyFolder(), "clone");
    // The clone is not set up for Git LFS, so git takes the pointers as they are.
    gitIn(origin.dir)("clone", "--quiet", `file://${origin.dir}`, clone);
    const there = gitIn(clone);
    there("remote", "set-url", "origin", "file:///nowhere.git");
    expect(await cms(["build", "--root", clone])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/git lfs pull/),
    });
    there("remote", "set-url", "origin", `file://${origin.dir}`);
    const { sha256 } = parsePointer(Buffer.from(there("show", "HEAD:media/note.txt")))!;
    const object = (gitDir: string): string =>
      join(gitDir, "lfs/objects", sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    // As a disk damages it: `git lfs` looks at the size only.
    const damaged = object(join(clone, ".git"));
    mkdirSync(dirname(damaged), { recursive: true });
    writeFileSync(damaged, "a goat\n");
    expect(await cms(["build", "--root", clone])).toMatchObject({ code: 0 });
    expect(readFileSync(join(clone, "dist/media/note.txt"), "utf8")).toBe("a note\n");
    expect(there("status", "--porcelain", "--untracked-files=no")).toBe("");
  });
});
