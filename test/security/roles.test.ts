/**
 * Accounts with roles, by every way to read and to write: what a rule does not allow is not shown and not changed.
 */
import { describe, expect, it } from "vitest";
import { addUser } from "../../src/actions/accounts/accounts.ts";
import { tokenOf } from "../../src/actions/accounts/sign-in.ts";
import { memorySite, type Answer, type MemorySite } from "../site.ts";

const ROLES = `roles:
  journalist:
    label: Journalist
    rules:
      - may: [view, create, edit, publish, trash]
        below: /journal
      - may: [view, create, edit]
        models: [media, mediafolder, tag]
  translator:
    label: Translator
    rules:
      - may: [view]
      - may: [edit, publish]
        languages: [it]
  titles:
    label: Titles
    rules:
      - may: [view]
      - may: [edit]
        fields: [title]
`;
const PAGES = {
  "content/roles.yaml": ROLES,
  "content/pages/home.yaml": page(1, "Home", "/"),
  "content/pages/journal.yaml": page(2, "Journal", "/journal"),
  "content/pages/journal/day.yaml": page(3, "Day", "/journal/day", "parent_page: 2\n"),
  "content/pages/board.yaml": page(4, "Secret board", "/board"),
  "content/pages/board/plan.yaml": page(5, "Secret plan", "/board/plan", "parent_page: 4\n", null),
  "content/menus/main.yaml": "id: 20\nkey: main\ntranslations: { en: { nodes: [] } }\n",
};

function page(
  id: number,
  title: string,
  permalink: string,
  more = "",
  published: string | null = "2026-01-01T00:00:00Z",
) {
  const at = published ? `, published_at: ${published}` : "";
  return `id: ${id}\n${more}translations:\n  en: { title: ${title}, permalink: ${permalink}${at} }\n`;
}

interface RoleSite extends MemorySite {
  /** A request by the account that has a role and nothing else. */
  by(role: string, method: string, path: string, body?: unknown): Promise<Answer>;
}

async function roleSite(files: Record<string, string> = {}): Promise<RoleSite> {
  const site = await memorySite(
    { ...PAGES, ...files },
    {
      LANGUAGES: [
        { id: "en", name: "English" },
        { id: "it", name: "Italiano" },
      ],
    },
  );
  const tokens = new Map<string, Promise<string>>();
  const tokenFor = async (role: string): Promise<string> =>
    tokenOf(
      site.cms.accounts,
      await addUser(site.cms.accounts, { username: role, password: "open sesame", roles: [role] }),
    );
  return {
    ...site,
    async by(role, method, path, body) {
      const token = tokens.get(role) ?? tokenFor(role);
      tokens.set(role, token);
      return site.ask(method, `api:${path}`, { body, headers: { authorization: `Token ${await token}` } });
    },
  };
}

describe("a write", () => {
  const title = { title: "New" };
  // oxfmt-ignore
  it.each<[string, string, string, unknown, number, string?]>([
    ["reader",     "PATCH", "pages/3/?language=en",                title,                          403],
    ["author",     "PATCH", "pages/3/draft/?language=en",          title,                          200],
    ["author",     "PATCH", "pages/3/?language=en",                title,                          403, "Your role (Author) may not publish page 3 (en)."],
    ["author",     "PATCH", "pages/5/?language=en",                title,                          200],
    ["author",     "POST",  "pages/3/publish/?language=en",        {},                             200], // nothing changes
    ["author",     "POST",  "pages/5/publish/?language=en",        {},                             403],
    ["author",     "POST",  "pages/3/publish/?language=it",        {},                             403],
    ["author",     "POST",  "pages/5/schedule/?language=en",       { publish_at: "2027-01-01T00:00:00Z" }, 403],
    ["author",     "POST",  "pages/3/trash/",                      {},                             403],
    ["author",     "DELETE", "pages/3/",                           undefined,                      403],
    ["author",     "POST",  "pages/bulk_delete/",                  [3],                            403],
    ["author",     "POST",  "pages/",                              { title: "A", parent_page: 4 }, 201],
    ["author",     "POST",  "pages/",                              { title: "A", published_at: "2026-01-01T00:00:00Z" }, 403],
    ["author",     "PATCH", "menus/main/",                         { nodes: [{ title: "A", link: { link_type: "ST", static: "/a" } }] }, 403],
    ["author",     "POST",  "tags/",                               { name: "A" },                  201],
    ["author",     "POST",  "redirects/",                          { from: "/a", to: "/b" },       403],
    ["author",     "POST",  "releases/",                           { name: "r", items: [{ page: 5, language: "en" }] }, 201],
    ["author",     "POST",  "releases/",                           { name: "r", items: [{ page: 5, language: "en" }], publish_at: "2027-01-01T00:00:00Z" }, 403],
    ["author",     "POST",  "meta-types/",                         { key: "k", name: "K", schema: [] }, 403],
    ["author",     "PUT",   "roles/",                              { roles: {} },                  403],
    ["editor",     "PATCH", "pages/3/?language=en",                title,                          200],
    ["editor",     "POST",  "meta-types/",                         { key: "k", name: "K", schema: [] }, 403],
    ["administrator", "POST", "meta-types/",                       { key: "k", name: "K", schema: [] }, 201],
    ["administrator", "PUT", "roles/",                             { roles: {} },                  403],
    ["journalist", "PATCH", "pages/3/?language=en",                title,                          200],
    ["journalist", "PATCH", "pages/2/?language=en",                title,                          200],
    ["journalist", "PATCH", "pages/5/?language=en",                title,                          404],
    ["journalist", "PATCH", "pages/3/?language=en",                { parent_page: 4 },             403],
    ["journalist", "PATCH", "pages/3/?language=en",                { parent_page: null },          403, "Your role (Journalist) may not edit parent_page of page 3: only below /journal."],
    ["journalist", "POST",  "pages/",                              { title: "A" },                 403],
    ["journalist", "POST",  "pages/",                              { title: "A", parent_page: 2 }, 201],
    ["journalist", "POST",  "pages/bulk_delete/",                  [5],                            403],
    ["translator", "PATCH", "pages/3/?language=it",                { title: "Giorno" },            200],
    ["translator", "PATCH", "pages/3/draft/?language=it",          { title: "Giorno" },            200],
    ["translator", "PATCH", "pages/3/draft/?language=it",          { title_en: "Day two" },        403],
    ["translator", "PATCH", "pages/3/draft/?language=it",          { ordering: 7 },                403],
    ["translator", "PATCH", "pages/3/draft/?language=en",          title,                          403],
    ["titles",     "PATCH", "pages/3/draft/?language=en",          title,                          200],
    ["titles",     "PATCH", "pages/3/draft/?language=en",          { title: "New", description: "D" }, 403, "Your role (Titles) may not edit description of page 3 (en): only the fields title."],
    ["nobody",     "PATCH", "pages/3/draft/?language=en",          title,                          403],
  ])("by %s: %s %s %j is answered %d", async (role, method, path, body, status, reason) => {
    const site = await roleSite();
    const before = site.cms.store.current.commit;
    const answer = await site.by(role, method, path, body);
    expect([answer.status, answer.status < 300 ? "" : answer.text]).toEqual([
      status,
      status < 300 ? "" : reason ? JSON.stringify({ detail: reason }) : expect.any(String),
    ]);
    if (status >= 300) expect(site.cms.store.current.commit).toBe(before);
  });
});

describe("what goes live later", () => {
  const LATER = "2027-01-01T00:00:00Z";
  const status = async (answer: Promise<Answer>): Promise<number> => (await answer).status;

  it("is published for the one who scheduled it, also by the sweep", async () => {
    const site = await roleSite();
    expect(await status(site.by("author", "PATCH", "pages/3/draft/?language=en", { title: "Later" }))).toBe(200);
    const schedule = { publish_at: LATER };
    expect(await status(site.by("author", "POST", "pages/3/schedule/?language=en", schedule))).toBe(403);
    expect(await status(site.by("editor", "POST", "pages/3/schedule/?language=en", schedule))).toBe(200);
    // What is scheduled goes live as it is: to change it, or to take it back, is to publish.
    expect(await status(site.by("author", "PATCH", "pages/3/draft/?language=en", { title: "Mine" }))).toBe(403);
    expect(await status(site.by("author", "POST", "pages/3/discard-draft/?language=en", {}))).toBe(403);
    expect(await status(site.by("author", "PATCH", "pages/3/draft/?language=it", { title: "Giorno" }))).toBe(200);
    site.clock.set(LATER);
    expect((await site.ask("GET", "api:pages-router/journal/day/")).body.title).toBe("Later");
  });

  it("in a release: its texts are kept from who may not publish, once it is scheduled", async () => {
    const site = await roleSite();
    const items = [{ page: 5, language: "en" }];
    expect(await status(site.by("author", "POST", "releases/", { name: "spring", items }))).toBe(201);
    expect(await status(site.by("author", "PATCH", "pages/5/draft/?language=en", { title: "A" }))).toBe(200);
    expect(await status(site.by("author", "POST", "releases/spring/publish/", {}))).toBe(403);
    expect(await status(site.by("author", "POST", "releases/spring/schedule/", { publish_at: LATER }))).toBe(403);
    expect(await status(site.by("editor", "POST", "releases/spring/schedule/", { publish_at: LATER }))).toBe(200);
    for (const [method, path, body] of [
      ["PATCH", "pages/5/draft/?language=en", { title: "B" }],
      ["PATCH", "pages/5/?language=en", { title: "B" }],
      ["PATCH", "releases/spring/", { items: [{ page: 1, language: "en" }] }],
      ["POST", "releases/spring/schedule/", { publish_at: null }],
    ] as const)
      expect([path, await status(site.by("author", method, path, body))]).toEqual([path, 403]);
    expect(await status(site.by("editor", "POST", "releases/spring/publish/", {}))).toBe(200);
  });

  it("a trashed page is changed by authors, and comes back public by those alone who may publish", async () => {
    const site = await roleSite({
      "content/roles.yaml": "roles:\n  keeper:\n    rules:\n      - may: [view, edit, trash]\n",
    });
    expect(await status(site.by("keeper", "POST", "pages/3/trash/", {}))).toBe(200);
    expect(await status(site.by("keeper", "PATCH", "pages/3/?language=en", { title: "Changed" }))).toBe(200);
    expect(await status(site.by("keeper", "POST", "pages/3/restore/", {}))).toBe(403);
    expect(await status(site.by("editor", "POST", "pages/3/restore/", {}))).toBe(200);
  });

  it("a revert is what it changes", async () => {
    const site = await roleSite();
    const [first] = await site.api("GET", "pages/3/revisions/");
    await site.api("PATCH", "pages/3/?language=en", { title: "Changed" });
    expect(await status(site.by("author", "POST", `pages/3/revert/${first.id}/`, {}))).toBe(403);
    expect(await status(site.by("editor", "POST", `pages/3/revert/${first.id}/`, {}))).toBe(200);
  });
});

it("no other page gets the address by which a role names a section", async () => {
  const site = await roleSite();
  await site.api("PATCH", "pages/2/?language=en", { autopermalink: false, permalink: "/diary" });
  const taken = { title: "Mine", autopermalink: false, permalink: "/journal" };
  expect((await site.by("author", "POST", "pages/", taken)).body).toEqual({
    detail: "Roles name page 2 by /journal: only superusers may give it to another page.",
  });
  expect((await site.ask("POST", "api:pages/", { as: "superuser", body: taken })).status).toBe(201);
});

describe("what is public changes with what is not", () => {
  it("a public page moves with the hidden one above it", async () => {
    const site = await roleSite({
      "content/pages/shop.yaml": page(7, "Shop", "/shop", "", null),
      "content/pages/shop/tea.yaml": page(8, "Tea", "/shop/tea", "parent_page: 7\n"),
    });
    expect((await site.by("author", "PATCH", "pages/7/?language=en", { title: "Mine" })).body).toEqual({
      detail: "Your role (Author) may not publish page 8 (en).",
    });
    expect((await site.by("editor", "PATCH", "pages/7/?language=en", { title: "Store" })).status).toBe(200);
  });

  it("a public language shows the hidden text of the default one", async () => {
    const site = await roleSite({
      "content/pages/tea.yaml": `id: 8
translations:
  en: { title: Tea, permalink: /tea, description: Good }
  it: { title: Tè, permalink: /te, published_at: 2026-01-01T00:00:00Z }
`,
    });
    const changed = { description: "Bad" };
    expect((await site.by("author", "PATCH", "pages/8/?language=en", changed)).status).toBe(403);
    expect((await site.by("author", "PATCH", "pages/8/draft/?language=en", changed)).status).toBe(200);
    expect((await site.ask("GET", "api:pages-router/it/te/")).body.description).toBe("Good");
    expect((await site.by("editor", "PATCH", "pages/8/?language=en", changed)).status).toBe(200);
  });
});

describe("what a role does not see", () => {
  it.each([
    "pages/",
    "pages/?fields=title,parent_page",
    "pages/?search=Secret",
    "pages/2/",
    "page-tree/",
    "search/?q=Secre",
    "changes/",
    "problems/",
    "schedule/",
    "compare/?from=main",
    "releases/",
    "releases/plan/",
    "releases/plan/check/",
    "threads/",
    "pages/?at=main",
    "page-tree/?at=main",
    "pages/?as_of=2027-01-01T00:00:00Z",
    "pages/?release=plan",
    "media/",
    "autosaves/",
    "conflicts/",
    "preview-links/",
    "hooks/",
    "pages/3/revisions/",
    "pages/3/uses/",
    "menus/search_urlnode/?q=Secret",
  ])("GET %s does not have it", async (path) => {
    const site = await roleSite({
      "content/releases/plan.yaml": "items: [{ page: 5, language: en }, { page: 3, language: en }]\n",
      "content/threads/30.yaml":
        "id: 30\npage: 5\nlanguage: en\ncomments: [{ id: 1, by: ann, at: 2026-01-01T00:00:00Z, text: Secret }]\n",
      "content/pages/board/more.yaml": "id: 6\nparent_page: 4\ntitle: Secret\n",
    });
    await site.api("PATCH", "pages/4/draft/?language=en", { title: "Secret draft" });
    await site.api("POST", "pages/4/schedule/?language=en", { publish_at: "2026-12-01T00:00:00Z" });
    const [seen, own] = [await site.by("editor", "GET", path), await site.by("journalist", "GET", path)];
    if (!["media/", "autosaves/", "conflicts/", "hooks/", "preview-links/"].some((each) => path.startsWith(each)))
      expect([own.status, seen.status]).toEqual([
        path.startsWith("releases/plan") || path.includes("release=") ? 404 : 200,
        200,
      ]);
    expect(own.text).not.toMatch(/Secret|board/);
  });

  it.each([
    "pages/5/",
    "pages/5/revisions/",
    "pages/5/preview/",
    "pages/5/uses/",
    "pages/5/text-changes/?from=main",
    "pages/5/render/",
    "pages/5/autosave/",
    "pages-router-preview/board/plan/",
    "menus/main/",
    "threads/30/",
  ])("GET %s is 404", async (path) => {
    const site = await roleSite();
    expect((await site.by("journalist", "GET", path)).status).toBe(404);
  });

  it("is not shown by references of what it sees, not even by the answer to a write", async () => {
    const site = await roleSite();
    await site.api("PATCH", "pages/3/?language=en", { parent_page: 2, template_data: {} });
    const answer = await site.by("journalist", "PATCH", "pages/2/?language=en", { title: "J" });
    expect([answer.status, answer.text.includes("Home")]).toEqual([200, false]);
  });

  it("is not named by a refusal", async () => {
    const site = await roleSite();
    const refused = await site.by("journalist", "POST", "pages/update_order/", { startId: 3, endId: 5 });
    const detail = "You may not change all that this concerns: a part of it is not shown to you.";
    expect([refused.status, refused.body]).toEqual([403, { detail }]);
  });

  it("makes no preview links, which show the whole site", async () => {
    const site = await roleSite();
    const body = { page: 3, as_of: "2026-12-01T00:00:00Z", expires_at: "2026-03-02T00:00:00Z" };
    expect((await site.by("journalist", "POST", "preview-links/?language=en", body)).status).toBe(403);
    expect((await site.by("author", "POST", "preview-links/?language=en", body)).status).toBe(201);
    expect((await site.by("journalist", "GET", "preview-links/")).body).toEqual([]);
  });

  it("is not shown around a page that is kept under a key", async () => {
    const site = await roleSite();
    await site.api("PATCH", "pages/4/", { published_at_en: null });
    const typed = { title: "Typed", parent_page: 4 };
    const crumbs = async (role: string): Promise<unknown> => {
      const { key } = (await site.by(role, "POST", "pages/2/live-preview/?language=en", typed)).body;
      return (await site.ask("GET", `api:pages-router-preview/journal/?key=${key}`)).body.breadcrumbs;
    };
    expect(await crumbs("author")).toMatchObject([{ title: "Secret board" }, { title: "Typed" }]);
    expect(await crumbs("journalist")).toMatchObject([{ title: "Typed" }]);
  });

  it("is shown by no preview link, once who made it does not see it any more", async () => {
    const site = await roleSite();
    const body = { page: 4, as_of: "2026-12-01T00:00:00Z", expires_at: "2026-03-02T00:00:00Z" };
    const { url } = (await site.by("author", "POST", "preview-links/?language=en", body)).body;
    const opened = async (): Promise<number> =>
      (await site.ask("GET", `api:pages-router/board/${new URL(url).search}`)).status;
    expect(await opened()).toBe(200);
    const { store } = site.cms.accounts;
    const author = await store.findByName("author");
    await store.update(author!.id, (account) => ({ ...account, roles: ["journalist"] }));
    expect(await opened()).toBe(403);
  });

  it("is searched in an index of its own, which follows the content", async () => {
    const site = await roleSite();
    const found = async (q: string): Promise<string[]> =>
      (await site.by("journalist", "GET", `search/?q=${q}`)).body.items.map(({ title }: { title: string }) => title);
    expect(await found("Day")).toEqual(["Day"]);
    await site.api("PATCH", "pages/3/?language=en", { title: "Night" });
    expect([await found("Day"), await found("Night"), await found("Secret")]).toEqual([[], ["Night"], []]);
  });
});

describe("what the editor is told", () => {
  it.each<[string, string, object]>([
    ["editor", "en", { may_publish: true, reason: null, may_not_edit: null, may_not_trash: null, fields: null }],
    [
      "author",
      "en",
      {
        may_publish: false,
        reason: "Your role (Author) may not publish this page (en).",
        may_not_edit: null,
        may_not_trash: "Your role (Author) may not trash this page.",
        fields: null,
      },
    ],
    ["titles", "en", { may_publish: false, may_not_edit: null, fields: ["title"] }],
    ["translator", "it", { may_publish: true, may_not_edit: null, fields: expect.not.arrayContaining(["ordering"]) }],
    [
      "translator",
      "en",
      { may_not_edit: "Your role (translator) may not edit this page (en): only in the language it.", fields: [] },
    ],
  ])("%s in %s: %j", async (role, lang, told) => {
    const site = await roleSite({ "content/roles.yaml": ROLES.replace("label: Translator", "label: translator") });
    expect((await site.by(role, "GET", `reviews/of/3/?language=${lang}`)).body).toMatchObject(told);
  });
});

describe("the library", () => {
  it("does as an account what the account may", async () => {
    const { cms } = await roleSite();
    await addUser(cms.accounts, { username: "ann", password: "open sesame", roles: ["journalist"] });
    await addUser(cms.accounts, { username: "rita", password: "open sesame" });
    const by = { name: "Ann", email: "ann@example.org" };
    const ann = await cms.as("ann");
    await expect(ann.pages.get(5)).rejects.toMatchObject({ code: "not_found" });
    await expect(ann.pages.update(3, { parent_page: null }, { by })).rejects.toMatchObject({ code: "forbidden" });
    await ann.pages.update(3, { title: "New" }, { by });
    const rita = await cms.as("rita");
    await expect(rita.pages.update(3, { title: "Rita" }, { by })).rejects.toMatchObject({ code: "forbidden" });
    await expect(cms.as("nobody")).rejects.toMatchObject({ code: "not_found" });
  });
});
