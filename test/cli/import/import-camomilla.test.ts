/** `cms import camomilla`: a dump and a running service, imported, checked, built and crawled. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn } from "../../static-site/build-site.ts";
import { temporaryFolder } from "../../site.ts";
import { GIT_ENV } from "../../store/git/git-site.ts";
import { camomillaDump, camomillaStub, mediaRoot, OLD_ADDRESSES, TOKEN } from "../../support/camomilla.ts";
import { brokenLinks } from "../../support/crawl.ts";
import { cms } from "../process.ts";

/** A new site, and what is imported into it. */
async function start() {
  const folder = await temporaryFolder();
  const root = join(folder, "site");
  const file = join(folder, "dump.json");
  writeFileSync(file, camomillaDump());
  expect(await cms(["init", root, "--bare-site", "--languages", "en,it"])).toMatchObject({ code: 0 });
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, env: GIT_ENV, encoding: "utf8" });
  const importing = (source: string, ...flags: string[]): string[] => [
    ...["import", "camomilla", source, "--root", root, "--markdown", "--site", "https://old.example", "--force"],
    ...flags,
  ];
  const commits = (): number => Number(git("rev-list", "--count", "HEAD"));
  return { root, file, importing, commits, git };
}

const SOURCES = {
  "a dump": async (file: string) => [file, "--media", await mediaRoot()],
  "a running service": async () => [(await camomillaStub()).origin, "--token", TOKEN, "--model", "product"],
};

describe("cms import camomilla", () => {
  it.each(Object.entries(SOURCES))("%s: passes the check, builds, and leaves no address dead", async (_, source) => {
    const { root, file, importing, commits } = await start();
    const [from, ...flags] = await source(file);
    const args = importing(from!, ...flags);
    const before = commits();
    const rehearsed = await cms([...args, "--dry-run"]);
    // The instance that is not valid is the only one that fails.
    expect(rehearsed).toMatchObject({ code: 1, err: expect.stringMatching(/1 not imported\. Nothing was written\./) });
    expect([commits(), existsSync(join(root, "content/articles"))]).toEqual([before, false]);
    expect((await cms(["user", "list", "--root", root])).out).not.toContain("anna");

    const done = await cms(args);
    expect(done).toMatchObject({ code: 1, err: expect.stringMatching(/\d+ added; 1 changed; 1 not imported\./) });
    expect(commits()).toBe(before + 1);
    expect((await cms(["user", "list", "--root", root])).out).toContain("anna");
    const checked = await cms(["check", "--root", root]);
    expect([checked.code, checked.out.split("\n").filter((line) => line.includes(": error: "))]).toEqual([0, []]);
    expect(await cms(["build", "--root", root])).toMatchObject({ code: 0 });

    const built = filesIn(join(root, "dist"));
    expect(brokenLinks(built)).toEqual([]);
    const redirects: { from: string; to: string }[] = JSON.parse(
      readFileSync(join(root, "dist/redirects.json"), "utf8"),
    );
    const target = new Map(redirects.map(({ from: path, to }) => [path.replace(/\/$/, ""), to]));
    const isThere = (path: string): boolean => built.has(`${path.slice(1)}${path.endsWith("/") ? "index.html" : ""}`);
    expect(OLD_ADDRESSES.length).toBeGreaterThan(60);
    expect(
      OLD_ADDRESSES.filter((path) => !isThere(path) && !isThere(target.get(path.replace(/\/$/, "")) ?? "-")),
    ).toEqual([]);
    expect([...built.values()].join("")).not.toContain("cms-import");

    expect(await cms(args)).toMatchObject({ err: expect.stringContaining("Nothing changed, no commit.") });
    expect(commits()).toBe(before + 1);
  });

  it("killed at any moment, has imported everything or nothing", async () => {
    const { root, file, importing, commits, git } = await start();
    const args = importing(file, "--media", await mediaRoot());
    const before = commits();
    for (const timeoutMs of [900, 1500, 2100]) {
      const { code } = await cms(args, { timeoutMs });
      expect(commits()).toBe(code === 1 || commits() === before + 1 ? before + 1 : before);
      expect(await cms(["check", "--root", root])).toMatchObject({ code: 0 });
    }
    expect(await cms(args)).toMatchObject({ code: 1 });
    expect(commits()).toBe(before + 1);
    expect((await cms(["user", "list", "--root", root])).out).toContain("anna");
    expect(git("status", "--porcelain")).toBe("");
  });

  it.each([
    [["no-such.json"], "There is no file no-such.json"],
    [["FILE", "--media", "/no/such/folder"], "There is no folder"],
    [["FILE", "--site", "old.example"], "--site is an address"],
    [["FILE", "--model", "../users"], "--model is a name"],
    [["http://a:b@old.example/"], "no password in the address"],
  ])("refuses %j", async (args, message) => {
    const folder = await temporaryFolder();
    const file = join(folder, "dump.json");
    writeFileSync(file, camomillaDump());
    const given = args.map((each) => (each === "FILE" ? file : each));
    const ended = await cms(["import", "camomilla", ...given, "--root", folder]);
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});
