/** `cms build` as a pipeline runs it: from a fresh shallow clone, with a folder it keeps, on a schedule (docs/build.md). */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn } from "../../static-site/build-site.ts";
import { cms, emptyFolder, PAGE, site } from "../process.ts";

const manyPages = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`content/pages/p${n}.yaml`, PAGE(1000 + n, `P${n}`)]));

/** A clone as pipelines make it. */
function shallowClone(dir: string): string {
  const clone = join(emptyFolder(), "clone");
  execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${dir}`, clone]);
  return clone;
}

describe("cms build in a pipeline", () => {
  it("has the same output from a shallow clone as from the whole history", async () => {
    const made = site(manyPages());
    made.save("content/pages/about.yaml", PAGE(12, "About").replace("title: About", "title: About us"));
    made.git("commit", "--quiet", "--all", "--message=Rename");
    const [here, there] = [join(emptyFolder(), "out"), join(emptyFolder(), "out")];
    expect(await cms(["build", "--root", made.dir, "--out", here, "--quiet"])).toMatchObject({ code: 0, err: "" });
    expect(await cms(["build", "--root", shallowClone(made.dir), "--out", there, "--quiet"])).toMatchObject({
      code: 0,
      err: "",
    });
    expect(filesIn(there)).toEqual(filesIn(here));
  });

  it("keeps parsed content in --cache for the next clone, with the same output", async () => {
    const made = site(manyPages());
    const cache = join(emptyFolder(), "cache");
    const build = async (root: string): Promise<Map<string, string>> => {
      const out = join(emptyFolder(), "out");
      expect(await cms(["build", "--root", root, "--out", out, "--cache", cache, "--quiet"])).toMatchObject({
        code: 0,
        err: "",
      });
      return filesIn(out);
    };
    const first = await build(shallowClone(made.dir));
    const kept = join(cache, "content.cache");
    expect(statSync(kept).size).toBeGreaterThan(1_000);
    const clone = shallowClone(made.dir);
    expect(await build(clone)).toEqual(first);
    expect(readFileSync(join(clone, ".git/cms/content.cache")).equals(readFileSync(kept))).toBe(true);
    // A page that has changed meanwhile is what it is now.
    made.save("content/pages/p3.yaml", PAGE(1003, "P3").replace("title: P3", "title: Changed"));
    made.git("commit", "--quiet", "--all", "--message=Change");
    expect((await build(shallowClone(made.dir))).get("p3/index.html")).toBe("<h1>Changed</h1>");
  });

  it("ignores an invalid file in --cache", async () => {
    const made = site(manyPages());
    const cache = emptyFolder();
    writeFileSync(join(cache, "content.cache"), "nonsense");
    const out = join(emptyFolder(), "out");
    expect(await cms(["build", "--root", made.dir, "--out", out, "--cache", cache, "--quiet"])).toMatchObject({
      code: 0,
      err: "",
    });
    expect(existsSync(join(out, "p3/index.html"))).toBe(true);
  });

  it("publishes due drafts first with --publish-due, and not without it", async () => {
    const made = site({
      "content/pages/about.draft.en.yaml":
        "language: en\nscheduled_for: 2026-02-01T00:00:00.000Z\ncreated_at: 2026-01-03T00:00:00.000Z\nupdated_at: 2026-01-03T00:00:00.000Z\npayload:\n  title: About, in spring\n",
    });
    const out = join(emptyFolder(), "out");
    expect(await cms(["build", "--root", made.dir, "--out", out, "--quiet"])).toMatchObject({ code: 0 });
    expect(readFileSync(join(out, "about/index.html"), "utf8")).toBe("<h1>About</h1>");
    const commits = (): string[] => made.git("log", "--format=%s").trim().split("\n");
    const before = commits();
    expect(await cms(["build", "--root", made.dir, "--out", out, "--publish-due", "--quiet"])).toMatchObject({
      code: 0,
      err: "",
    });
    expect(readFileSync(join(out, "about-in-spring/index.html"), "utf8")).toBe("<h1>About, in spring</h1>");
    expect(existsSync(join(out, "about"))).toBe(false);
    expect(readFileSync(join(out, "_redirects"), "utf8")).toBe(
      "/about /about-in-spring/ 301\n/about/ /about-in-spring/ 301\n",
    );
    expect(commits().length).toBe(before.length + 1);
    expect(made.git("status", "--porcelain")).toBe("");
  });

  it("pushes what --publish-due has published, and says so where it stays in the clone", async () => {
    const made = site({
      "content/pages/about.draft.en.yaml": "scheduled_for: 2026-02-01T00:00:00Z\npayload:\n  title: Spring\n",
    });
    const origin = join(emptyFolder(), "origin.git");
    made.git("clone", "--quiet", "--bare", made.dir, origin);
    const inOrigin = (...args: string[]): string =>
      execFileSync("git", ["-C", origin, ...args], { encoding: "utf8" }).trim();
    const clone = (): string => {
      const dir = join(emptyFolder(), "clone");
      execFileSync("git", ["clone", "--quiet", `file://${origin}`, dir]);
      return dir;
    };
    const build = (root: string) =>
      cms(["build", "--root", root, "--out", join(emptyFolder(), "out"), "--publish-due"]);
    const [late, ahead, lonely, pushing] = [clone(), clone(), clone(), clone()];
    const begin = inOrigin("rev-parse", "main");

    execFileSync("git", ["-C", lonely, "remote", "remove", "origin"]);
    expect((await build(lonely)).err).toContain('stay in this clone: There is no remote "origin"');
    const commit = ["-c", "user.name=Pat", "-c", "user.email=pat@example.org", "commit", "--quiet", "--allow-empty"];
    execFileSync("git", ["-C", ahead, ...commit, "--message=Not pushed yet"]);
    expect((await build(ahead)).err).toContain("which was not as origin/main before: run `cms sync`.");
    expect(inOrigin("rev-parse", "main")).toBe(begin);

    const pushed = await build(pushing);
    expect([pushed.code, pushed.err]).toEqual([0, expect.not.stringContaining("stay in this clone")]);
    expect(inOrigin("log", "--format=%an %s", `${begin}..main`)).toMatch(/^git-cms .*Spring/);
    expect(
      execFileSync("git", ["-C", pushing, "status", "--porcelain=v2", "--branch"], { encoding: "utf8" }),
    ).toContain("# branch.ab +0 -0");

    const refused = await build(late);
    expect(refused.code).toBe(0);
    expect(refused.err).toContain("stay in this clone: origin/main has newer commits. Run `cms sync`.");
  });

  it("copies a media file again only when it changed", async () => {
    const made = site({ "media/a.txt": "a", "media/b.txt": "b" });
    const out = join(emptyFolder(), "out");
    const report = async (): Promise<{ written: number }> =>
      JSON.parse((await cms(["build", "--root", made.dir, "--out", out, "--json", "--quiet"])).out) as {
        written: number;
      };
    await report();
    const copied = join(out, "media/a.txt");
    utimesSync(copied, 1_000, 1_000);
    made.save("media/b.txt", "other");
    expect(await report()).toMatchObject({ written: 1 });
    expect(statSync(copied).mtimeMs).toBe(1_000_000);
    expect(readFileSync(join(out, "media/b.txt"), "utf8")).toBe("other");
  });
});
