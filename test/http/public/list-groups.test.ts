/** Lists divided by tag, author or year: their addresses and payloads on the routers, as HTML, in manifest, sitemap and build. */
import { expect, it } from "vitest";
import { buildTree, emptyDir, filesIn } from "../../static-site/build-site.ts";
import { memorySite, writeTemplate, type MemorySite } from "../../site.ts";
import { allProblems } from "../../../src/store/check/check.ts";
import { ARTICLES } from "../../../src/store/records/pages.ts";
import type { Entity, Kind } from "../../../src/store/records/record-type.ts";
import { listError } from "../../../src/views/page/pagination.ts";

const ANNA = "{ id: 3, username: anna, first_name: Anna, last_name: Rossi }";
const BEN = "{ id: 4, username: ben, first_name: '', last_name: '' }";

interface Article {
  readonly tags?: string;
  readonly author?: string;
  readonly published?: string;
  readonly langs?: readonly string[];
}

const article = (
  id: number,
  { tags = "7", author = ANNA, published = `2026-01-0${id - 100}T00:00:00Z`, langs = ["en", "it"] }: Article = {},
) =>
  `id: ${id}\ndate_created: 2026-01-01T00:00:0${id - 100}Z\ntags: [${tags}]\nauthor: ${author}\ntranslations:\n` +
  langs.map((lang) => `  ${lang}: { title: A ${id}, permalink: /a${id}, published_at: ${published} }\n`).join("");

const page = (id: number, permalink: string, more = "") =>
  `id: ${id}\n${more}date_created: 2026-01-01T00:00:00Z\ntranslations:\n` +
  ["en", "it"]
    .map((lang) => `  ${lang}: { title: Page, permalink: ${permalink}, published_at: 2026-01-01T00:00:00Z }\n`)
    .join("");

const FILES: Readonly<Record<string, string>> = {
  "content/page-models/journal.yaml":
    "default_template: journal.html\npaginate: { of: articles, size: 2, each: tags }\nschema: []\n",
  "content/page-models/authors.yaml":
    "default_template: journal.html\npaginate: { of: articles, size: 2, each: authors }\nschema: []\n",
  "content/page-models/years.yaml":
    "default_template: journal.html\npaginate: { of: articles, size: 2, each: year }\nschema: []\n",
  "content/pages/journal.yaml": page(1, "/journal", "model: journal\n"),
  "content/pages/people.yaml": page(2, "/people", "model: authors\n"),
  "content/pages/archive.yaml": page(3, "/archive", "model: years\n"),
  "content/tags/7.yaml": "id: 7\ntranslations: { en: { name: Fine clay }, it: { name: Argilla } }\n",
  "content/tags/8.yaml": "id: 8\ntranslations: { en: { name: C } }\n",
  "content/tags/9.yaml": "id: 9\ntranslations: { en: { name: C# } }\n",
  "content/tags/10.yaml": "id: 10\ntranslations: { en: { name: Unused } }\n",
  "content/articles/a101.yaml": article(101, { published: "2025-12-31T23:30:00Z", author: BEN }),
  "content/articles/a102.yaml": article(102, { tags: "7, 9" }),
  "content/articles/a103.yaml": article(103, { langs: ["en"] }),
  "content/articles/a104.yaml": article(104, { tags: "9" }),
  "content/articles/a105.yaml": article(105, { tags: "", published: "2027-01-01T00:00:00Z" }),
};

async function site(more: Readonly<Record<string, string>> = {}): Promise<MemorySite> {
  const made = await memorySite(
    { ...FILES, ...more },
    {
      BASE_URL: "https://example.org",
      TIME_ZONE: "Europe/Rome",
      PAGINATION: { WORDS: { it: { page: "pagina", tag: "tema" } } },
    },
  );
  writeTemplate(
    made,
    "journal.html",
    "{% for each in pagination.items %}{{ each.id }} {% endfor %}| {{ pagination.group.title }} {{ pagination.number }}/{{ pagination.count }}",
  );
  for (const name of ["pages", "articles"]) writeTemplate(made, `defaults/${name}/default.html`, "{{ page.title }}");
  return made;
}

const route = async ({ ask }: MemorySite, path: string) => ask("GET", `api:pages-router${path}`, { as: null });

async function save({ repo, cms }: MemorySite, path: string, text: string | null): Promise<void> {
  if (text === null) repo.erase(path);
  else repo.write(path, text);
  repo.commitByHand("By hand");
  await cms.store.refresh();
}

// oxfmt-ignore
it.each<[string, string]>([
  ["/journal/",                              "104 103 |  1/2"],
  ["/journal/page/2/",                       "102 101 |  2/2"],
  ["/journal/tag/fine-clay/",                "103 102 | Fine clay 1/2"],
  ["/journal/tag/fine-clay/page/2/",         "101 | Fine clay 2/2"],
  ["/journal/tag/c-2/",                      "104 102 | C# 1/1"],
  ["/it/journal/tema/argilla/",              "102 101 | Argilla 1/1"],
  ["/it/journal/tema/c-2/",                  "104 102 | C# 1/1"],
  ["/people/author/anna-rossi/",             "104 103 | Anna Rossi 1/2"],
  ["/people/author/ben/",                    "101 | ben 1/1"],
  ["/archive/2026/",                         "104 103 | 2026 1/2"],
  ["/archive/2026/page/2/",                  "102 101 | 2026 2/2"],
  ["/journal/tag/fine-clay",                 "to /journal/tag/fine-clay/"],
  ["/journal/tag/fine-clay/page/1/",         "to /journal/tag/fine-clay/"],
  ["/journal/tag/fine-clay/page/2",          "to /journal/tag/fine-clay/page/2/"],
  ["/journal/tag/fine-clay/page/3/",         "404"],
  ["/journal/tag/unused/",                   "404"],
  ["/journal/tag/c/",                        "404"],
  ["/journal/tag/",                          "404"],
  ["/journal/tag/Fine-Clay/",                "404"],
  ["/journal/author/anna-rossi/",            "404"],
  ["/journal/2026/",                         "404"],
  ["/archive/2025/",                         "404"],
  ["/archive/2027/",                         "404"],
  ["/archive/02026/",                        "404"],
  ["/it/journal/tag/argilla/",               "404"],
  ["/it/journal/tema/fine-clay/",            "404"],
  ["/it/journal/tema/argilla/page/2/",       "404"],
  ["/tag/fine-clay/",                        "404"],
])("%s is %s as HTML, and the same on the router", async (path, expected) => {
  const at = await site();
  const html = await at.ask("GET", path, { as: null });
  const { status, body } = await route(at, path);
  if (expected === "404") expect([html.status, status]).toEqual([404, 404]);
  else if (expected.startsWith("to ")) expect([`to ${html.headers.get("location")}`, `to ${body.redirect}`]).toEqual([expected, expected]);
  else {
    expect(html.text).toBe(expected);
    const { items, group, number, count } = body.pagination;
    const ids = (items as { id: number }[]).map(({ id }) => `${id} `).join("");
    expect(`${ids}| ${group?.title ?? ""} ${number}/${count}`).toBe(expected);
    expect(body.routerlink).toBe(path);
  }
});

it("has the groups of the whole list, and at the address of a group this one", async () => {
  const at = await site();
  const clay = { key: 7, title: "Fine clay", address: "/journal/tag/fine-clay/", count: 3 };
  const c = { key: 9, title: "C#", address: "/journal/tag/c-2/", count: 2 };
  for (const path of ["/journal/", "/journal/page/2/"])
    expect((await route(at, path)).body.pagination).toMatchObject({ group: null, groups: [c, clay] });
  const { body } = await route(at, "/journal/tag/fine-clay/page/2/");
  expect(body.pagination).toMatchObject({
    group: clay,
    groups: [],
    total: 3,
    previous: "/journal/tag/fine-clay/",
    next: null,
    pages: [{ url: "/journal/tag/fine-clay/" }, { url: "/journal/tag/fine-clay/page/2/" }],
  });
  expect(body).toMatchObject({ id: 1, alternates: { it: null } });
  expect((await route(at, "/journal/tag/fine-clay/")).body.alternates).toEqual({ it: "/it/journal/tema/argilla/" });
  expect((await route(at, "/it/archive/")).body.pagination.groups).toEqual([
    { key: 2026, title: "2026", address: "/it/archive/2026/", count: 3 },
  ]);
});

it("tells a developer of a filter that cannot be used, and shows visitors the page", async () => {
  const model = FILES["content/page-models/journal.yaml"]!.replace("size: 2", "where: colour=1");
  const at = await site({ "content/page-models/journal.yaml": model });
  expect((await at.ask("GET", "/journal/", { as: null })).text).toBe("|  /");
  Object.assign(at.cms.config, { usesRequestOrigin: true });
  await expect(at.cms.render("/journal/")).rejects.toThrow(/where of "paginate": There is no field "colour"/);
  expect((await at.ask("GET", "/journal/", { as: null })).status).toBe(500);
  expect((await at.ask("GET", "/people/", { as: null })).status).toBe(200);
});

it("is below the home page, too, and gives way to redirects and pages", async () => {
  const at = await site({
    "content/pages/home.yaml": page(40, "/", "template: journal.html\npaginate: { of: articles, each: year }\n"),
    "content/pages/journal.yaml": page(1, "/2026", "model: journal\n"),
    "content/redirects.yaml": "- { from: /2026/tag/c-2, to: /people }\n",
  });
  expect((await route(at, "/")).body.pagination.groups).toMatchObject([{ key: 2026, address: "/2026/" }]);
  expect((await route(at, "/2026/")).body).toMatchObject({ id: 1, pagination: { group: null } });
  expect((await route(at, "/2026/tag/fine-clay/")).body).toMatchObject({ id: 1, pagination: { group: { key: 7 } } });
  expect((await route(at, "/2026/tag/c-2/")).body).toMatchObject({ redirect: "/people/" });
  const { urls } = (await at.ask("GET", "api:pages-router/changes")).body as { urls: { path: string }[] };
  const paths = urls.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).not.toContain("/2026/tag/c-2/");
  const out = emptyDir();
  expect((await buildTree({ cms: at.cms, clock: at.clock }, out)).failures).toEqual([]);
  for (const path of paths)
    expect(filesIn(out).get(`${path.slice(1)}index.html`)).toBe((await at.ask("GET", path, { as: null })).text);
});

it("names an author as the article created last does", async () => {
  const at = await site({ "content/articles/a104.yaml": article(104, { author: ANNA.replace("Rossi", "Verdi") }) });
  expect((await route(at, "/people/")).body.pagination.groups).toMatchObject([
    { key: 3, title: "Anna Verdi", address: "/people/author/anna-verdi/", count: 3 },
    { key: 4, title: "ben" },
  ]);
});

it("gives the address of a group to a real page, and tells of it", async () => {
  const at = await site({ "content/pages/real.yaml": page(20, "/journal/tag/fine-clay") });
  expect((await route(at, "/journal/tag/fine-clay/")).body).toMatchObject({ id: 20 });
  expect((await route(at, "/journal/tag/fine-clay/page/2/")).body).toMatchObject({ id: 1 });
  const { urls } = (await at.ask("GET", "api:pages-router/changes")).body as { urls: { path: string }[] };
  expect(urls.filter(({ path }) => path === "/journal/tag/fine-clay/")).toHaveLength(1);
  const problems = await allProblems(at.cms.store, at.cms.locales, { listError });
  expect(problems.map(({ path, message }) => `${path}: ${message}`)).toContain(
    "content/pages/real.yaml: translations.en.permalink: /journal/tag/fine-clay is an address of the list of " +
      '"Page" (page 1), whose page 1 of fine-clay is not shown.',
  );
});

it("leads from the former addresses of a list to its groups", async () => {
  const at = await site({
    "content/pages/journal.yaml": page(1, "/stories", "model: journal\naliases: [{ language: en, from: /journal }]\n"),
  });
  const rows = ["", "page/2/", "tag/c-2/", "tag/fine-clay/", "tag/fine-clay/page/2/"];
  for (const row of rows) {
    const { status, headers } = await at.ask("GET", `/journal/${row}`);
    expect([row, status, headers.get("location")]).toEqual([row, 301, `/stories/${row}`]);
  }
  expect((await at.ask("GET", "/journal/tag/unused/")).status).toBe(404);
  const { redirects } = (await at.ask("GET", "api:pages-router/changes")).body as { redirects: { from: string }[] };
  expect(redirects).toEqual(rows.map((row) => ({ from: `/journal/${row}`, to: `/stories/${row}`, status: 301 })));
});

it("is the same built as served, in manifest and sitemap, and a build renders what an edit changes alone", async () => {
  const at = await site();
  const out = emptyDir();
  const build = () => buildTree({ cms: at.cms, clock: at.clock }, out, { json: true });
  expect((await build()).failures).toEqual([]);
  const files = filesIn(out);
  const { urls } = (await at.ask("GET", "api:pages-router/changes")).body as { urls: { path: string }[] };
  const paths = urls.map(({ path }) => path);
  expect(paths.filter((path) => /^\/(?:it\/)?journal/.test(path))).toEqual([
    ...[
      "/journal/",
      "/journal/page/2/",
      "/journal/tag/c-2/",
      "/journal/tag/fine-clay/",
      "/journal/tag/fine-clay/page/2/",
    ],
    ...["/it/journal/", "/it/journal/pagina/2/", "/it/journal/tema/argilla/", "/it/journal/tema/c-2/"],
  ]);
  expect(new Set(paths).size).toBe(paths.length);
  for (const path of paths) {
    expect(files.get(`${path.slice(1)}index.html`), path).toBe((await at.ask("GET", path, { as: null })).text);
    expect(files.get(`${path.slice(1)}index.json`), path).toBe((await at.ask("GET", `${path}index.json`)).text);
  }
  expect(files.get("sitemap.xml")).toBe((await at.ask("GET", "/sitemap.xml")).text);
  expect(files.get("sitemap.xml")).toContain(
    '<loc>https://example.org/journal/tag/fine-clay/</loc><lastmod>2026-01-01</lastmod><changefreq>daily</changefreq><priority>0.5</priority><xhtml:link rel="alternate" hreflang="en" href="https://example.org/journal/tag/fine-clay/"/><xhtml:link rel="alternate" hreflang="it" href="https://example.org/it/journal/tema/argilla/"/>',
  );
  expect((await build()).rendered).toBe(0);
  const changedBy = async (path: string, text: string | null) => {
    const before = filesIn(out);
    await save(at, path, text);
    await build();
    const after = filesIn(out);
    const fresh = emptyDir();
    await buildTree({ cms: at.cms, clock: at.clock }, fresh, { json: true });
    expect(after).toEqual(filesIn(fresh));
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((name) => name.endsWith("index.json") && before.get(name) !== after.get(name))
      .map((name) => name.slice(0, -"index.json".length))
      .sort();
  };
  const added = article(106, { tags: "9", author: BEN, published: "2026-01-06T00:00:00Z", langs: ["en"] });
  expect(await changedBy("content/articles/a106.yaml", added)).toEqual([
    ...["a106/", "archive/", "archive/2026/", "archive/2026/page/2/", "archive/2026/page/3/", "archive/page/2/"],
    ...["archive/page/3/", "journal/", "journal/page/2/", "journal/page/3/", "journal/tag/c-2/"],
    ...["journal/tag/c-2/page/2/", "people/", "people/author/ben/", "people/page/2/", "people/page/3/"],
  ]);
  const renamed = FILES["content/tags/7.yaml"]!.replace("Fine clay", "Loam");
  const moved = await changedBy("content/tags/7.yaml", renamed);
  expect(moved).toContain("journal/tag/loam/");
  expect(moved).toContain("journal/tag/fine-clay/page/2/");
  expect(moved).not.toContain("journal/tag/c-2/");
  expect(filesIn(out).has("journal/tag/fine-clay/index.html")).toBe(false);
  await changedBy("content/articles/a101.yaml", null);
  expect(filesIn(out).has("journal/tag/loam/page/2/index.html")).toBe(false);
});

it("filters a list once for any number of requests of groups that it does not have", async () => {
  const at = await site();
  let passes = 0;
  const { current } = at.cms.store;
  const all = current.all.bind(current);
  current.all = ((kind: Kind<Entity>) => {
    if (kind === ARTICLES) passes++;
    return all(kind);
  }) as typeof current.all;
  for (let number = 0; number < 100; number++) {
    expect((await route(at, `/journal/tag/x${number}/`)).status).toBe(404);
    expect((await at.ask("GET", `/journal/tag/x${number}/page/2/`, { as: null })).status).toBe(404);
  }
  expect(passes).toBe(1);
});

it("is in previews and at other moments what it is there", async () => {
  const at = await site();
  await at.api("PATCH", "pages/1/draft/?language=en", { title: "Next title" });
  const staff = async (path: string) => (await at.ask("GET", `api:${path}`, { as: "staff" })).body;
  expect(await staff("pages-router-preview/journal/tag/fine-clay/page/2/")).toMatchObject({
    title: "Next title",
    routerlink: "/journal/tag/fine-clay/page/2/",
    pagination: { number: 2, group: { key: 7 } },
  });
  const later = "?as_of=2027-01-02T00:00:00Z";
  expect(await staff(`pages-router/archive/2027/${later}`)).toMatchObject({ pagination: { items: [{ id: 105 }] } });
  expect((await at.ask("GET", `/archive/2027/${later}`, { as: "staff" })).text).toBe("105 | 2027 1/1");
  expect((await at.ask("GET", "/archive/2027/", { as: null })).status).toBe(404);
});

it("lists pages by year, and no page lists itself", async () => {
  const at = await site({
    "content/pages/news.yaml": page(30, "/news", "template: journal.html\npaginate: { of: pages, each: year }\n"),
    "content/pages/old.yaml": page(31, "/old").replaceAll("published_at: 2026", "published_at: 2020"),
  });
  expect((await route(at, "/news/")).body.pagination).toMatchObject({ total: 1, groups: [{ key: 2020 }] });
  expect((await route(at, "/news/2020/")).body.pagination).toMatchObject({ items: [{ id: 31 }] });
  expect((await route(at, "/news/2026/")).status).toBe(404);
});
