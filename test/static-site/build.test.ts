/** `cms build` from the tree. */
import { readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DeepPartial, Settings } from "../../src/config.ts";
import { readBuildState } from "../../src/static-site/state/state-file.ts";
import { memorySite, type MemorySite } from "../site.ts";
import { buildTree, emptyDir, filesIn, saveFile, TEMPLATES } from "./build-site.ts";

const HOST = "http://test.local";

async function site(
  settings: DeepPartial<Settings> = {},
  files: Record<string, string> = {},
): Promise<MemorySite & { out: string }> {
  const made = await memorySite(
    { "content/pages/.gitkeep": "", "content/menus/main.yaml": "id: 5\nkey: main\n", ...files },
    { BASE_URL: HOST, ...settings },
  );
  for (const [path, text] of Object.entries(TEMPLATES)) saveFile(made.cms.root, path, text);
  return { ...made, out: join(emptyDir(), "dist") };
}

describe("a build", () => {
  it("has the HTML of the HTML route and the payload of the manifest for each page", async () => {
    const made = await site();
    await made.page(
      { title: "Home", autopermalink: false, permalink: "/", autopermalink_it: false, permalink_it: "/" },
      ["en", "it"],
    );
    const about = await made.page({ title: "About", title_it: "Chi sono è" }, ["en", "it"]);
    await made.page({ title: "Team", parent_page: about.id, template_data: { body: "*Hi*", to: "/about" } }, ["en"]);
    await made.page({ title: "Draft" });
    expect(await buildTree(made, made.out)).toMatchObject({ pages: 5, rendered: 5, failures: [], unknown: [] });
    const files = filesIn(made.out);
    const { urls } = (await made.ask("GET", "api:pages-router/changes")).body as { urls: { path: string }[] };
    expect([...files.keys()].filter((path) => path.endsWith("index.html"))).toHaveLength(urls.length);
    for (const { path } of urls) {
      const name = `${path.slice(1)}index`;
      expect(files.get(`${name}.html`)).toBe(Buffer.from((await made.ask("GET", path)).text).toString("latin1"));
      const { og_url: _, ...payload } = JSON.parse(
        Buffer.from(files.get(`${name}.json`)!, "latin1").toString(),
      ) as Record<string, unknown>;
      expect((await made.ask("GET", `api:pages-router${path}`)).body).toMatchObject(payload);
    }
    expect(files.get("sitemap.xml")).toBe((await made.ask("GET", "/sitemap.xml")).text.replace(/è/g, "\u00c3\u00a8"));
    expect(files.get("404.html")).toBe("lost");
    expect(files.get("robots.txt")).toContain(`Sitemap: ${HOST}/sitemap.xml`);
  });

  it("renders only changed pages and those that show them", async () => {
    const made = await site();
    const parent = await made.page({ title: "Parent" }, ["en"]);
    const child = await made.page({ title: "Child", parent_page: parent.id }, ["en"]);
    await made.page({ title: "Other" }, ["en"]);
    await buildTree(made, made.out);
    expect(await buildTree(made, made.out)).toMatchObject({ rendered: 0, kept: 3, written: 0 });
    await made.api("PATCH", `pages/${child.id}/`, { title: "Kid", autopermalink: false });
    expect(await buildTree(made, made.out)).toMatchObject({ rendered: 2, kept: 1 });
    expect(filesIn(made.out).get("parent/index.html")).toContain("<li>Kid");
    saveFile(made.cms.root, "templates/part.html", "now there");
    expect(await buildTree(made, made.out)).toMatchObject({ rendered: 3 });
    saveFile(made.cms.root, "templates/listing.html", "used by none");
    expect(await buildTree(made, made.out)).toMatchObject({ rendered: 0 });
    await made.api("POST", `pages/${child.id}/trash/`);
    expect(await buildTree(made, made.out)).toMatchObject({ rendered: 1, kept: 1, removed: 2 });
    expect([...filesIn(made.out).keys()].some((path) => path.includes("child"))).toBe(false);
  });

  // oxfmt-ignore
  it.each<[string, (made: MemorySite) => Promise<unknown>, number]>([
    ["a menu",             ({ api }) => api("PATCH", "menus/main/", { nodes: [{ title: "New", link: { link_type: "ST", static: "https://example.org" } }] }), 2],
    ["nothing",            async () => undefined, 0],
    ["time that passes",   async ({ clock }) => clock.set("2026-05-01T00:00:00Z"), 1],
    ["a draft",            async ({ api, cms }) => api("PATCH", `pages/${cms.store.current.all((await import("../../src/store/records/pages.ts")).PAGES)[0]!.id}/draft/`, { title: "New" }), 0],
  ])("renders after %s only the pages that depend on it", async (_what, change, rendered) => {
    const made = await site();
    await made.page({ title: "One" }, ["en"]);
    await made.page({ title: "Two" }, ["en"]);
    await made.page({ title: "Planned", published_at: "2026-04-01T00:00:00Z" });
    await buildTree(made, made.out);
    await change(made);
    expect(await buildTree(made, made.out)).toMatchObject({ rendered });
  });

  it("stores the new dependencies of a page whose payload stays the same", async () => {
    const made = await site();
    const hidden = await made.page({ title: "Hidden" });
    const other = await made.page({ title: "Other" });
    const child = await made.page(
      { title: "Child", parent_page: hidden.id, autopermalink: false, permalink: "/child" },
      ["en"],
    );
    await buildTree(made, made.out);
    // A parent that nobody may know of is as good as another.
    await made.api("PATCH", `pages/${child.id}/`, { parent_page: other.id });
    await buildTree(made, made.out);
    await made.api("POST", `pages/${other.id}/publish/`);
    await buildTree(made, made.out);
    const fresh = join(emptyDir(), "dist");
    await buildTree(made, fresh);
    expect(filesIn(made.out)).toEqual(filesIn(fresh));
    expect(JSON.parse(filesIn(made.out).get("child/index.json")!)).toMatchObject({ parent_page: { id: other.id } });
  });

  it("drops dependencies that no page has any more", async () => {
    const made = await site();
    for (const n of [1, 2, 3]) await made.page({ title: `Page ${n}` }, ["en"]);
    const page = await made.page({ title: "Edited" }, ["en"]);
    await buildTree(made, made.out);
    const dependencies = (): number => readBuildState(made.out)!.dependencies.all.length;
    const first = dependencies();
    for (let n = 0; n < 12; n++) {
      await made.api("PATCH", `pages/${page.id}/`, { title: `Edited ${n}` });
      await buildTree(made, made.out);
    }
    expect(dependencies()).toBeLessThanOrEqual(first * 1.5);
    expect(await buildTree(made, made.out)).toMatchObject({ rendered: 0, kept: 4 });
  });

  it("renders every page after a setting changed", async () => {
    const made = await site();
    await made.page({ title: "One" }, ["en"]);
    await buildTree(made, made.out);
    const other = { ...made, cms: { ...made.cms, config: { ...made.cms.config, BASE_URL: "https://example.org" } } };
    expect(await buildTree(other, made.out)).toMatchObject({ rendered: 1 });
  });

  it("builds the other pages when a template fails, and names its file and line", async () => {
    const made = await site();
    saveFile(made.cms.root, "templates/bad.html", "one\n{{ page.title.nothing.more() }}");
    const bad = await made.page({ title: "Bad", template: "bad.html" }, ["en"]);
    await made.page({ title: "Good" }, ["en"]);
    const { failures } = await buildTree(made, made.out);
    expect(failures).toMatchObject([{ path: "/bad/", language: "en", template: "bad.html", line: 2 }]);
    expect([...filesIn(made.out).keys()].filter((path) => path.endsWith(".html"))).toEqual([
      "404.html",
      "good/index.html",
    ]);
    await made.api("PATCH", `pages/${bad.id}/`, { template: "listing.html" });
    expect(await buildTree(made, made.out)).toMatchObject({ failures: [], rendered: 1 });
  });

  // oxfmt-ignore
  it.each([
    ["includes", '{% include "broken.html" %}'],
    ["imports",  '{% import "broken.html" as broken %}'],
    ["extends",  '{% extends "broken.html" %}'],
    ["includes in a loop that may wait", '{% asyncEach x in [1] %}{% include "broken.html" %}{% endeach %}'],
  ])("builds the other pages when a file that a template %s cannot be parsed", async (_how, text) => {
    const made = await site();
    saveFile(made.cms.root, "templates/bad.html", `one\n${text}`);
    saveFile(made.cms.root, "templates/broken.html", "two\n\n{% for %}");
    await made.page({ title: "Bad", template: "bad.html" }, ["en"]);
    await made.page({ title: "Good" }, ["en"]);
    const { failures } = await buildTree(made, made.out);
    expect(failures).toMatchObject([{ path: "/bad/", language: "en", template: "broken.html", line: 3 }]);
    expect([...filesIn(made.out).keys()].filter((path) => path.endsWith(".html"))).toEqual(["404.html", "good/index.html"]);
  });

  it("writes redirects for hosts that take lists and for nginx", async () => {
    const made = await site(
      {},
      {
        "content/redirects.yaml":
          "- { from: /a, to: /one, status: 302 }\n- { from: /b c, to: 'https://example.com/x?y=1' }\n",
      },
    );
    const one = await made.page({ title: "Older" }, ["en"]);
    await made.api("PATCH", `pages/${one.id}/`, { title: "One" });
    await buildTree(made, made.out, { redirects: ["nginx"] });
    const files = filesIn(made.out);
    expect(files.get("_redirects")).toBe(
      "/a /one/ 302\n/a/ /one/ 302\n/b%20c https://example.com/x?y=1 301\n/b%20c/ https://example.com/x?y=1 301\n" +
        "/older /one/ 301\n/older/ /one/ 301\n",
    );
    expect(JSON.parse(files.get("redirects.json")!)).toHaveLength(3);
    expect(files.get("redirects.nginx.conf")).toContain(
      'location = "/b c/" { return 301 "https://example.com/x?y=1"; }',
    );
  });

  it("copies media files and writes their headers", async () => {
    const made = await site();
    saveFile(made.cms.root, "media/a b.svg", "<svg/>");
    saveFile(made.cms.root, "media/data.json", "{}");
    saveFile(made.cms.root, "media/page.html", "<script></script>");
    saveFile(made.cms.root, "media/.hidden", "no");
    symlinkSync("/etc/hostname", join(made.cms.root, "media/link.txt"));
    await buildTree(made, made.out);
    const files = filesIn(made.out);
    expect([...files.keys()].filter((path) => path.startsWith("media/"))).toEqual([
      "media/a b.svg",
      "media/data.json",
      "media/page.html",
    ]);
    const sectionOf = (path: string): string | undefined =>
      files
        .get("_headers")!
        .split("\n\n")
        .find((section) => section.startsWith(`${path}\n`));
    // A picture can be replaced at its address, so it is not immutable.
    expect(sectionOf("/media/*")).toBe("/media/*\n  cache-control: public, max-age=300");
    expect(sectionOf("/media/a%20b.svg")).toContain("content-security-policy: sandbox;");
    expect(sectionOf("/media/a%20b.svg")).not.toContain("content-disposition");
    expect(sectionOf("/media/page.html")).toMatch(
      /content-security-policy: sandbox;[^]*content-disposition: attachment/,
    );
    // As the service sends it: nothing in it can run.
    expect(sectionOf("/media/data.json")).toBeUndefined();
    writeFileSync(join(made.out, "media/a b.svg"), "changed in the output");
    expect(readFileSync(join(made.cms.root, "media/a b.svg"), "utf8")).toBe("<svg/>");
    unlinkSync(join(made.cms.root, "media/a b.svg"));
    expect(await buildTree(made, made.out)).toMatchObject({ removed: 1 });
  });
});

describe("the output folder", () => {
  it("is refused when it has files that no build made", async () => {
    const made = await site();
    saveFile(made.out, "precious.txt", "mine");
    await expect(buildTree(made, made.out)).rejects.toThrow("holds files that no build has made");
    expect([...filesIn(made.out)]).toEqual([["precious.txt", "mine"]]);
  });

  it("keeps unknown files and reports them", async () => {
    const made = await site();
    await buildTree(made, made.out);
    saveFile(made.out, "CNAME", "example.org");
    saveFile(made.out, "deep/er/note.txt", "x");
    expect(await buildTree(made, made.out, { full: true })).toMatchObject({ unknown: ["CNAME", "deep/er/note.txt"] });
    expect(filesIn(made.out).get("CNAME")).toBe("example.org");
  });

  it("keeps a robots.txt that no build made", async () => {
    const made = await site();
    await buildTree(made, made.out);
    unlinkSync(join(made.out, "robots.txt"));
    await buildTree(made, made.out);
    expect(filesIn(made.out).get("robots.txt")).toContain("Allow: /");
  });

  it("is repaired where files were removed or truncated", async () => {
    const made = await site();
    await made.page({ title: "One" }, ["en"]);
    await buildTree(made, made.out);
    const before = filesIn(made.out);
    unlinkSync(join(made.out, "one/index.json"));
    writeFileSync(join(made.out, "404.html"), "");
    expect(await buildTree(made, made.out)).toMatchObject({ rendered: 1 });
    expect(filesIn(made.out)).toEqual(before);
  });

  it("is not left by way of a link", async () => {
    const made = await site();
    await buildTree(made, made.out);
    const elsewhere = emptyDir();
    symlinkSync(elsewhere, join(made.out, "one"));
    await made.page({ title: "One" }, ["en"]);
    expect((await buildTree(made, made.out)).failures).toMatchObject([{ path: "/one/" }]);
    expect(filesIn(elsewhere).size).toBe(0);
  });
});
