/** `cms build` as a command. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn } from "../../static-site/build-site.ts";
import { cms, emptyFolder, PAGE, site } from "../process.ts";

describe("cms build", () => {
  it("reports in one line, with --json as JSON", async () => {
    const { dir } = site();
    const first = await cms(["build", "--root", dir]);
    expect(first).toMatchObject({ code: 0, out: "" });
    expect(first.err).toMatch(
      /Built 1 pages into dist in [\d.]+ m?s: 1 rendered, 0 kept, 0 files removed, 0 media files\.\n$/,
    );
    const second = await cms(["build", "--root", dir, "--json", "--quiet"]);
    expect(JSON.parse(second.out)).toMatchObject({ pages: 1, rendered: 0, kept: 1, written: 0, failures: [] });
    expect(await cms(["build", "--root", dir, "--verify"])).toMatchObject({
      code: 0,
      err: expect.stringContaining("Verified: a full build makes the same."),
    });
  });

  it("exits with 1 and names page, language, template and line where one fails", async () => {
    const { dir } = site({ "templates/defaults/pages/default.html": "one\n{{ nothing() }}" });
    const ended = await cms(["build", "--root", dir]);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain("error: /about/ (en, defaults/pages/default.html:2): ");
  });

  it("reports with --verify files that were changed", async () => {
    const { dir, save } = site();
    await cms(["build", "--root", dir]);
    save("dist/about/index.html", readFileSync(join(dir, "dist/about/index.html"), "utf8").replace("A", "B"));
    expect(await cms(["build", "--root", dir, "--verify"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("about/index.html is not what a full build makes."),
    });
  });

  it.each([
    ["the site's own folder", ["--out", "."]],
    ["a folder above it", ["--out", ".."]],
    ["the content", ["--out", "content/pages"]],
    ["an unknown host", ["--redirects", "lighttpd"]],
    ["what is no address", ["--server", "nowhere"]],
    ["no threads at all", ["--jobs", "0"]],
  ])("refuses %s", async (_what, args) => {
    const { dir } = site();
    expect(await cms(["build", "--root", dir, ...args])).toMatchObject({ code: 2, out: "" });
  });

  it("writes data alone for other front ends", async () => {
    const { dir } = site({ "content/menus/main.yaml": "id: 5\nkey: main\n" });
    const out = join(emptyFolder(), "data");
    expect(await cms(["build", "--root", dir, "--out", out, "--data-only", "--quiet"])).toMatchObject({
      code: 0,
      err: "",
    });
    expect(existsSync(join(out, "about/index.html"))).toBe(false);
    expect(JSON.parse(readFileSync(join(out, "about/index.json"), "utf8"))).toMatchObject({ title: "About" });
    expect(JSON.parse(readFileSync(join(out, "_data/it/menus.json"), "utf8"))).toMatchObject({ main: { id: 5 } });
  });

  it("has the same output with several processes, and keeps all pages in the next build", async () => {
    const pages = Array.from({ length: 30 }, (_, n) => [`content/pages/p${n}.yaml`, PAGE(1000 + n, `P${n}`)]);
    const { dir } = site(
      Object.fromEntries([
        ...pages,
        [
          "templates/defaults/pages/default.html",
          "{{ page.title }}{% for child in pages_of(page) %}{{ child.title }}{% endfor %}\n{% if page.id == 1007 %}{{ nothing() }}{% endif %}",
        ],
      ]),
    );
    const built = await Promise.all(
      ["1", "3"].map(async (jobs) => {
        const out = join(emptyFolder(), "out");
        const ended = await cms(["build", "--root", dir, "--out", out, "--jobs", jobs]);
        expect(ended).toMatchObject({
          code: 1,
          err: expect.stringContaining("error: /p7/ (en, defaults/pages/default.html:2): "),
        });
        return out;
      }),
    );
    expect(filesIn(built[1]!)).toEqual(filesIn(built[0]!));
    expect(
      JSON.parse((await cms(["build", "--root", dir, "--out", built[1]!, "--jobs", "3", "--json", "--quiet"])).out),
    ).toMatchObject({ pages: 30, rendered: 1, kept: 30, written: 0 });
  });

  it("opens a large site with several processes, with the same output", { timeout: 60_000 }, async () => {
    const { dir } = site(
      Object.fromEntries(
        Array.from({ length: 1_050 }, (_, n) => [`content/pages/${n % 7}/p${n}.yaml`, PAGE(1000 + n, `P${n}`)]),
      ),
    );
    const shares = join(dir, ".git/cms/shares");
    const NOBODY = "999999999";
    const built = async (jobs: string): Promise<string> => {
      const out = join(emptyFolder(), "out");
      rmSync(join(dir, ".git/cms"), { recursive: true, force: true });
      mkdirSync(join(shares, NOBODY), { recursive: true });
      expect(await cms(["build", "--root", dir, "--out", out, "--jobs", jobs, "--quiet"])).toMatchObject({
        code: 0,
        err: "",
      });
      return out;
    };
    const [one, three] = [await built("1"), await built("3")];
    expect(filesIn(three)).toEqual(filesIn(one));
    // With everything in the caches there is nothing to read together, and whoever is first does not wait.
    expect(await cms(["build", "--root", dir, "--out", three, "--jobs", "3", "--full", "--quiet"])).toMatchObject({
      code: 0,
      err: "",
    });
    expect(filesIn(three)).toEqual(filesIn(one));
    // What they have read is there for the next start, and nothing of theirs is left, nor of a build that was killed.
    expect(JSON.parse((await cms(["build", "--root", dir, "--out", three, "--json", "--quiet"])).out)).toMatchObject({
      rendered: 0,
      kept: 1_051,
    });
    expect(readdirSync(shares)).toEqual([]);
  });

  it("builds in one process where no other can be started", { timeout: 30_000 }, async () => {
    const { dir } = site(
      Object.fromEntries(
        Array.from({ length: 1_010 }, (_, n) => [`content/pages/p${n}.yaml`, PAGE(1000 + n, `P${n}`)]),
      ),
    );
    const out = join(emptyFolder(), "out");
    const broken = join(emptyFolder(), "broken.mjs");
    writeFileSync(broken, 'process.execPath = "/nonexistent/node";\n');
    expect(
      await cms(["build", "--root", dir, "--out", out, "--jobs", "2", "--quiet"], {
        env: { NODE_OPTIONS: `--import ${broken}` },
      }),
    ).toMatchObject({ code: 0, err: "" });
    expect(existsSync(join(out, "p1009/index.html"))).toBe(true);
  });

  it("leaves payloads out with --no-json", async () => {
    const { dir } = site();
    await cms(["build", "--root", dir]);
    await cms(["build", "--root", dir, "--no-json"]);
    expect(existsSync(join(dir, "dist/about/index.html"))).toBe(true);
    expect(existsSync(join(dir, "dist/about/index.json"))).toBe(false);
  });
});
