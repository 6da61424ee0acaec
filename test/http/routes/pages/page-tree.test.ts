/** What an editor needs of the tree of pages: its levels, and what a change does to addresses. */
import { performance } from "node:perf_hooks";
import { expect, it, onTestFinished, vi } from "vitest";
import { pageTree } from "../../../../src/views/page/page-tree.ts";
import { memorySite } from "../../../site.ts";

async function site() {
  const made = await memorySite();
  const { page } = made;
  const a = await page({ title: "A", title_it: "Aa" }, ["en"]);
  const b = await page({ title: "B", parent_page: a.id }, ["en"]);
  const c = await page({ title: "C", parent_page: b.id });
  const d = await page({ title: "D" });
  const tree = async (query = "") =>
    (await made.ask("GET", `api:page-tree/${query}`, { as: "staff" })).body as Record<string, unknown>[];
  const titles = async (query = "") => (await tree(query)).map(({ title }) => title);
  return { ...made, a, b, c, d, tree, titles };
}

it("has the pages of a level in their order, with how many are below each", async () => {
  const { tree, titles, api, a, b, c, d } = await site();
  expect(await tree()).toMatchObject([
    { id: a.id, title: "A", permalink: "/a", status: "PUB", has_draft: false, children: 1 },
    { id: d.id, title: "D", permalink: "/d", status: "DRF", children: 0 },
  ]);
  expect(await tree(`?parent=${a.id}&language=it`)).toMatchObject([
    { id: b.id, title: "B", status: "DRF", permalink: "/aa/b", children: 1 },
  ]);
  await api("POST", "pages/update_order/", { startId: d.id, endId: a.id });
  await api("PATCH", `pages/${d.id}/draft/`, { title: "E" });
  expect((await tree())[0]).toMatchObject({ id: d.id, has_draft: true, has_scheduled_draft: false });
  // A page whose parent is in the trash is at the top, where it can be found.
  await api("POST", `pages/${b.id}/trash/`);
  expect(await titles(`?parent=${a.id}`)).toEqual([]);
  expect(await titles()).toEqual(["D", "A", "C"]);
  expect((await tree()).map(({ children }) => children)).toEqual([0, 0, 0]);
  expect(c.id).toBeGreaterThan(0);
});

it("moves a page among its siblings without another page's rank", async () => {
  const { api, ask, page, a, b, d, titles, repo } = await site();
  const e = await page({ title: "E" });
  const commit = (await repo.state()).head;
  const moved = await api("POST", "pages/update_order/", { startId: e.id, endId: a.id, siblings: true });
  expect(moved.moved.map(({ pk }: { pk: number }) => pk).sort()).toEqual([a.id, d.id, e.id].sort());
  expect(await titles()).toEqual(["E", "A", "D"]);
  expect((await repo.state()).head).not.toBe(commit);
  const refused: [object, number][] = [
    [{ startId: e.id, endId: b.id, siblings: true }, 404],
    [{ startId: e.id, endId: a.id, siblings: "yes" }, 400],
  ];
  for (const [body, status] of refused)
    expect((await ask("POST", "api:pages/update_order/", { as: "staff", body })).status).toBe(status);
});

it.each([
  ["?parent=x", 400],
  ["?parent=-1", 400],
  ["?parent=99999", 404],
  ["?parent=99999999999", 400],
])("%s is %i", async (query, status) => {
  expect((await (await memorySite()).ask("GET", `api:page-tree/${query}`, { as: "staff" })).status).toBe(status);
});

it("says which addresses a change would change, below the page too, and stores nothing", async () => {
  const { ask, repo, a, b, c, d, api } = await site();
  const { head } = await repo.state();
  const body = { title: "Z" };
  const would = await ask("POST", `api:pages/${a.id}/addresses/`, { as: "staff", body });
  expect(would.status).toBe(200);
  expect(would.body).toEqual({
    count: 3,
    changes: [
      { page: a.id, title: "Z", language: "en", from: "/a", to: "/z", redirects: true },
      { page: b.id, title: "B", language: "en", from: "/a/b", to: "/z/b", redirects: true },
      { page: c.id, title: "C", language: "en", from: "/a/b/c", to: "/z/b/c", redirects: false },
    ],
  });
  expect((await repo.state()).head).toBe(head);
  expect(await api("GET", `pages/${a.id}/`)).toMatchObject({ title: "A", permalink: "/a" });
  const moved = await ask("POST", `api:pages/${d.id}/addresses/`, { as: "staff", body: { parent_page: a.id } });
  expect(moved.body.changes).toMatchObject([
    { page: d.id, language: "en", from: "/d", to: "/a/d" },
    { page: d.id, language: "it", from: "/d", to: "/aa/d", redirects: false },
  ]);
  // What it says is what the change then does.
  const change = await api("PATCH", `pages/${d.id}/`, { parent_page: a.id });
  expect(change.permalink).toBe(moved.body.changes[0].to);
});

it.each([
  [{ autopermalink: false, permalink: "/d" }, { permalink_en: [expect.stringContaining("same permalink")] }],
  [{ parent_page: "self" }, { parent_page: ["A page cannot be below itself."] }],
  [{ nothing: 1 }, { nothing: [expect.any(String)] }],
])("refuses %j as the change itself would be", async (body, errors) => {
  const { ask, a } = await site();
  const sent = "parent_page" in body ? { parent_page: a.id } : body;
  const answers = await Promise.all(
    (["POST", "PATCH"] as const).map((method) =>
      ask(method, `api:pages/${a.id}/${method === "POST" ? "addresses/" : ""}`, { as: "staff", body: sent }),
    ),
  );
  for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: errors });
});

it("is 404 for a page that does not exist", async () => {
  const { ask } = await memorySite();
  expect((await ask("POST", "api:pages/9/addresses/", { as: "staff", body: {} })).status).toBe(404);
});

it("serves other requests between the pages of a large level", async () => {
  const { cms, page } = await site();
  for (let n = 0; n < 4; n++) await page({ title: `Top ${n}` });
  const { config, locales, store, env } = cms;
  const view = { config, locales, content: store.current, lang: "en", now: env.now(), origin: "" };
  let ms = performance.now();
  let [turns, isDone] = [0, false];
  // Each page takes longer than a slice.
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (ms += 20));
  onTestFinished(() => clock.mockRestore());
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const rows = await pageTree({ ...view, surface: "editor" }, null);
  isDone = true;
  expect([rows.length, turns >= 2]).toEqual([6, true]);
});

it("finds pages by every text that they have in the language, and by what a draft has", async () => {
  const { api, page } = await memorySite();
  const sea = await page({
    title: "Sea",
    description: "Where boats land",
    template_data: { body: "The **harbour** is old.", parts: [{ note: "Nets dry here" }] },
    title_it: "Mare",
    template_data_it: { body: "Il porto" },
  });
  const fog = await page({ title: "Fog", identifier: "lamp" });
  await api("PATCH", `pages/${fog.id}/draft/`, { template_data: { body: "A horn sounds" } });
  const ids = async (query: string) => (await api("GET", `pages/?search=${query}`)).map(({ id }: { id: number }) => id);
  for (const query of ["sea", "boats%20LAND", "harbour", "nets", "porto&language=it", "boats&language=it"])
    expect(await ids(query), query).toEqual([sea.id]);
  for (const query of ["lamp", "horn"]) expect(await ids(query), query).toEqual([fog.id]);
  for (const query of ["porto", "harbour&language=it", "body"]) expect(await ids(query), query).toEqual([]);
  await api("POST", `pages/${fog.id}/discard-draft/`);
  expect(await ids("horn")).toEqual([]);
});
