/** What templates look up by a path or a key follows the content, in serve and in incremental builds. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { renderInput, renderPage } from "../../src/render/page.ts";
import { findPage } from "../../src/store/content/indexes/pages-by-model.ts";
import type { View } from "../../src/views/view.ts";
import { memorySite, writeTemplate } from "../site.ts";
import { buildTree, emptyDir } from "./build-site.ts";

const TEMPLATE =
  '{{ page_at("/about").title or "none" }}|{% for each in instances("room", sort="-beds") %}{{ each.data.name }} {% endfor %}|' +
  '{% for each in instances("room", sort="name") %}{{ each.data.name }} {% endfor %}|{{ instance("room", "attic").data.beds }}';

it("renders a page again when what it looked up has changed", async () => {
  const room = (data: string): string => `data: { ${data} }\n`;
  const site = await memorySite({
    "content/meta-types/room.yaml":
      "name: Room\nschema: [{ name: name, kind: string }, { name: beds, kind: integer }]\n",
    "content/meta-instances/room/cellar.yaml": room("name: Cellar"),
    "content/meta-instances/room/attic.yaml": `identifier: attic\n${room("name: attic, beds: 2")}`,
    "content/meta-instances/room/hall.yaml": room("name: Hall, beds: 10"),
  });
  writeTemplate(site, "defaults/pages/default.html");
  writeTemplate(site, "looks.html", TEMPLATE);
  await site.page({ title: "Home", template: "looks.html" }, ["en"]);
  const out = emptyDir();
  const shown = async (): Promise<string> => {
    await buildTree(site, out);
    const built = readFileSync(join(out, "home/index.html"), "utf8");
    expect((await site.ask("GET", "/home/")).text).toBe(built);
    return built;
  };
  const rooms = "|Hall attic Cellar |attic Cellar Hall |2";
  expect(await shown()).toBe(`none${rooms}`);
  const { id } = await site.page({ title: "About" });
  expect(await shown()).toBe(`none${rooms}`);
  await site.api("POST", `pages/${id}/publish/`);
  expect(await shown()).toBe(`About${rooms}`);
  await site.api("PATCH", `pages/${id}/`, { title: "About us" });
  expect(await shown()).toBe(`About us${rooms}`);
  await site.api("POST", `pages/${id}/trash/`);
  expect(await shown()).toBe(`none${rooms}`);
});

it("finds pages by model, place and filter, again when that changes, and tells a developer of wrong names", async () => {
  const page = (id: number, permalink: string, more = ""): string =>
    `id: ${id}\n${more}translations: { en: { title: Page ${id}, permalink: ${permalink}, published_at: 2026-01-01T00:00:00Z } }\n`;
  const site = await memorySite({
    "content/page-models/room.yaml": "default_template: defaults/pages/default.html\nschema: []\n",
    "content/pages/home.yaml": page(1, "/home", "template: finds.html\n"),
    "content/pages/rooms.yaml": page(2, "/rooms"),
    "content/pages/rooms/a.yaml": page(3, "/rooms/a", "model: room\n"),
    "content/pages/rooms/a/b.yaml": page(4, "/rooms/a/b", "model: room\nordering: 1\n"),
    "content/pages/c.yaml": page(5, "/c", "model: room\nordering: 2\n"),
  });
  writeTemplate(site, "defaults/pages/default.html");
  const list = (query: string): string => `{% for each in pages(${query}) %}{{ each.id }} {% endfor %}|`;
  const queries = [
    'model="room", sort="-title"',
    'below="/rooms/"',
    '{ where: "ordering__gte=1", limit: 1 }',
    'model="rom"',
  ];
  writeTemplate(site, "finds.html", queries.map(list).join(""));
  const out = emptyDir();
  const shown = async (): Promise<string> => {
    await buildTree(site, out);
    const built = readFileSync(join(out, "home/index.html"), "utf8");
    expect((await site.ask("GET", "/home/")).text).toBe(built);
    return built;
  };
  expect(await shown()).toBe("5 4 3 |3 4 |4 ||");
  await site.api("PATCH", "pages/3/", { title: "Zero" });
  await site.api("POST", "pages/4/trash/");
  expect(await shown()).toBe("3 5 |3 |5 ||");
  const { config, locales, store, templates } = site.cms;
  const { current: content } = store;
  const now = site.clock.now();
  const view: View = {
    config: { ...config, usesRequestOrigin: true },
    locales,
    content,
    now,
    lang: "en",
    surface: "public",
    origin: "",
  };
  let tried = 0;
  const errorOf = (text: string): string => {
    const template = `tried-${++tried}.html`;
    writeTemplate(site, template, text);
    try {
      return String(renderPage(templates, view, { ...renderInput(view, findPage(content, 1)!), template }));
    } catch (error) {
      return String(error);
    }
  };
  expect(errorOf(list('model="rom"'))).toContain('There is no page model "rom". Did you mean `room`?');
  expect(errorOf(list('below="/nowhere/"'))).toContain('There is no page at "/nowhere/".');
  expect(errorOf(list('where="colour=1"'))).toContain('There is no field "colour"');
  expect(errorOf(list('modell="room"'))).toContain('There is no key "modell". Did you mean `model`?');
  expect(errorOf('{{ instances("rooms") }}')).toContain('There is no meta type "rooms".');
  expect(errorOf('{{ group_link("/nowhere/", 7) }}')).toContain('group_link: There is no page at "/nowhere/".');
  expect(errorOf('{{ list_groups("/rooms/") }}')).toContain('The page at "/rooms/" has no "paginate" with "each".');
  expect(errorOf(list('model="room"'))).toBe("3 5 |");
});

it("links tags to their lists, and renders such a page again when a link changes, not when a count does", async () => {
  const article = (id: number, tag: number, template = "links.html"): string =>
    `id: ${id}\ntemplate: ${template}\ntags: [${tag}]\n` +
    `translations: { en: { title: A ${id}, permalink: /a${id}, published_at: 2026-01-01T00:00:00Z } }\n`;
  const site = await memorySite({
    "content/pages/journal.yaml":
      "id: 1\npaginate: { of: articles, each: tags }\n" +
      "translations: { en: { title: Journal, permalink: /journal, published_at: 2026-01-01T00:00:00Z } }\n",
    "content/tags/7.yaml": "id: 7\ntranslations: { en: { name: Clay } }\n",
    "content/tags/8.yaml": "id: 8\ntranslations: { en: { name: Wood } }\n",
    "content/articles/a11.yaml": article(11, 7),
    "content/articles/a12.yaml": article(12, 7, "cloud.html"),
  });
  writeTemplate(site, "defaults/pages/default.html");
  writeTemplate(
    site,
    "links.html",
    '{% for each in page.tags %}{{ group_link("/journal/", each) }}{% endfor %} {{ group_link("/journal/", 8) or "none" }}',
  );
  writeTemplate(
    site,
    "cloud.html",
    '{% for each in list_groups("/journal/") %}{{ each.address }} {{ each.count }} {% endfor %}',
  );
  const out = emptyDir();
  const shown = async (id: number): Promise<string> => {
    const built = readFileSync(join(out, `a${id}/index.html`), "utf8");
    expect((await site.ask("GET", `/a${id}/`)).text).toBe(built);
    return built;
  };
  const save = async (path: string, text: string): Promise<number> => {
    site.repo.write(path, text);
    site.repo.commitByHand("By hand");
    await site.cms.store.refresh();
    return (await buildTree(site, out)).rendered;
  };
  await buildTree(site, out);
  expect([await shown(11), await shown(12)]).toEqual(["/journal/tag/clay/ none", "/journal/tag/clay/ 2 "]);
  // The new article, the journal and the list of the tag, and the article with the counts.
  expect(await save("content/articles/a13.yaml", article(13, 7))).toBe(4);
  expect([await shown(11), await shown(12)]).toEqual(["/journal/tag/clay/ none", "/journal/tag/clay/ 3 "]);
  await save("content/articles/a14.yaml", article(14, 8));
  expect(await shown(11)).toBe("/journal/tag/clay/ /journal/tag/wood/");
});
