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
  expect(errorOf(list('model="room"'))).toBe("3 5 |");
});
