/** Sections of a page: typed blocks that the site declares, from the file and the API to the page in HTML. */
import { describe, expect, it } from "vitest";
import { allProblems } from "../../../src/store/check/check.ts";
import { jsonSchema } from "../../../src/model/fields/type-schema.ts";
import { shapeOf } from "../../../src/schema/site-shape.ts";
import { typesText } from "../../../src/schema/typescript.ts";
import { findPageModel } from "../../../src/store/records/page-models.ts";
import { publicViewOf, memorySite, writeTemplate, type MemorySite } from "../../site.ts";
import { buildTree, emptyDir, filesIn } from "../../static-site/build-site.ts";

const FILES: Readonly<Record<string, string>> = {
  "content/block-types/hero.yaml":
    "label: Hero\nicon: hero\ncategory: Top\nschema:\n  - { name: title, required: true }\n  - { name: picture, kind: media }\n",
  "content/block-types/text.yaml": "schema:\n  - { name: body, kind: text }\n  - { name: to, kind: permalink }\n",
  "content/block-types/columns.yaml": "schema:\n  - { name: content, kind: blocks }\n",
  "content/page-models/landing.yaml":
    "default_template: landing.html\nschema:\n  - { name: sections, kind: blocks, maximum: 5 }\n  - { name: top, kind: blocks, types: ['@Top'] }\n",
  "content/pages/home.yaml": `id: 1
model: landing
date_created: 2026-01-01T00:00:00Z
translations:
  en:
    title: Home
    permalink: /home
    published_at: 2026-01-01T00:00:00Z
    template_data:
      sections:
        - type: hero
          title: Welcome & more
        - type: text
          hidden: true
          body: Nobody sees this
        - type: columns
          id: cols
          content:
            - { type: text, body: Left }
            - { type: columns, content: [{ type: hero, title: Deep }] }
`,
};

const TEMPLATES = {
  "landing.html": "<main>{{ blocks(page.template_data.sections) }}</main>",
  "blocks/hero.html":
    '<h2{{ cms_field("title") }}>{{ block.title }}|{{ loop.index }}/{{ loop.length }}|{{ page.title }}</h2>',
  "blocks/text.html": "<p>{{ block.body }}</p>",
  "blocks/columns.html": "<div>{{ blocks(block.content) }}</div>",
};

async function siteOf(files = FILES): Promise<MemorySite> {
  const site = await memorySite(files);
  for (const [name, text] of Object.entries(TEMPLATES)) writeTemplate(site, name, text);
  return site;
}

const sectionsOf = async (site: MemorySite, path: string) => (await site.ask("GET", path)).body.template_data.sections;

describe("a page with sections", () => {
  it("is served with an id for every block and without hidden ones, to its editors with them", async () => {
    const site = await siteOf();
    expect(await sectionsOf(site, "api:pages-router/home/")).toEqual([
      { type: "hero", id: "b1", title: "Welcome & more" },
      {
        type: "columns",
        id: "cols",
        content: [
          { type: "text", id: "b1", body: "Left" },
          { type: "columns", id: "b2", content: [{ type: "hero", id: "b1", title: "Deep" }] },
        ],
      },
    ]);
    const own = (await site.api("GET", "pages/1/")).template_data.sections;
    expect(own.map(({ type, id, hidden }: Record<string, unknown>) => [type, id, hidden])).toEqual([
      ["hero", "b1", undefined],
      ["text", "b2", true],
      ["columns", "cols", undefined],
    ]);
  });

  it("is rendered block by block, at any depth", async () => {
    const site = await siteOf();
    const html =
      "<main><h2>Welcome &amp; more|1/2|Home</h2><div><p>Left</p><div><h2>Deep|1/1|Home</h2></div></div></main>";
    expect((await site.ask("GET", "/home/")).text).toBe(html);
    const out = emptyDir();
    await buildTree(site, out);
    expect(filesIn(out).get("home/index.html")).toBe(html);
  });

  it("shows a block without a template in development alone, and follows the template once it is there", async () => {
    const files = { ...FILES, "content/block-types/map.yaml": "schema: [{ name: place }]\n" };
    const site = await siteOf({
      ...files,
      "content/pages/home.yaml": FILES["content/pages/home.yaml"]!.replace(
        "type: text\n",
        "type: map\n          place: Rome\n",
      ).replace("hidden: true\n          body: Nobody sees this\n", "\n"),
    });
    expect((await site.ask("GET", "/home/")).text).not.toContain("map");
    writeTemplate(site, "blocks/map.html", "<b>{{ block.place }}</b>");
    site.cms.templates.reset();
    expect((await site.ask("GET", "/home/")).text).toContain("<b>Rome</b>");
  });
});

describe("a write", () => {
  it("gives new blocks an id, keeps those that are sent, and leaves files that a person could have written", async () => {
    const site = await siteOf();
    const { sections } = (await site.api("GET", "pages/1/")).template_data;
    const added = [
      ...sections.slice(0, 2),
      { type: "hero", title: "New" },
      { ...sections[0], title: "Copy" },
      sections[2],
    ];
    await site.api("PATCH", "pages/1/", { template_data: { sections: added } });
    const saved = (await site.api("GET", "pages/1/")).template_data.sections;
    const ids = saved.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(5);
    expect([ids[0], ids[1], ids[4]]).toEqual(["b1", "b2", "cols"]);
    expect(ids[2]).toMatch(/^b[\da-f]{7}$/);
    const text = new TextDecoder().decode((await site.repo.read("content/pages/home.yaml"))?.bytes);
    expect(text).toContain("        - type: hero\n          id: b1\n          title: Welcome & more\n");
    expect(text).toContain(`        - type: hero\n          id: ${ids[2]}\n          title: New\n`);
  });

  it("tells what is wrong in a block, by its place", async () => {
    const site = await siteOf();
    const errors = async (data: object) =>
      (await site.ask("PATCH", "api:pages/1/", { body: { template_data: data }, as: "staff" })).body;
    const hero = { type: "hero", title: "x" };
    const rows: readonly (readonly [object, object])[] = [
      [{ sections: "x" }, { sections: ['Expected a list of items but got type "str".'] }],
      [{ sections: [{ type: "hero" }] }, { sections: { 0: { title: ["This field is required."] } } }],
      [{ sections: [hero, { type: "hro" }] }, { sections: { 1: { type: ['"hro" is not a valid choice.'] } } }],
      [{ sections: [{ title: "x" }] }, { sections: { 0: { type: ["This field is required."] } } }],
      [{ top: [{ type: "text" }] }, { top: { 0: { type: ['"text" is not a valid choice.'] } } }],
      [
        { sections: [{ type: "columns", content: [{ type: "text", body: 3 }] }] },
        { sections: { 0: { content: { 0: { body: ["Not a valid string."] } } } } },
      ],
      [
        { sections: Array.from({ length: 6 }, () => hero) },
        { sections: ["There are 6 sections, and at most 5 are allowed."] },
      ],
    ];
    for (const [data, wrong] of rows)
      expect(await errors(data), JSON.stringify(data)).toMatchObject({ template_data_en: wrong });
    const unknown = await errors({ sections: [{ ...hero, titel: "y" }] });
    expect(JSON.stringify(unknown)).toMatch(/titel/);
  });

  it("may leave out in a draft what is required", async () => {
    const site = await siteOf();
    const body = { template_data: { sections: [{ type: "hero" }] } };
    expect((await site.ask("PATCH", "api:pages/1/draft/", { body, as: "staff" })).status).toBe(200);
    const published = await site.ask("POST", "api:pages/1/publish/", { as: "staff" });
    expect([published.status, JSON.stringify(published.body)]).toEqual([
      400,
      expect.stringContaining("This field is required."),
    ]);
  });

  it.each([
    ["a page that becomes public", false],
    ["a page that is public", true],
  ])("are published with the references that they need: %s", async (_what, isPublic) => {
    const type =
      "label: Card\nschema:\n  - { name: picture, kind: media, required: true }\n  - { name: link, kind: permalink, required: true }\n";
    const site = await siteOf({ ...FILES, "content/block-types/card.yaml": type });
    const page = await site.page({ title: "Cards", model: "landing" }, isPublic ? ["en"] : []);
    const path = `pages/${page.id}`;
    const card = { type: "card", picture: null, link: { link_type: "RE", url_node: null } };
    await site.api("PATCH", `${path}/draft/`, { template_data: { sections: [card] } });
    const published = await site.ask("POST", `api:${path}/publish/`, { as: "staff" });
    const wrong = {
      sections: { 0: { picture: ["This field may not be null."], link: ["This field is required."] } },
    };
    expect([published.status, published.body]).toEqual([400, { template_data_en: wrong }]);
    // A live value is cleared when its picture goes: what was read can be written.
    const body = { template_data: { sections: [card] } };
    expect((await site.ask("PATCH", `api:${path}/`, { as: "staff", body })).status).toBe(200);
  });
});

describe("everything that reads fields reads blocks", () => {
  it("references, which are cleared when their target goes, and links", async () => {
    const site = await siteOf();
    const target = await site.page({ title: "Target" }, ["en"]);
    const link = { link_type: "RE", url_node: target.id };
    const data = { sections: [{ type: "columns", content: [{ type: "text", to: link }] }] };
    await site.api("PATCH", "pages/1/", { template_data: data });
    const shown = await sectionsOf(site, "api:pages-router/home/");
    expect(shown[0].content[0].to).toMatchObject({ link_type: "RE", url: "/target/" });
    const missing = { sections: [{ type: "hero", title: "x", picture: 12345 }] };
    const { status, text } = await site.ask("PATCH", "api:pages/1/", { body: { template_data: missing }, as: "staff" });
    expect([status, text]).toEqual([400, expect.stringContaining("12345")]);
  });

  it("JSON Schema and types, also of a type that contains itself", async () => {
    const site = await siteOf();
    const { config, store, locales } = site.cms;
    const { schema } = findPageModel(store.current, "landing")!;
    const made = jsonSchema(schema, "Landing", locales) as never as { $defs: object; properties: never };
    expect(Object.keys(made.$defs).sort()).toEqual(
      ["Block_columns", "Block_hero", "Block_hero_2", "Block_text"].sort(),
    );
    const types = typesText(shapeOf(config, store.current));
    expect(types).toContain("readonly sections?: (readonly (ColumnsBlock | HeroBlock | TextBlock)[]) | null;");
    expect(types).toMatch(/export type HeroBlock = \{\n.*readonly type: "hero";/);
    expect(types).toMatch(/export type ColumnsBlock = \{[^}]*readonly content\?: \(readonly \(ColumnsBlock \|/);
  });

  it("the check, with the place in the file", async () => {
    const site = await siteOf({
      ...FILES,
      "content/pages/home.yaml": FILES["content/pages/home.yaml"]!.replace("title: Deep", "titel: Deep"),
    });
    const found = (await allProblems(site.cms.store, site.cms.locales)).map(({ path, line, message }) => [
      path,
      line,
      message,
    ]);
    expect(found).toEqual(
      expect.arrayContaining([
        [
          "content/pages/home.yaml",
          20,
          expect.stringMatching(/The block type "hero" has no field "titel". Did you mean "title"\?/),
        ],
      ]),
    );
  });

  it("the check, inside of lists and links of a block too; of an unknown type only the type is told", async () => {
    const sections =
      "[{ type: steps, steps: [{ titel: One }] }, { type: txt, title: Two }, { type: text, to: { link_type: RE, url_nod: /home } }]";
    const site = await siteOf({
      ...FILES,
      "content/block-types/steps.yaml": "schema: [{ name: steps, kind: list, children: [{ name: title }] }]\n",
      "content/pages/home.yaml": `id: 1\nmodel: landing\ntranslations: { en: { title: Home, permalink: /home, template_data: { sections: ${sections} } } }\n`,
    });
    const found = (await allProblems(site.cms.store, site.cms.locales)).map(({ message }) => message);
    expect(found.filter((message) => message.includes("template_data.sections"))).toEqual([
      'translations.en.template_data.sections.1.type: "txt" is not a valid choice. Did you mean "text"?',
      'translations.en.template_data.sections.0.steps.0.titel: The block type "steps" has no field "titel". Did you mean "title"?',
      'translations.en.template_data.sections.2.to.url_nod: The block type "text" has no field "url_nod". Did you mean "url_node"?',
    ]);
  });

  it("the check of the types themselves: names that no type has, and templates that are missing", async () => {
    const site = await siteOf({
      ...FILES,
      "content/page-models/landing.yaml":
        "default_template: landing.html\nschema:\n  - name: sections\n    kind: blocks\n    types: [hero, txt, '@Tops']\n",
      "content/block-types/map.yaml": "schema: [{ name: place }]\n",
      "content/block-types/bad.yaml": "schema: [{ name: type }]\n",
    });
    const hasTemplate = (name: string) => name in TEMPLATES;
    const found = (await allProblems(site.cms.store, site.cms.locales, { hasTemplate })).map(
      ({ path, line, message, severity }) => [path, line, message, severity],
    );
    expect(found.filter(([path]) => !String(path).includes("pages/"))).toEqual([
      ["content/block-types/bad.yaml", 1, expect.stringContaining('Every block has "type" already'), undefined],
      ["content/page-models/landing.yaml", 5, expect.stringContaining('Did you mean "text"?'), undefined],
      ["content/page-models/landing.yaml", 5, expect.stringContaining('Did you mean "@Top"?'), undefined],
      ["content/block-types/map.yaml", undefined, expect.stringContaining('blocks of the type "map"'), "warning"],
    ]);
  });

  it("names in place of ids", async () => {
    const site = await siteOf({
      ...FILES,
      "content/block-types/note.yaml": "schema: [{ name: about, kind: ref, target_model: cms.Page }]\n",
      "content/pages/home.yaml": FILES["content/pages/home.yaml"]!.replace(
        "{ type: text, body: Left }",
        "{ type: note, about: /other }",
      ),
      "content/pages/other.yaml":
        "id: 9\ntranslations: { en: { title: Other, permalink: /other, published_at: 2026-01-01T00:00:00Z } }\n",
    });
    const shown = await sectionsOf(site, "api:pages-router/home/");
    expect(shown[1].content[0].about).toMatchObject({ id: 9, title: "Other" });
  });

  it("router, manifest and build, which follow a changed block and a changed type", async () => {
    const site = await siteOf({
      ...FILES,
      "content/pages/home.yaml": FILES["content/pages/home.yaml"]!.replace("title: Welcome & more", "title: 0x10"),
    });
    const state = async () => {
      const { urls } = (await site.ask("GET", "api:pages-router/changes")).body;
      const { hash } = urls.find(({ path }: { path: string }) => path === "/home/");
      return [hash, (await sectionsOf(site, "api:pages-router/home/"))[0].title];
    };
    const out = emptyDir();
    writeTemplate(site, "blocks/hero.html", "{{ block.title + 1 }}");
    expect(await buildTree(site, out)).toMatchObject({ rendered: 1 });
    const before = await state();
    const { sections } = (await site.api("GET", "pages/1/")).template_data;
    await site.api("PATCH", "pages/1/", {
      template_data: { sections: [{ ...sections[0], title: "16" }, ...sections.slice(1)] },
    });
    const written = await state();
    expect([written[1], before[0] === written[0]]).toEqual(["16", false]);
    site.repo.write("content/block-types/hero.yaml", "schema:\n  - { name: title, kind: number }\n");
    site.repo.commitByHand("Heroes are numbers");
    await site.cms.store.refresh();
    const changed = await state();
    expect([changed[1], changed[0] === written[0]]).toEqual([16, false]);
    expect(await buildTree(site, out)).toMatchObject({ rendered: 1 });
    expect(filesIn(out).get("home/index.html")).toContain("17");
    expect(await buildTree(site, out)).toMatchObject({ rendered: 0 });
  });
});

it("a type that is added or changed in git applies at once", async () => {
  const site = await siteOf();
  expect(publicViewOf(site.cms).lang).toBe("en");
  const quote = { sections: [{ type: "quote", words: "So it goes" }] };
  const patch = () => site.ask("PATCH", "api:pages/1/", { body: { template_data: quote }, as: "staff" });
  expect((await patch()).status).toBe(400);
  site.repo.write("content/block-types/quote.yaml", "schema:\n  - { name: words, kind: text }\n");
  site.repo.commitByHand("A quote");
  await site.cms.store.refresh();
  expect((await patch()).status).toBe(200);
  expect((await site.api("GET", "block-types/")).map(({ name }: { name: string }) => name)).toContain("quote");
});
