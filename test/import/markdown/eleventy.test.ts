/** Imports of Eleventy: data of folders and files, permalinks with code, languages and navigation. */
import { expect, it } from "vitest";
import { deadLinks, expectUnchanged, importFolder, PICTURE } from "./old-site.ts";

const FILES = {
  "eleventy.config.js": 'export default { dir: { input: "src" }, pathPrefix: "/site/" };\n',
  "README.md": "# Of the project\n",
  "src/_data/navigation.json":
    '[{ "text": "Blog", "url": "/blog/2024/01/first/", "children": [{ "text": "Us", "url": "/about/" }] }]\n',
  "src/index.njk": "---\ntitle: Welcome\n---\n{% for post in collections.posts %}{% endfor %}\n",
  "src/feed.njk": "---\npermalink: /feed.xml\n---\n",
  "src/posts/posts.json": `{ "tags": "posts", "permalink": "/blog/{{ page.date | date: '%Y/%m' }}/{{ page.fileSlug }}/index.html" }\n`,
  "src/posts/posts.11tydata.js": "export default { computed: 1 };\n",
  "src/posts/2024-01-05-first.md":
    '---\ntitle: First\ntags: [garden]\n---\n![A]({{ "/img/a.png" | url }}) [us](/site/about/) [second](./second.md)\n\n{% image "x" %}\n',
  "src/posts/second.md": "---\ntitle: Second\ndate: 2024-02-01T10:00:00+02:00\n---\n[first](/blog/2024/01/first/)\n",
  "src/about/about.md": "---\ntitle: About\neleventyNavigation: { key: About, order: 1 }\n---\n![A](../img/a.png)\n",
  "src/about/team.md": "# The team\n",
  "src/about/team.11tydata.json": '{ "color": "red" }\n',
  "src/titled.md": '---\ntitle: A Long Title\npermalink: "{{ title | slugify }}.html"\n---\n',
  "src/code.md": '---\ntitle: Code\npermalink: "{{ title | shout }}/"\n---\n',
  "src/object.md": "---\ntitle: Object\npermalink: { build: /object-page/ }\n---\n",
  "src/none.md": "---\ntitle: None\npermalink: false\n---\n",
  "src/contact.md": "---\ntitle: Contact\n---\n",
  "src/contact.it.md": "---\ntitle: Contatti\n---\n",
  "src/it/chi.md": "---\ntitle: Chi\n---\n",
  "src/stated.md": "---\ntitle: Detto\npermalink: /it/detto/\n---\n",
  "src/img/a.png": PICTURE,
} as const;

it("carries data of folders, permalinks and languages, and tells code that is not run", async () => {
  const site = await importFolder("eleventy", FILES);
  expect(
    await site.leads([
      ...[
        "/",
        "/blog/2024/01/first/",
        "/blog/2024/02/second/",
        "/about/",
        "/about/team/",
        "/a-long-title.html",
        "/code/",
      ],
      ...["/contact/", "/contact.it/", "/it/chi/", "/it/detto/", "/img/a.png", "/none/", "/tags/garden/"],
    ]),
  ).toEqual({
    "/": "/",
    "/blog/2024/01/first/": "/blog/2024/01/first/",
    "/blog/2024/02/second/": "/blog/2024/02/second/",
    "/about/": "/about/",
    "/about/team/": "/about/team/",
    "/a-long-title.html": "/a-long-title/",
    "/code/": "/code/",
    "/contact/": "/contact/",
    "/contact.it/": "/it/contact/",
    "/it/chi/": "/it/chi/",
    "/it/detto/": "/it/detto/",
    "/img/a.png": "/media/img/a.png",
    "/none/": "nothing",
    "/tags/garden/": "/",
  });
  expect(await site.page("/blog/2024/01/first/")).toMatchObject({
    tags: [{ name: "posts" }, { name: "garden" }],
    content: '![A](/media/img/a.png) [us](/about/) [second](/blog/2024/02/second/)\n\n{% image "x" %}',
  });
  const about = await site.page("/about/");
  expect(await site.page("/about/team/")).toMatchObject({
    title: "The team",
    parent_page: { id: about.id },
    template_data: { color: "red" },
  });
  expect((await site.page("/contact/")).alternates).toMatchObject({ it: "/it/contact/" });
  const menu = await site.api("GET", "menus/main/");
  expect(menu.nodes.map(({ title, link, nodes }: any) => [title, link.url, nodes?.length ?? 0])).toEqual([
    ["About", "/about/", 0],
    ["Blog", "/blog/2024/01/first/", 1],
  ]);
  expect(site.remarks).toEqual(
    expect.arrayContaining([
      "src/posts/posts.11tydata.js: Data in JavaScript is not run: what it gives files is not imported.",
      "src/code.md:3: Its permalink is made by code that is not run: {{ title | shout }}/",
      "src/object.md:3: Its permalink is no text, and is not understood.",
      "src/none.md:3: It has no page of its own (permalink: false): it is imported as a draft.",
      'src/posts/2024-01-05-first.md:7: Code of a template is kept as text: {% image "x" %}',
      "src/index.njk:1: It is a template: only its title and its address are imported.",
    ]),
  );
  expect(await deadLinks(site)).toEqual([]);
  await expectUnchanged(site);
});
