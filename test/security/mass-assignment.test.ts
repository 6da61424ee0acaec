/** Mass assignment and privilege escalation: read-only fields never change, and no account exceeds its rights. */
import { describe, expect, it } from "vitest";
import { addUser, type NewUser } from "../../src/actions/accounts/accounts.ts";
import type { Account } from "../../src/model/account/account.ts";
import { memorySite, type MemorySite } from "../site.ts";
import { PASSWORD, signIn } from "../http/routes/accounts/sign-in.ts";

const READ_ONLY = {
  id: 999,
  pk: 999,
  status: "PUB",
  is_public: true,
  deleted_at: "2026-01-01T00:00:00Z",
  date_created: "2000-01-01T00:00:00Z",
  date_updated_at: "2000-01-01T00:00:00Z",
  breadcrumbs: [{ title: "x" }],
  routerlink: "/x/",
  template_file: "x.html",
  url_node: { id: 1, permalink: "/x" },
  has_draft: true,
  draft_data: { title: "x" },
  draft_scheduled_for: "2000-01-01T00:00:00Z",
  aliases: [{ lang: "en", path: "/x" }],
  drafts: { en: {} },
  related_name: "x",
  content_type: 9,
  alternates: { it: "/x/" },
  contents: { a: "b" },
  is_staff: true,
  is_superuser: true,
  user: 1,
};

/** With unknown fields ignored, since by default most of these requests are refused. */
const PASSED_OVER = { API: { UNKNOWN_FIELDS: "ignore" } } as const;

describe("pages", () => {
  it.each([
    ["POST", ""],
    ["PUT", "1/"],
    ["PATCH", "1/"],
  ])("%s changes no read-only field", async (method, path) => {
    const site = await memorySite({}, PASSED_OVER);
    const before = await site.page({ title: "T" });
    const target = path === "" ? "pages/" : `pages/${before.id}/`;
    site.clock.tick(1000);
    const answer = await site.ask(method, `api:${target}`, { as: "staff", body: { title: "T", ...READ_ONLY } });
    expect([200, 201]).toContain(answer.status);
    const { body } = answer;
    expect(body.id).not.toBe(999);
    expect(body).toMatchObject({
      status: "DRF",
      is_public: false,
      deleted_at: null,
      has_draft: false,
      draft_data: {},
      breadcrumbs: [{ title: "T" }],
      contents: {},
      content_type: 1,
    });
    for (const date of [body.date_created, body.date_updated_at]) expect(date).toMatch(/^2026-03-01/);
    expect(
      site.cms.store.current.find(
        site.cms.store.kinds.find(({ name }) => name === "Page")!,
        999,
      ),
    ).toBeUndefined();
  });

  it("a published draft changes none of them", async () => {
    const site = await memorySite({}, PASSED_OVER);
    const { id } = await site.page({ title: "T" });
    await site.api("PATCH", `pages/${id}/draft/`, { title: "U", ...READ_ONLY, translations: { en: { ...READ_ONLY } } });
    const published = await site.api("POST", `pages/${id}/publish/`);
    expect(published).toMatchObject({ id, title: "U", status: "PUB", deleted_at: null, has_draft: false });
    expect(published.published_at).toMatch(/^2026-03-01/);
  });

  it("nested records are references: their other keys change nothing", async () => {
    const site = await memorySite();
    const parent = await site.page({ title: "Parent" });
    await site.api("POST", "pages/", {
      title: "Child",
      parent_page: { id: parent.id, title: "Changed", deleted_at: "2026-01-01T00:00:00Z" },
    });
    expect(await site.api("GET", `pages/${parent.id}/`)).toMatchObject({ title: "Parent", deleted_at: null });
  });
});

describe("accounts", () => {
  const PORTER = { user_permissions: ["auth.add_user", "auth.change_user", "auth.delete_user"] };
  const add = ({ cms }: MemorySite, username: string, more: Partial<NewUser> = {}): Promise<Account> =>
    addUser(cms.accounts, { username, password: PASSWORD, ...more });

  it.each([
    ["make a superuser", "POST", { username: "x", password: PASSWORD, is_superuser: true }],
    ["make staff", "POST", { username: "x", password: PASSWORD, is_staff: true }],
    ["make one that edits", "POST", { username: "x", password: PASSWORD, user_permissions: ["cms.change_page"] }],
    ["make a dormant superuser", "POST", { username: "x", password: PASSWORD, is_superuser: "1", is_active: false }],
    ["become superuser", "PATCH self", { is_superuser: true }],
    ["become staff", "PUT self", { is_staff: "on" }],
    ["give itself more", "PATCH self", { user_permissions: ["auth.change_user", "cms.add_page"] }],
    ["set the password of a superuser", "PATCH root", { password: "another horse" }],
    ["set the password of staff", "PUT editor", { password: "another horse" }],
    ["disable a superuser", "PATCH root", { is_active: false }],
    ["remove a superuser", "DELETE root", undefined],
    ["kick out a superuser", "KICK root", undefined],
    ["rename a superuser", "PATCH root", { username: "x" }],
    ["wake a dormant superuser", "PATCH dormant", { is_active: true }],
  ])("an account that may manage users cannot %s", async (_what, how, body) => {
    const site = await memorySite();
    const ids = {
      self: (await add(site, "porter", PORTER)).id,
      root: (await add(site, "root", { is_superuser: true })).id,
      editor: (await add(site, "editor", { is_staff: true })).id,
      dormant: (await add(site, "dormant", { is_superuser: true, is_active: false })).id,
    };
    const porter = await signIn(site, "porter");
    const before = await site.cms.accounts.store.list();
    const [verb, who] = how.split(" ") as [string, keyof typeof ids | undefined];
    const path = who === undefined ? "api:users/" : `api:users/${ids[who]}/${verb === "KICK" ? "kickout/" : ""}`;
    const answer = await porter.ask(verb === "KICK" ? "POST" : verb, path, { body });
    expect([answer.status, answer.body]).toEqual([
      403,
      { detail: "You do not have permission to perform this action." },
    ]);
    expect(await site.cms.accounts.store.list()).toEqual(before);
  });

  it("and can do the rest", async () => {
    const site = await memorySite();
    await add(site, "porter", PORTER);
    const porter = await signIn(site, "porter");
    const made = await porter.ask("POST", "api:users/", {
      body: { username: "reader", password: PASSWORD, user_permissions: ["auth.add_user"] },
    });
    expect(made.status).toBe(201);
    const path = `api:users/${made.body.id}/`;
    for (const [method, tail, body, status] of [
      ["PATCH", "", { password: "another horse" }, 200],
      ["POST", "kickout/", undefined, 200],
      ["DELETE", "", undefined, 204],
    ] as const) {
      expect((await porter.ask(method, path + tail, { body })).status).toBe(status);
    }
  });

  it.each(["staff", "reader"] as const)("%s cannot change accounts at all", async (as) => {
    const { ask } = await memorySite();
    const current = await ask("GET", "api:users/current/", { as });
    for (const [method, path] of [
      ["POST", "users/"],
      ["PATCH", `users/${current.body.id}/`],
      ["PUT", "users/current/"],
      ["DELETE", `users/${current.body.id}/`],
      ["POST", `users/${current.body.id}/kickout/`],
    ] as const) {
      expect((await ask(method, `api:${path}`, { as, body: { is_superuser: true, is_staff: true } })).status).toBe(403);
    }
  });

  it.each([
    {
      password: "scrypt$16$1$1$AAAA$AAAA",
      token_version: 99,
      has_token: true,
      id: 4,
      date_joined: "2000-01-01T00:00:00Z",
      last_login: "2000-01-01T00:00:00Z",
      secret: "x",
      groups: [1],
    },
  ])("internal fields of an account cannot be written: %j", async (body) => {
    const site = await memorySite();
    const { id } = await add(site, "anna");
    await site.ask("PATCH", `api:users/${id}/`, { as: "superuser", body: { ...body, password: undefined } });
    expect(await site.cms.accounts.store.get(id)).toMatchObject({
      id,
      token_version: 1,
      has_token: false,
      last_login: null,
      date_joined: "2026-03-01T12:00:00.000Z",
    });
    await site.ask("PATCH", `api:users/${id}/`, { as: "superuser", body: { password: body.password } });
    expect((await site.cms.accounts.store.get(id)).password).not.toBe(body.password); // hashed like any other text
  });
});
