/** `cms init`, as a person runs it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GIT_ENV } from "../../store/git/git-site.ts";
import { cms, emptyFolder, serve } from "../process.ts";

const git = (dir: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd: dir, env: GIT_ENV, encoding: "utf8" });

describe("cms init", { timeout: 60_000 }, () => {
  it("makes a site that is committed, clean, checked and served", async () => {
    const dir = join(emptyFolder(), "site");
    const made = await cms(["init", dir]);
    expect(made).toMatchObject({ code: 0, out: "" });
    expect(made.err).toContain(
      `Made a site in ${dir} (en, it), first commit ${git(dir, "rev-parse", "HEAD").slice(0, 10)}.\n`,
    );
    expect(git(dir, "log", "--format=%s|%cn")).toBe("Start the site|git-cms\n");
    expect(git(dir, "status", "--porcelain")).toBe("");
    expect(git(dir, "fsck", "--full", "--strict")).toBe("");
    expect(git(dir, "symbolic-ref", "--short", "HEAD")).toBe("main\n");
    // Settings of the repository that do not fit the file system make git lose files whose names differ by case.
    const plain = emptyFolder();
    git(plain, "init", "--quiet");
    const core = (of: string): string => git(of, "config", "--local", "--get-regexp", "^core");
    expect(core(dir)).toBe(core(plain));
    // On a slow machine its progress stands before the result.
    const checked = await cms(["check", "--root", dir]);
    expect(checked).toEqual({ code: 0, out: "", err: expect.stringMatching(/No problems\.\n$/) });
    const server = await serve(dir);
    for (const path of ["", "it/", "api/cms/pages-router/", "healthz"])
      expect([path, (await server.ask("GET", path)).status]).toEqual([path, 200]);
    expect((await server.ask("GET", "nowhere/")).status).toBe(404);
    expect(await server.stop()).toBe(0);
    expect(git(dir, "status", "--porcelain")).toBe("");
  });

  it("--bare-site leaves the example out", async () => {
    const dir = join(emptyFolder(), "Small & fine");
    expect((await cms(["init", dir, "--bare-site"])).code).toBe(0);
    expect(readdirSync(dir).sort()).toEqual([
      ".git",
      ".gitattributes",
      ".github",
      ".gitignore",
      ".vscode",
      "cms.config.yaml",
      "content",
      "package.json",
      "static",
      "templates",
    ]);
    expect(readdirSync(join(dir, "content/pages"))).toEqual(["home.yaml"]);
    expect(readFileSync(join(dir, ".gitignore"), "utf8")).toContain("dist/\n");
    expect((await cms(["check", "--root", dir])).code).toBe(0);
    const server = await serve(dir);
    const home = await server.ask("GET", "");
    expect([home.status, home.body]).toEqual([200, expect.stringContaining("<h1>Small &amp; fine</h1>")]);
    expect((await server.ask("GET", "it/")).status).toBe(200);
  });

  it("--bare-site serves and builds its home page and the first article in every language", async () => {
    const dir = join(emptyFolder(), "site");
    expect((await cms(["init", dir, "--bare-site", "--languages", "en,it"])).code).toBe(0);
    mkdirSync(join(dir, "content/articles"), { recursive: true });
    mkdirSync(join(dir, "content/page-models"), { recursive: true });
    writeFileSync(join(dir, "content/page-models/event.yaml"), "schema:\n  - { name: seats, kind: integer }\n");
    const published = "published_at: 2026-01-01T00:00:00Z";
    writeFileSync(
      join(dir, "content/articles/fog.yaml"),
      `id: 7\ntranslations:\n  en: { title: Fog, content: "It **came** in.", ${published} }\n  it: { title: Nebbia, ${published} }\n`,
    );
    writeFileSync(
      join(dir, "content/pages/night.yaml"),
      `id: 8\nmodel: event\ntranslations:\n  en: { title: Night, ${published}, template_data: { seats: 5 } }\n`,
    );
    git(dir, "add", ".");
    git(dir, "-c", "user.name=Pat", "-c", "user.email=pat@example.org", "commit", "--quiet", "-m", "First article");
    expect(await cms(["check", "--root", dir])).toMatchObject({ code: 0, err: "1 warning.\n" });
    const server = await serve(dir);
    const paths = ["", "it/", "fog/", "it/nebbia/", "night/"];
    for (const path of paths) expect([path, (await server.ask("GET", path)).status]).toEqual([path, 200]);
    expect((await server.ask("GET", "")).body).toContain('href="/fog/"');
    expect((await server.ask("GET", "it/")).body).toContain('href="/it/nebbia/"');
    expect((await server.ask("GET", "fog/")).body).toContain("<strong>came</strong>");
    expect((await server.ask("GET", "nowhere/")).body).toContain("<h1>/nowhere/</h1>");
    expect(await server.stop()).toBe(0);
    const built = await cms(["build", "--root", dir]);
    expect([built.code, built.err]).toEqual([0, expect.stringContaining("Built 5 pages")]);
    for (const path of paths) expect(existsSync(join(dir, "dist", path, "index.html"))).toBe(true);
  });

  it.each([
    [["--languages", "it,en"], "it", ["it", "en"]],
    [["--languages", "en,it", "--default-language", "it"], "it", ["en", "it"]],
    [["--languages", "de, pt-BR"], "de", ["de", "pt-BR"]],
    [["--languages", "fr"], "fr", ["fr"]],
  ])("takes %j", async (flags, standard, languages) => {
    const dir = join(emptyFolder(), "site");
    expect((await cms(["init", dir, ...flags])).code).toBe(0);
    expect((await cms(["check", "--root", dir])).code).toBe(0);
    const server = await serve(dir);
    const { body } = await server.ask("GET", "api/cms/languages/");
    expect([body.language_code, body.languages.map((one: { id: string }) => one.id)]).toEqual([standard, languages]);
    for (const lang of languages)
      expect((await server.ask("GET", lang === standard ? "" : `${lang.toLowerCase()}/`)).status).toBeLessThan(303);
  });

  it("works in an empty folder and in a new repository", async () => {
    const dir = emptyFolder();
    git(dir, "init", "--quiet", "--initial-branch=trunk");
    expect((await cms(["init", ".", "--bare-site", "--quiet"], { cwd: dir })).err).toBe("");
    expect(git(dir, "log", "--format=%s", "trunk")).toBe("Start the site\n");
    expect(git(dir, "status", "--porcelain")).toBe("");
  });

  it("adds what is missing beside a package.json, replaces nothing and commits nothing", async () => {
    const dir = emptyFolder();
    const manifest = { name: "shop", scripts: { build: "astro build" }, dependencies: { astro: "1" } };
    writeFileSync(join(dir, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(dir, ".gitignore"), "node_modules\n*.log");
    const made = await cms(["init", dir]);
    expect(made).toMatchObject({ code: 0, out: "" });
    expect(made.err).toContain(`Added to ${dir}: cms.config.yaml, .gitignore, .gitattributes, package.json,`);
    expect(made.err).toContain('package.json keeps its own script "build": `npx cms build` is the site\'s.');
    expect(made.err.match(/keeps its own/g)).toHaveLength(1);
    expect(JSON.parse(readFileSync(join(dir, "package.json"), "utf8"))).toEqual({
      name: "shop",
      scripts: { serve: "cms serve", build: "astro build", check: "cms check" },
      dependencies: { astro: "1", "git-cms": expect.stringMatching(/^\^\d/) },
    });
    expect(readFileSync(join(dir, ".gitignore"), "utf8")).toBe(
      "node_modules\n*.log\ndist/\n.cms-cache/\n.cms/\n.env\n",
    );
    expect(git(dir, "status", "--porcelain")).not.toContain("A ");
    expect(await cms(["check", "--root", dir])).toMatchObject({
      code: 0,
      err: expect.stringMatching(/No problems\.\n$/),
    });
    expect((await (await serve(dir)).ask("GET", "")).status).toBe(200);
    expect(await cms(["init", dir])).toMatchObject({ code: 1, err: expect.stringContaining("is a site already") });
  });

  it("adds a starter that is named beside a package.json, and replaces no file", async () => {
    const dir = emptyFolder();
    writeFileSync(join(dir, "package.json"), "{}");
    mkdirSync(join(dir, "static/css"), { recursive: true });
    writeFileSync(join(dir, "static/css/site.css"), "mine");
    const made = await cms(["init", dir, "--starter", "blog"]);
    expect([made.code, made.err]).toEqual([
      0,
      expect.stringMatching(/package\.json,.* content\/, media\/, templates\/, static\//),
    ]);
    expect(readFileSync(join(dir, "static/css/site.css"), "utf8")).toBe("mine");
    expect(existsSync(join(dir, "content/pages/home.yaml"))).toBe(true);
    expect(await cms(["check", "--strict", "--quiet", "--root", dir])).toMatchObject({ code: 0, out: "" });
  });

  it("adds what is missing in a repository with files", async () => {
    const dir = emptyFolder();
    git(dir, "init", "--quiet", "--initial-branch=main");
    writeFileSync(join(dir, "README.md"), "Mine");
    expect((await cms(["init", dir])).code).toBe(0);
    expect(readFileSync(join(dir, "README.md"), "utf8")).toBe("Mine");
    expect(existsSync(join(dir, "content/pages/home.yaml"))).toBe(true);
  });

  it("writes a workflow whose commands need no lock file and no secret", async () => {
    const dir = join(emptyFolder(), "My Site");
    expect((await cms(["init", dir, "--bare-site"], { env: { npm_command: "exec" } })).err).toContain(
      " && npm install && npx git-cms serve\n",
    );
    expect(JSON.parse(readFileSync(join(dir, "package.json"), "utf8")).name).toBe("my-site");
    const workflow = readFileSync(join(dir, ".github/workflows/site.yml"), "utf8");
    expect(workflow).toContain("- run: npm install\n");
    expect(workflow).not.toMatch(/npm ci|secrets\./);
  });

  describe("refuses, and leaves everything as it was", () => {
    it.each([
      [["--languages", "en,xx_"], '"xx_" is no language code such as en or pt-BR.'],
      [["--languages", ","], "--languages names at least one language."],
      [["--languages", "en,EN"], "--languages names one language twice."],
      [["--languages", "en", "--default-language", "fr"], "--default-language fr is not among en."],
    ])("%j", async (flags, sentence) => {
      const dir = join(emptyFolder(), "site");
      expect(await cms(["init", dir, ...flags])).toEqual({ code: 2, out: "", err: `error: ${sentence}\n` });
      expect(existsSync(dir)).toBe(false);
    });

    it("a folder that is not empty, a file, and a folder that cannot be made", async () => {
      const dir = emptyFolder();
      writeFileSync(join(dir, "mine.txt"), "mine");
      mkdirSync(join(dir, "empty"));
      expect(await cms(["init", dir])).toMatchObject({
        code: 1,
        err: `error: ${dir} is not empty: name a new folder, or clear this one first.\n`,
      });
      expect(await cms(["init", join(dir, "mine.txt")])).toMatchObject({
        code: 1,
        err: `error: ${join(dir, "mine.txt")} is a file: name a new folder.\n`,
      });
      const below = await cms(["init", join(dir, "mine.txt", "site")]);
      expect(below.code).toBe(1);
      expect(below.err).toMatch(/^error: \S+ cannot be made \(.*\): name a folder you may write in\.\n$/);
      expect(readdirSync(dir).sort()).toEqual(["empty", "mine.txt"]);
    });

    it("a call without a folder", async () => {
      const { code, err } = await cms(["init"]);
      expect([code, err]).toEqual([2, expect.stringContaining("Name the folder of the site: `cms init my-site`")]);
    });
  });
});
