/** The change manifest. */
import { describe, expect, it } from "vitest";
import { memorySite, type MemorySite } from "../../site.ts";

interface Entry {
  readonly path: string;
  readonly permalink: string;
  readonly language_code: string;
  readonly hash: string;
}

interface Changes {
  readonly server_time: string;
  readonly epoch: string | null;
  readonly urls: readonly Entry[];
  readonly redirects: readonly { readonly from: string; readonly to: string; readonly status: number }[];
}

const changes = async ({ ask }: MemorySite, headers: Record<string, string> = {}): Promise<Changes> =>
  (await ask("GET", "api:pages-router/changes", { headers })).body as Changes;
const hashOf = async (site: MemorySite, path = "/about/"): Promise<string | undefined> =>
  (await changes(site)).urls.find((url) => url.path === path)?.hash;

describe("its fields", () => {
  it("are these, empty at first", async () => {
    expect(await changes(await memorySite())).toEqual({
      server_time: "2026-03-01T12:00:00Z",
      epoch: null,
      urls: [],
      redirects: [],
    });
  });

  it("urls: one entry per page and public language, grouped by language", async () => {
    const site = await memorySite();
    await site.page(
      { title: "Home", autopermalink: false, permalink: "/", autopermalink_it: false, permalink_it: "/" },
      ["en", "it"],
    );
    const about = await site.page({ title: "About", title_it: "Chi siamo" }, ["en"]);
    await site.page({ title: "Team", title_it: "Squadra", parent_page: about.id }, ["en", "it"]);
    await site.page({ title: "Draft" });
    await site.page({ title: "Planned", published_at: "2026-04-01T00:00:00Z" });
    const trashed = await site.page({ title: "Trashed" }, ["en", "it"]);
    await site.api("POST", `pages/${trashed.id}/trash/`);
    const { urls } = await changes(site);
    expect(urls.map(({ language_code, path, permalink }) => [language_code, path, permalink])).toEqual([
      ["en", "/", "/"],
      ["en", "/about/", "/about"],
      ["en", "/about/team/", "/about/team"],
      ["it", "/it/", "/"],
      ["it", "/it/chi-siamo/squadra/", "/chi-siamo/squadra"],
    ]);
    for (const { hash } of urls) expect(hash).toMatch(/^[0-9a-f]{40}$/);
    expect(new Set(urls.map(({ hash }) => hash)).size).toBe(5);
    for (const { path } of urls)
      expect((await site.ask("GET", `api:pages-router${path}`)).body).toMatchObject({
        status: "PUB",
        routerlink: path,
      });
  });

  it("redirects: configured ones and former permalinks of public pages, as public paths", async () => {
    const site = await memorySite({
      "content/redirects.yaml":
        "- { from: /a, to: /about, status: 302 }\n- { from: /b, to: 'https://example.com/x' }\n- { from: /c, to: /chi-siamo, language: it }\n",
    });
    const { id } = await site.page({ title: "Old", title_it: "Vecchio" }, ["en", "it"]);
    await site.api("PATCH", `pages/${id}/`, { title: "New", title_it: "Nuovo" });
    const hidden = await site.page({ title: "Hush" });
    await site.api("PATCH", `pages/${hidden.id}/`, { title: "Hushed" });
    expect((await changes(site)).redirects).toEqual([
      { from: "/a/", to: "/about/", status: 302 },
      { from: "/b/", to: "https://example.com/x", status: 301 },
      { from: "/it/c/", to: "/it/chi-siamo/", status: 301 },
      { from: "/old/", to: "/new/", status: 301 },
      { from: "/it/vecchio/", to: "/it/nuovo/", status: 301 },
    ]);
  });

  it("server_time is the time of the clock", async () => {
    const site = await memorySite();
    site.clock.tick(1500);
    expect((await changes(site)).server_time).toBe("2026-03-01T12:00:01.500Z");
  });
});

describe("epoch", () => {
  const MENU = "content/menus/main.yaml";

  // oxfmt-ignore
  it.each<[string, (site: MemorySite) => void]>([
    ["a menu that is saved",    ({ repo }) => repo.write(MENU, "id: 5\nkey: main\n")],
    ["a block without a page",  ({ repo }) => repo.write("content/contents/note.yaml", "id: 6\nidentifier: note\n")],
  ])("is null before %s, and changes with it", async (_what, save) => {
    const site = await memorySite();
    await site.page({ title: "About" }, ["en"]);
    expect((await changes(site)).epoch).toBeNull();
    save(site);
    site.repo.commitByHand("Save");
    await site.cms.store.refresh();
    const first = (await changes(site)).epoch;
    expect(first).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/);
    await site.page({ title: "Other" }, ["en"]);
    expect((await changes(site)).epoch).toBe(first);
  });

  it("changes when a menu is changed or deleted, also within one second", async () => {
    const site = await memorySite();
    const seen = new Set<string | null>();
    for (const text of ["id: 5\nkey: main\n", "id: 5\nkey: main\nenabled: false\n", null]) {
      if (text === null) site.repo.erase(MENU);
      else site.repo.write(MENU, text);
      site.repo.commitByHand("Save");
      await site.cms.store.refresh();
      seen.add((await changes(site)).epoch);
    }
    expect(seen.size).toBe(3);
    expect(seen.has(null)).toBe(false);
  });
});

describe("a hash", () => {
  type Write = (site: MemorySite, id: number, parent: number) => Promise<unknown>;
  const about = async (): Promise<{ site: MemorySite; id: number; parent: number }> => {
    const site = await memorySite();
    const parent = await site.page({ title: "Parent" }, ["en"]);
    const { id } = await site.page(
      { title: "About", title_it: "Chi siamo", parent_page: parent.id, autopermalink: false, permalink: "/about" },
      ["en"],
    );
    return { site, id, parent: parent.id };
  };

  // oxfmt-ignore
  it.each<[string, boolean, Write]>([
    // write                                  moves
    ["nothing at all",                        false, async () => undefined],
    ["time",                                  false, async ({ clock }) => clock.tick(86_400_000)],
    ["a write of what is there",              false, ({ api }, id) => api("PATCH", `pages/${id}/`, { title: "About" })],
    ["a draft",                               false, ({ api }, id) => api("PATCH", `pages/${id}/draft/`, { title: "New" })],
    ["a draft's schedule",                    false, async ({ api }, id) => {
      await api("PATCH", `pages/${id}/draft/`, { title: "New" });
      await api("POST", `pages/${id}/schedule/`, { publish_at: "2026-04-01T00:00:00Z" });
    }],
    ["a re-publication",                      false, ({ api }, id) => api("POST", `pages/${id}/publish/`)],
    ["another page",                          false, ({ page }) => page({ title: "Other" }, ["en"])],
    ["the trash and back",                    true,  async ({ api, clock }, id) => { // date_updated_at is part of the payload
      clock.tick(1000);
      await api("POST", `pages/${id}/trash/`);
      await api("POST", `pages/${id}/restore/`);
    }],
    ["a title",                               true,  ({ api }, id) => api("PATCH", `pages/${id}/`, { title: "Us" })],
    ["a published draft",                     true,  async ({ api }, id) => {
      await api("PATCH", `pages/${id}/draft/`, { title: "New" });
      await api("POST", `pages/${id}/publish/`);
    }],
    ["template data",                         true,  ({ api }, id) => api("PATCH", `pages/${id}/`, { template_data: { a: 1 } })],
    ["its parent's title",                    true,  ({ api }, _id, parent) => api("PATCH", `pages/${parent}/`, { title: "Above" })],
    ["its parent hidden",                     true,  ({ api }, _id, parent) => api("POST", `pages/${parent}/trash/`)],
    ["another language made public",          true,  ({ api }, id) => api("POST", `pages/${id}/publish/?language=it`)],
    ["another language gone public by time",  true,  async ({ api, clock }, id) => {
      await api("POST", `pages/${id}/schedule/?language=it`, { publish_at: "2026-03-02T00:00:00Z" });
      clock.set("2026-03-02T00:00:00Z");
    }],
  ])("after %s: changed is %s", async (_write, moves, write) => {
    const { site, id, parent } = await about();
    const [hash, payload] = [await hashOf(site), (await site.ask("GET", "api:pages-router/about/")).text];
    expect(hash).toBeDefined();
    await write(site, id, parent);
    expect((await hashOf(site)) !== hash).toBe(moves);
    expect((await site.ask("GET", "api:pages-router/about/")).text !== payload).toBe(moves);
  });

  it("does not depend on the requested host", async () => {
    const site = await memorySite({ "content/media/pic.jpg.yaml": "id: 7\n", "media/pic.jpg": "x" });
    await site.page({ title: "About", og_image: 7 }, ["en"]);
    const here = await changes(site);
    const there = await changes(site, {
      host: "other.example",
      "x-forwarded-host": "third.example",
      "x-forwarded-proto": "https",
    });
    expect(there.urls).toEqual(here.urls);
    const file = async (host: string) =>
      (await site.ask("GET", "api:pages-router/about/", { headers: { host } })).body.og_image.file;
    expect([await file("a.example"), await file("b.example")]).toEqual([
      "http://a.example/media/pic.jpg",
      "http://b.example/media/pic.jpg",
    ]);
  });

  it("is equal in every clone", async () => {
    const { site } = await about();
    const files: Record<string, string> = {};
    for (const path of (await site.repo.files(["content"])).keys()) files[path] = site.repo.text(path)!;
    const clone = await memorySite(files);
    expect((await changes(clone)).urls).toEqual((await changes(site)).urls);
  });
});

describe("requested again with its ETag", () => {
  const read = async ({ ask }: MemorySite, version?: string) =>
    ask("GET", "api:pages-router/changes", version === undefined ? {} : { headers: { "if-none-match": version } });
  const SLIDE: Record<string, string> = {
    "content/pages/a.yaml":
      "id: 1\ntranslations:\n  en: { title: A, permalink: /a, published_at: 2026-03-02T00:00:00Z }\n",
  };

  it("is a 304 while only the time has changed", async () => {
    const site = await memorySite(SLIDE);
    const first = await read(site);
    const version = first.headers.get("etag")!;
    expect(version).toMatch(/^W\/"[0-9a-f]{40}"$/);
    site.clock.tick(60_000);
    const again = await read(site, version);
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", version]);
    expect((await read(site)).body.server_time).toBe("2026-03-01T12:01:00Z");
    expect((await read(site, version.slice(2))).status).toBe(304);
    expect((await read(site, '"other"')).status).toBe(200);
  });

  it.each<[string, (site: MemorySite) => unknown]>([
    ["a page that is published", ({ page }) => page({ title: "B" }, ["en"])],
    ["a page that comes to its moment", ({ clock }) => clock.set("2026-03-02T00:00:00Z")],
    ["a menu", ({ api }) => api("POST", "menus/", { key: "main" })],
    [
      "a redirect",
      async ({ repo, cms }) => {
        repo.write("content/redirects.yaml", "- { from: /x, to: /y }\n");
        await cms.store.refresh();
      },
    ],
  ])("is a 200 after %s", async (_what, change) => {
    const site = await memorySite(SLIDE);
    const version = (await read(site)).headers.get("etag")!;
    await change(site);
    const next = await read(site, version);
    expect(next.status).toBe(200);
    expect(next.headers.get("etag")).not.toBe(version);
  });
});

it("applies no drafts, and changes nothing", async () => {
  const site = await memorySite();
  const { id } = await site.page({ title: "About" }, ["en"]);
  await site.api("PATCH", `pages/${id}/draft/`, { title: "New" });
  await site.api("POST", `pages/${id}/schedule/`, { publish_at: "2026-03-01T11:00:00Z" });
  const { head } = await site.repo.state();
  await changes(site);
  expect((await site.repo.state()).head).toBe(head);
});
