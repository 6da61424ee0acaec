/** Lists with pages: their addresses and payloads on the routers, as HTML, in manifest, sitemap and build. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { buildTree, emptyDir, filesIn } from "../../static-site/build-site.ts";
import { memorySite, writeTemplate, type MemorySite } from "../../site.ts";
import { allProblems } from "../../../src/store/check/check.ts";
import { ARTICLES } from "../../../src/store/records/pages.ts";
import type { Entity, Kind } from "../../../src/store/records/record-type.ts";
import { listError } from "../../../src/views/page/pagination.ts";

const article = (
  id: number,
  { tag = 9, published = `2026-01-${String(id - 100).padStart(2, "0")}`, it = false } = {},
) =>
  `id: ${id}\ndate_created: 2026-01-01T00:00:00Z\ntags: [${tag}]\ntranslations:\n` +
  ["en", ...(it ? ["it"] : [])]
    .map((lang) => `  ${lang}: { title: Article ${id}, permalink: /a${id}, published_at: ${published}T00:00:00Z }\n`)
    .join("");

const page = (id: number, permalink: string, more = "") =>
  `id: ${id}\n${more}date_created: 2026-01-01T00:00:00Z\ntranslations:\n` +
  `  en: { title: Page ${id}, permalink: ${permalink}, published_at: 2026-01-01T00:00:00Z }\n` +
  `  it: { title: Pagina ${id}, permalink: ${permalink}, published_at: 2026-01-01T00:00:00Z }\n`;

const TEMPLATE =
  "{% for each in pagination.items %}{{ each.id }} {% endfor %}| {{ pagination.number }}/{{ pagination.count }}" +
  '{% if pagination.previous %}<link rel="prev" href="{{ pagination.previous }}">{% endif %}' +
  '{% if pagination.next %}<link rel="next" href="{{ pagination.next }}">{% endif %}' +
  '<link rel="canonical" href="{{ page.routerlink }}">';

const FILES: Readonly<Record<string, string>> = {
  "content/page-models/journal.yaml":
    "default_template: journal.html\npaginate: { of: articles, size: 2, where: tags=9 }\nschema: []\n",
  "content/pages/journal.yaml": page(1, "/journal", "model: journal\n"),
  "content/pages/other.yaml": page(2, "/other"),
  "content/tags/9.yaml": "id: 9\ntranslations: { en: { name: News } }\n",
  "content/tags/10.yaml": "id: 10\ntranslations: { en: { name: Rest } }\n",
  ...Object.fromEntries(
    [101, 102, 103, 104, 105].map((id) => [`content/articles/a${id}.yaml`, article(id, { it: id < 104 })]),
  ),
  "content/articles/a106.yaml": article(106, { tag: 10 }),
};

async function site(more: Readonly<Record<string, string>> = {}): Promise<MemorySite> {
  const made = await memorySite(
    { ...FILES, ...more },
    {
      BASE_URL: "https://example.org",
      PAGINATION: { WORDS: { it: "pagina" } },
    },
  );
  writeTemplate(made, "journal.html", TEMPLATE);
  for (const name of ["pages", "articles"]) writeTemplate(made, `defaults/${name}/default.html`, "{{ page.title }}");
  return made;
}

const problemsOf = ({ cms }: MemorySite) => allProblems(cms.store, cms.locales, { listError });

const route = async ({ ask }: MemorySite, path: string) => ask("GET", `api:pages-router${path}`, { as: null });

it("has the items, numbers and addresses of a page of the list beside the page", async () => {
  const at = await site();
  const { body } = await route(at, "/journal/page/2/");
  const { items, ...rest } = body.pagination;
  expect(items.map(({ id }: { id: number }) => id)).toEqual([103, 102]);
  expect(rest).toEqual({
    number: 2,
    count: 3,
    total: 5,
    size: 2,
    previous: "/journal/",
    next: "/journal/page/3/",
    pages: [
      { number: 1, url: "/journal/" },
      { number: 2, url: "/journal/page/2/" },
      { number: 3, url: "/journal/page/3/" },
    ],
    group: null,
    groups: [],
  });
  expect(body).toMatchObject({ id: 1, permalink: "/journal", routerlink: "/journal/page/2/" });
  expect(body.alternates).toEqual({ it: "/it/journal/pagina/2/" });
  expect((await route(at, "/journal/page/3/")).body.alternates).toEqual({ it: null });
  expect((await route(at, "/other/")).body.pagination).toBeUndefined();
});

// oxfmt-ignore
it.each<[string, string]>([
  ["/journal/",               "1/3"],
  ["/journal/page/3/",        "3/3"],
  ["/it/journal/",            "1/2"],
  ["/it/journal/pagina/2/",   "2/2"],
  ["/journal/page/1/",        "to /journal/"],
  ["/it/journal/pagina/1/",   "to /it/journal/"],
  ["/journal/page/2",         "to /journal/page/2/"],
  ["/journal/page/4/",        "404"],
  ["/journal/page/0/",        "404"],
  ["/journal/page/02/",       "404"],
  ["/journal/page/x/",        "404"],
  ["/journal/pagina/2/",      "404"],
  ["/it/journal/page/2/",     "404"],
  ["/it/journal/pagina/3/",   "404"],
  ["/other/page/1/",          "404"],
  ["/page/2/",                "404"],
])("%s is %s on the router, and the same as HTML", async (path, expected) => {
  const at = await site();
  const { status, body } = await route(at, path);
  const { number, count } = body.pagination ?? {};
  expect(status === 404 ? "404" : body.redirect ? `to ${body.redirect}` : `${number}/${count}`).toBe(expected);
  const html = await at.ask("GET", path, { as: null });
  if (expected === "404") expect(html.status).toBe(404);
  else if (expected.startsWith("to ")) expect(`to ${html.headers.get("location")}`).toBe(expected);
  else expect(html.text).toContain(`| ${expected}`);
});

it("gives its address to a real page, and tells of it", async () => {
  const at = await site({ "content/pages/real.yaml": page(3, "/journal/page/2") });
  expect((await route(at, "/journal/page/2/")).body).toMatchObject({ id: 3 });
  expect((await route(at, "/journal/page/2/")).body.pagination).toBeUndefined();
  const { urls } = (await at.ask("GET", "api:pages-router/changes")).body as { urls: { path: string }[] };
  expect(urls.filter(({ path }) => path === "/journal/page/2/")).toHaveLength(1);
  const problems = await problemsOf(at);
  expect(problems.map(({ path, message }) => `${path}: ${message}`).join("\n")).toContain(
    "content/pages/real.yaml: translations.en.permalink: /journal/page/2 is",
  );
});

// oxfmt-ignore
it.each<[string, string, string]>([
  ["{ of: articles, size: 0 }",                   "journal.yaml", "size"],
  ["{ of: artikles }",                            "journal.yaml", "of"],
  ["{ of: pages, each: authors }",                "journal.yaml", "each"],
  ["{ of: articles, where: 'NOT a=1' }",          "journal.yaml", "where"],
  ["{ of: articles, where: 'colour=1' }",         "journal.yaml", "colour"],
  ["{ of: articles, sort: colour }",              "journal.yaml", "colour"],
  ["{ of: pages, model: nothing }",               "journal.yaml", "nothing"],
  ["{ of: instances, type: nothing }",            "journal.yaml", "nothing"],
])("%s is told, and the page has no list", async (paginate, file, word) => {
  const model = `default_template: journal.html\npaginate: ${paginate}\nschema: []\n`;
  const at = await site({ "content/page-models/journal.yaml": model });
  const problems = await problemsOf(at);
  const found = problems.filter(({ path }) => path.endsWith(file));
  expect(found.map(({ message }) => message).join()).toContain(word);
  expect(found[0]!.line).toBeGreaterThan(0);
  const { status, body } = await route(at, "/journal/");
  expect([status, body.pagination]).toEqual([200, undefined]);
  expect((await route(at, "/journal/page/2/")).status).toBe(404);
});

it("lists pages of a model and instances of a type, as lists are filtered and sorted", async () => {
  const at = await site({
    "content/page-models/shows.yaml":
      "paginate: { of: pages, model: show, sort: -title, where: title__icontains=page }\nschema: []\n",
    "content/page-models/show.yaml": "schema: []\n",
    "content/page-models/events.yaml":
      "paginate: { of: instances, type: event, size: 1, sort: data__day }\nschema: []\n",
    "content/pages/shows.yaml": page(20, "/shows", "model: shows\n"),
    "content/pages/s1.yaml": page(21, "/s1", "model: show\n"),
    "content/pages/s2.yaml": page(22, "/s2", "model: show\n"),
    "content/pages/events.yaml": page(30, "/events", "model: events\n"),
    "content/meta-types/event.yaml":
      "id: 40\nname: Event\nkey: event\nschema:\n  - { name: day, kind: text, translated: true }\n",
    "content/meta-instances/event/b.yaml": "id: 41\ndata: { day: { en: b, it: z } }\n",
    "content/meta-instances/event/a.yaml": "id: 42\ndata: { day: { en: a } }\n",
  });
  const ids = async (path: string) => (await route(at, path)).body.pagination.items.map(({ id }: { id: number }) => id);
  expect(await ids("/shows/")).toEqual([22, 21]);
  const { pagination } = (await route(at, "/events/page/2/")).body;
  expect(pagination).toMatchObject({ count: 2, items: [{ id: 41, data: { day: "b" } }] });
});

it("changes in the manifest exactly when what the page of the list shows does", async () => {
  const at = await site();
  const hashes = async () => {
    const { urls } = (await at.ask("GET", "api:pages-router/changes")).body as {
      urls: { path: string; hash: string }[];
    };
    return new Map(urls.map(({ path, hash }) => [path, hash]));
  };
  const changed = async (change: () => unknown): Promise<string[]> => {
    const before = await hashes();
    await change();
    const after = await hashes();
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter(
        (path) =>
          path.includes("/journal/") && !path.startsWith("/it/journal/page/") && before.get(path) !== after.get(path),
      )
      .sort();
  };
  const save = (path: string, text: string) => async () => {
    at.repo.write(path, text);
    at.repo.commitByHand("By hand");
    await at.cms.store.refresh();
  };
  const titled = (id: number, title: string) => article(id).replace(`Article ${id}`, title);
  expect([...(await hashes()).keys()].filter((path) => path.includes("journal"))).toEqual([
    "/journal/",
    "/journal/page/2/",
    "/journal/page/3/",
    "/it/journal/",
    "/it/journal/pagina/2/",
  ]);
  expect(await changed(save("content/articles/a104.yaml", titled(104, "New")))).toEqual(["/journal/"]);
  expect(
    await changed(save("content/articles/a106.yaml", article(106, { tag: 10 }).replace("Article", "Other"))),
  ).toEqual([]);
  expect(await changed(save("content/articles/a107.yaml", article(107, { published: "2026-03-05" })))).toEqual([]);
  expect(
    await changed(save("content/pages/taken.yaml", page(3, "/journal/page/3").replace("/journal/page/3", "/x"))),
  ).toEqual([]);
  expect(await changed(save("content/pages/taken.yaml", page(3, "/journal/page/3")))).toContain("/journal/page/3/");
  expect(await changed(() => at.clock.set("2026-03-06T00:00:00.000Z"))).toEqual(["/journal/", "/journal/page/2/"]);
});

it("is built as it is served, and a build renders the pages of the list that change and no others", async () => {
  const at = await site();
  const out = emptyDir();
  const build = async () => buildTree({ cms: at.cms, clock: at.clock }, out);
  await build();
  const files = filesIn(out);
  for (const path of ["journal/", "journal/page/2/", "journal/page/3/", "it/journal/pagina/2/"]) {
    expect(files.get(`${path}index.html`)).toBe((await at.ask("GET", `/${path}`)).text);
    expect(files.get(`${path}index.json`)).toBe((await at.ask("GET", `/${path}index.json`)).text);
  }
  expect(files.get("sitemap.xml")).toBe((await at.ask("GET", "/sitemap.xml")).text);
  expect(files.get("sitemap.xml")).toContain("<loc>https://example.org/it/journal/pagina/2/</loc>");
  expect((await build()).rendered).toBe(0);
  at.repo.write("content/articles/a103.yaml", article(103, { it: true }).replaceAll("Article 103", "New title"));
  at.repo.commitByHand("By hand");
  await at.cms.store.refresh();
  // The article in two languages, and the page of the list in each that shows it.
  expect((await build()).rendered).toBe(4);
  const fresh = emptyDir();
  await buildTree({ cms: at.cms, clock: at.clock }, fresh);
  expect(filesIn(out)).toEqual(filesIn(fresh));
  at.repo.erase("content/articles/a105.yaml");
  at.repo.commitByHand("By hand");
  await at.cms.store.refresh();
  await build();
  expect(filesIn(out).has("journal/page/3/index.html")).toBe(false);
});

it("leads from the former addresses of a list to the page of the list with the same number, served and in redirects", async () => {
  const at = await site({
    "content/pages/journal.yaml": page(1, "/stories", "model: journal\naliases: [{ language: en, from: /journal }]\n"),
  });
  const rows = [
    ["/journal/", "/stories/"],
    ["/journal/page/2/", "/stories/page/2/"],
    ["/journal/page/3/", "/stories/page/3/"],
  ] as const;
  for (const [from, to] of rows)
    for (const path of [from, from.slice(0, -1)]) {
      const { status, headers } = await at.ask("GET", path);
      expect([path, status, headers.get("location")]).toEqual([path, 301, to]);
      expect((await route(at, path)).body).toMatchObject({ redirect: to, status: 301 });
    }
  expect((await at.ask("GET", "/journal/page/4/")).status).toBe(404);
  const { redirects } = (await at.ask("GET", "api:pages-router/changes", { as: null })).body as { redirects: object[] };
  expect(redirects).toEqual(rows.map(([from, to]) => ({ from, to, status: 301 })));
  const out = emptyDir();
  await buildTree({ cms: at.cms, clock: at.clock }, out);
  expect(filesIn(out).get("_redirects")).toContain("/journal/page/3 /stories/page/3/ 301");
});

it("has no former addresses of a list where a page took the address of the list", async () => {
  const at = await site({
    "content/pages/journal.yaml": page(1, "/stories", "model: journal\naliases: [{ language: en, from: /other }]\n"),
  });
  expect((await at.ask("GET", "/other/page/2/")).status).toBe(404);
});

it("is in a page, too, where it goes before that of the model", async () => {
  const at = await site({
    "content/pages/journal.yaml": page(1, "/journal", "model: journal\npaginate: { of: articles, where: tags=10 }\n"),
    "content/pages/other.yaml": page(2, "/other", "template: journal.html\npaginate: { of: articles, size: 4 }\n"),
    "content/pages/wrong.yaml": page(4, "/wrong", "paginate: { of: pages, model: nothing }\n"),
    "content/pages/real.yaml": page(3, "/other/page/2"),
  });
  expect((await route(at, "/journal/")).body.pagination).toMatchObject({ total: 1, items: [{ id: 106 }] });
  expect((await route(at, "/other/")).body).toMatchObject({
    paginate: { of: "articles", size: 4 },
    pagination: { total: 6, count: 2 },
  });
  expect((await at.ask("GET", "/it/other/", { as: null })).text).toContain("| 1/1");
  expect((await route(at, "/wrong/")).body.pagination).toBeUndefined();
  const problems = (await problemsOf(at)).map(({ path, message }) => `${path}: ${message}`).join("\n");
  expect(problems).toContain("content/pages/wrong.yaml: paginate.model: There is no content/page-models/nothing.yaml.");
  expect(problems).toContain("content/pages/real.yaml: translations.en.permalink: /other/page/2 is");
});

// oxfmt-ignore
it.each<[unknown, string]>([
  ["articles",                              "An object"],
  [{},                                      '"of":["One of'],
  [{ of: "articles", size: 0 },             '"size":["A whole number'],
  [{ of: "articles", model: "x" },          '"model":["Only a list of pages'],
  [{ of: "articles", colour: 1 },           '"colour":["There is no such key'],
  [{ of: "articles", each: "colour" },      '"each":["One of tags, authors, year'],
  [{ of: "pages", each: "tags" },           '"each":["Only articles have tags'],
  [{ of: "instances", type: "x", each: "year" }, '"each":["Instances have no year'],
  [{ of: "articles", where: "NOT a=1" },    '"where":["'],
  [{ of: "articles", where: "colour=1" },   '"where":["There is no field'],
  [{ of: "articles", sort: "colour" },      '"sort":["There is no field'],
  [{ of: "pages", model: "nothing" },       '"model":["There is no content/page-models/nothing.yaml'],
  [{ of: "instances", type: "nothing" },    '"type":["There is no meta type'],
])("a write of %j is 400 with what is wrong with it, and changes nothing", async (paginate, expected) => {
  const at = await site();
  const { status, body } = await at.ask("PATCH", "api:pages/2/", { as: "staff", body: { paginate } });
  expect(status).toBe(400);
  expect(JSON.stringify(body.paginate)).toContain(expected);
  expect((await route(at, "/other/")).body.paginate).toBeUndefined();
});

it("is written through the API, replaced whole, and removed by null", async () => {
  const fixed = page(2, "/other").replaceAll("permalink:", "autopermalink: false, permalink:");
  const at = await site({ "content/pages/other.yaml": fixed });
  const patch = async (paginate: unknown) =>
    (await at.ask("PATCH", "api:pages/2/", { as: "staff", body: { paginate } })).body.paginate;
  expect(await patch({ of: "articles", where: "tags=9" })).toEqual({ of: "articles", size: 10, where: "tags=9" });
  expect(at.repo.text("content/pages/other.yaml")).toContain("where: tags=9");
  expect((await route(at, "/other/")).body.pagination).toMatchObject({ total: 5 });
  expect(await patch({ of: "articles", size: 1 })).toEqual({ of: "articles", size: 1 });
  expect((await route(at, "/other/page/6/")).status).toBe(200);
  expect(await patch(null)).toBeUndefined();
  expect((await route(at, "/other/")).body.pagination).toBeUndefined();
  const models = (await at.ask("GET", "api:page-models/", { as: "staff" })).body as {
    name: string;
    paginate: unknown;
  }[];
  expect(models).toContainEqual(
    expect.objectContaining({ name: "journal", paginate: { of: "articles", size: 2, where: "tags=9" } }),
  );
});

it("filters a list once for any number of requests of pages that it does not have, and anew when what it read changes", async () => {
  const at = await site();
  let passes = 0;
  const count = (): void => {
    const { current } = at.cms.store;
    const all = current.all.bind(current);
    current.all = ((kind: Kind<Entity>) => {
      if (kind === ARTICLES) passes++;
      return all(kind);
    }) as typeof current.all;
  };
  const passesOf = async (work: () => Promise<unknown>): Promise<number> => {
    passes = 0;
    await work();
    return passes;
  };
  const askUnknown = async () => {
    for (let number = 900; number < 1000; number++) {
      expect((await route(at, `/journal/page/${number}/`)).status).toBe(404);
      expect((await at.ask("GET", `/journal/page/${number}/`, { as: null })).status).toBe(404);
    }
  };
  const save = async (path: string, text: string) => {
    at.repo.write(path, text);
    at.repo.commitByHand("By hand");
    await at.cms.store.refresh();
    count();
  };
  count();
  expect(await passesOf(askUnknown)).toBe(1);
  await save("content/pages/other.yaml", page(2, "/elsewhere"));
  expect(await passesOf(askUnknown)).toBe(0);
  await save("content/articles/a105.yaml", article(105, { tag: 10 }));
  expect(await passesOf(askUnknown)).toBe(1);
  expect((await route(at, "/journal/page/2/")).body.pagination).toMatchObject({ total: 4, count: 2 });
  await save("content/articles/a108.yaml", article(108, { published: "2026-03-05" }));
  await passesOf(askUnknown);
  at.clock.set("2026-03-06T00:00:00.000Z");
  expect(await passesOf(askUnknown)).toBe(1);
  expect((await route(at, "/journal/page/3/")).body.pagination).toMatchObject({ total: 5, count: 3 });
});

it("is in previews and at other moments what it is there, and not for visitors", async () => {
  const at = await site({ "content/articles/a107.yaml": article(107, { published: "2026-09-01" }) });
  const staff = async (path: string) => (await at.ask("GET", `api:${path}`, { as: "staff" })).body;
  const idsOf = ({ pagination }: { pagination: { items: readonly { id: number }[] } }) =>
    pagination.items.map(({ id }) => id);
  await at.api("PATCH", "pages/1/draft/?language=en", { title: "Next title" });
  expect(await staff("pages-router-preview/journal/page/2/")).toMatchObject({
    title: "Next title",
    routerlink: "/journal/page/2/",
    pagination: { number: 2, count: 3, previous: "/journal/" },
  });
  const later = "?as_of=2026-09-02T00:00:00Z";
  expect(idsOf(await staff(`pages-router/journal/${later}`))).toEqual([107, 105]);
  expect(idsOf(await staff("pages-router/journal/"))).toEqual([105, 104]);
  expect((await at.ask("GET", `/journal/page/2/${later}`, { as: "staff" })).text).toContain("104 103 | 2/3");
  expect((await at.ask("GET", `/journal/page/2/${later}`, { as: null })).text).not.toContain("104 103");
});

it.each(["templates", "examples/starters/shared/templates"])(
  "the base template of %s names the pages before and after, and the one that is shown",
  async (folder) => {
    const text = readFileSync(join(fileURLToPath(new URL("../../..", import.meta.url)), folder, "defaults/base.html"));
    const at = await site();
    for (const part of ["menu", "words", "brand", "foot", "media", "call"])
      writeTemplate(at, `defaults/parts/${part}.html`, "");
    writeTemplate(at, "journal.html", String(text).replace(/{%-? (include|from|import)[^%]*%}/g, ""));
    const links = (await at.ask("GET", "/journal/page/2/")).text.match(/rel="(prev|next|canonical)" href="[^"]*"/g);
    expect(links?.map((link) => link.replace(/https?:\/\/[^/]*/, ""))).toEqual([
      'rel="canonical" href="/journal/page/2/"',
      'rel="prev" href="/journal/"',
      'rel="next" href="/journal/page/3/"',
    ]);
  },
);
