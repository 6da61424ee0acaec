/**
 * The addresses of old sites, written down from the rules of their generators: each leads to its page, in the running
 * service and in a build, or is told.
 */
import { expect, it } from "vitest";
import { importFolder, leadsInBuild, PICTURE, type Imported, type OldFiles } from "./old-site.ts";
import type { DialectName } from "../../../src/import/markdown/generators/dialect.ts";

async function crawl(from: DialectName, files: OldFiles, expected: Record<string, string>): Promise<Imported> {
  const site = await importFolder(from, files);
  expect(await site.leads(Object.keys(expected))).toEqual(expected);
  expect(await leadsInBuild(site, Object.keys(expected))).toEqual(expected);
  return site;
}

const page = (front: string, text = "Text"): string => `---\n${front}\n---\n${text}\n`;

it("Hugo: sections, patterns by language, slugs, dates in their own zone, cascades, bundles", async () => {
  const site = await crawl(
    "hugo",
    {
      "hugo.toml": `baseURL = "https://old.example/"
defaultContentLanguage = "en"
ignoreFiles = ["\\\\.skip\\\\.md$"]
[permalinks.page]
posts = "/:year/:month/:day/:slug/"
"/" = "/:slug/"
[permalinks.section]
docs = "/manual/"
[languages.en]
[languages.it]
[languages.it.permalinks.page]
posts = "/articoli/:slug/"
[languages.de]
disabled = true
`,
      "content/_index.md": page("title: Home"),
      "content/about.md": page("title: About us\nslug: 1984\naliases: [/who/, us]"),
      "content/posts/_index.md": page("title: Posts"),
      "content/posts/late.md": page("title: Late\ndate: 2024-01-05T23:30:00-05:00"),
      "content/posts/early.md": page("title: Early\ndate: 2024-01-05T00:30:00+05:00"),
      "content/posts/late.it.md": page("title: Tardi\ndate: 2024-01-05T23:30:00-05:00"),
      "content/posts/dash.md": page("Title: Dash\nDate: 2024-02-01\nSlug: -dash-"),
      "content/posts/gone.skip.md": page("title: Gone\ndate: 2024-02-01"),
      "content/docs/_index.md": page(
        "title: Manual\ncascade:\n  - target: { path: '{/docs/secret,/docs/secret/**}' }\n    draft: true",
      ),
      "content/docs/open.md": page("title: Open"),
      "content/docs/secret/a.md": page("title: Secret"),
      "content/notes/one.md": page("title: One\nurl: /:contentbasename/here/"),
      "content/bundle/index.md": page("title: Bundle"),
      "content/bundle/part.md": page("title: Part"),
      "content/bundle/a.png": PICTURE,
      "content/about.de.md": page("title: Wir"),
    },
    {
      "/": "/",
      "/1984/": "/1984/",
      "/who/": "/1984/",
      "/us/": "/1984/",
      "/posts/": "/posts/",
      "/it/posts/": "/it/posts/",
      "/2024/01/05/late/": "/2024/01/05/late/",
      "/2024/01/05/early/": "/2024/01/05/early/",
      "/it/articoli/tardi/": "/it/articoli/tardi/",
      "/2024/02/01/dash/": "/2024/02/01/dash/",
      "/manual/": "/manual/",
      "/docs/open/": "/docs/open/",
      "/notes/": "/notes/",
      "/one/here/": "/one/here/",
      "/bundle/": "/bundle/",
      // Not of the old site.
      "/docs/secret/a/": "nothing",
      "/bundle/part/": "nothing",
      "/2024/02/01/gone/": "nothing",
    },
  );
  const routed = async (path: string) => (await site.ask("GET", `api:pages-router${path}`)).body;
  for (const [from, to] of [
    ["/index.xml", "/feed.xml"],
    ["/posts/index.xml", "/feed.xml"],
    ["/it/index.xml", "/it/feed.xml"],
    ["/it/posts/index.xml", "/it/feed.xml"],
  ])
    expect(await routed(from!)).toMatchObject({ redirect: to, status: 301 });
  expect(await routed("/bundle/index.xml")).not.toHaveProperty("redirect");
  expect(site.remarks).toEqual(
    expect.arrayContaining([
      "content/bundle/part.md:1: It belongs to the page of content/bundle, and is none of its own: it is a draft.",
      "content/posts/gone.skip.md:1: It is left out by ignoreFiles in hugo.toml: it is a draft.",
      expect.stringContaining("content/about.de.md:1: Its language de is disabled in hugo.toml"),
    ]),
  );
});

it("Jekyll: dates without zeros, categories and tags as words, rooted redirects, redirect_to, exclude", async () => {
  const site = await crawl(
    "jekyll",
    {
      "_config.yml":
        "url: https://old.example\nexclude: [private, '*.secret.md']\nfuture: true\ncollections:\n  team: { output: true }\n",
      "index.md": page("title: Home"),
      "about.md": page("title: About\nredirect_from: [old2, /old3/]\npermalink: /about/"),
      "moved.md": page("title: Moved\nredirect_to: /about/"),
      "private/a.md": page("title: Private"),
      "b.secret.md": page("title: Secret"),
      "_posts/2024-1-5-first.md": page("title: First\ncategories: news old\ntags: big small"),
      "_posts/2024-01-06-second.md": page("title: Second\ncategory: Two Words"),
      "_posts/2024-01-07-listed.md": page("title: Listed\ncategories: [a b, c]\nredirect_from: old/listed.html"),
      "_posts/2024-01-08-sharp.md": page("title: Sharp\ncategories: [C#]"),
      "_posts/2099-01-01-later.md": page("title: Later"),
      "_posts/undated.md": page("title: Undated"),
      "_posts/2024-01-09-dots.md": "---\ntitle: Dots\n...\nText\n",
      "_posts/2024-01-10-hidden.md": page("title: Hidden\npublished: no"),
      "_team/ada.md": page("title: Ada"),
    },
    {
      "/": "/",
      "/about/": "/about/",
      "/old2": "/about/",
      "/old3/": "/about/",
      "/moved.html": "/about/",
      "/news/old/2024/01/05/first.html": "/news/old/2024/01/05/first/",
      "/listed": "nothing",
      "/old/listed.html": "/a-b/c/2024/01/07/listed/",
      "/2024/01/09/dots.html": "/2024/01/09/dots/",
      "/2099/01/01/later.html": "/2099/01/01/later/",
      "/team/ada.html": "/team/ada/",
      // Not shown by the old site: a redirect would tell the address of a draft.
      "/2024/01/10/hidden.html": "nothing",
      // Not of the old site.
      "/private/a.html": "nothing",
      "/b.secret.html": "nothing",
    },
  );
  const first = await site.page("/news/old/2024/01/05/first/");
  expect(first.tags.map(({ name }: { name: string }) => name).sort()).toEqual(["big", "news", "old", "small"]);
  expect(site.remarks).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/2024-01-08-sharp\.md:1: \/c#\/2024\/01\/08\/sharp\.html cannot redirect/),
      expect.stringContaining("moved.md:3: It leads to /about/: it is a redirect."),
      "_posts/undated.md:1: Its name has no date, so that it is no post: it is a draft.",
      "private/a.md:1: It is left out by exclude in _config.yml: it is a draft.",
    ]),
  );
});

it("Jekyll: collections with dates, included folders, posts in HTML, and what it leaves out", async () => {
  const site = await crawl(
    "jekyll",
    {
      "_config.yml": `url: https://old.example
permalink: /:slug.html
paginate: 2
paginate_path: /blog/page:num
include: [_pages]
destination: out
collections: { shows: { output: true, permalink: "/:collection/:title" }, notes: {} }
defaults:
  - { scope: { path: below }, values: { published: false } }
`,
      "_pages/contact.md": page("title: Contact\nredirect_from: /write"),
      "_posts/2024-01-05-v1.2-c++.md": page("title: Dots"),
      "_posts/2024-01-06-old.html": page("title: Old", "<p>a</p>\n\n    <p>b</p>"),
      "_posts/2024-01-07-bare.md": "Without front matter\n",
      "_shows/2024-01-08-Big One.md": page("title: Big"),
      "_shows/2099-01-08-next.md": page("title: Next"),
      "_shows/index.md": page("title: Shows"),
      "_notes/a.md": page("title: A note\npermalink: /a-note/"),
      "_hidden.md": page("title: Hidden"),
      "blog/index.html": page("title: Blog", "{% for post in paginator.posts %}{% endfor %}"),
      "below/a.md": page("title: Below"),
      "if.md": page("title: If", "{% raw %}{% if x %}{% endraw %} {% if x %}Secret{% endif %}"),
      "told.md": page(
        "title: Told",
        "a{% comment %}Secret{% endcomment %}\n{::comment}\nSecret\n{:/}\n`{::comment}` {% raw %}{% comment %}{% endraw %} b[^1]\n\n[^1]: Foot",
      ),
      "raw.md": page("title: Raw\nrender_with_liquid: false", "{% if x %}b{% endif %}"),
      "plain.html": "<p>Plain</p>\n",
      "out/told.html": page("title: Told"),
    },
    {
      "/_pages/contact.html": "/pages/contact/",
      "/write": "/pages/contact/",
      "/write.html": "/pages/contact/",
      "/v1-2-c.html": "/v1-2-c/",
      "/old.html": "/old/",
      "/bare.html": "/bare/",
      "/blog/": "/blog/",
      "/blog/page2": "/blog/",
      "/blog/page3": "nothing",
      "/shows/Big-One": "/shows/big-one/",
      "/shows/Big-One.html": "/shows/big-one/",
      "/shows/": "/shows/",
      "/told.html": "/told/",
      "/raw.html": "/raw/",
      // Not of the old site, or not known to be.
      "/shows/next": "nothing",
      "/a-note/": "nothing",
      "/_hidden.html": "nothing",
      "/hidden": "nothing",
      "/if.html": "nothing",
      "/below/a.html": "nothing",
    },
  );
  expect((await site.page("/told/")).template_data.body).toBe(
    "a\n\n\n\n`{::comment}` {% comment %} b[^1]\n\n\\[^1]: Foot",
  );
  expect((await site.page("/old/")).content).toBe("<div>\n<p>a</p>\n    <p>b</p>\n</div>");
  expect(site.remarks).toEqual(
    expect.arrayContaining([
      "_hidden.md:1: Jekyll leaves out files that begin with _: it is a draft.",
      "_notes/a.md:3: The collection notes has no pages (output is not true): it is imported as a draft.",
      expect.stringContaining("_shows/2099-01-08-next.md:1: Its date is in the future"),
      "below/a.md:1: published: It is not published.",
      "if.md:4: What it shows depends on {% if x %}, which is not run: it is a draft.",
      "plain.html: It was served at /plain.html as it is: it is not imported. Copy it into static/.",
      "told.md:4: A comment is left out, which the old site did not show.",
      "told.md:5: A comment is left out, which the old site did not show.",
      "told.md:10: A footnote is shown as it is written: Markdown has none here.",
    ]),
  );
});

it("Eleventy: permalinks by templates, files that are copied, ignored files and data in code", async () => {
  const site = await crawl(
    "eleventy",
    {
      "eleventy.config.js": `export default function (config) {
  config.addPassthroughCopy({ "public": "/" });
  config.addPassthroughCopy("src/img");
  config.ignores.add("src/notes/**");
}
export const config = { dir: { input: "src" } };
`,
      ".eleventyignore": "src/later.md\n",
      "public/img/cat.png": PICTURE,
      "src/img/dog.png": PICTURE,
      "src/index.md": page("title: Home", "![Cat](/img/cat.png) ![Dog](/img/dog.png)"),
      "src/blog/blog.json": '{ "permalink": "/blog/{{ page.fileSlug }}/index.html" }',
      "src/blog/2024-01-05-one.md": page("title: One"),
      "src/by-data.md": page(
        'title: By data\nsection: Deep Down\npermalink: "/{{ section | slugify }}/{{ title | slugify }}/"',
      ),
      "src/html.md": page("title: Plain\npermalink: /plain.html"),
      "src/hidden.md": page("title: Hidden\npermalink: false"),
      "src/if.md": page('title: If\npermalink: "{% if draft %}false{% else %}/if/{% endif %}"'),
      "src/later.md": page("title: Later"),
      "src/notes/a.md": page("title: A note"),
      "src/team/team.11tydata.js": "module.exports = { permalink: false };",
      "src/team/ada.md": page("title: Ada"),
      "src/broken/broken.json": '{ "draft": true,, }',
      "src/broken/a.md": page("title: Broken"),
      "src/feed.njk": page("permalink: /feed.xml"),
      "src/tags.njk": page("pagination: { data: collections, size: 1 }"),
    },
    {
      "/": "/",
      "/blog/one/": "/blog/one/",
      "/deep-down/by-data/": "/deep-down/by-data/",
      "/plain.html": "/plain/",
      "/img/cat.png": "/media/img/cat.png",
      "/img/dog.png": "/media/img/dog.png",
      // Not of the old site, or not known to be.
      "/hidden/": "nothing",
      "/if/": "nothing",
      "/later/": "nothing",
      "/notes/a/": "nothing",
      "/team/ada/": "nothing",
      "/broken/a/": "nothing",
    },
  );
  expect((await site.page("/")).template_data.body).toBe("![Cat](/media/img/cat.png) ![Dog](/media/img/dog.png)");
  expect(site.remarks).toEqual(
    expect.arrayContaining([
      "src/feed.njk:1: It is a template that makes /feed.xml: it is not imported.",
      "src/tags.njk:1: It is a template that makes pages or a feed: it is not imported.",
      "src/later.md:1: Eleventy is told to ignore it: it is a draft.",
      expect.stringMatching(/src\/if\.md:3: Its permalink is made by code that is not run: .* It is a draft\./),
    ]),
  );
});

it("Eleventy: folders by setters, data in code, comments and conditions, templates below the input folder", async () => {
  const site = await crawl(
    "eleventy",
    {
      "eleventy.config.js": `export default function (config) {
  config.setInputDirectory("site");
  config.setIncludesDirectory("_parts");
  config.setOutputDirectory("www");
  config.addPassthroughCopy("site/**/*.png");
}
export const config = { markdownTemplateEngine: "njk" };
`,
      "site/index.md": page("title: Home", "{# Secret #}Shown {% raw %}{# raw #}{% endraw %}"),
      "site/content/a.md": page("title: A"),
      "site/_private/b.md": page("title: B"),
      "site/_parts/c.md": page("title: C"),
      "site/blog/blog.11tydata.js": 'export default { tags: "post", permalink: "/articles/{{ page.fileSlug }}/" };',
      "site/blog/one.md": page("title: One"),
      "site/news/news.11tydata.cjs": "module.exports = { permalink: (data) => (data.live ? data.url : false) };",
      "site/news/one.md": page("title: Secret"),
      "site/later/later.11tydata.mjs": "export default { draft: true };",
      "site/later/one.md": page("title: Later"),
      "site/if.md": page("title: If", "{%- if x -%}Secret{%- endif -%}"),
      "site/plain.md": page("title: Plain\ntemplateEngineOverride: md", "{% if x %}b{% endif %}"),
      "site/ends.md": page('title: Ends\npermalink: "/ends.{{ page.outputFileExtension }}"'),
      "site/list.html": page("title: List"),
      "site/deep/cat.png": PICTURE,
      "www/site/list.html": page("title: Built"),
    },
    {
      "/": "/",
      "/content/a/": "/content/a/",
      "/_private/b/": "/private/b/",
      "/articles/one/": "/articles/one/",
      "/plain/": "/plain/",
      "/ends.html": "/ends/",
      "/list/": "/list/",
      "/deep/cat.png": "/media/site/deep/cat.png",
      // Not of the old site, or not known to be.
      "/c/": "nothing",
      "/news/one/": "nothing",
      "/later/one/": "nothing",
      "/if/": "nothing",
    },
  );
  expect((await site.page("/")).template_data.body).toBe("Shown {# raw #}");
  expect(site.remarks).toEqual(
    expect.arrayContaining([
      "site/news/one.md:1: Its permalink is made by code that is not run: {% permalink of news.11tydata.cjs %}. It is a draft.",
      "site/later/one.md:1: draft: It is a draft.",
      "site/if.md:4: What it shows depends on {%- if x -%}, which is not run: it is a draft.",
      "site/index.md:4: A comment is left out, which the old site did not show.",
    ]),
  );
});

it("Astro: redirects of the configuration, slugs, drafts", async () => {
  const site = await crawl(
    "astro",
    {
      "astro.config.mjs": `export default defineConfig({
  site: "https://old.example",
  redirects: {
    "/old": "/blog/one/",
    "/temporary": { status: 302, destination: "/about/" },
    "/tags/[tag]": "/blog/[tag]",
  },
});
`,
      "src/pages/about.md": page("title: About"),
      "src/content/blog/one.md": page("title: One\npubDate: 2024-01-05"),
      "src/content/blog/two.md": page("title: Two\nslug: deux\npubDate: 2024-01-05"),
      "src/content/blog/hidden.md": page("title: Hidden\ndraft: 'true'\npubDate: 2024-01-05"),
    },
    {
      "/about/": "/about/",
      "/old": "/blog/one/",
      "/temporary": "/about/",
      "/blog/one/": "/blog/one/",
      "/blog/deux/": "/blog/deux/",
      "/blog/hidden/": "nothing",
    },
  );
  expect(site.remarks).toEqual([
    "astro.config.mjs:6: The redirect of /tags/[tag] has parameters, or no place to lead to: it is not imported.",
    "src/content/blog/hidden.md:3: draft: It is a draft.",
  ]);
});

it("reads nothing where the configuration cannot be read", async () => {
  const files = { "_config.yml": "exclude: [private\n", "private/a.md": page("title: Private") };
  await expect(importFolder("jekyll", files)).rejects.toThrow("_config.yml cannot be read");
});
