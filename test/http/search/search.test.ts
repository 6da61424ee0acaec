import { describe, expect, it } from "vitest";
import { memorySite, type MemorySite } from "../../site.ts";

const MODEL = "schema:\n  - name: caption\n  - { name: link, kind: url }\n  - { name: sections, kind: blocks }\n";
const BLOCK = "schema:\n  - name: caption\n  - { name: picture, kind: media }\n";

async function breads(): Promise<MemorySite> {
  const site = await memorySite({
    "content/page-models/room.yaml": MODEL,
    "content/block-types/picture.yaml": BLOCK,
    "content/tags/bread.yaml": "id: 72\ntranslations:\n  en:\n    name: Loaves\n",
    "content/menus/main.yaml":
      "id: 73\ntranslations:\n  en:\n    nodes:\n      - title: Kneading\n        link: { link_type: ST, static: /x }\n",
    "content/meta-types/faq.yaml": "id: 74\nkey: faq\nschema: [{ name: question }]\n",
    "content/meta-instances/faq/one.yaml": "id: 75\ndata: { question: Why kneading? }\n",
    "content/contents/notice.yaml": "id: 76\ntranslations:\n  en:\n    content: Closed for kneading\n",
    "content/media/notes.txt.yaml": "id: 71\ntranslations:\n  en:\n    title: Notes on kneading\n",
    "media/notes.txt": "Notes\n",
  });
  await site.page({ title: "Flour", description: "With water", title_it: "Farina e acqua" }, ["en", "it"]);
  await site.page({ title: "Water mill", template_data: { intro: "<p>It makes <b>flour</b>.</p>" } }, ["en"]);
  await site.api("POST", "models/room/", {
    title: "Salt",
    template_data: {
      link: "https://example.com/addressed",
      sections: [
        { type: "picture", caption: "Crystals of the sea" },
        { type: "picture", caption: "Kept backstage", hidden: true },
      ],
    },
  });
  return site;
}

const titles = ({ items }: { items: readonly { title: string }[] }): string[] => items.map(({ title }) => title);

const found = async (site: MemorySite, query: string, path = "search/"): Promise<string[]> =>
  titles(await site.api("GET", `${path}?${query}`));

describe("search/", () => {
  it.each([
    ["q=flour+water&language=en", ["Flour", "Water mill"]],
    ["q=water+flour&language=en&items=1", ["Flour"]],
    ["q=water+flour&language=en&items=1&page=2", ["Water mill"]],
    ["q=Flaur", ["Flour", "Water mill"]],
    ["q=farine", ["Farina e acqua"]],
    ["q=%22water+mill%22", ["Water mill"]],
    ["q=flour+-mill", ["Flour"]],
    ["q=crystals", ["Salt"]],
    ["q=crystals&model=article", []],
    ["q=crystals&model=room", ["Salt"]],
    ["q=backstage", ["Salt"]],
    ["q=addressed", []],
    ["q=loaves", ["Loaves"]],
    ["q=", []],
  ])("%s", async (query, expected) => {
    expect(await found(await breads(), query)).toEqual(expected);
  });

  it("covers every kind of record, and says where the words stand", async () => {
    const { items, facets, total } = await (await breads()).api("GET", "search/?q=kneading");
    const places = items.map((item: { model: string; passages: { field: string }[] }) => [
      item.model,
      item.passages[0]!.field,
    ]);
    expect(places.sort()).toEqual([
      ["content", "content"],
      ["media", "title"],
      ["menu", "nodes.0.title"],
      ["metainstance", "data.question"],
    ]);
    expect(total).toBe(4);
    expect(facets.model).toHaveLength(4);
    expect(facets.status).toEqual([]);
  });

  it("opens at the caption of a block, with marks", async () => {
    const { items } = await (await breads()).api("GET", "search/?q=crystal");
    expect(items[0]).toMatchObject({
      model: "room",
      title: "Salt",
      status: "DRF",
      passages: [{ field: "template_data.sections.0.caption", text: "Crystals of the sea", marks: [[0, 8]] }],
    });
  });

  it("follows every write", async () => {
    const site = await breads();
    expect(await found(site, "q=brioche")).toEqual([]);
    const { id } = await site.page({ title: "Brioche" }, ["en"]);
    expect(await found(site, "q=brioche")).toEqual(["Brioche"]);
    await site.api("PATCH", `pages/${id}/`, { title: "Croissant" });
    expect([await found(site, "q=brioche"), await found(site, "q=croissant")]).toEqual([[], ["Croissant"]]);
    await site.api("DELETE", `pages/${id}/`);
    expect(await found(site, "q=croissant")).toEqual([]);
    await site.api("PATCH", "block-types/picture/", { schema: [{ name: "title" }] });
    expect(await found(site, "q=crystals")).toEqual([]);
  });

  it.each([
    ["", "q"],
    [`q=${"x".repeat(201)}`, "q"],
    ["q=a&items=0", "items"],
    ["q=a&items=101", "items"],
    ["q=a&page=x", "page"],
    ["q=a&language=xx", "language"],
  ])("refuses %s", async (query, field) => {
    const site = await memorySite();
    for (const path of ["search", "search-router"]) {
      const { status, body } = await site.ask("GET", `api:${path}/?${query}`, { as: "staff" });
      expect([status, Object.keys(body)]).toEqual([400, [field]]);
    }
  });
});

/** A site with something hidden in each way, all of it with the word `secret`. */
async function withSecrets(): Promise<MemorySite> {
  const site = await breads();
  await site.page({ title: "Open page" }, ["en"]);
  await site.api("POST", "pages/", { title: "secret draft", template_data: { intro: "secret" } });
  const planned = await site.api("POST", "pages/", { title: "secret plan" });
  await site.api("POST", `pages/${planned.id}/schedule/?language=en`, { publish_at: "2026-05-01T00:00:00Z" });
  const trashed = await site.page({ title: "secret rubbish" }, ["en"]);
  await site.api("POST", `pages/${trashed.id}/trash/`, {});
  const drafted = await site.page({ title: "Drafted page" }, ["en"]);
  await site.api("PATCH", `pages/${drafted.id}/draft/?language=en`, { title: "secret change" });
  await site.page({ title: "Open in English", title_it: "secret italiano" }, ["en"]);
  await site.page({ title: "Unlisted secret", indexable: false }, ["en"]);
  await site.page(
    {
      model: "room",
      title: "Open room",
      template_data: { sections: [{ type: "picture", caption: "secret block", hidden: true }] },
    },
    ["en"],
  );
  return site;
}

const askAs = async (site: MemorySite, path: string, as: "reader" | "staff" | null) =>
  (await site.ask("GET", `api:${path}`, { as })).body;

describe("what is hidden", () => {
  it.each([
    ["search-router/?q=secret", null],
    ["search-router/?q=secr", null],
    ["search-router/?q=secrets", "staff"],
    ["search-router/?q=secret&status=DRF", null],
    ["search/?q=secret", "reader"],
    ["search/?q=secret&status=DRF", "reader"],
  ] as const)("is not found by %s as %s", async (path, as) => {
    const { total, items, facets } = await askAs(await withSecrets(), path, as);
    expect([total, items, Object.values(facets).flat()]).toEqual([0, [], []]);
  });

  it("is found by staff", async () => {
    const { total, facets } = await askAs(await withSecrets(), "search/?q=secret", "staff");
    const counts = Object.fromEntries(
      facets.status.map((each: { value: string; count: number }) => [each.value, each.count]),
    );
    expect([total, counts]).toEqual([7, { DRF: 2, PLA: 1, PUB: 3, TRS: 1 }]);
  });

  it("changes no byte of what others are told of the rest", async () => {
    const [site, other] = [await withSecrets(), await breads()];
    for (const path of ["search-router/?q=flour", "search-router/?q=water&language=en", "search-router/?q=mil"]) {
      const [one, two] = [await askAs(site, path, null), await askAs(other, path, null)];
      // Ids are chosen at random.
      const told = (answer: object): string =>
        JSON.stringify(answer).replace(/"(?:id|published_at)":("[^"]*"|\d+)/g, "");
      expect(told(one), path).toBe(told(two));
    }
  });

  it("is found from its moment on", async () => {
    const site = await withSecrets();
    expect((await askAs(site, "search-router/?q=plan", null)).total).toBe(0);
    site.clock.set("2026-05-02T00:00:00Z");
    expect(titles(await askAs(site, "search-router/?q=plan", null))).toEqual(["secret plan"]);
  });
});

describe("search-router/", () => {
  it("is cached until something is written, and answers that nothing changed", async () => {
    const site = await breads();
    const one = await site.ask("GET", "api:search-router/?q=mill", { as: null });
    expect(one.body.items).toMatchObject([{ title: "Water mill", url: expect.stringMatching(/^\/water-mill/) }]);
    expect(one.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
    const headers = { "if-none-match": one.headers.get("etag")! };
    expect((await site.ask("GET", "api:search-router/?q=mill", { as: null, headers })).status).toBe(304);
    await site.page({ title: "Wind mill" }, ["en"]);
    expect((await site.ask("GET", "api:search-router/?q=mill", { as: null, headers })).body.total).toBe(2);
  });

  it("asks one network for a pause after many different searches, and no other", async () => {
    const site = await memorySite();
    const ask = async (n: number, from: string) =>
      (await site.ask("GET", `api:search-router/?q=word${n}`, { as: null, from })).status;
    for (let n = 0; n < 200; n++) expect(await ask(n, "192.0.2.1")).toBe(200);
    expect([await ask(200, "192.0.2.1"), await ask(1, "192.0.2.1"), await ask(200, "192.0.2.2")]).toEqual([
      429, 200, 200,
    ]);
  });
});

describe("?search= of lists", () => {
  it.each([
    ["flour water", ["Flour", "Water mill"]], // all words, in any field: those in the title first
    ["water mill", ["Water mill"]],
    ["mill water", ["Water mill"]],
    ["ater m", ["Water mill"]],
    ['"mill water"', []],
    ['"ter mi"', ["Water mill"]],
    ["lour", ["Flour", "Water mill"]],
  ])("%s", async (search, expected) => {
    const list = await (await breads()).api("GET", `pages/?search=${encodeURIComponent(search)}&language=en&sort=`);
    expect(list.map(({ title }: { title: string }) => title).sort()).toEqual(expected);
  });
});
