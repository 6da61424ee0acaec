/** Imports of Hugo: languages, page bundles, patterns of addresses, TOML, references and menus. */
import { expect, it } from "vitest";
import { deadLinks, expectUnchanged, importFolder, PICTURE } from "./old-site.ts";

const FILES = {
  "config/_default/hugo.toml": `baseURL = "https://old.example/"
defaultContentLanguage = "it"
timeZone = "Europe/Rome"
[permalinks.page]
posts = "/:year/:monthname/:slug/"
notes = "/:sections[1:]/:weekday/:slugorcontentbasename/"
odd = "/:nothing/:contentbasename/"
`,
  "config/_default/languages.yaml": "it: { weight: 1 }\nen: { weight: 2 }\n",
  "config/_default/menus.it.toml":
    '[[main]]\nname = "Chi siamo"\npageRef = "/about"\nweight = 2\n[[main]]\nname = "Fuori"\nurl = "https://elsewhere.example/"\nweight = 1\n',
  "config/_default/menus.en.toml": '[[main]]\nname = "About"\npageRef = "/about"\nweight = 1\n',
  "content/_index.it.md": "+++\ntitle = 'Casa'\n+++\nCiao.\n",
  "content/_index.en.md": "+++\ntitle = 'Home'\n+++\nHello.\n",
  "content/about.it.md":
    "+++\ntitle = 'Chi siamo'\nslug = 'chi-siamo'\naliases = ['/noi/', 'storia']\n+++\n[Primo]({{< ref \"first\" >}})\n",
  "content/about.en.md":
    "+++\ntitle = 'About'\n[params]\ncolor = 'red'\n+++\nSee [the first]({{< relref \"posts/first.md#part\" >}}), " +
    '[in Italian]({{% ref path="about.md" lang="it" %}}), [here]({{< ref "#top" >}}) and [lost]({{< ref "lost" >}}).\n',
  "content/posts/first/index.it.md":
    "+++\ntitle = 'Il primo'\ndate = 2024-07-01T00:30:00\ntags = ['Casa mia']\n[cover]\nimage = 'field.png'\n+++\n" +
    '![Un campo](field.png)\n\n{{< figure src="map/plan.png" caption="La pianta" >}}\n\n{{< youtube abc >}}\n',
  "content/posts/first/index.en.md":
    "+++\ntitle = 'The First'\ndate = 2024-07-01T00:30:00\n+++\n[Mappa](map/plan.png)\n",
  "content/posts/first/field.png": PICTURE,
  "content/posts/first/map/plan.png": PICTURE,
  "content/posts/second.it.md":
    '---\ntitle: Il Secondo\nslug: due\ndate: 2024-12-31 23:30:00\ndraft: false\n---\n[prima]({{< ref "/posts/first" >}})\n',
  "content/notes/deep/c.it.md": "---\ntitle: Nota\ndate: 2024-07-03\n---\n",
  "content/odd/d.it.md": "---\ntitle: Strana\ndate: 2024-07-03\n---\n",
  "content/plain.it.md":
    '---\ntitle: Con indirizzo\nurl: /fissa.html\n---\nVedi https://old.example/noi/ e <a href="http://old.example/2024/july/il-primo/">questo</a>.\n',
} as const;

it("carries languages, bundles, patterns of addresses and references", async () => {
  const site = await importFolder("hugo", FILES);
  // The default language there is Italian, here English.
  expect(
    await site.leads([
      ...[
        "/",
        "/en/",
        "/chi-siamo/",
        "/noi/",
        "/storia/",
        "/en/about/",
        "/2024/july/il-primo/",
        "/en/2024/july/the-first/",
      ],
      ...["/2024/december/due/", "/deep/3/c/", "/fissa.html", "/posts/", "/en/posts/", "/notes/"],
      ...["/2024/july/il-primo/field.png", "/2024/july/il-primo/map/plan.png", "/en/2024/july/the-first/map/plan.png"],
      ...["/tags/", "/tags/casa-mia/"],
    ]),
  ).toEqual({
    "/": "/",
    "/en/": "/",
    "/chi-siamo/": "/it/chi-siamo/",
    "/noi/": "/it/chi-siamo/",
    "/storia/": "/it/chi-siamo/",
    "/en/about/": "/about/",
    "/2024/july/il-primo/": "/it/2024/july/il-primo/",
    "/en/2024/july/the-first/": "/2024/july/the-first/",
    "/2024/december/due/": "/it/2024/december/due/",
    "/deep/3/c/": "/it/deep/3/c/",
    "/fissa.html": "/it/fissa/",
    "/posts/": "/posts/",
    "/en/posts/": "/posts/",
    "/notes/": "/it/notes/",
    "/2024/july/il-primo/field.png": "/media/posts/first/field.png",
    "/2024/july/il-primo/map/plan.png": "/media/posts/first/map/plan.png",
    "/en/2024/july/the-first/map/plan.png": "/media/posts/first/map/plan.png",
    "/tags/": "/posts/",
    "/tags/casa-mia/": "/posts/",
  });
  const about = await site.page("/about/");
  expect(about).toMatchObject({ alternates: { it: "/it/chi-siamo/" }, template_data: { params: { color: "red" } } });
  expect(about.template_data.body).toBe(
    "See [the first](/2024/july/the-first/#part), [in Italian](/it/chi-siamo/), [here](/about/#top) and " +
      '[lost]({{< ref "lost" >}}).',
  );
  const first = await site.page("/it/2024/july/il-primo/");
  expect(first).toMatchObject({
    published_at: "2024-06-30T22:30:00Z",
    tags: [{ name: "Casa mia" }],
    highlight_image: { file: expect.stringContaining("/media/posts/first/field.png"), alt_text: "Un campo" },
    content:
      "![Un campo](/media/posts/first/field.png)\n\n" +
      '![La pianta](/media/posts/first/map/plan.png "La pianta")\n\n{{< youtube abc >}}',
  });
  expect((await site.page("/it/2024/december/due/")).content).toBe("[prima](/it/2024/july/il-primo/)");
  expect((await site.page("/it/fissa/")).template_data.body).toContain('<a href="/it/2024/july/il-primo/">questo</a>');
  const menu = await site.api("GET", "menus/main/?language=it");
  expect(menu.nodes.map(({ title, link }: any) => [title, link.url])).toEqual([
    ["Fuori", "https://elsewhere.example/"],
    ["Chi siamo", "/it/chi-siamo/"],
  ]);
  expect((await site.api("GET", "menus/main/?language=en")).nodes.map(({ title }: any) => title)).toEqual(["About"]);
  expect(site.remarks).toEqual(
    expect.arrayContaining([
      'content/about.en.md:6: Leads to {{< ref "lost" >}}, which is not in the source: it is kept as it is.',
      "content/posts/first/index.it.md:12: Code of a template is kept as text: {{< youtube abc >}}",
      expect.stringContaining("content/odd/d.it.md:1: Its address has :nothing, which is not known here."),
    ]),
  );
  expect(await deadLinks(site)).toEqual([]);
  await expectUnchanged(site);
});

it("reads a folder of content for each language", async () => {
  const site = await importFolder("hugo", {
    "hugo.yaml":
      "baseURL: https://old.example/blog/\ndefaultContentLanguageInSubdir: true\nuglyURLs: true\nlanguages:\n" +
      "  en: { contentDir: content/english }\n  it: { contentDir: content/italian }\n",
    "content/english/about.md":
      "---\ntitle: About\ntranslationKey: a\n---\n[Blog](/blog/en/posts/one.html) ![P](pic.png)\n",
    "content/italian/chi.md": "---\ntitle: Chi\ntranslationKey: a\n---\n",
    "content/english/pic.png": PICTURE,
    "content/english/posts/one.md": '{ "title": "One", "date": "2024-01-02", "weight": 3 }\n\nText\n',
  });
  expect(await site.leads(["/en/about.html", "/it/chi.html", "/en/posts/one.html"])).toEqual({
    "/en/about.html": "/about/",
    "/it/chi.html": "/it/chi/",
    "/en/posts/one.html": "/posts/one/",
  });
  expect(await site.page("/about/")).toMatchObject({
    alternates: { it: "/it/chi/" },
    template_data: { body: "[Blog](/posts/one/) ![P](/media/english/pic.png)" },
  });
  expect(await deadLinks(site)).toEqual([]);
});
