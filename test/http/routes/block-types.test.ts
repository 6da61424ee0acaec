/** Block types over HTTP, and their files. */
import { describe, expect, it } from "vitest";
import { contentProblems } from "../../../src/store/check/check.ts";
import { memorySite, type MemorySite } from "../../site.ts";

const QUOTE = {
  name: "quote",
  icon: "quote",
  category: "Words",
  preview: "previews/a quote.jpg",
  schema: [{ name: "words", kind: "text", required: true }, { name: "author" }],
};

const staff = (site: MemorySite) => async (method: string, path: string, body?: unknown) => {
  const answer = await site.ask(method, `api:block-types/${path}`, { as: "staff", body });
  return {
    status: answer.status,
    body: answer.text === "" ? undefined : answer.body,
    etag: answer.headers.get("etag"),
  };
};

const LANDING = "schema:\n  - { name: sections, kind: blocks }\n";

describe("a block type", () => {
  it("is created, read, changed and deleted, each as one commit of its file", async () => {
    const site = await memorySite();
    const call = staff(site);
    const made = await call("POST", "", QUOTE);
    const payload = {
      name: "quote",
      label: "Quote",
      description: "",
      icon: "quote",
      category: "Words",
      template: "",
      preview: "previews/a quote.jpg",
      preview_url: "http://test.local/media/previews/a%20quote.jpg",
      schema: [
        { name: "words", label: "Words", kind: "text", required: true },
        { name: "author", label: "Author" },
      ],
    };
    expect(made).toMatchObject({ status: 201, body: payload });
    expect(await call("GET", "quote/")).toEqual({ status: 200, body: payload, etag: made.etag });
    expect(await call("GET", "")).toMatchObject({ status: 200, body: [payload] });
    expect((await call("GET", "?fields=name&items=1")).body).toMatchObject({ items: [{ name: "quote" }] });
    expect(site.repo.text("content/block-types/quote.yaml")).toBe(
      "icon: quote\ncategory: Words\npreview: previews/a quote.jpg\nschema:\n  - name: words\n    kind: text\n    required: true\n  - name: author\n",
    );
    expect((await call("PATCH", "quote/", { label: "Quotation" })).body).toEqual({ ...payload, label: "Quotation" });
    expect((await call("PUT", "quote/", { name: "quote", label: "" })).body).toEqual(payload);
    const before = site.cms.store.current.commit;
    for (const method of ["PUT", "PATCH"]) expect((await call(method, "quote/", payload)).body).toEqual(payload);
    expect(site.cms.store.current.commit).toBe(before);
    expect(await call("DELETE", "quote/")).toMatchObject({ status: 204 });
    expect(await call("GET", "quote/")).toMatchObject({
      status: 404,
      body: { detail: "No BlockType matches the given query." },
    });
    expect(site.repo.text("content/block-types/quote.yaml")).toBeUndefined();
  });

  it.each<[string, object, object]>([
    ["POST", {}, { name: ["This field is required."] }],
    ["PUT", { label: "x" }, { name: ["This field is required."] }],
    ["POST", { name: "" }, { name: ["This field may not be blank."] }],
    ["POST", { name: "Big_Quote" }, { name: [expect.stringContaining("small letters and digits")] }],
    ["POST", { name: `a${"b".repeat(64)}` }, { name: [expect.stringContaining("small letters and digits")] }],
    ["POST", { name: "con" }, { name: [expect.stringContaining("device")] }],
    ["POST", { name: "hero" }, { name: ["block type with this name already exists."] }],
    ["PATCH", { name: "heroine" }, { name: [expect.stringContaining('Blocks have "hero" as their type')] }],
    ["PATCH", { icon: "rocket" }, { icon: [expect.stringContaining('There is no icon "rocket"')] }],
    ["PATCH", { label: [3] }, { label: [expect.any(String)] }],
    ["PATCH", { schema: [{ name: "type" }] }, { schema: [expect.stringContaining('Every block has "type" already')] }],
    [
      "PATCH",
      { schema: [{ name: "a" }, { name: "b", kind: "ref", target_model: "cms.Pag" }] },
      { schema: [{}, { target_model: [expect.stringContaining('no model "cms.Pag"')] }] },
    ],
  ])("%s %j is refused", async (method, body, errors) => {
    const site = await memorySite({ "content/block-types/hero.yaml": "schema: [{ name: title }]\n" });
    const before = site.cms.store.current.commit;
    expect(await staff(site)(method, method === "POST" ? "" : "hero/", body)).toMatchObject({
      status: 400,
      body: errors,
    });
    expect(site.cms.store.current.commit).toBe(before);
  });

  it("is not written over a file that does not load", async () => {
    const site = await memorySite({ "content/block-types/hero.yaml": "schema: [{ name: title\n" });
    expect(await staff(site)("POST", "", { name: "hero" })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("content/block-types/hero") },
    });
    expect(site.repo.text("content/block-types/hero.yaml")).toBe("schema: [{ name: title\n");
  });

  it("has a JSON Schema, also where it contains itself", async () => {
    const site = await memorySite({
      "content/block-types/columns.yaml": "schema:\n  - { name: content, kind: blocks, types: [columns, note] }\n",
      "content/block-types/note.yaml": "schema: [{ name: words, required: true }]\n",
    });
    const { body } = await staff(site)("GET", "columns/schema/");
    expect(body).toMatchObject({
      title: "BlockType_columns",
      required: ["type"],
      properties: { id: expect.anything(), hidden: expect.anything() },
    });
    expect(JSON.stringify(body)).toContain("#/$defs/Block_note");
    expect(await staff(site)("GET", "nothing/schema/")).toMatchObject({ status: 404 });
  });

  it("made at the API is known at once, to pages and to the description of the API", async () => {
    const site = await memorySite({ "content/page-models/landing.yaml": LANDING });
    await site.api("GET", "openapi.json");
    await staff(site)("POST", "", QUOTE);
    const page = await site.api("POST", "pages/", {
      model: "landing",
      title: "T",
      template_data: { sections: [{ type: "quote", words: "w" }] },
    });
    expect(page.template_data.sections).toMatchObject([{ type: "quote", id: expect.any(String), words: "w" }]);
    expect((await site.ask("GET", "api:openapi.json")).text).toContain("QuoteBlock");
    expect(await contentProblems(site.cms.store, site.cms.locales)).toEqual([]);
  });
});

describe("deletion", () => {
  const FILES = {
    "content/block-types/columns.yaml": "schema:\n  - { name: content, kind: blocks, types: [columns] }\n",
    "content/block-types/map.yaml": "category: Places\nschema: [{ name: place }]\n",
    "content/block-types/note.yaml": "schema:\n  - { name: words }\n",
    "content/block-types/wrap.yaml": "schema:\n  - { name: inner, kind: blocks }\n",
    "content/page-models/landing.yaml":
      "schema:\n  - { name: sections, kind: blocks, types: [note, wrap] }\n  - { name: facts, kind: list, children: [{ name: type }] }\n",
    "content/meta-types/card.yaml":
      'id: 60\nschema:\n  - { name: side, kind: group, children: [{ name: parts, kind: blocks, types: ["@Places", wrap] }] }\n',
    "content/meta-instances/card/one.yaml":
      "identifier: one\ndata: { side: { parts: [{ type: note }, { type: wrap, inner: [{ type: note }] }] } }\n",
    "content/pages/home.yaml":
      "id: 50\nmodel: landing\ntranslations:\n  en:\n    title: Home\n    template_data: { sections: [{ type: wrap, inner: [{ type: note }] }], facts: [{ type: map }] }\n",
    "content/pages/drafted.yaml": "id: 51\nmodel: landing\ntranslations: { en: { title: Drafted } }\n",
    "content/pages/drafted.draft.en.yaml":
      "payload:\n  translations: { en: { template_data: { sections: [{ type: note, words: w }] } } }\n",
    "content/pages/plain.yaml":
      "id: 52\ntranslations:\n  en:\n    title: Plain\n    template_data: { sections: [{ type: note }] }\n",
    "content/articles/news.yaml":
      "id: 53\ntranslations:\n  it:\n    title: News\n    template_data: { sections: [{ type: note }] }\n",
  };
  const used = async (site: MemorySite, name: string): Promise<[number, string[]]> => {
    const { status, body } = await staff(site)("DELETE", `${name}/`);
    const uses = (body?.uses ?? []) as { name: string; path: string }[];
    return [status, uses.map((use) => `${use.name}: ${use.path}`).sort()];
  };

  it("names every place: fields, pages, drafts, articles, instances, nested blocks", async () => {
    const site = await memorySite(FILES);
    expect(await used(site, "note")).toEqual([
      409,
      [
        "(PageModel) landing: schema.0.types.0",
        "(Page) Plain: template_data_en.sections.0",
        "(Landing) Home: template_data_en.sections.0.inner.0",
        "(Landing) Drafted: drafts.en.template_data_en.sections.0",
        "(Article) News: template_data_it.sections.0",
        "(MetaInstance) one: data.side.parts.0",
        "(MetaInstance) one: data.side.parts.1.inner.0",
      ].sort(),
    ]);
  });

  it("is refused for the last type of a category that a field names", async () => {
    const site = await memorySite(FILES);
    expect(await used(site, "map")).toEqual([409, ["(MetaType) card: schema.0.children.0.types.0"]]);
    await staff(site)("POST", "", { name: "plan", category: "Places" });
    // The page has a list with a field `type`, which is no block.
    expect(await used(site, "map")).toEqual([204, []]);
  });

  it("is done for a type that only names itself, and once its uses are gone", async () => {
    const site = await memorySite(FILES);
    expect(await used(site, "columns")).toEqual([204, []]);
    site.repo.write("content/page-models/landing.yaml", LANDING);
    site.repo.write("content/meta-types/card.yaml", "id: 60\n");
    site.repo.write("content/meta-instances/card/one.yaml", "identifier: one\n");
    site.repo.commitByHand("Fewer sections");
    await site.cms.store.refresh();
    await site.api("PATCH", "pages/50/", { template_data: { sections: [] } });
    await site.api("DELETE", "pages/51/");
    await site.api("DELETE", "pages/52/");
    expect(await used(site, "wrap")).toEqual([204, []]);
    expect(await used(site, "note")).toEqual([409, ["(Article) News: template_data_it.sections.0"]]);
    await site.api("PATCH", "articles/53/", { translations: { it: { template_data: { sections: [] } } } });
    expect(await used(site, "note")).toEqual([204, []]);
  });

  it("sees a page that is written while it looks", async () => {
    const site = await memorySite({
      "content/block-types/note.yaml": FILES["content/block-types/note.yaml"],
      "content/page-models/landing.yaml": LANDING,
    });
    const [, deletion] = await Promise.all([
      site.api("POST", "pages/", { model: "landing", title: "T", template_data: { sections: [{ type: "note" }] } }),
      staff(site)("DELETE", "note/"),
    ]);
    expect(deletion).toMatchObject({ status: 409, body: { uses: [{ path: "template_data_en.sections.0" }] } });
  });

  it("tells the first places in its sentence, and no more than 20", async () => {
    const sections = JSON.stringify(Array.from({ length: 30 }, () => ({ type: "note" })));
    const site = await memorySite({
      "content/block-types/note.yaml": FILES["content/block-types/note.yaml"],
      "content/page-models/landing.yaml": LANDING,
      "content/pages/home.yaml": `model: landing\ntranslations: { en: { title: Home, template_data: { sections: ${sections} } } }\n`,
    });
    const { body } = await staff(site)("DELETE", "note/");
    expect(body.detail).toBe(
      'The block type "note" is used ((Landing) Home: template_data_en.sections.0, (Landing) Home: template_data_en.sections.1, (Landing) Home: template_data_en.sections.2, and others). Remove it there first.',
    );
    expect(body.uses).toHaveLength(20);
  });
});
