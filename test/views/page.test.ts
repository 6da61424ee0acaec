/** Payloads made from a prepared object have the keys of those that are made key by key, in the same order. */
import { expect, it } from "vitest";
import type { Config } from "../../src/config.ts";
import { allPages } from "../../src/store/content/indexes/pages-by-model.ts";
import { pagePayload } from "../../src/views/page/page.ts";
import type { View } from "../../src/views/view.ts";
import { memorySite, publicViewOf } from "../site.ts";

const NO_FIELDS = { computedFields: () => ({}) } as unknown as Config["extensions"];

it.each(["public", "preview", "editor"] as const)("on the surface %s, of every model", async (surface) => {
  const site = await memorySite();
  const above = await site.page({ title: "Above", title_it: "Sopra", template_data: { x: [1] } }, ["en", "it"]);
  await site.page({ title: "Below", parent_page: above.id }, ["en"]);
  await site.api("POST", "articles/", { title: "News", content: "Text" });
  await site.api("PATCH", `pages/${above.id}/draft/`, { title: "Later" });
  const pages = allPages(site.cms.store.current);
  expect(pages.map(({ model }) => model)).toEqual(["page", "page", "article"]);
  for (const page of pages) {
    for (const lang of ["en", "it"]) {
      const view: View = { ...publicViewOf(site.cms), surface, lang };
      const config = { ...view.config, extensions: NO_FIELDS } as Config;
      expect(JSON.stringify(pagePayload(view, page))).toBe(JSON.stringify(pagePayload({ ...view, config }, page)));
    }
  }
});

it("keep nothing of the page before", async () => {
  const site = await memorySite();
  const { id } = await site.page({ title: "About", meta: { x: 1 } }, ["en"]);
  await site.page({}, []);
  const view = publicViewOf(site.cms);
  const [about, empty] = allPages(site.cms.store.current);
  const before = pagePayload(view, about!);
  const text = JSON.stringify(before);
  expect(pagePayload(view, empty!)).toMatchObject({ title: null, meta: {}, is_public: false });
  expect(JSON.stringify(before)).toBe(text);
  expect(before).toMatchObject({ id, title: "About" });
});
