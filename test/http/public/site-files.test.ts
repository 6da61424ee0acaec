/** Files for search engines: `cms serve` answers the bytes that `cms build` writes. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildTree, emptyDir, filesIn, saveFile, TEMPLATES } from "../../static-site/build-site.ts";
import { memorySite } from "../../site.ts";

it.each([["https://example.org"], [null]])(
  "robots.txt and sitemap.xml are the same bytes served and built, BASE_URL %s",
  async (BASE_URL) => {
    const site = await memorySite({}, { BASE_URL });
    for (const [path, text] of Object.entries(TEMPLATES)) saveFile(site.cms.root, path, text);
    await site.page({ title: "About" }, ["en", "it"]);
    const out = join(emptyDir(), "out");
    await buildTree(site, out);
    const built = filesIn(out);
    const robots = await site.ask("GET", "/robots.txt");
    expect([robots.status, robots.headers.get("content-type"), robots.text]).toEqual([
      200,
      "text/plain; charset=utf-8",
      built.get("robots.txt"),
    ]);
    expect(robots.text.includes("Sitemap: https://example.org/sitemap.xml")).toBe(BASE_URL !== null);
    const sitemap = await site.ask("GET", "/sitemap.xml");
    expect(sitemap.status).toBe(200);
    if (BASE_URL !== null) expect(sitemap.text).toBe(built.get("sitemap.xml"));
    for (const name of ["sitemap-1.xml", "_redirects", "_headers", "redirects.json", ".cms-manifest.json"])
      expect((await site.ask("GET", `/${name}/`)).status).toBe(404);
  },
);
