/** Due drafts go live on the first public read, by the sweep, or by `publishDue`, each exactly once. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SERVICE } from "../../../src/actions/context.ts";
import { dueDrafts, publishDue, sweepDue } from "../../../src/actions/pages/sweep.ts";
import type { DeepPartial, Settings } from "../../../src/config.ts";
import { memorySite, type MemorySite } from "../../site.ts";

const DUE = "2026-03-01T13:00:00Z";
const AFTER = "2026-03-01T13:00:01Z";

interface Drafted extends MemorySite {
  readonly id: number;
  head(): Promise<string | null>;
}

/** A public page at /page whose draft "New" is due at `DUE`, an hour from now. */
async function drafted(
  draft: object = { title: "New" },
  settings: DeepPartial<Settings> = {},
  at = DUE,
): Promise<Drafted> {
  const site = await memorySite({}, settings);
  const folder = join(site.cms.root, "templates/defaults/pages");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "default.html"), "<h1>{{ page.title }}</h1>");
  const { id } = await site.page(
    {
      title: "Old",
      autopermalink: false,
      permalink: "/page",
      title_it: "Vecchio",
      autopermalink_it: false,
      permalink_it: "/pagina",
    },
    ["en", "it"],
  );
  await site.api("PATCH", `pages/${id}/draft/`, draft);
  await site.api("POST", `pages/${id}/schedule/`, { publish_at: at });
  return { ...site, id, head: async () => (await site.repo.state()).head };
}

const read = async ({ ask }: MemorySite, path = "page/"): Promise<string | number> => {
  const answer = await ask("GET", `api:pages-router/${path}`);
  return answer.status === 200 ? (answer.body.title ?? answer.body.redirect) : answer.status;
};

describe("before its time", () => {
  it("no read, sweep or manifest applies it", async () => {
    const site = await drafted();
    const head = await site.head();
    site.clock.set("2026-03-01T12:59:59.999Z");
    expect(await read(site)).toBe("Old");
    expect((await site.ask("GET", "/page/")).text).toBe("<h1>Old</h1>");
    expect(await site.api("POST", "pages-router/publish-due")).toEqual({ published: 0 });
    expect(dueDrafts(site.cms)).toEqual([]);
    expect(await site.head()).toBe(head);
  });
});

describe("the first public read after it", () => {
  it.each([
    ["JSON", "api:pages-router/page/", /"title":"New"/],
    ["HTML", "/page/", /<h1>New<\/h1>/],
    ["HTML under the default language's prefix", "/en/page/", /<h1>New<\/h1>/],
    ["HEAD", "api:pages-router/page/", /^$/],
    ["JSON in a form that is not canonical", "api:pages-router/page", /"redirect":"\/page\/"/],
  ])("%s: %s", async (name, path, text) => {
    const site = await drafted();
    site.clock.set(DUE); // the moment itself counts
    const answer = await site.ask(name === "HEAD" ? "HEAD" : "GET", path);
    expect(answer.text).toMatch(text);
    expect(await site.api("GET", `pages/${site.id}/`)).toMatchObject({
      title: "New",
      has_draft: false,
      status: "PUB",
      published_at: "2026-03-01T12:00:00Z",
    });
  });

  it("sees it although an older answer was cached", async () => {
    const site = await drafted();
    expect(await read(site)).toBe("Old");
    site.clock.set(DUE);
    expect(await read(site)).toBe("New");
  });

  it.each(["api:pages-router/page/", "/page/"])(
    "fifty concurrent ones apply it once and all see it: %s",
    async (path) => {
      const site = await drafted();
      const before = await site.head();
      site.clock.set(AFTER);
      const answers = await Promise.all(Array.from({ length: 50 }, () => site.ask("GET", path)));
      for (const { status, text } of answers)
        expect([status, text.includes("New"), text.includes("Old")]).toEqual([200, true, false]);
      const commits: string[] = [];
      for await (const { message } of site.repo.log((await site.head())!, before, [""])) commits.push(message);
      expect(commits).toEqual([expect.stringContaining("Auto-published on first read")]);
    },
  );

  it("applies the draft of its own language only", async () => {
    const site = await drafted();
    site.clock.set(AFTER);
    expect(await read(site, "it/pagina/")).toBe("Vecchio");
    expect((await site.api("GET", `pages/${site.id}/`)).has_draft).toBe(true);
    expect(await read(site)).toBe("New");
  });

  it.each(["api:pages-router/page/", "/page/"])("makes a hidden page public, as JSON and as HTML: %s", async (path) => {
    const site = await drafted();
    await site.api("PATCH", `pages/${site.id}/`, { published_at: null });
    expect((await site.ask("GET", path)).status).toBe(404);
    site.clock.set(AFTER);
    const answer = await site.ask("GET", path);
    expect([answer.status, answer.text.includes("New")]).toEqual([200, true]);
    expect(await site.api("GET", `pages/${site.id}/`)).toMatchObject({ status: "PUB", published_at: AFTER });
  });

  it("of a page the draft renames gets the page; later ones are redirected", async () => {
    const site = await drafted({ title: "New", autopermalink: true });
    site.clock.set(AFTER);
    expect((await site.ask("GET", "api:pages-router/page/")).body).toMatchObject({
      title: "New",
      permalink: "/new",
      routerlink: "/new/",
    });
    expect((await site.ask("GET", "api:pages-router/page/")).body).toEqual({ redirect: "/new/", status: 301 });
    expect(await read(site, "new/")).toBe("New");
  });

  it("of a page the draft renames, as HTML", async () => {
    const site = await drafted({ title: "New", autopermalink: true });
    site.clock.set(AFTER);
    expect((await site.ask("GET", "/page/")).text).toBe("<h1>New</h1>");
    const later = await site.ask("GET", "/page/");
    expect([later.status, later.headers.get("location")]).toEqual([301, "/new/"]);
  });

  it.each(["/page/", "api:pages-router/page/"])("does not change a trashed page: %s", async (path) => {
    const site = await drafted();
    await site.api("POST", `pages/${site.id}/trash/`);
    const head = await site.head();
    site.clock.set(AFTER);
    expect((await site.ask("GET", path)).status).toBe(404);
    expect(await site.head()).toBe(head);
    expect(await site.api("GET", `pages/${site.id}/`)).toMatchObject({ title: "Old", has_draft: true });
  });

  it.each(["page/", "it/pagina/"])("is not a preview: %s", async (path) => {
    const site = await drafted();
    const head = await site.head();
    site.clock.set(AFTER);
    await site.ask("GET", `api:pages-router-preview/${path}`, { as: "reader" });
    await site.api("GET", `pages/${site.id}/preview/`);
    await site.api("GET", "pages-router/changes");
    expect(await site.head()).toBe(head);
  });

  it("serves the live page while writes are refused, and logs it", async () => {
    const site = await drafted({ title: "New" });
    site.clock.set(AFTER);
    site.repo.block("A merge is in progress.");
    expect(await read(site)).toBe("Old");
    expect(site.logged).toContainEqual(expect.stringContaining("A merge is in progress."));
    site.repo.block(null);
    expect(await read(site)).toBe("New");
  });
});

/** Makes the draft invalid: another page takes its permalink. */
async function unfit(): Promise<Drafted> {
  const site = await drafted({ title: "New", permalink: "/wanted" });
  await site.page({ title: "Rival", autopermalink: false, permalink: "/wanted" }, ["en"]);
  return site;
}

describe("a due draft that is no longer valid", () => {
  it("is skipped by a read, which shows the live page, and logged", async () => {
    const site = await unfit();
    const head = await site.head();
    site.clock.set(AFTER);
    expect(await read(site)).toBe("Old");
    expect((await site.ask("GET", "/page/")).text).toBe("<h1>Old</h1>");
    expect(await site.head()).toBe(head);
    expect(site.logged).toContainEqual(
      expect.stringMatching(new RegExp(`draft of page ${site.id} .*cannot be published`)),
    );
  });

  it("is skipped by the sweep and logged; the others go live", async () => {
    const site = await unfit();
    const other = await site.page({ title: "Other" }, ["en"]);
    await site.api("PATCH", `pages/${other.id}/draft/`, { keywords: "fresh" });
    await site.api("POST", `pages/${other.id}/schedule/`, { publish_at: DUE });
    site.clock.set(AFTER);
    expect(await site.api("POST", "pages-router/publish-due")).toEqual({ published: 1 });
    expect(await site.api("GET", `pages/${site.id}/`)).toMatchObject({ title: "Old", has_draft: true });
    expect(await site.api("GET", `pages/${other.id}/`)).toMatchObject({ keywords: "fresh", has_draft: false });
    expect(site.logged).toContainEqual(expect.stringContaining("There is an other page with same permalink."));
    const { failed } = await sweepDue(site.cms, SERVICE, "");
    expect(failed).toEqual([expect.objectContaining({ lang: "en", reason: expect.stringContaining("permalink_en") })]);
  });

  it("goes live once the obstacle is removed", async () => {
    const site = await unfit();
    site.clock.set(AFTER);
    expect(await site.api("POST", "pages-router/publish-due")).toEqual({ published: 0 });
    const rival = (await site.api("GET", "pages/")).find((page: { title: string }) => page.title === "Rival");
    await site.api("DELETE", `pages/${rival.id}/`);
    expect(await site.api("POST", "pages-router/publish-due")).toEqual({ published: 1 });
    expect(await read(site, "wanted/")).toBe("New");
  });
});

describe("the sweep", () => {
  it("counts the draft of each language, and none the second time", async () => {
    const site = await drafted();
    await site.api("PATCH", `pages/${site.id}/draft/?language=it`, { title: "Nuovo" });
    await site.api("POST", `pages/${site.id}/schedule/?language=it`, { publish_at: DUE });
    const before = await site.head();
    site.clock.set(AFTER);
    expect(dueDrafts(site.cms).map(({ page, lang }) => [page.id, lang])).toEqual([
      [site.id, "en"],
      [site.id, "it"],
    ]);
    expect(await site.api("POST", "pages-router/publish-due")).toEqual({ published: 2 });
    expect([await read(site), await read(site, "it/pagina/")]).toEqual(["New", "Nuovo"]);
    let commits = 0;
    for await (const _commit of site.repo.log((await site.head())!, before, [""])) commits++;
    expect(commits).toBe(2); // one per page and language
    const head = await site.head();
    expect(await site.api("POST", "pages-router/publish-due")).toEqual({ published: 0 });
    expect(await site.head()).toBe(head);
  });

  it("publishes hidden pages, and trashed ones without restoring them", async () => {
    const site = await drafted();
    await site.api("POST", `pages/${site.id}/trash/`);
    const hidden = await site.page({ title: "Hidden" }, ["en"]);
    await site.api("PATCH", `pages/${hidden.id}/draft/`, { keywords: "k" });
    await site.api("POST", `pages/${hidden.id}/schedule/`, { publish_at: DUE });
    await site.api("PATCH", `pages/${hidden.id}/`, { published_at: null });
    site.clock.set(AFTER);
    expect(await site.api("POST", "pages-router/publish-due")).toEqual({ published: 2 });
    expect(await site.api("GET", `pages/${site.id}/`)).toMatchObject({ title: "New", status: "TRS" });
    expect(await site.api("GET", `pages/${hidden.id}/`)).toMatchObject({ status: "PUB", published_at: AFTER });
  });

  it("a language that was never public goes live with the draft that was scheduled with it", async () => {
    const site = await drafted();
    const fresh = await site.page({ title: "Empty" });
    await site.api("PATCH", `pages/${fresh.id}/draft/`, { title: "Written" });
    await site.api("POST", `pages/${fresh.id}/schedule/`, { publish_at: DUE, with_draft: true });
    expect(await read(site, "empty/")).toBe(404);
    site.clock.set(AFTER);
    expect(await site.api("POST", "pages-router/publish-due")).toEqual({ published: 2 });
    expect(await read(site, "written/")).toBe("Written");
    expect(await read(site, "empty/")).toBe("/written/");
  });

  it("catches up after the server was down, however long", async () => {
    const site = await drafted({ title: "New" }, {}, "2020-01-01T00:00:00Z");
    site.clock.set("2031-01-01T00:00:00Z");
    expect(await site.api("POST", "pages-router/publish-due")).toEqual({ published: 1 });
    expect(await read(site)).toBe("New");
  });

  it("may race with readers and publishDue: each draft goes live once", async () => {
    const site = await drafted();
    const before = await site.head();
    site.clock.set(AFTER);
    const [swept, again, byHand] = await Promise.all([
      site.api("POST", "pages-router/publish-due"),
      site.api("POST", "pages-router/publish-due"),
      publishDue(site.cms, SERVICE, site.id, "en", "by hand"),
      read(site),
      read(site),
    ]);
    expect(swept.published + again.published + Number(byHand.value)).toBeLessThanOrEqual(1);
    let commits = 0;
    for await (const _commit of site.repo.log((await site.head())!, before, [""])) commits++;
    expect(commits).toBe(1);
    expect(await read(site)).toBe("New");
  });

  it("reports when all writes are refused", async () => {
    const site = await drafted();
    site.clock.set(AFTER);
    site.repo.block("A merge is in progress.");
    const answer = await site.ask("POST", "api:pages-router/publish-due", { as: "staff" });
    expect([answer.status, answer.body]).toEqual([503, { detail: "A merge is in progress." }]);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
  });
});

describe("publishDue", () => {
  // oxfmt-ignore
  it.each<[string, string, number | undefined, string, boolean]>([
    ["due",                  AFTER,                  undefined, "en", true],
    ["not yet due",          "2026-03-01T12:30:00Z", undefined, "en", false],
    ["another language",     AFTER,                  undefined, "it", false],
    ["no such page",         AFTER,                  999,       "en", false],
  ])("%s", async (_case, at, id, lang, done) => {
    const site = await drafted();
    site.clock.set(at);
    expect((await publishDue(site.cms, SERVICE, id ?? site.id, lang, "")).value).toBe(done);
    expect((await publishDue(site.cms, SERVICE, id ?? site.id, lang, "")).value).toBe(false);
  });
});

it.each([
  ["two", ["/b", "/a"], ["/b", "/a"]],
  ["three in a circle", ["/b", "/c", "/a"], ["/b", "/c", "/a"]],
  ["two beside one that cannot go live", ["/b", "/a", "/stays"], ["/b", "/a", "/c"]],
  ["one that takes what another leaves", ["/b", "/new"], ["/b", "/new"]],
  ["two of which one takes what stays", ["/b", "/stays"], ["/a", "/b"]],
])("drafts due together exchange permalinks in one commit: %s", async (_what, wanted, live) => {
  const site = await memorySite();
  const manual = (permalink: string) => ({ autopermalink_en: false, permalink_en: permalink });
  const page = (at: string) => site.page({ title_en: at, ...manual(at) }, ["en"]);
  const pages: { id: number }[] = [];
  for (const at of ["/a", "/b", "/c"].slice(0, wanted.length)) pages.push(await page(at));
  const draft = (at: number, permalink: string) =>
    site.api("PATCH", `pages/${pages[at]!.id}/draft/?language=en`, manual(permalink));
  for (const at of pages.keys()) await draft(at, `/elsewhere-${at}`);
  for (const [at, permalink] of wanted.entries()) await draft(at, permalink);
  for (const { id } of pages) await site.api("POST", `pages/${id}/schedule/?language=en`, { publish_at: DUE });
  if (wanted.includes("/stays")) await page("/stays");
  const { repo } = site.cms.store;
  const { head } = await repo.state();
  site.clock.set(AFTER);
  const { published, failed } = await sweepDue(site.cms, SERVICE, "");
  const changed = live.filter((permalink, at) => permalink !== `/${"abc"[at]}`).length;
  expect([published.length, failed.length]).toEqual([changed, wanted.length - changed]);
  const now = pages.map(async ({ id }) => (await site.api("GET", `pages/${id}/?language=en`)).permalink);
  expect(await Promise.all(now)).toEqual(live);
  const commits = [];
  for await (const { id } of repo.log((await repo.state()).head!, head, [])) commits.push(id);
  expect(commits.length).toBe(wanted.includes("/new") ? 2 : Math.min(changed, 1));
  expect(site.cms.store.current.problems).toEqual([]);
});
