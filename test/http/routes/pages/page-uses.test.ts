/** What names a page: the editor says it before the page goes into the trash. */
import { expect, it } from "vitest";
import { memorySite } from "../../../site.ts";

const page = (id: number, title: string, more = "", text = ""): string =>
  `id: ${id}\n${more}translations:\n  en:\n    title: ${title}\n    permalink: /${title.toLowerCase()}\n    published_at: 2026-01-01T00:00:00Z\n${text}`;
const data = (value: string): string => `    template_data: ${value}\n`;

const SITE = {
  "content/pages/oven.yaml":
    page(401, "Oven", "aliases: [{ language: en, from: /stove }]\n", data('{ body: "[self](/oven)" }')) +
    "  it: { title: Forno, permalink: /forno, published_at: 2026-01-01T00:00:00Z }\n",
  "content/pages/child.yaml": page(402, "Child", "parent_page: 401\n"),
  "content/pages/markdown.yaml": page(403, "Markdown", "", data('{ body: "See [it](/oven/#hot)." }')),
  "content/pages/html.yaml": page(404, "Html", "", data(`{ body: '<a href="/it/forno">x</a>' }`)),
  "content/pages/former.yaml": page(405, "Former", "", data('{ body: "[old](/stove?x=1)" }')),
  "content/pages/linked.yaml": page(406, "Linked", "", data("{ more: { link_type: RE, url_node: 401 } }")),
  "content/pages/other.yaml": page(407, "Other", "", data('{ body: "[x](/ovens) [y](/oven-2) /oven in words" }')),
  "content/pages/drafted.yaml": page(408, "Drafted"),
  "content/pages/drafted.draft.en.yaml": 'payload: { template_data: { body: "[x](/oven)" } }\n',
  "content/articles/news.yaml": page(409, "News", "", '    content: "<a href=/oven>x</a>"\n'),
  "content/menus/main.yaml":
    "id: 410\ntranslations:\n  en:\n    nodes:\n      - { title: Oven, link: { link_type: RE, url_node: 401 } }\n",
  "content/menus/foot.yaml":
    "id: 411\ntranslations:\n  en:\n    nodes:\n      - { title: Oven, link: { link_type: ST, static: /oven/ } }\n",
  "content/contents/hero.yaml": "id: 412\nidentifier: hero\ntranslations: { en: { content: '[x]: /oven' } }\n",
};

it("are pages below it, links and references in pages, drafts, menus and blocks, by any of its addresses", async () => {
  const { api, ask } = await memorySite(SITE);
  const { links } = await api("GET", "pages/401/uses/");
  expect(links.map(({ name }: { name: string }) => name).sort()).toEqual([
    "(Article) News",
    "(Content) hero",
    "(Menu) foot",
    "(Menu) main",
    "(Page) Child",
    "(Page) Drafted",
    "(Page) Former",
    "(Page) Html",
    "(Page) Linked",
    "(Page) Markdown",
  ]);
  expect(links).toContainEqual({ model: "Menu", name: "(Menu) main", id: 410 });
  expect(await api("GET", "pages/407/uses/")).toEqual({ links: [] });
  expect(await api("GET", "articles/409/uses/")).toEqual({ links: [] });
  expect((await ask("GET", "api:articles/401/uses/", { as: "staff" })).status).toBe(404);
  expect((await ask("GET", "api:pages/401/uses/", { as: "reader" })).status).toBe(403);
});

it("follow what is written, and refuse nothing", async () => {
  const { api } = await memorySite(SITE);
  await api("PATCH", "pages/407/", { template_data: { body: "[now](/oven)" } });
  const named = async (): Promise<boolean> =>
    (await api("GET", "pages/401/uses/")).links.some(({ id }: { id: number }) => id === 407);
  expect(await named()).toBe(true);
  await api("PATCH", "pages/407/", { template_data: { body: "" } });
  expect(await named()).toBe(false);
  expect(await api("POST", "pages/401/trash/")).toMatchObject({ status: "TRS" });
});

it("are no uses of a media item with the same number", async () => {
  const { api } = await memorySite({
    ...SITE,
    "media/a.svg": "<svg/>",
    "content/media/a.svg.yaml": "id: 402\n",
    "content/pages/grandchild.yaml": page(413, "Grandchild", "parent_page: 402\n"),
  });
  expect((await api("GET", "media/402/")).links).toEqual([]);
  expect((await api("GET", "pages/402/uses/")).links).toMatchObject([{ id: 413 }]);
});
