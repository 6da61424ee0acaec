/** Imports of Astro: collections and the pages that show them, languages, MDX, and pictures beside the texts. */
import { expect, it } from "vitest";
import { deadLinks, expectUnchanged, importFolder, PICTURE } from "./old-site.ts";

const FILES = {
  "astro.config.mjs":
    'export default { site: "https://old.example", base: "/docs", i18n: { defaultLocale: "en", locales: ["en", "it"] } };\n',
  "src/pages/[lang]/blog/[...slug].astro": '---\nconst posts = await getCollection("blog");\n---\n',
  "src/pages/notes/[slug].astro": "---\nconst notes = await getCollection('notes');\n---\n",
  "src/pages/index.astro": "---\n---\n<h1>Home</h1>\n",
  "src/pages/about.md": "---\ntitle: About\n---\n[First](/docs/en/blog/first-post/) [list](../notes/own/slug/)\n",
  "src/pages/it/chi.md": "---\ntitle: Chi\n---\n",
  "src/pages/404.astro": "---\n---\n",
  "src/content/blog/en/first-post.mdx":
    "---\ntitle: First\npubDate: 2024-01-05\nheroImage: ../../../assets/hero.png\ntags: [One]\n---\n" +
    'import Chart from "../Chart.astro";\n\n# First\n\n![Beside](./beside.png) [Nota](../../notes/it/Un%20Appunto.md)\n\n' +
    '<Chart values={[1]} />\n\n```js\nimport x from "y";\n```\n',
  "src/content/blog/en/beside.png": PICTURE,
  "src/content/blog/it/first-post.md": "---\ntitle: Primo\npubDate: 2024-01-05\ndraft: true\n---\n",
  "src/content/blog/_hidden.md": "---\ntitle: Hidden\n---\n",
  "src/content/notes/it/Un Appunto.md":
    "---\ntitle: Appunto\n---\n[primo](https://old.example/docs/it/blog/first-post/)\n",
  "src/content/notes/named.md": "---\ntitle: Named\nslug: own/slug\n---\n",
  "src/assets/hero.png": PICTURE,
  "public/files/a.pdf": "%PDF-1.4\n%%EOF\n",
} as const;

it("carries collections in languages, MDX and pictures", async () => {
  const site = await importFolder("astro", FILES);
  expect(
    await site.leads([
      ...["/", "/about/", "/it/chi/", "/en/blog/first-post/", "/it/blog/first-post/"],
      ...["/notes/it/un-appunto/", "/notes/own/slug/", "/files/a.pdf", "/tags/one/"],
    ]),
  ).toEqual({
    "/": "/",
    "/about/": "/about/",
    "/it/chi/": "/it/chi/",
    "/en/blog/first-post/": "/blog/first-post/",
    // A draft.
    "/it/blog/first-post/": "nothing",
    "/notes/it/un-appunto/": "/it/notes/un-appunto/",
    "/notes/own/slug/": "/notes/own/slug/",
    "/files/a.pdf": "/media/files/a.pdf",
    "/tags/one/": "/",
  });
  expect(await site.page("/blog/first-post/")).toMatchObject({
    published_at: "2024-01-05T00:00:00Z",
    tags: [{ name: "One" }],
    highlight_image: { file: expect.stringContaining("/media/hero.png") },
    content:
      'import Chart from "../Chart.astro";\n\n# First\n\n![Beside](/media/blog/en/beside.png) ' +
      '[Nota](/it/notes/un-appunto/)\n\n<Chart values={[1]} />\n\n```js\nimport x from "y";\n```',
  });
  expect((await site.page("/about/")).template_data.body).toBe("[First](/blog/first-post/) [list](/notes/own/slug/)");
  expect(site.remarks).toEqual([
    "src/content/blog/_hidden.md: It was no page of the old site: it is not imported.",
    "src/pages/index.astro:1: It is a template: only its title and its address are imported.",
    'src/content/blog/en/first-post.mdx:7: Code of a template is kept as text: import Chart from "../Chart.astro";',
    "src/content/blog/en/first-post.mdx:13: Code of a template is kept as text: <Chart",
  ]);
  // The address of the draft, which is there once it is published.
  expect(await deadLinks(site)).toEqual(["/it/blog/first-post/"]);
  await expectUnchanged(site);
});
