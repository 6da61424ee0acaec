/** Imports of Jekyll: patterns of addresses, collections, defaults, languages, and the tags of Liquid that are links. */
import { expect, it } from "vitest";
import { deadLinks, expectUnchanged, importFolder, PICTURE } from "./old-site.ts";

const FILES = {
  "_config.yml": `url: https://old.example
baseurl: /blog
timezone: America/New_York
collections:
  recipes: { output: true, permalink: "/food/:name/" }
  talks: { output: true }
  people: {}
defaults:
  - { scope: { path: "" , type: posts }, values: { author: Anna Rossi, color: white } }
  - { scope: { path: "news" }, values: { color: red } }
  - { scope: { path: "", type: pages }, values: { lead: Hello } }
  - { scope: { path: "proj*/a*.md" }, values: { lead: Projects } }
`,
  "index.md": "---\ntitle: Home\n---\n",
  "about_us.md": "---\ntitle: About us\nredirect_from: /me/\n---\n[Home]({{ site.baseurl }}/) {% include map.html %}\n",
  "about_us.it.md": "---\ntitle: Chi siamo\n---\n",
  "it/chi.md": "---\ntitle: Chi\n---\n",
  "projects/alpha.md": "---\ntitle: Alpha\n---\n",
  "_posts/2024-01-05-My-First_Post.md":
    "---\ntitle: First\ndate: 2024-01-05 23:30:00 -0500\ncategories: [Big News]\n---\n" +
    "[Second]({% post_url news/2024-01-06-second %}) [by name]({{ site.baseurl }}{% post_url 2024-01-06-second %}#end)\n" +
    '[soup]({% link _recipes/Pea Soup.md %}) [soup]({% link _recipes/soup.md %}) ![A]({{ "/assets/a.png" | relative_url }})\n' +
    "\n{% highlight ruby %}\n{% post_url x %}\n{% endhighlight %}\n\n{{ page.date }}\n",
  "news/_posts/2024-01-06-second.md":
    "---\ntitle: Second\n---\n[First](https://old.example/blog/big%20news/2024/01/05/My-First_Post.html) [x](/blog/nowhere/)\n",
  "_posts/it/2024-01-07-terzo.md": "---\ntitle: Terzo\n---\n",
  "_recipes/soup.md": "---\ntitle: Soup\nimage: /assets/a.png\n---\nPeas.\n",
  "_talks/deep/one.md": "---\ntitle: Talk\n---\n",
  "_people/jane.md": "---\ntitle: Jane\n---\n",
  "_drafts/idea.md": "---\ntitle: Idea\n---\n",
  "README.md": "No front matter, no page.\n",
  "assets/a.png": PICTURE,
} as const;

it("carries posts, collections, defaults and languages, and keeps or redirects each address", async () => {
  const site = await importFolder("jekyll", FILES);
  expect(
    await site.leads([
      ...["/about_us.html", "/me/", "/about_us.it.html", "/it/chi.html", "/projects/alpha.html"],
      ...["/big news/2024/01/05/My-First_Post.html", "/news/2024/01/06/second.html", "/2024/01/07/terzo.html"],
      ...["/food/soup/", "/talks/deep/one.html", "/people/jane.html", "/assets/a.png"],
    ]),
  ).toEqual({
    "/about_us.html": "/about_us/",
    "/me/": "/about_us/",
    "/about_us.it.html": "/it/about_us/",
    "/it/chi.html": "/it/chi/",
    "/projects/alpha.html": "/projects/alpha/",
    "/big news/2024/01/05/My-First_Post.html": "/big-news/2024/01/05/my-first_post/",
    "/news/2024/01/06/second.html": "/news/2024/01/06/second/",
    "/2024/01/07/terzo.html": "/it/2024/01/07/terzo/",
    "/food/soup/": "/food/soup/",
    "/talks/deep/one.html": "/talks/deep/one/",
    "/people/jane.html": "nothing",
    "/assets/a.png": "/media/a.png",
  });
  expect(await site.page("/big-news/2024/01/05/my-first_post/")).toMatchObject({
    published_at: "2024-01-06T04:30:00Z",
    author: { username: "anna-rossi", first_name: "Anna", last_name: "Rossi" },
    tags: [{ name: "Big News" }],
    template_data: { color: "white" },
    content:
      "[Second](/news/2024/01/06/second/) [by name](/news/2024/01/06/second/#end)\n" +
      "[soup]({% link _recipes/Pea Soup.md %}) [soup](/food/soup/) ![A](/media/a.png)\n\n" +
      "```ruby\n{% post_url x %}\n```\n\n{{ page.date }}",
  });
  expect(await site.page("/news/2024/01/06/second/")).toMatchObject({
    published_at: "2024-01-06T05:00:00Z",
    template_data: { color: "red" },
    content: "[First](/big-news/2024/01/05/my-first_post/) [x](/blog/nowhere/)",
  });
  expect(await site.page("/about_us/")).toMatchObject({
    alternates: { it: "/it/about_us/" },
    template_data: { lead: "Hello" },
  });
  expect((await site.page("/projects/alpha/")).template_data.lead).toBe("Projects");
  expect((await site.page("/food/soup/")).og_image.file).toContain("/media/a.png");
  const draftsOf = async (kind: string) =>
    // Pages in Italian alone have no title in English.
    (await site.api("GET", `${kind}/?fltr=status=DRF`)).flatMap(({ title }: any) => title ?? []);
  expect([await draftsOf("pages"), await draftsOf("articles")]).toEqual([["Jane"], ["Idea"]]);
  expect(site.remarks).toEqual(
    expect.arrayContaining([
      "about_us.md:5: Code of a template is kept as text: {% include map.html %}",
      "news/_posts/2024-01-06-second.md:4: Leads to /blog/nowhere/, which is not in the source: it is kept as it is.",
      expect.stringContaining("_people/jane.md:1: The collection people has no pages"),
      "_posts/2024-01-05-My-First_Post.md:13: Code of a template is kept as text: {{ page.date }}",
    ]),
  );
  expect(await deadLinks(site)).toEqual(["/blog/nowhere/"]);
  await expectUnchanged(site);
});

it.each([
  ["pretty", "/2024/12/30/a/", "/page/", "/talks/b/"],
  ["weekdate", "/2024/W01/Mon/a.html", "/page.html", "/talks/b.html"],
  ["/:y_day-:short_year/:short_month-:i_day/:slug", "/365-24/Dec-30/a", "/page", "/talks/b"],
])("knows the addresses of the style %s", async (style, post, page, talk) => {
  const site = await importFolder("jekyll", {
    "_config.yml": `permalink: ${style}\ncollections:\n  talks: { output: true }\n`,
    "_posts/2024-12-30-a.md": "---\ntitle: A\n---\n",
    "page.md": "---\ntitle: Page\n---\n",
    "_talks/b.md": "---\ntitle: B\n---\n",
  });
  expect(Object.values(await site.leads([post, page, talk]))).not.toContain("nothing");
});
