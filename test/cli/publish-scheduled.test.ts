/** `cms publish-scheduled` and `cms manifest`, as processes. */
import { describe, expect, it } from "vitest";
import { cms, serve, site as siteDir } from "./process.ts";

const PAGE = (permalink: string) => `translations:
  en:
    title: Live
    permalink: ${permalink}
    autopermalink: false
    published_at: 2026-01-01T00:00:00Z
`;
const DRAFT = (title: string, at: string) => `scheduled_for: ${at}\npayload:\n  title: ${title}\n`;

describe("cms publish-scheduled", () => {
  it("tells with --dry-run, publishes what is due once, however late, and leaves the rest", async () => {
    const site = siteDir({
      "content/pages/a.yaml": `id: 7\n${PAGE("/a")}`,
      "content/pages/a.draft.en.yaml": DRAFT("New", "2020-01-01T00:00:00Z"),
      "content/pages/b.yaml": `id: 8\n${PAGE("/b")}`,
      "content/pages/b.draft.en.yaml": DRAFT("Much later", "2999-01-01T00:00:00Z"),
    });
    const run = (...args: string[]) => cms(["publish-scheduled", "--root", site.dir, ...args]);
    const head = site.git("rev-parse", "HEAD");
    expect(await run("--dry-run")).toMatchObject({ code: 0, out: "[dry-run] would publish Page pk=7 [en] -> Live\n" });
    expect(site.git("rev-parse", "HEAD")).toBe(head);
    expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining("Published Page pk=7 [en] -> ") });
    expect(site.text("content/pages/a.yaml")).toContain("title: New");
    expect(site.text("content/pages/a.draft.en.yaml")).toBeUndefined();
    expect(site.text("content/pages/b.draft.en.yaml")).toBeDefined();
    expect(await run()).toMatchObject({
      code: 0,
      out: "",
      err: expect.stringContaining("No scheduled drafts to publish."),
    });
    expect(site.git("rev-list", "--count", `${head.trim()}..HEAD`).trim()).toBe("1");
    expect(site.git("status", "--porcelain")).toBe("");
  });

  it("skips one that no longer fits, goes on, and exits with 1", async () => {
    const site = siteDir({
      "content/pages/a.yaml": `id: 7\n${PAGE("/a")}`,
      "content/pages/a.draft.en.yaml": "scheduled_for: 2020-01-01T00:00:00Z\npayload:\n  permalink: /b\n",
      "content/pages/b.yaml": `id: 8\n${PAGE("/b")}`,
      "content/pages/b.draft.en.yaml": DRAFT("Fits", "2020-01-01T00:00:00Z"),
    });
    const { code, out } = await cms(["publish-scheduled", "--root", site.dir, "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      published: [{ page: 8, language: "en" }],
      failed: [{ page: 7, reason: expect.stringContaining("permalink_en") }],
    });
    expect(site.text("content/pages/a.draft.en.yaml")).toBeDefined();
  });

  it("may run while the service runs on the same site, which then serves what it published", async () => {
    const site = siteDir({
      "content/pages/a.yaml": `id: 7\n${PAGE("/a")}`,
      "content/pages/a.draft.en.yaml": DRAFT("New", "2999-01-01T00:00:00Z"),
    });
    const server = await serve(site.dir);
    site.save("content/pages/a.draft.en.yaml", DRAFT("New", "2020-01-01T00:00:00Z"));
    expect((await cms(["publish-scheduled", "--root", site.dir])).code).toBe(0);
    await expect
      .poll(async () => (await server.ask("GET", "api/cms/pages-router/a/")).body.title, { timeout: 5000 })
      .toBe("New");
    await server.stop();
  });
});

describe("cms manifest", () => {
  it("prints what the API gives", async () => {
    const site = siteDir({
      "content/pages/a.yaml": `id: 7\n${PAGE("/a")}`,
      "content/menus/main.yaml": "id: 9\nkey: main\n",
    });
    const server = await serve(site.dir);
    const { body } = await server.ask("GET", "api/cms/pages-router/changes");
    const printed = JSON.parse((await cms(["manifest", "--root", site.dir])).out);
    expect({ ...printed, server_time: "" }).toEqual({ ...body, server_time: "" });
    expect(body.urls.map(({ path }: { path: string }) => path)).toContain("/a/");
    expect(body.epoch).not.toBeNull();
    await server.stop();
  });
});
