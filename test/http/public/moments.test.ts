/** What goes live in a span of time with what will fail, and what differs between two contents. */
import { describe, expect, it } from "vitest";
import { memorySite, type MemorySite } from "../../site.ts";

const page = (title: string, permalink: string) => ({ title, autopermalink: false, permalink });

async function draft({ api }: MemorySite, id: number, body: object, moment: string): Promise<void> {
  await api("PATCH", `pages/${id}/draft/`, body);
  await api("POST", `pages/${id}/schedule/`, { publish_at: moment });
}

describe("schedule", () => {
  it("lists what goes live with the drafts that will collide, and writes nothing", async () => {
    const site = await memorySite();
    const one = await site.page(page("One", "/one"), ["en"]);
    const two = await site.page(page("Two", "/two"), ["en"]);
    const later = await site.page(page("Later", "/later"));
    await draft(site, one.id, page("One", "/new"), "2026-03-03T08:00:00Z");
    await draft(site, two.id, page("Two", "/new"), "2026-03-02T08:00:00Z");
    await site.api("POST", `pages/${later.id}/schedule/`, { publish_at: "2026-03-04T08:00:00Z" });
    const { head } = await site.repo.state();
    const { from, to, changes, conflicts } = await site.api("GET", "schedule/");
    expect([from, to]).toEqual(["2026-03-01T12:00:00.000Z", "2026-03-08T12:00:00.000Z"]);
    expect(changes).toMatchObject([
      { at: "2026-03-02T08:00:00.000Z", page: two.id, language: "en", change: "draft", title: "Two" },
      { at: "2026-03-03T08:00:00.000Z", page: one.id, language: "en", change: "draft", title: "One" },
      { at: "2026-03-04T08:00:00.000Z", page: later.id, language: "en", change: "publish", title: "Later" },
    ]);
    expect(conflicts).toMatchObject([{ at: "2026-03-03T08:00:00.000Z", page: one.id, language: "en" }]);
    expect(conflicts[0].reason).toMatch(/^permalink_en: /);
    expect((await site.repo.state()).head).toBe(head);
    const next = await site.api("GET", "schedule/?from=2026-03-04T08:00:00Z&to=2026-03-05T08:00:00Z");
    expect(next).toMatchObject({ changes: [], conflicts: [] });
  });

  it("names permalinks with a number that pages will get, at the moment when they go live", async () => {
    const site = await memorySite();
    const owner = await site.page({ title_en: "Boats" }, ["en"]);
    const [drafted, late] = [
      await site.page({ title_en: "Ships" }, ["en"]),
      await site.page({ title_en: "Late" }, ["en"]),
    ];
    await draft(site, drafted.id, { title: "Boats" }, "2026-03-02T08:00:00Z");
    const planned = await site.page({ title_en: "Boats" });
    await site.api("POST", `pages/${planned.id}/schedule/`, { publish_at: "2026-03-03T08:00:00Z" });
    await site.api("PATCH", `pages/${late.id}/draft/`, { title: "Boats" });
    const items = [{ page: late.id, language: "en" }];
    await site.api("POST", "releases/", { name: "spring", items, publish_at: "2026-03-04T08:00:00Z" });
    const { conflicts, numbered_permalinks: found } = await site.api("GET", "schedule/");
    const of = { title: "Boats", language: "en", plain: "/boats", taken_by: owner.id };
    expect(conflicts).toEqual([]);
    expect(found).toEqual([
      { at: "2026-03-02T08:00:00.000Z", page: drafted.id, permalink: "/boats-3", ...of },
      { at: "2026-03-03T08:00:00.000Z", page: planned.id, permalink: "/boats-2", ...of },
      { at: "2026-03-04T08:00:00.000Z", page: late.id, permalink: "/boats-4", ...of },
    ]);
    const later = await site.api("GET", "schedule/?from=2026-03-03T08:00:00Z");
    expect(later.numbered_permalinks.map((each: { page: number }) => each.page)).toEqual([late.id]);
  });

  it("is of less than a week at the end of time", async () => {
    const { from, to } = await (await memorySite()).api("GET", "schedule/?from=9999-12-31T00:00:00Z");
    expect([from, to]).toEqual(["9999-12-31T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]);
  });

  it.each(["from=tomorrow", "from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z"])("refuses %s", async (query) => {
    const { ask } = await memorySite();
    expect((await ask("GET", `api:schedule/?${query}`, { as: "staff" })).status).toBe(400);
  });
});

describe("compare", () => {
  it("names records with their fields, and public paths", async () => {
    const site = await memorySite();
    const one = await site.page(page("One", "/one"), ["en"]);
    const from = (await site.repo.state()).head!;
    site.clock.tick(1000);
    await site.api("PATCH", `pages/${one.id}/`, { title: "Uno" });
    const two = await site.page(page("Two", "/two"), ["en"]);
    const { records, urls } = await site.api("GET", `compare/?from=${from}`);
    expect(records).toMatchObject([
      { model: "Page", id: one.id, name: "Uno", change: "changed" },
      { model: "Page", id: two.id, name: "Two", change: "added", fields: [] },
    ]);
    expect(records[0].fields).toContainEqual({ field: "translations.en.title", before: "One", after: "Uno" });
    expect(urls).toEqual([
      { path: "/one/", language_code: "en", change: "changed" },
      { path: "/two/", language_code: "en", change: "added" },
    ]);
    const back = await site.api("GET", `compare/?from=main&to=${from}`);
    expect(back.urls).toContainEqual({ path: "/two/", language_code: "en", change: "removed" });
    expect(await site.api("GET", "compare/?from=main&to=main")).toEqual({ records: [], urls: [] });
    expect((await site.ask("GET", "api:compare/", { as: "staff" })).body).toEqual({
      from: ["This field is required."],
    });
    expect((await site.ask("GET", "api:compare/?from=none", { as: "staff" })).status).toBe(404);
  });
});
