/** Accounts over HTTP; who may change whom is in DECISIONS.md, Accounts and permissions. */
import { describe, expect, it } from "vitest";
import { addUser, type NewUser } from "../../../../src/actions/accounts/accounts.ts";
import type { Account } from "../../../../src/model/account/account.ts";
import { PERMISSIONS } from "../../../../src/model/account/permission.ts";
import { memorySite, type MemorySite } from "../../../site.ts";
import { PASSWORD, signIn } from "./sign-in.ts";

const KEYS = [
  "id",
  "username",
  "first_name",
  "last_name",
  "email",
  "user_permissions",
  "roles",
  "has_token",
  "is_superuser",
  "is_staff",
  "is_active",
  "date_joined",
  "last_login",
];

const add = ({ cms }: MemorySite, username: string, more: Partial<NewUser> = {}): Promise<Account> =>
  addUser(cms.accounts, { username, password: PASSWORD, ...more });

const idOf = (key: string): number =>
  PERMISSIONS.find(({ codename, content_type }) => `${content_type.app_label}.${codename}` === key)!.id;

describe("users/", () => {
  it("shows all accounts to any account, without secrets", async () => {
    const site = await memorySite();
    await add(site, "anna", { email: "anna@example.org", user_permissions: ["cms.add_page"] });
    const { body, text } = await site.ask("GET", "api:users/", { as: "reader" });
    expect(body.map(({ username }: Account) => username).sort()).toEqual(["anna", "reader"]);
    const anna = body.find(({ username }: Account) => username === "anna");
    expect(Object.keys(anna)).toEqual(KEYS);
    expect(anna.user_permissions).toEqual([
      { id: 1, name: "Can add page", codename: "add_page", content_type: { id: 1, app_label: "cms", model: "page" } },
    ]);
    expect(text).not.toMatch(/scrypt|password|token_version/);
  });

  it.each([
    ["?search=ann", ["anna"]],
    ["?fltr=is_staff=true", ["bruno"]],
    ["?sort=username&items=1", { items: 1 }],
    ["?fields=username", ["username"]],
  ])("%s is queried like every list", async (query, expected) => {
    const site = await memorySite();
    await add(site, "anna");
    await add(site, "bruno", { is_staff: true });
    const { body } = await site.ask("GET", `api:users/${query}`, { as: "reader" });
    if (query === "?fields=username") expect(Object.keys(body[0])).toEqual(expected);
    else if (Array.isArray(expected)) expect(body.map(({ username }: Account) => username)).toEqual(expected);
    else expect([body.items.length, body.paginator.count]).toEqual([1, 3]);
  });

  it("creates one that can sign in", async () => {
    const site = await memorySite();
    const body = {
      username: " anna ",
      password: PASSWORD,
      email: "anna@example.org",
      is_staff: "true",
      id: 7,
      user_permissions: [],
    };
    const made = await site.ask("POST", "api:users/", { as: "superuser", body });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        username: "anna",
        is_staff: true,
        is_superuser: false,
        has_token: false,
        last_login: null,
      }),
    ]);
    expect(made.body.id).not.toBe(7);
    await signIn(site, "anna");
    expect((await site.ask("GET", `api:users/${made.body.id}`, { as: "reader" })).body.last_login).not.toBeNull();
  });

  it.each([
    [{}, { username: ["This field is required."], password: ["This field is required."] }],
    [
      { username: "a b", password: "1234", email: "x" },
      { username: [expect.stringMatching(/^Enter a valid/)], email: ["Enter a valid email address."] },
    ],
    [
      { username: "anna", password: "1234" },
      { password: [expect.stringMatching(/too short/), expect.stringMatching(/numeric/)] },
    ],
    [{ username: "anna", password: null }, { password: ["This field may not be null."] }],
    [{ username: "READER", password: PASSWORD }, { username: ["A user with that username already exists."] }],
    [
      { username: "anna", password: PASSWORD, user_permissions: "all" },
      { user_permissions: ['Expected a list of items but got type "str".'] },
    ],
    [
      { username: "anna", password: PASSWORD, user_permissions: [999] },
      { user_permissions: ['Invalid pk "999" - object does not exist.'] },
    ],
    [
      { username: "anna", password: PASSWORD, roles: "author" },
      { roles: ['Expected a list of items but got type "str".'] },
    ],
    [
      { username: "anna", password: PASSWORD, roles: ["author", "boss"] },
      { roles: ['There is no role "boss". There are: reader, author, editor, administrator.'] },
    ],
    [{ username: "anna", password: PASSWORD, is_staff: "perhaps" }, { is_staff: ["Must be a valid boolean."] }],
    [[], { non_field_errors: ["Invalid data. Expected a dictionary, but got list."] }],
  ])("POST %j is refused", async (body, errors) => {
    const site = await memorySite();
    await site.token("reader");
    const answer = await site.ask("POST", "api:users/", { as: "superuser", body });
    expect([answer.status, answer.body]).toEqual([400, errors]);
    expect(await site.cms.accounts.store.list()).toHaveLength(2);
  });
});

describe("users/{id}/", () => {
  it("changes what was sent; what was read can be written back", async () => {
    const site = await memorySite();
    const { id } = await add(site, "anna", { is_staff: true, user_permissions: ["cms.change_page"] });
    const path = `api:users/${id}/`;
    const changed = await site.ask("PATCH", path, {
      as: "superuser",
      body: {
        first_name: "Anna",
        user_permissions: [{ id: idOf("cms.add_tag") }, idOf("cms.add_page"), "cms.add_page"],
      },
    });
    expect(changed.body).toMatchObject({ first_name: "Anna", is_staff: true });
    expect((await site.cms.accounts.store.get(id)).user_permissions).toEqual(["cms.add_page", "cms.add_tag"]);
    const before = await site.cms.accounts.store.get(id);
    for (const method of ["PUT", "PATCH"]) await site.ask(method, path, { as: "superuser", body: changed.body });
    expect(await site.cms.accounts.store.get(id)).toEqual(before);
  });

  it("an empty list of permissions restricts nothing", async () => {
    const site = await memorySite();
    const { id } = await add(site, "anna", { is_staff: true, user_permissions: ["cms.change_page"] });
    await site.ask("PATCH", `api:users/${id}/`, { as: "superuser", body: { user_permissions: [] } });
    expect((await site.cms.accounts.store.get(id)).user_permissions).toBeNull();
  });

  it("accepts a new password, which revokes the token", async () => {
    const site = await memorySite();
    const { id } = await add(site, "anna");
    const token = (await site.ask("POST", "api:token-auth/", { body: { username: "anna", password: PASSWORD } })).body
      .token;
    expect((await site.ask("GET", `api:users/${id}/`, { as: "superuser" })).body.has_token).toBe(true);
    const answer = await site.ask("PATCH", `api:users/${id}/`, {
      as: "superuser",
      body: { password: "another horse" },
    });
    expect([answer.status, answer.body.has_token, answer.text.includes("another")]).toEqual([200, false, false]);
    expect((await site.ask("GET", "api:pages/", { headers: { authorization: `Token ${token}` } })).status).toBe(401);
    await signIn(site, "anna", { password: "another horse" });
  });

  it.each(["password", "short"])("validates a new password: %s", async (password) => {
    const site = await memorySite();
    const { id } = await add(site, "anna");
    expect((await site.ask("PATCH", `api:users/${id}/`, { as: "superuser", body: { password } })).body).toEqual({
      password: [expect.any(String)],
    });
    await signIn(site, "anna");
  });

  it("is removed, with token and sessions", async () => {
    const site = await memorySite();
    const { id } = await add(site, "anna");
    const answer = await site.ask("DELETE", `api:users/${id}`, { as: "superuser" });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect((await site.ask("GET", `api:users/${id}/`, { as: "superuser" })).body).toEqual({
      detail: "No User matches the given query.",
    });
  });

  it.each(["999", "nobody", "0", "1e3", "99999999999"])("%s is 404", async (id) => {
    const { ask } = await memorySite();
    for (const method of ["GET", "PUT", "PATCH", "DELETE"])
      expect(
        (await ask(method, `api:users/${id}/`, { as: "superuser", body: method === "GET" ? undefined : {} })).status,
      ).toBe(404);
  });

  it("has an ETag: a second editor gets 412, and a known version 304", async () => {
    const site = await memorySite();
    const { id } = await add(site, "anna");
    const path = `api:users/${id}/`;
    const etag = (await site.ask("GET", path, { as: "reader" })).headers.get("etag")!;
    expect((await site.ask("GET", path, { as: "reader", headers: { "if-none-match": etag } })).status).toBe(304);
    const headers = { "if-match": etag };
    const first = await site.ask("PATCH", path, { as: "superuser", headers, body: { first_name: "A" } });
    expect(first.status).toBe(200);
    const current = first.headers.get("etag")!.slice(1, -1);
    for (const [method, body] of [
      ["PATCH", { first_name: "B" }],
      ["PUT", { first_name: "B" }],
      ["DELETE", undefined],
    ] as const) {
      const second = await site.ask(method, path, { as: "superuser", headers, body });
      expect([second.status, second.body]).toEqual([412, { detail: expect.any(String), current }]);
    }
    expect((await site.ask("POST", `${path}kickout/`, { as: "superuser", headers })).status).toBe(412);
    expect((await site.ask("PATCH", path, { as: "superuser", body: { first_name: "B" } })).body.first_name).toBe("B");
  });
});

describe("users/{id}/kickout/", () => {
  it("revokes the token each time, and the next one differs", async () => {
    const site = await memorySite();
    const { id } = await add(site, "anna");
    const token = async (): Promise<string> =>
      (await site.ask("POST", "api:token-auth/", { body: { username: "anna", password: PASSWORD } })).body.token;
    const former = await token();
    for (let n = 0; n < 2; n++) {
      const answer = await site.ask("POST", `api:users/${id}/kickout/`, { as: "superuser" });
      expect([answer.status, answer.body]).toEqual([200, {}]);
    }
    expect((await site.ask("GET", "api:pages/", { headers: { authorization: `Token ${former}` } })).status).toBe(401);
    expect(await token()).not.toBe(former);
  });
});

describe("users/current/", () => {
  it("is the caller, with all permissions", async () => {
    const site = await memorySite();
    const { body } = await site.ask("GET", "api:users/current/", { as: "staff" });
    expect(body).toMatchObject({ username: "staff", groups: [], user_permissions: [], group_permissions: [] });
    const codenames = body.all_permissions.map(({ codename }: { codename: string }) => codename);
    expect(codenames).toContain("change_page");
    expect(codenames).not.toContain("change_user");
  });

  it("can be written with the permission to change users, except for rights", async () => {
    const site = await memorySite();
    const anna = await signIn(site, "anna", { user_permissions: ["auth.change_user"] });
    const written = await anna.ask("PUT", "api:users/current/", {
      body: { first_name: "Anna", is_superuser: true, is_staff: true, user_permissions: [1], is_active: false },
    });
    expect([written.status, written.body]).toEqual([
      200,
      expect.objectContaining({ first_name: "Anna", is_superuser: false, is_staff: false, is_active: true }),
    ]);
    expect((await site.ask("PUT", "api:users/current/", { as: "reader", body: {} })).status).toBe(403);
  });

  it.each([
    [{ password: "another horse", repassword: "another horse" }, 200, null],
    [{ password: "another horse" }, 200, null],
    [{ password: "another horse", repassword: "other" }, 400, { repassword: ["Passwords do not match."] }],
    [{ password: "another horse", repassword: "" }, 400, { repassword: ["This field is required."] }],
    [{ password: "short" }, 400, { password: [expect.any(String)] }],
  ])("PUT %j is %i", async (body, status, errors) => {
    const site = await memorySite();
    const answer = await site.ask("PUT", "api:users/current", { as: "superuser", body });
    expect([answer.status, errors && answer.body]).toEqual([status, errors]);
  });
});

describe("permissions/", () => {
  it("lists them with stable ids", async () => {
    const { ask } = await memorySite();
    const { body } = await ask("GET", "api:permissions/", { as: "reader" });
    expect(body).toHaveLength(44);
    expect(body[1]).toEqual({
      id: 2,
      name: "Can change page",
      codename: "change_page",
      content_type: { id: 1, app_label: "cms", model: "page" },
    });
    expect(
      (await ask("GET", "api:permissions/?fltr=content_type__model=user&fields=codename", { as: "reader" })).body,
    ).toEqual(["add", "change", "delete", "view"].map((verb) => ({ codename: `${verb}_user` })));
  });

  it("cannot be changed", async () => {
    const { ask } = await memorySite();
    const answer = await ask("PUT", "api:permissions/2/", { as: "superuser", body: { name: "x", codename: "y" } });
    expect([answer.status, answer.body.codename]).toEqual([200, "change_page"]);
    expect((await ask("PUT", "api:permissions/2/", { as: "staff", body: {} })).status).toBe(403);
    for (const [method, path] of [
      ["POST", "permissions/"],
      ["DELETE", "permissions/2/"],
      ["PATCH", "permissions/2/"],
    ] as const) {
      expect((await ask(method, `api:${path}`, { as: "superuser" })).status).toBe(405);
    }
  });
});

describe("former addresses", () => {
  it.each([
    ["sitemap/", "../pages/", "/api/cms/pages/"],
    ["sitemap", "pages/", "/api/cms/pages/"],
    ["profiles/me/", "../../users/current/", "/api/cms/users/current/"],
    ["profiles/me", "../users/current/", "/api/cms/users/current/"],
  ])("%s leads to %s", async (path, location, absolute) => {
    const { ask } = await memorySite();
    for (const method of ["GET", "HEAD"]) {
      const answer = await ask(method, `api:${path}`);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, location]);
    }
    expect(new URL(location, `http://test.local/api/cms/${path}`).pathname).toBe(absolute);
  });
});
