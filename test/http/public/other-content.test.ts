/** `at` and `as_of`: other content than the newest, for staff, in no cache. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { SettingsInput } from "../../../src/config.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { gitSite, quietEnv } from "../../store/git/git-site.ts";
import { memorySite, siteOver, temporaryFolder, type MemorySite, type TestSite } from "../../site.ts";

const TEMPLATE = "<h1>{{ page.title }}</h1>";

interface OnDisk extends TestSite {
  readonly disk: ReturnType<typeof gitSite>;
  head(): string;
}

/** A site on a real repository, with a template. */
async function diskSite(files: Record<string, string> = {}, settings: SettingsInput = {}): Promise<OnDisk> {
  const disk = gitSite({ "templates/defaults/pages/default.html": TEMPLATE, ...files });
  onTestFinished(() => disk.remove());
  const repo = await openGitRepo(disk.dir, { env: quietEnv() });
  const site = await siteOver(repo, disk.dir, settings);
  return { ...site, disk, head: () => disk.git("rev-parse", "HEAD").trim() };
}

const titled = (title: string, permalink = "/page") => ({ title, autopermalink: false, permalink });

describe("without staff rights", () => {
  const PATHS = [
    "/api/cms/pages-router/page/",
    "/api/cms/pages-router/changes",
    "/api/cms/pages-router-preview/page/",
    "/api/cms/pages/",
    "/api/cms/languages/",
    "/api/cms/unknown/",
    "/page/",
    "/sitemap.xml",
    "/robots.txt",
    "/media/none.png",
    "/style.css",
  ];

  it.each(["at=main", "as_of=2027-01-01T00:00:00Z", "at=", "at=main&at=main", "as_of=yesterday", "release=spring"])(
    "%s is refused on every path",
    async (query) => {
      const { page, ask } = await memorySite();
      await page(titled("Now"), ["en"]);
      for (const path of PATHS) {
        const nobody = await ask("GET", `${path}?${query}`);
        expect([path, nobody.status, nobody.headers.get("cache-control")]).toEqual([path, 401, "no-store, private"]);
        expect((await ask("GET", `${path}?${query}`, { as: "reader" })).status).toBe(403);
        expect((await ask("HEAD", `${path}?${query}`)).status).toBe(401);
        expect((await ask("POST", `${path}?${query}`)).status).toBe(401);
      }
    },
  );

  it("a session counts as a token does", async () => {
    const { ask } = await memorySite();
    const answer = await ask("GET", "/?at=main", { headers: { cookie: "sessionid=unknown" } });
    expect(answer.status).toBe(401);
  });
});

describe("at", () => {
  it("reads a commit, a branch, a tag and a moment", async () => {
    const site = await diskSite();
    const { id } = await site.page(titled("One"), ["en"]);
    const one = site.head();
    site.disk.git("tag", "v1");
    site.disk.git("tag", "-a", "v1-annotated", "-m", "One");
    site.disk.git("branch", "feature/one");
    site.clock.set("2026-03-02T00:00:00Z");
    await site.api("PATCH", `pages/${id}/`, { title: "Two" });
    const titleAt = async (at: string) =>
      (await site.ask("GET", `api:pages-router/page/?at=${encodeURIComponent(at)}`, { as: "staff" })).body.title;
    for (const at of [one, one.slice(0, 8), one.toUpperCase(), "v1", "v1-annotated", "feature/one"])
      expect([at, await titleAt(at)]).toEqual([at, "One"]);
    expect(await titleAt("2026-03-01T23:00:00Z")).toBe("One");
    expect(await titleAt("2026-03-02T00:00:00+00:00")).toBe("Two");
    expect(await titleAt("main")).toBe("Two");
    expect((await site.ask("GET", "/page/?at=v1", { as: "staff" })).text).toBe("<h1>One</h1>");
    expect((await site.ask("GET", "/page/")).text).toBe("<h1>Two</h1>");
  });

  it("has the templates, files and settings of the commit", async () => {
    const site = await diskSite({ "static/style.css": "old" });
    await site.page(titled("One"), ["en"]);
    site.disk.git("tag", "v1");
    for (const [path, text] of [
      ["templates/defaults/pages/default.html", "<h2>{{ page.title }}</h2>"],
      ["static/style.css", "new"],
      ["cms.config.yaml", "LANGUAGE_CODE: it\nLANGUAGES: {it: Italiano}\n"],
    ] as const)
      site.disk.save(path, text);
    site.disk.git("checkout", "-q", "-b", "design");
    site.disk.git("add", ".");
    site.disk.git("commit", "-qm", "Design");
    site.disk.git("checkout", "-q", "-");
    const read = async (path: string) => (await site.ask("GET", path, { as: "staff" })).text;
    expect(await read("/page/?at=v1")).toBe("<h1>One</h1>");
    expect(await read("/style.css?at=v1")).toBe("old");
    expect(await read("/style.css?at=design")).toBe("new");
    expect(JSON.parse(await read("/api/cms/languages/?at=design"))).toEqual({
      language_code: "it",
      languages: [{ id: "it", name: "Italiano" }],
    });
    expect(await read("/page/")).toBe("<h1>One</h1>");
  });

  it("answers 404 with the reason for what is not there", async () => {
    const site = await diskSite();
    await site.page(titled("One"), ["en"]);
    const { head } = await site.cms.store.repo.state();
    const gone = site.disk.receive(head!, { "content/x.txt": "x" }, "On no branch");
    for (const at of [
      "none",
      gone,
      "-n",
      "--help",
      "../../etc/passwd",
      "HEAD~100",
      "main:content",
      "",
      "\0",
      "refs/heads/main",
      "1".repeat(300),
    ]) {
      const answer = await site.ask("GET", `api:pages/?at=${encodeURIComponent(at)}`, { as: "staff" });
      expect([at, answer.status]).toEqual([at, 404]);
      expect(answer.body.detail).toContain("is no tag, branch or moment");
    }
    const early = await site.ask("GET", "api:pages/?at=2000-01-01T00:00:00Z", { as: "staff" });
    expect([early.status, early.body.detail]).toEqual([
      404,
      "The branch has no commit of 2000-01-01T00:00:00Z or before.",
    ]);
  });

  it("tells of a shallow clone where a commit is not in it", async () => {
    const origin = await diskSite();
    const { id } = await origin.page(titled("One"), ["en"]);
    origin.disk.git("tag", "v1");
    origin.clock.set("2026-03-02T00:00:00Z");
    await origin.api("PATCH", `pages/${id}/`, { title: "Two" });
    const dir = join(await temporaryFolder(), "clone");
    origin.disk.git("clone", "--quiet", "--depth=1", `file://${origin.disk.dir}`, dir);
    const shallow = await siteOver(await openGitRepo(dir, { env: quietEnv() }), dir);
    const read = async (at: string) => {
      const { status, body } = await shallow.ask("GET", `api:pages/${id}/?at=${at}`, { as: "staff" });
      return [status, body.title ?? body.detail];
    };
    const SHALLOW =
      "This is a shallow clone, which has the newest commits only: `git fetch --unshallow` brings the others.";
    expect(await read("main")).toEqual([200, "Two"]);
    expect(await read("v1")).toEqual([404, expect.stringContaining(SHALLOW)]);
    expect(await read("2026-03-01T23:00:00Z")).toEqual([404, expect.stringContaining(SHALLOW)]);
    origin.disk.git("-C", dir, "fetch", "--quiet", "--unshallow", "--tags");
    expect(await read("v1")).toEqual([200, "One"]);
  });

  it("is never in the router cache, and leaves it as it is", async () => {
    const site = await memorySite();
    const { id } = await site.page(titled("One"), ["en"]);
    const one = (await site.repo.state()).head!;
    await site.api("PATCH", `pages/${id}/`, { title: "Two" });
    const past = `api:pages-router/page/?at=${one}`;
    for (let time = 0; time < 2; time++) {
      const answer = await site.ask("GET", past, { as: "staff" });
      expect(answer.body.title).toBe("One");
      expect(answer.headers.get("cache-control")).toBe("no-store, private");
      expect((await site.ask("GET", "api:pages-router/page/")).body.title).toBe("Two");
      expect((await site.ask("GET", past)).status).toBe(401);
    }
  });

  it("answers each of two moments of one commit with its own clock", async () => {
    const site = await memorySite();
    const { id } = await site.page(titled("Planned"));
    await site.api("PATCH", `pages/${id}/`, { published_at_en: "2026-05-15T00:00:00Z" });
    site.clock.set("2026-06-01T00:00:00Z");
    const status = async (at: string) =>
      (await site.ask("GET", `api:pages-router/page/?at=${at}`, { as: "staff" })).status;
    const [before, after] = ["2026-05-14T00:00:00Z", "2026-05-15T00:00:00Z"];
    expect([await status("main"), await status(before), await status(after), await status(before)]).toEqual([
      200, 404, 200, 404,
    ]);
  });

  it("opens the contents of many requests one after the other", async () => {
    const site = await memorySite();
    const { id } = await site.page(titled("0"), ["en"]);
    const commits: string[] = [];
    for (let n = 1; n <= 5; n++) {
      await site.api("PATCH", `pages/${id}/`, { title: `${n}` });
      commits.push((await site.repo.state()).head!);
    }
    const { store } = site.cms;
    const fork = store.fork.bind(store);
    let [open, most] = [0, 0];
    vi.spyOn(store, "fork").mockImplementation((options) => {
      most = Math.max(most, ++open);
      return fork(options).finally(() => open--);
    });
    const titles = await Promise.all(
      [...commits, "none"].map(async (at) => {
        const { status, body } = await site.ask("GET", `api:pages-router/page/?at=${at}`, { as: "staff" });
        return status === 200 ? body.title : status;
      }),
    );
    expect(titles).toEqual(["1", "2", "3", "4", "5", 404]);
    expect(most).toBe(1);
  });

  it("reads the other refs where one cannot be read", async () => {
    const site = await diskSite();
    await site.page(titled("One"), ["en"]);
    const heads = join(site.disk.dir, ".git/refs/heads");
    symlinkSync("..", join(heads, "folder"));
    symlinkSync("self", join(heads, "self"));
    const status = async (at: string) =>
      (await site.ask("GET", `api:languages/?at=${encodeURIComponent(at)}`, { as: "staff" })).status;
    expect([await status("main"), await status("self"), await status("folder")]).toEqual([200, 404, 404]);
    expect(await status("folder/heads/main")).toBe(200); // as `git rev-parse`
  });

  it("refuses writes", async () => {
    const site = await memorySite();
    const { id } = await site.page(titled("One"), ["en"]);
    for (const [method, path] of [
      ["POST", "pages/"],
      ["PATCH", `pages/${id}/`],
      ["DELETE", `pages/${id}/`],
      ["POST", "pages-router/publish-due"],
    ] as const) {
      const answer = await site.ask(method, `api:${path}?at=main`, { as: "staff", body: {} });
      expect([method, path, answer.status]).toEqual([method, path, 400]);
    }
  });

  it("keeps itself in redirects", async () => {
    const site = await diskSite();
    await site.page(titled("One"), ["en"]);
    const answer = await site.ask("GET", "/page?at=main&x=1", { as: "staff" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/page/?x=1&at=main"]);
  });
});

describe("as_of", () => {
  const DUE = "2026-03-05T08:00:00Z";

  async function planned(): Promise<MemorySite> {
    const site = await memorySite();
    const folder = join(site.cms.root, "templates/defaults/pages/default.html");
    mkdirSync(dirname(folder), { recursive: true });
    writeFileSync(folder, TEMPLATE);
    const live = await site.page(titled("Old"), ["en"]);
    await site.api("PATCH", `pages/${live.id}/draft/`, { title: "New" });
    await site.api("POST", `pages/${live.id}/schedule/`, { publish_at: DUE });
    const later = await site.page(titled("Later", "/later"));
    await site.api("POST", `pages/${later.id}/schedule/`, { publish_at: DUE });
    return site;
  }

  it("shows what is scheduled, and writes nothing", async () => {
    const site = await planned();
    const { head } = await site.repo.state();
    const read = async (query: string, path = "page/") => {
      const answer = await site.ask("GET", `api:pages-router/${path}?${query}`, { as: "staff" });
      return answer.body.title ?? answer.status;
    };
    expect(await read("as_of=2026-03-05T07:59:59Z")).toBe("Old");
    expect(await read(`as_of=${DUE}`)).toBe("New");
    expect(await read(`as_of=${DUE}`, "later/")).toBe("Later");
    expect(await read("", "later/")).toBe(404);
    expect(await read("")).toBe("Old");
    expect((await site.ask("GET", `/page/?as_of=${DUE}`, { as: "staff" })).text).toBe("<h1>New</h1>");
    expect((await site.repo.state()).head).toBe(head);
    expect((await site.ask("GET", `api:pages/?as_of=tomorrow`, { as: "staff" })).body).toEqual({
      as_of: ["Invalid datetime."],
    });
  });

  it("is what the sweep leaves then, with manifest and epoch", async () => {
    const site = await planned();
    const READS = [
      "api:pages-router/changes",
      "api:pages-router/page/",
      "api:pages-router/later/",
      "/page/",
      "/sitemap.xml",
      "api:menus/",
      "api:pages/",
    ];
    const before = await Promise.all(READS.map((path) => site.ask("GET", `${path}?as_of=${DUE}`, { as: "staff" })));
    site.clock.set(DUE);
    await site.api("POST", "pages-router/publish-due");
    const after = await Promise.all(READS.map((path) => site.ask("GET", path, { as: "staff" })));
    expect(before.map(({ status, text }) => [status, text])).toEqual(after.map(({ status, text }) => [status, text]));
  });
});
