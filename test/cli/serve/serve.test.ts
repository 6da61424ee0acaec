/** `cms serve` as a process: what it says, how it ends, and what bad input gets. */
import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { cms, emptyFolder, eventually, PAGE, serve, site, tokenFor } from "../process.ts";

/** No sentence for people has a stack trace in it. */
const STACK = /\n\s+at \S+ \(|node:internal|file:\/\//;

describe("cms serve", () => {
  it("says what it is, where it answers and what it serves", async () => {
    const { dir, git } = site();
    const server = await serve(dir);
    const said = server.said();
    expect(said).toMatch(/^\n {2}git-cms \d+\.\d+\.\d+ {2}ready in \d+ ms\n/);
    expect(said).toContain(
      `  ➜ Site     ${server.url}\n  ➜ Editor   ${server.url}admin/\n  ➜ API      ${server.url}api/cms/\n  ➜ Root     ${dir}\n`,
    );
    expect(said).toContain(`  ➜ Branch   main at ${git("rev-parse", "HEAD").slice(0, 10)}\n`);
    expect(said).not.toContain("Writes");
    expect(said).not.toContain("There was no account yet");
    expect((await server.ask("GET", "about/")).body).toBe("<h1>About</h1>");
    expect((await server.ask("GET", "healthz")).body).toEqual({
      status: "ok",
      commit: git("rev-parse", "HEAD").trim(),
      problems: 0,
      failing_templates: 0,
    });
    expect(await server.stop("SIGTERM")).toBe(0);
    expect(readdirSync(join(dir, ".git/cms"))).not.toContain("server.lock");
  });

  it("is quiet when it is asked to be", async () => {
    const { dir } = site();
    await expect(serve(dir, ["--quiet", "--port", "70000"])).rejects.toThrow("--port takes a number");
  });

  it("serves what changes under it", async () => {
    const { dir, save } = site();
    const server = await serve(dir);
    save("content/pages/about.yaml", PAGE(12, "About").replace("title: About", "title: By hand"));
    save("templates/defaults/pages/default.html", "<h2>{{ page.title }}</h2>");
    await eventually(async () => (await server.ask("GET", "about/")).body === "<h2>By hand</h2>");
  });

  it("publishes scheduled drafts by itself: those that became due meanwhile, and each at its moment", async () => {
    const draft = (at: string, title: string): string => `scheduled_for: ${at}\npayload:\n  title: ${title}\n`;
    const { dir, git, save, text } = site({
      "content/pages/about.draft.en.yaml": draft("2026-01-02T00:00:00Z", "Overdue"),
    });
    const isLive = (title: string) => async () =>
      text("content/pages/about.yaml")?.includes(`title: ${title}`) === true;
    const reader = await serve(dir, ["--read-only"]);
    const server = await serve(dir);
    await eventually(isLive("Overdue"));
    save("content/pages/about.draft.en.yaml", draft(new Date(Date.now() + 1_500).toISOString(), "On time"));
    await eventually(isLive("On time"));
    await eventually(async () => git("status", "--porcelain") === "");
    expect(git("log", "-2", "--format=%an|%s|%(trailers:key=Cms-Action,valueonly,separator=;)")).toMatch(
      /^git-cms\|.*\|publish-due\n/,
    );
    expect(await server.stop()).toBe(0);
    expect(reader.said()).not.toContain("cannot be published"); // a read-only server does not try
  });

  it("ends soon although a client keeps its connection", async () => {
    const { dir } = site();
    const server = await serve(dir);
    await server.ask("GET", "about/"); // fetch keeps the connection for the next request
    const began = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it("refuses a port that is taken, and ends", async () => {
    const { dir } = site();
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    expect(await cms(["serve", "--root", dir, "--port", String(port)])).toEqual({
      code: 1,
      out: "",
      err: `error: Port ${port} is taken: stop what uses it, or choose another with --port.\n`,
    });
    expect(readdirSync(join(dir, ".git/cms"))).not.toContain("server.lock");
  });

  it("refuses a second server on the site, and lets one in after a kill", async () => {
    const { dir } = site();
    const first = await serve(dir);
    expect(await cms(["serve", "--root", dir, "--port", "0"])).toMatchObject({
      code: 1,
      err: `error: Process ${first.pid} serves this site already: stop it first, or start this one with --read-only.\n`,
    });
    expect((await first.ask("GET", "healthz")).status).toBe(200);
    await first.stop("SIGKILL");
    const second = await serve(dir);
    expect((await second.ask("GET", "healthz")).status).toBe(200);
  });

  it("starts on a copy of the site, with the lock of the original's server in it", async () => {
    const { dir } = site();
    await serve(dir);
    const copy = join(emptyFolder(), "copy");
    cpSync(dir, copy, { recursive: true });
    expect(readdirSync(join(copy, ".git/cms"))).toContain("server.lock");
    const server = await serve(copy, [], { token: await tokenFor(copy) });
    expect((await server.ask("POST", "api/cms/pages/", { title: "New" })).status).toBe(201);
  });

  it("--read-only runs any number of times beside the one that writes, and takes no lock", async () => {
    const { dir } = site();
    const readers = [await serve(dir, ["--read-only"]), await serve(dir, ["--read-only"])];
    expect(readdirSync(join(dir, ".git/cms"))).not.toContain("server.lock");
    const token = await tokenFor(dir);
    const writer = await serve(dir, [], { token });
    readers.push(await serve(dir, ["--read-only"]));
    expect(
      (
        await writer.ask("POST", "api/cms/pages/", {
          title_en: "New",
          permalink_en: "/new",
          autopermalink_en: false,
          published_at_en: "2026-01-01T00:00:00Z",
        })
      ).status,
    ).toBe(201);
    for (const reader of readers) await eventually(async () => (await reader.ask("GET", "new/")).status === 200);
    for (const reader of readers) expect(await reader.stop()).toBe(0);
    expect((await writer.ask("POST", "api/cms/pages/", { title: "More" })).status).toBe(201);
    expect(readdirSync(join(dir, ".git/cms"))).toContain("server.lock");
  });

  it("--read-only refuses every write and serves the rest", async () => {
    const { dir, git } = site();
    const server = await serve(dir, ["--read-only"], { token: await tokenFor(dir) });
    expect(server.said()).toContain("  ➜ Writes   refused (--read-only)\n");
    expect(server.said()).not.toContain("➜ Editor");
    const answer = await server.ask("POST", "api/cms/pages/", { title: "New" });
    expect([answer.status, answer.body, answer.headers.get("retry-after")]).toEqual([
      503,
      { detail: "The service runs read-only: nothing can be written." },
      null,
    ]);
    expect((await server.ask("GET", "about/")).status).toBe(200);
    expect(git("rev-list", "--count", "HEAD")).toBe("1\n");
  });
});

describe("a repository that cannot be written just now is served", () => {
  it("with a detached HEAD", async () => {
    const { dir, git } = site();
    git("checkout", "--quiet", "--detach");
    const server = await serve(dir, [], { token: await tokenFor(dir) });
    expect(server.said()).toContain("  ➜ Branch   (detached) at ");
    expect(server.said()).toContain("  ➜ Writes   refused. HEAD is detached");
    expect((await server.ask("GET", "about/")).status).toBe(200);
    const answer = await server.ask("POST", "api/cms/pages/", { title: "New" });
    expect([answer.status, answer.body.detail]).toEqual([503, expect.stringContaining("git switch")]);
    git("switch", "--quiet", "main");
    expect((await server.ask("POST", "api/cms/pages/", { title: "New" })).status).toBe(201);
  });

  it.each([
    ["merge", (git: (...args: string[]) => string) => () => git("merge", "side"), ["merge", "--abort"]],
    ["rebase", (git: (...args: string[]) => string) => () => git("rebase", "side"), ["rebase", "--abort"]],
  ])("in the middle of a %s", async (what, begin, end) => {
    const { dir, git, save } = site();
    git("checkout", "--quiet", "-b", "side");
    save("content/pages/about.yaml", PAGE(12, "Side"));
    git("commit", "--quiet", "--all", "--message=Side");
    git("checkout", "--quiet", "main");
    save("content/pages/about.yaml", PAGE(12, "Main"));
    git("commit", "--quiet", "--all", "--message=Main");
    expect(begin(git)).toThrow();
    const server = await serve(dir, [], { token: await tokenFor(dir) });
    expect(server.said()).toContain("content/pages/about.yaml:");
    expect(server.said()).toMatch(
      new RegExp(what === "merge" ? "Writes +refused. A merge is in progress" : "Writes +refused"),
    );
    const answer = await server.ask("POST", "api/cms/pages/", { title: "New" });
    expect([answer.status, Number(answer.headers.get("retry-after"))]).toEqual([503, expect.any(Number)]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await server.ask("GET", "api/cms/pages/12/")).status).toBe(200);
    git(...end);
    expect((await server.ask("POST", "api/cms/pages/", { title: "New" })).status).toBe(201);
  });

  it("while a lock stays held, which is named", async () => {
    const { dir, save } = site();
    const server = await serve(dir, [], { token: await tokenFor(dir) });
    save(".git/index.lock", "");
    const answer = await server.ask("POST", "api/cms/pages/", { title: "New" });
    expect([answer.status, answer.body.detail]).toEqual([
      503,
      expect.stringMatching(/^\.git\/index\.lock has been held .* remove the file\.$/),
    ]);
    rmSync(join(dir, ".git/index.lock"));
    expect((await server.ask("POST", "api/cms/pages/", { title: "New" })).status).toBe(201);
  });

  it("with an object of the newest commit missing, which is told", async () => {
    const { dir, git, save } = site({ "notes.txt": "notes\n" });
    const oid = git("rev-parse", "HEAD:notes.txt").trim();
    rmSync(join(dir, ".git/objects", oid.slice(0, 2), oid.slice(2)));
    save("notes.txt", "changed by hand\n"); // the object cannot be made again of the file
    const server = await serve(dir);
    await eventually(async () => server.said().includes("The repository is damaged: "));
    expect(server.said()).toContain("notes.txt");
    expect((await server.ask("GET", "about/")).body).toBe("<h1>About</h1>");
    const health = await server.ask("GET", "healthz");
    expect([health.status, health.body.status]).toEqual([503, "damaged"]);
  });

  it("with a broken file and a copied one, which are told", async () => {
    const { dir, save } = site({ "content/pages/team.yaml": PAGE(13, "Team") });
    save("content/pages/team.yaml", "translations: [\n");
    save("content/pages/zzz.yaml", PAGE(12, "About").replace("2026", "2027"));
    const server = await serve(dir, [], { token: await tokenFor(dir) });
    expect(server.said()).toMatch(/^warning: content\/pages\/team\.yaml:\d+:\d+: /m);
    expect(server.said()).toMatch(
      /^warning: content\/pages\/zzz\.yaml: The id 12 belongs to content\/pages\/about\.yaml/m,
    );
    expect(server.said()).toContain("  ➜ Problems 2: run `cms check` to see them\n");
    expect(server.said()).not.toMatch(STACK);
    expect((await server.ask("GET", "team/")).body).toBe("<h1>Team</h1>");
    const answer = await server.ask("PATCH", "api/cms/pages/13/", { title_en: "Mine" });
    expect([answer.status, answer.body.detail]).toEqual([
      409,
      expect.stringContaining("content/pages/team.yaml (line"),
    ]);
  });
});

describe("bad input gets a sentence that names it and says what to do", () => {
  const CONFIG = "LANGUAGE_CODE: en\n";

  it.each<
    [what: string, prepare: (dir: string) => void, flags: readonly string[], sentence: RegExp, isWrongUse?: boolean]
  >([
    ["no folder", (dir) => rmSync(dir, { recursive: true }), [], /^error: There is no folder \S+\.\n$/, true],
    ["no settings", () => {}, [], /^error: There is no cms\.config\.yaml in \S+: run `cms init` .*\n$/],
    [
      "no repository",
      (dir) => writeFileSync(join(dir, "cms.config.yaml"), CONFIG),
      [],
      /^error: \S+ is (no|not in a) git repository: .*(cms init|git init).*\n$/,
    ],
    [
      "settings that do not parse",
      (dir) => writeFileSync(join(dir, "cms.config.yaml"), "LANGUAGE_CODE: [\n"),
      [],
      /^error: cms\.config\.yaml cannot be read: line 2, column 1: .*\n$/,
    ],
    [
      "an unknown setting",
      (dir) => writeFileSync(join(dir, "cms.config.yaml"), "LANGUAGE_COD: en\n"),
      [],
      /^error: cms\.config\.yaml cannot be used:\n {2}LANGUAGE_COD: unknown key, did you mean LANGUAGE_CODE\?\n$/,
    ],
    [
      "a setting of the wrong type",
      (dir) => writeFileSync(join(dir, "cms.config.yaml"), "ROUTER_CACHE: soon\n"),
      [],
      /^error: cms\.config\.yaml cannot be used:\n {2}ROUTER_CACHE: found "soon", expected .*\n$/,
    ],
    [
      "a port that is none",
      () => {},
      ["--port", "http"],
      /^error: --port takes a number from 0 to 65535, not "http"\.\n$/,
      true,
    ],
    ["an unknown flag", () => {}, ["--prot", "1"], /^error: unknown option '--prot'\n/, true],
  ])("%s", async (_what, prepare, flags, sentence, isWrongUse = false) => {
    const dir = emptyFolder();
    prepare(dir);
    const { code, out, err } = await cms(["serve", "--root", dir, "--port", "0", ...flags]);
    expect([code, out]).toEqual([isWrongUse ? 2 : 1, ""]);
    expect(err).toMatch(sentence);
  });

  it("an address that is none of this machine's", async () => {
    const { dir } = site();
    const { code, err } = await cms(["serve", "--root", dir, "--port", "0", "--host", "192.0.2.1"]);
    expect([code, err]).toEqual([
      1,
      "error: 192.0.2.1 cannot be listened on (EADDRNOTAVAIL): choose an address of this machine with --host.\n",
    ]);
  });

  it("a bare repository", async () => {
    const { dir } = site();
    const bare = emptyFolder();
    cpSync(join(dir, ".git"), bare, { recursive: true });
    writeFileSync(join(bare, "cms.config.yaml"), CONFIG);
    const { code, err } = await cms(["serve", "--root", bare, "--port", "0"]);
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: .*repository.*\n$/)]);
    expect(err).not.toMatch(STACK);
  });

  it("no site here or above", async () => {
    const { code, err } = await cms(["serve"], { cwd: emptyFolder() });
    expect([code, err]).toEqual([
      2,
      "error: There is no cms.config.* here or above: run `cms init`, or name the site's folder with --root.\n",
    ]);
  });
});
