/** The Atom feeds, served and built: RFC 4287, well-formed, the same bytes. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { feedText } from "../../../src/views/site-files/feed.ts";
import { buildTree, emptyDir, filesIn, saveFile, TEMPLATES } from "../../static-site/build-site.ts";
import { memorySite, type MemorySite } from "../../site.ts";
import { parseXml, type Element } from "../../support/xml.ts";

const article = (id: number, title: string, published: string, more = ""): string =>
  `id: ${id}\n${more}translations:\n  en: { title: ${JSON.stringify(title)}, description: "<b>&", published_at: "${published}" }\n`;

async function blog(settings = {}): Promise<MemorySite> {
  const site = await memorySite(
    {
      "content/pages/home.yaml":
        'id: 1\ntranslations: {en: {title: "Salt & Light", permalink: /, autopermalink: false, published_at: "2026-01-01T00:00:00Z"}}\n',
      "content/tags/weather.yaml": "id: 9\ntranslations: { en: { name: Weather } }\n",
      "content/articles/fog.yaml": article(2, "Fog \u0007 <thick>", "2026-01-02T00:00:00Z", "tags: [9]\n"),
      "content/articles/wind.yaml": article(3, "Wind", "2026-02-01T00:00:00Z"),
      "content/articles/planned.yaml": article(4, "Planned", "2026-04-01T00:00:00Z"),
      "content/articles/moved.yaml": article(5, "Moved", "2026-02-02T00:00:00Z"),
      "content/redirects.yaml": "- { from: /moved, to: /wind/ }\n",
    },
    { BASE_URL: "https://example.org", ...settings },
  );
  for (const [path, text] of Object.entries(TEMPLATES)) saveFile(site.cms.root, path, text);
  return site;
}

const all = (element: Element, name: string): Element[] => element.children.filter((child) => child.name === name);
const text = (element: Element, name: string): string | undefined => all(element, name)[0]?.text;

describe("the feed of a language", () => {
  it("has what Atom requires, newest articles first, and is the same served and built", async () => {
    const site = await blog();
    const served = await site.ask("GET", "/feed.xml");
    expect([served.status, served.headers.get("content-type")]).toEqual([200, "application/atom+xml; charset=utf-8"]);
    const feed = parseXml(served.text);
    expect([feed.name, feed.attributes]).toEqual(["feed", { xmlns: "http://www.w3.org/2005/Atom", "xml:lang": "en" }]);
    expect([text(feed, "title"), text(feed, "id")]).toEqual(["Salt & Light", "https://example.org/feed.xml"]);
    expect(all(feed, "link").map(({ attributes: { rel, href } }) => [rel, href])).toEqual([
      ["self", "https://example.org/feed.xml"],
      ["alternate", "https://example.org/"],
    ]);
    const entries = all(feed, "entry");
    expect(entries.map((each) => text(each, "title"))).toEqual(["Wind", "Fog  <thick>"]);
    for (const each of [feed, ...entries]) {
      for (const name of ["id", "title", "updated"]) expect([name, all(each, name).length]).toEqual([name, 1]);
      expect(text(each, "updated")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
      expect(text(each, "id")).toMatch(/^https:\/\/example\.org\//);
    }
    expect(all(feed, "author")).toHaveLength(1);
    expect([text(entries[1]!, "summary"), all(entries[1]!, "category")[0]?.attributes.term]).toEqual([
      "<b>&",
      "Weather",
    ]);
    for (const { children } of entries) {
      const alternate = children.find(({ attributes }) => attributes.rel === "alternate");
      expect((await site.ask("GET", new URL(alternate!.attributes.href!).pathname)).status).toBe(200);
    }
    const out = join(emptyDir(), "out");
    await buildTree(site, out);
    expect(filesIn(out).get("feed.xml")).toBe(Buffer.from(served.bytes).toString("latin1"));
    expect((await site.ask("GET", "/it/feed.xml/")).status).toBe(404);
    expect(filesIn(out).has("it/feed.xml")).toBe(false);
  });

  it("follows what is published, and goes with the last article", async () => {
    const site = await blog();
    const out = join(emptyDir(), "out");
    await buildTree(site, out);
    site.clock.set("2026-05-01T00:00:00Z");
    await buildTree(site, out);
    expect(filesIn(out).get("feed.xml")).toContain("<title>Planned</title>");
    for (const id of [2, 3, 4, 5]) await site.api("DELETE", `articles/${id}/`);
    await buildTree(site, out);
    expect(filesIn(out).has("feed.xml")).toBe(false);
    expect((await site.ask("GET", "/feed.xml/")).status).toBe(404);
  });

  it("has FEED.ITEMS articles, and with 0 there is none", async () => {
    const short = parseXml((await (await blog({ FEED: { ITEMS: 1 } })).ask("GET", "/feed.xml")).text);
    expect(all(short, "entry").map((each) => text(each, "title"))).toEqual(["Wind"]);
    expect((await (await blog({ FEED: { ITEMS: 0 } })).ask("GET", "/feed.xml/")).status).toBe(404);
  });

  it("has the name of the site where it is set, as the editor has", async () => {
    const named = await blog({ SITE_NAME: " The lighthouse " });
    expect(text(parseXml((await named.ask("GET", "/feed.xml")).text), "title")).toBe("The lighthouse");
    const nameOf = async (site: MemorySite) => (await site.ask("GET", "api:languages/?site_name=true")).body.site_name;
    expect(await nameOf(named)).toBe("The lighthouse");
    expect(await nameOf(await blog())).toBe("Salt & Light");
    expect(await nameOf(await memorySite())).toBeNull();
    expect(Object.keys((await named.ask("GET", "api:languages/")).body)).toEqual(["language_code", "languages"]);
  });

  it("names the author, and takes the host for a site without a home page", () => {
    const made = feedText(
      {
        home: null,
        articles: [
          {
            title: "Fog",
            routerlink: "/it/nebbia/",
            date_updated_at: "2026-01-01T00:00:00Z",
            author: { username: "ada", first_name: "Ada", last_name: "Lo & Co" },
          },
        ],
      },
      { name: null, locales: { codes: ["en", "it"], default: "en" }, lang: "it", origin: "https://example.org" },
    );
    const feed = parseXml(made!);
    expect([text(feed, "title"), text(feed, "id")]).toEqual(["example.org", "https://example.org/it/feed.xml"]);
    expect(text(all(all(feed, "entry")[0]!, "author")[0]!, "name")).toBe("Ada Lo & Co");
  });
});
