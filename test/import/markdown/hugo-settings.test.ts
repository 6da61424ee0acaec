/** Settings of Hugo that say where pages are, and what of them is shown. */
import { expect, it } from "vitest";
import { importFolder, leadsInBuild, PICTURE } from "./old-site.ts";

const page = (front: string, text = "Text"): string => `---\n${front}\n---\n${text}\n`;

it("reads settings of production, in any case, mounts, and keys of dates", async () => {
  const site = await importFolder("hugo", {
    "config/_default/config.yaml": `BaseURL: https://old.example/
uglyurls: true
paginate: 3
disablePathToLower: true
removePathAccents: true
PublishDir: out
frontmatter: { date: [":filename", written, ":default"], PublishDate: [live], expiryDate: [until] }
module:
  mounts:
    - { source: content, target: content }
    - { source: essays, target: content/writing }
    - { source: altro, target: content/more, lang: it }
    - { source: pics, target: static/pictures }
    - { source: static, target: static }
`,
    "config/_default/languages.yaml": "en: { weight: 1 }\nit: { Permalinks: { posts: '/articoli/:slug' } }\n",
    "config/production/config.toml": '[permalinks]\nnews = "/p/:year/:month/:slug/"\n',
    "content/About Us--Now.md": page("title: About\naliases: [/who, old/us.html]"),
    "content/Café@Home.md": page("title: Café", "![P](/pictures/p.png)"),
    "content/news/2024-02-03-by-name.md": page("title: By name"),
    "content/news/written.md": page("title: Written\nwritten: 2023-05-06"),
    "content/news/early.md": page("title: Early\ndate: 2099-01-02\nlive: 2020-01-01"),
    "content/news/late.md": page("title: Late\ndate: 2020-01-02\nlive: 2099-01-01"),
    "content/news/over.md": page("title: Over\ndate: 2020-01-02\nuntil: 2021-01-01"),
    "content/news/changed.md": page("title: Changed\nlastmod: 2021-03-04\ntags: [Big Cat]"),
    "content/posts/uno.it.md": page("title: Uno\nslug: Numero"),
    "content/manual/_index.md": page("title: Manual\nurl: handbook"),
    "content/tags/Big Cat/_index.md": page("title: Cats"),
    "content/closed/_index.md": page("title: Closed\ndraft: true"),
    "content/closed/a.md": page("title: Below"),
    "content/org.org": "#+TITLE: Org\n",
    "essays/_index.md": page("title: Writing"),
    "essays/one.md": page("title: One"),
    "altro/due.md": page("title: Due"),
    "pics/p.png": PICTURE,
    "static/plain.html": "<p>Plain</p>",
    "out/p.png": PICTURE,
    "out/index.html": "<p>Built</p>",
  });
  const expected = {
    "/About-Us--Now.html": "/about-us-now/",
    "/who.html": "/about-us-now/",
    "/old/us.html": "/about-us-now/",
    "/Cafe@Home.html": "/cafehome/",
    "/pictures/p.png": "/media/pics/p.png",
    "/p/2024/02/by-name.html": "/p/2024/02/by-name/",
    "/p/2023/05/Written.html": "/p/2023/05/written/",
    "/p/2099/01/Early.html": "/p/2099/01/early/",
    "/p/2021/03/Changed.html": "/p/2021/03/changed/",
    "/it/articoli/Numero.html": "/it/articoli/numero/",
    "/handbook/": "/handbook/",
    "/handbook/index.xml": "/feed.xml",
    "/news.html": "/news/",
    "/writing.html": "/writing/",
    "/writing/one.html": "/writing/one/",
    "/it/more/due.html": "/it/more/due/",
    "/tags/Big-Cat.html": "/tags/big-cat/",
    "/categories.html": "/news/",
    "/news/page/1.html": "/news/",
    "/news/page/2.html": "/news/",
    "/news/page/3.html": "nothing",
    "/page/2.html": "/",
    "/writing/page/1.html": "nothing",
    "/manual.html": "nothing",
    "/closed/a.html": "nothing",
    "/p/2020/01/Over.html": "nothing",
  };
  const served = await site.leads(Object.keys(expected).filter((each) => !each.endsWith(".xml")));
  expect({ ...served, "/handbook/index.xml": "/feed.xml" }).toEqual(expected);
  expect((await site.ask("GET", "api:pages-router/handbook/index.xml")).body).toMatchObject({ redirect: "/feed.xml" });
  expect(await leadsInBuild(site, Object.keys(served))).toEqual(served);
  expect(site.remarks.filter((each) => !each.includes("has no file")).sort()).toEqual([
    "config/_default/config.yaml: /en/ is answered by cms serve. A static host needs a rule for it: to /, 301.",
    "content/closed/a.md:1: It is below content/closed/_index.md, which is a draft, and Hugo before 0.123 left it out: it is a draft.",
    "content/news/late.md:3: Its date is in the future: it is scheduled for 2099-01-01T00:00:00.000Z.",
    expect.stringMatching(/^content\/news\/over\.md:1: It has an end \(expiryDate\)/),
    "content/news/over.md:1: expiryDate: It expired: it is a draft.",
    "content/org.org: It is no Markdown: it is not imported.",
    "static/plain.html: It was served at /plain.html as it is: it is not imported. Copy it into static/.",
  ]);
});

it("shows no more of a text than Hugo did", async () => {
  const text = `<div>
Secret block
</div>

Shown <b>bold</b> <!--more-->

<!-- Secret
comment -->

\`\`\`html
<div>code {{</* ref "x" */>}}</div>
\`\`\`

- item

  <p>Secret item</p>

{{< raw >}}
<p>Of a shortcode</p>
{{< /raw >}}
`;
  const files = {
    "content/a.md": page("title: A", text),
    "content/b.html": page("title: B", "<p>One</p>\n\n    <p>Two</p>\n<pre>\na\n\n\nb\n</pre>\n\n* c"),
  };
  const config = 'baseURL = "https://old.example/"\nbuildDrafts = true\n';
  const site = await importFolder("hugo", { ...files, "hugo.toml": config });
  const { body } = (await site.page("/a/")).template_data;
  expect(body).not.toContain("Secret");
  expect(body).toContain('<b>bold</b> <!--more-->\n\n\n\n\n```html\n<div>code {{< ref "x" >}}</div>\n```');
  expect(body).toContain("<p>Of a shortcode</p>");
  expect((await site.page("/b/")).template_data.body).toBe(
    "<div>\n<p>One</p>\n    <p>Two</p>\n<pre>\na&#10;&#10;\nb\n</pre>\n* c\n</div>",
  );
  const leftOut = "Raw HTML is left out, as Hugo did: markup.goldmark.renderer.unsafe is not true in hugo.toml.";
  expect(site.remarks).toEqual(
    expect.arrayContaining([
      "hugo.toml: builddrafts is true: the old site showed what is a draft here.",
      ...[4, 10, 19].map((line) => `content/a.md:${line}: ${leftOut}`),
    ]),
  );
  const all = await importFolder("hugo", {
    ...files,
    "hugo.toml": `${config}[markup.goldmark.renderer]\nunsafe = true\n`,
  });
  expect((await all.page("/a/")).template_data.body).toContain("Secret block");
});
