/** Menus, for editors and front ends. */
import { describe, expect, it } from "vitest";
import { memorySite } from "../../site.ts";

const re = (id: number) => ({ link_type: "RE", url_node: id });

describe("menus", () => {
  it("are created, read by key or id, changed and deleted, one commit each", async () => {
    const { api, ask, page, repo } = await memorySite();
    const about = await page({ title_en: "About", title_it: "Chi siamo" }, ["en", "it"]);
    const menu = await api("POST", "menus/", { key: "main", nodes_en: [{ title: "About", link: re(about.id) }] });
    expect(menu).toEqual({
      id: menu.id,
      key: "main",
      available_classes: {},
      enabled: true,
      nodes: [
        {
          title: "About",
          link: {
            link_type: "RE",
            url_node: { id: about.id, permalink: "/about", related_name: "cms_page" },
            url: "/about/",
          },
        },
      ],
      translations: {
        en: {
          nodes: [
            {
              title: "About",
              link: {
                link_type: "RE",
                url_node: { id: about.id, permalink: "/about", related_name: "cms_page" },
                url: "/about/",
              },
            },
          ],
        },
        it: { nodes: [] },
      },
    });
    expect(await api("GET", "menus/main/")).toEqual(menu);
    expect(await api("GET", `menus/${menu.id}`)).toEqual(menu);
    expect((await api("GET", "menus/"))[0]).not.toHaveProperty("nodes");
    await api("PATCH", "menus/main/", { enabled: false });
    expect((await ask("GET", "api:menus-router/main")).body.enabled).toBe(false);
    expect((await ask("DELETE", "api:menus/main/", { as: "staff" })).status).toBe(204);
    expect((await ask("GET", "api:menus-router/main")).status).toBe(404);
    expect(repo.text("content/menus/main.yaml")).toBeUndefined();
  });

  it("written back unchanged, make no commit", async () => {
    const { api, page, repo } = await memorySite();
    const about = await page({ title_en: "About" }, ["en"]);
    const menu = await api("POST", "menus/", {
      key: "main",
      nodes_en: [
        {
          id: "a",
          title: "About",
          meta: { icon: "i" },
          link: re(about.id),
          nodes: [{ link: { link_type: "ST", static: "mailto:a@example.org" } }],
        },
      ],
    });
    const { head } = await repo.state();
    await api("PUT", `menus/${menu.id}/`, menu);
    expect((await repo.state()).head).toBe(head);
  });

  it.each([
    [{ nodes_en: "x" }, { nodes_en: ["Expected a list of items but got another type."] }],
    [{ nodes_en: [{ title: "A" }] }, { nodes_en: [{ link: ["Field required"] }] }],
    [
      { nodes_en: [{ link: { static: "/" } }, { link: { link_type: "XX" } }] },
      { nodes_en: [{}, { link: [expect.stringContaining("link_type")] }] },
    ],
    [{ nodes_en: [{ link: { static: "/" }, nodes: [{}] }] }, { nodes_en: [{ nodes: [{ link: ["Field required"] }] }] }],
    [
      { translations: { it: { nodes: [{ link: re(404404) }] } } },
      { nodes_it: [expect.stringContaining('Invalid pk "404404"')] },
    ],
    [{ key: "" }, { key: ["This field may not be blank."] }],
    [{ key: "taken" }, { key: ["menu with this key already exists."] }],
    [{ enabled: "maybe" }, { enabled: ["Must be a valid boolean."] }],
    [[], { non_field_errors: ["Invalid data. Expected a dictionary, but got list."] }],
  ])("refuse %j", async (body, errors) => {
    const { api, ask, repo } = await memorySite();
    await api("POST", "menus/", { key: "taken" });
    const { head } = await repo.state();
    const answer = await ask("POST", "api:menus/", { body, as: "staff" });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(errors);
    expect((await repo.state()).head).toBe(head);
  });

  it("without a key get a UUID as key", async () => {
    const { api } = await memorySite();
    expect((await api("POST", "menus/", {})).key).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("a menu's links", () => {
  it("follow a renamed page in every language, and lose their URL when it is deleted", async () => {
    const { api, ask, page } = await memorySite();
    const about = await page({ title_en: "About", title_it: "Chi siamo" }, ["en", "it"]);
    await api("POST", "menus/", {
      key: "main",
      nodes_en: [{ link: re(about.id) }],
      nodes_it: [{ link: re(about.id) }],
    });
    const url = async (lang: string) => (await ask("GET", `api:menus-router/main?lang=${lang}`)).body.nodes[0].link.url;
    expect([await url("en"), await url("it")]).toEqual(["/about/", "/it/chi-siamo/"]);
    await api("PATCH", `pages/${about.id}/`, { title_en: "Info", title_it: "Notizie" });
    expect([await url("en"), await url("it")]).toEqual(["/info/", "/it/notizie/"]);
    await api("DELETE", `pages/${about.id}/`);
    expect((await ask("GET", "api:menus-router/main")).body.nodes[0].link).toEqual({
      link_type: "RE",
      url_node: null,
      url: null,
    });
  });

  it("to a hidden page have no URL for the public, and one for editors", async () => {
    const { api, ask, page } = await memorySite();
    const secret = await page({ title_en: "Secret plans" });
    await api("POST", "menus/", { key: "main", nodes_en: [{ title: "Soon", link: re(secret.id) }] });
    expect((await ask("GET", "api:menus-router/main")).text).not.toContain("secret");
    expect((await api("GET", "menus/main/")).nodes[0].link.url).toBe("/secret-plans/");
  });

  it("with fixed addresses are shown verbatim", async () => {
    const { api } = await memorySite();
    const menu = await api("POST", "menus/", {
      nodes_en: [{ link: { link_type: "ST", static: "mailto:x@example.org" } }],
    });
    expect(menu.nodes[0].link).toEqual({
      link_type: "ST",
      static: "mailto:x@example.org",
      url: "mailto:x@example.org",
    });
  });
});

describe("menus-router", () => {
  it.each([
    ["", "About"],
    ["?lang=it", "Chi siamo"],
    ["?language=it", "Chi siamo"],
    ["?lang=fr", "About"],
    ["?lang=it&language=en", "Chi siamo"],
  ])("with %s answers in that language, ignoring headers", async (query, title) => {
    const { api, ask } = await memorySite();
    const link = { static: "/" };
    await api("POST", "menus/", {
      key: "main",
      nodes_en: [{ title: "About", link }],
      nodes_it: [{ title: "Chi siamo", link }],
    });
    for (const slash of ["", "/"]) {
      const answer = await ask("GET", `api:menus-router/main${slash}${query}`, {
        headers: { "accept-language": "it" },
      });
      expect(answer.body.nodes[0].title).toBe(title);
    }
  });

  it("falls back to the default language", async () => {
    const { api, ask } = await memorySite();
    await api("POST", "menus/", { key: "main", nodes_en: [{ title: "About", link: { static: "/" } }] });
    expect((await ask("GET", "api:menus-router/main?lang=it")).body.nodes).toHaveLength(1);
  });

  it("is 404 for an unknown menu", async () => {
    const answer = await (await memorySite()).ask("GET", "api:menus-router/nope");
    expect([answer.status, answer.body]).toEqual([404, { detail: "No Menu matches the given query." }]);
  });
});

describe("look-ups of a menu editor", () => {
  it("lists page models, their pages, and pages by permalink", async () => {
    const { api, ask, page } = await memorySite();
    const about = await page({ title_en: "About", title_it: "Chi siamo" }, ["en"]);
    const types = await api("GET", "menus/page_types/");
    expect(types.map((type: { model: string }) => type.model)).toEqual(["page", "article"]);
    expect(await api("GET", `menus/page_types/${types[0].id}/`)).toEqual([
      { id: about.id, name: "About", url_node_id: about.id, model: "cms.page" },
    ]);
    expect((await ask("GET", "api:menus/page_types/77/", { as: "staff" })).status).toBe(404);
    expect(await api("GET", "menus/search_urlnode/?q=chi&lang=it")).toEqual([
      { id: about.id, permalink: "/chi-siamo", status: "DRF", indexable: true, is_public: false },
    ]);
    expect(await api("GET", "menus/search_urlnode/?q=zzz")).toEqual([]);
  });
});

describe("the epoch", () => {
  it("is null until a menu is first saved, and changes with each write", async () => {
    const { api, ask, clock, page } = await memorySite();
    await page({ title: "A" }, ["en"]);
    const epoch = async () => (await ask("GET", "api:pages-router/changes")).body.epoch;
    expect(await epoch()).toBeNull();
    await api("POST", "menus/", { key: "main" });
    const first = await epoch();
    clock.tick(5000);
    await api("PATCH", "menus/main/", { enabled: false });
    const second = await epoch();
    expect(second > first).toBe(true);
    clock.tick(5000);
    await page({ title: "B" }, ["en"]);
    expect(await epoch()).toBe(second);
    await api("DELETE", "menus/main/");
    expect((await epoch()) > second).toBe(true);
  });
});
