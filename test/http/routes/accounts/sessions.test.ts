/** Sessions; revocation as for tokens. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  addUser,
  openAccounts,
  removeUser,
  rotateToken,
  setPassword,
} from "../../../../src/actions/accounts/accounts.ts";
import { accountBySession } from "../../../../src/actions/accounts/sessions.ts";
import { API_ROUTES } from "../../../../src/http/routes/api-routes.ts";
import { memorySite, type MemorySite } from "../../../site.ts";
import { browserOf, PASSWORD, signIn } from "./sign-in.ts";

const DAY = 24 * 3600 * 1000;
const STAFF = { is_staff: true };

describe("POST auth/login/", () => {
  it("sets a session cookie for the server only, and a CSRF cookie for scripts", async () => {
    const site = await memorySite();
    await addUser(site.cms.accounts, { username: "anna", password: PASSWORD });
    const answer = await site.ask("POST", "api:auth/login/", { body: { username: "anna", password: PASSWORD } });
    expect([answer.status, answer.body]).toEqual([200, { detail: "Logged in" }]);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sessionid=[\w-]{43}; Path=\/; Max-Age=1209600; SameSite=Lax; HttpOnly$/),
      expect.stringMatching(/^csrftoken=[\w-]{43}; Path=\/; Max-Age=31449600; SameSite=Lax$/),
    ]);
    expect(answer.headers.get("cache-control")).toBe("no-store, private");
  });

  it.each([
    [{ BASE_URL: "https://example.org" }, {}],
    [{ TRUSTED_PROXIES: ["127.0.0.1"] }, { "x-forwarded-proto": "https" }],
  ])("%j: cookies are sent over TLS only", async (settings, headers) => {
    const site = await memorySite({}, settings);
    await addUser(site.cms.accounts, { username: "anna", password: PASSWORD });
    const answer = await site.ask("POST", "api:auth/login/", {
      body: { username: "anna", password: PASSWORD },
      headers,
      from: "127.0.0.1",
    });
    expect(answer.headers.getSetCookie().every((cookie) => cookie.endsWith("; Secure"))).toBe(true);
  });

  it("takes a form", async () => {
    const site = await memorySite();
    await addUser(site.cms.accounts, { username: "anna", password: PASSWORD });
    const body = new URLSearchParams({ username: "anna", password: PASSWORD }).toString();
    expect(
      (
        await site.ask("POST", "api:auth/login", {
          body,
          headers: { "content-type": "application/x-www-form-urlencoded" },
        })
      ).status,
    ).toBe(200);
  });

  it.each([
    [{ username: "anna", password: "wrong" }, { non_field_errors: ["Unable to log in with provided credentials."] }],
    [{ username: "nobody", password: PASSWORD }, { non_field_errors: ["Unable to log in with provided credentials."] }],
    [{}, { username: ["This field is required."], password: ["This field is required."] }],
  ])("%j: no cookies", async (body, errors) => {
    const site = await memorySite();
    await addUser(site.cms.accounts, { username: "anna", password: PASSWORD });
    const answer = await site.ask("POST", "api:auth/login/", { body });
    expect([answer.status, answer.body, answer.headers.getSetCookie()]).toEqual([400, errors, []]);
  });
});

describe("a session", () => {
  it("has the rights of the account", async () => {
    const site = await memorySite();
    const staff = await signIn(site, "anna", STAFF);
    const reader = await signIn(site, "bruno");
    expect((await staff.ask("GET", "api:pages/")).status).toBe(200);
    expect((await staff.ask("POST", "api:pages/", { body: { title: "T" } })).status).toBe(201);
    expect((await reader.ask("POST", "api:pages/", { body: { title: "T" } })).status).toBe(403);
    expect((await staff.ask("POST", "api:pages-router/publish-due")).status).toBe(200);
  });

  it("is stored as a hash, in a private file", async () => {
    const site = await memorySite();
    const { cookies } = await signIn(site, "anna");
    const path = join(site.cms.store.repo.stateDir, "sessions.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const value of cookies.values()) expect(readFileSync(path, "utf8")).not.toContain(value);
  });

  it("survives a restart", async () => {
    const site = await memorySite();
    const { cookies } = await signIn(site, "anna");
    const restarted = openAccounts(site.cms.store.repo.stateDir, site.cms.env);
    expect(await accountBySession(restarted, cookies.get("sessionid")!)).toMatchObject({ username: "anna" });
  });

  it.each<[string, (site: MemorySite, id: number) => unknown]>([
    ["a new password", ({ cms }, id) => setPassword(cms.accounts, id, "another horse")],
    [
      "a new password through the API",
      ({ ask }, id) => ask("PATCH", `api:users/${id}/`, { as: "superuser", body: { password: "another horse" } }),
    ],
    ["kickout", ({ ask }, id) => ask("POST", `api:users/${id}/kickout/`, { as: "superuser" })],
    ["a new token", ({ cms }, id) => rotateToken(cms.accounts, id)],
    [
      "being disabled",
      ({ ask }, id) => ask("PATCH", `api:users/${id}/`, { as: "superuser", body: { is_active: false } }),
    ],
    ["removal", ({ cms }, id) => removeUser(cms.accounts, id)],
    ["removal through the API", ({ ask }, id) => ask("DELETE", `api:users/${id}/`, { as: "superuser" })],
    ["fourteen days", ({ clock }) => clock.tick(14 * DAY)],
  ])("ends with %s, everywhere, for that account only", async (what, end) => {
    const site = await memorySite();
    const [here, there, other] = [await signIn(site, "anna"), await signIn(site, "anna"), await signIn(site, "bruno")];
    const { id } = (await site.cms.accounts.store.findByName("anna"))!;
    await end(site, id);
    for (const browser of [here, there]) {
      const answer = await browser.ask("GET", "api:pages/");
      expect([answer.status, answer.body]).toEqual([401, { detail: "Authentication credentials were not provided." }]);
      expect((await browser.ask("GET", "api:languages/")).status).toBe(200); // a stale cookie is anonymous on public endpoints
    }
    expect((await other.ask("GET", "api:pages/")).status).toBe(what === "fourteen days" ? 401 : 200);
  });

  it("stays revoked when the account is disabled and enabled again", async () => {
    const site = await memorySite();
    const anna = await signIn(site, "anna");
    const { id } = (await site.cms.accounts.store.findByName("anna"))!;
    for (const is_active of [false, true])
      await site.ask("PATCH", `api:users/${id}/`, { as: "superuser", body: { is_active } });
    expect((await anna.ask("GET", "api:pages/")).status).toBe(401);
  });

  it("has changed rights at the next request", async () => {
    const site = await memorySite();
    const anna = await signIn(site, "anna", STAFF);
    const { id } = (await site.cms.accounts.store.findByName("anna"))!;
    await site.ask("PATCH", `api:users/${id}/`, { as: "superuser", body: { is_staff: false } });
    expect((await anna.ask("POST", "api:pages/", { body: {} })).status).toBe(403);
  });

  it.each(["", "x", "0".repeat(43), "../accounts", "__proto__", "a=b", "%00"])(
    "forged as %j is anonymous",
    async (id) => {
      const site = await memorySite();
      await signIn(site, "anna");
      const headers = { cookie: `sessionid=${id}` };
      expect((await site.ask("GET", "api:users/current/", { headers })).status).toBe(401);
      expect((await site.ask("GET", "api:languages/", { headers })).status).toBe(200);
      expect((await site.ask("POST", "api:auth/logout/", { headers })).status).toBe(200);
    },
  );

  it("of an account with twenty: the oldest is removed", async () => {
    const site = await memorySite();
    const first = await signIn(site, "anna");
    for (let n = 0; n < 20; n++) await signIn(site, "anna");
    expect((await first.ask("GET", "api:pages/")).status).toBe(401);
  });
});

describe("POST auth/password/", () => {
  const change = { current_password: PASSWORD, password: "a wholly other phrase" };

  it("changes the own password without further rights, ends other sessions and goes on in a new one", async () => {
    const site = await memorySite();
    const here = await signIn(site, "anna");
    const there = await signIn(site, "anna");
    expect((await here.ask("POST", "api:auth/password/", { body: change })).status).toBe(200);
    expect((await here.ask("GET", "api:users/current/")).body.username).toBe("anna");
    expect((await there.ask("GET", "api:users/current/")).status).toBe(401);
    const signInWith = async (password: string) =>
      (await site.ask("POST", "api:auth/login/", { body: { username: "anna", password } })).status;
    expect([await signInWith(PASSWORD), await signInWith(change.password)]).toEqual([400, 200]);
  });

  it.each<[string, object, object]>([
    [
      "a wrong present one",
      { ...change, current_password: "x" },
      { current_password: ["This is not the present password."] },
    ],
    ["a weak one", { ...change, password: "short" }, { password: [expect.stringContaining("too short")] }],
    ["neither", {}, { current_password: ["This field is required."], password: ["This field is required."] }],
  ])("refuses %s", async (_, body, errors) => {
    const anna = await signIn(await memorySite(), "anna");
    const answer = await anna.ask("POST", "api:auth/password/", { body });
    expect([answer.status, answer.body]).toEqual([400, errors]);
  });

  it("is slowed down after many attempts, and is for accounts alone", async () => {
    const site = await memorySite();
    const anna = await signIn(site, "anna");
    const attempts = [];
    for (let n = 0; n < 12; n++)
      attempts.push(
        (await anna.ask("POST", "api:auth/password/", { body: { ...change, current_password: "x" } })).status,
      );
    expect(attempts.at(-1)).toBe(429);
    expect((await site.ask("POST", "api:auth/password/", { body: change })).status).toBe(401);
  });
});

describe("auth/logout/", () => {
  const ALIASES = { API: { ALIASES: ["/api/camomilla"] } };

  it("POST with the CSRF token ends this session only, and deletes the cookie", async () => {
    const site = await memorySite();
    const [here, there] = [await signIn(site, "anna"), await signIn(site, "anna")];
    const old = here.cookies.get("sessionid")!;
    const refused = await site.ask("POST", "api:auth/logout/", {
      headers: { cookie: [...here.cookies].map((pair) => pair.join("=")).join("; ") },
    });
    expect([refused.status, refused.body, here.cookies.has("sessionid")]).toEqual([
      403,
      { detail: "CSRF Failed: CSRF token missing." },
      true,
    ]);
    const answer = await here.ask("POST", "api:auth/logout/");
    expect([answer.status, answer.body, here.cookies.has("sessionid")]).toEqual([200, { detail: "Logged out" }, false]);
    expect((await site.ask("GET", "api:pages/", { headers: { cookie: `sessionid=${old}` } })).status).toBe(401);
    expect((await there.ask("GET", "api:pages/")).status).toBe(200);
  });

  it("POST from a foreign page deletes no cookie", async () => {
    const answer = await (
      await memorySite()
    ).ask("POST", "api:auth/logout/", { headers: { origin: "https://evil.example" } });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([403, null]);
  });

  it("POST without a session succeeds, GET does not", async () => {
    const site = await memorySite({}, ALIASES);
    const browser = await signIn(site, "anna");
    expect((await browserOf(site).ask("POST", "api:auth/logout")).body).toEqual({ detail: "Logged out" });
    const answer = await browser.ask("GET", "api:auth/logout/");
    expect([answer.status, answer.headers.get("allow"), browser.cookies.has("sessionid")]).toEqual([
      405,
      "POST, OPTIONS",
      true,
    ]);
    expect((await browser.ask("GET", "api:pages/")).status).toBe(200);
  });

  it.each([
    [undefined, 200],
    ["none", 200],
    ["same-origin", 200],
    ["same-site", 403],
    ["cross-site", 403],
    ["", 403],
  ])("GET below an alias with Sec-Fetch-Site %s is %i", async (site, status) => {
    const here = await memorySite({}, ALIASES);
    const browser = await signIn(here, "anna");
    const answer = await browser.ask("GET", "/api/camomilla/auth/logout/", {
      headers: site === undefined ? {} : { "sec-fetch-site": site },
    });
    expect([answer.status, browser.cookies.has("sessionid")]).toEqual([status, status === 403]);
    expect((await browser.ask("GET", "api:pages/")).status).toBe(status === 403 ? 200 : 401);
  });
});

describe("users/current/sessions/", () => {
  const AGENT = "Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0";

  it("lists where the account is signed in, without what opens a session", async () => {
    const site = await memorySite();
    const [here, other] = [await signIn(site, "anna"), await signIn(site, "bruno")];
    site.clock.tick(60_000);
    const body = { username: "anna", password: PASSWORD };
    const headers = { "user-agent": `${AGENT}\u00e9${"x".repeat(500)}` };
    await site.ask("POST", "api:auth/login/", { body, headers, from: "192.0.2.7" });
    const { body: listed } = await here.ask("GET", "api:users/current/sessions/");
    expect(listed).toEqual([
      {
        ...{ id: expect.stringMatching(/^[\w-]{16}$/), address: "192.0.2.7", is_current: false },
        agent: expect.stringMatching(/^Mozilla[\x20-\x7e]{193}$/),
        ...{ created_at: "2026-03-01T12:01:00Z", expires_at: "2026-03-15T12:01:00Z" },
      },
      expect.objectContaining({ is_current: true, agent: "", created_at: "2026-03-01T12:00:00Z" }),
    ]);
    expect((await other.ask("GET", "api:users/current/sessions/")).body).toHaveLength(1);
    site.clock.tick(14 * DAY - 60_000);
    expect((await here.ask("GET", "api:users/current/sessions/")).status).toBe(401);
  });

  it("ends one, or all but the own; those of others are not found", async () => {
    const site = await memorySite();
    const [here, there, third] = [await signIn(site, "anna"), await signIn(site, "anna"), await signIn(site, "anna")];
    const bruno = await signIn(site, "bruno");
    const ids = (await here.ask("GET", "api:users/current/sessions/")).body.map(({ id }: { id: string }) => id);
    expect((await bruno.ask("DELETE", `api:users/current/sessions/${ids[1]}/`)).status).toBe(404);
    expect((await here.ask("DELETE", `api:users/current/sessions/${ids[1]}/`)).status).toBe(204);
    expect((await here.ask("DELETE", `api:users/current/sessions/${ids[1]}/`)).status).toBe(404);
    const isIn = async (browser: typeof here): Promise<boolean> =>
      (await browser.ask("GET", "api:users/current/")).status === 200;
    expect([await isIn(here), await isIn(there), await isIn(third)]).toEqual([true, false, true]);
    expect((await here.ask("DELETE", "api:users/current/sessions/")).status).toBe(204);
    expect([await isIn(here), await isIn(third), await isIn(bruno)]).toEqual([true, false, true]);
  });

  it("keeps sessions of older versions, which have to confirm what is sensitive", async () => {
    const site = await memorySite();
    const anna = await signIn(site, "anna", { is_superuser: true });
    const path = join(site.cms.store.repo.stateDir, "sessions.json");
    const [{ hash, account, token_version, expires_at }] = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify([{ hash, account, token_version, expires_at }, { hash: 1 }]));
    expect((await anna.ask("GET", "api:users/current/sessions/")).body).toMatchObject([{ address: "", agent: "" }]);
    expect((await anna.ask("POST", "api:users/", { body: {} })).body).toMatchObject({ code: "unconfirmed" });
  });
});

describe("what is sensitive", () => {
  const MINUTE = 60_000;
  const nina = { username: "nina", password: "under full sail" };

  it("needs a proof of the last quarter of an hour from a session, and none from a token", async () => {
    const site = await memorySite();
    const anna = await signIn(site, "anna", { is_superuser: true });
    const { id } = (await site.cms.accounts.store.findByName("anna"))!;
    site.clock.tick(15 * MINUTE);
    expect((await anna.ask("PATCH", `api:users/${id}/`, { body: { first_name: "A" } })).status).toBe(200);
    site.clock.tick(1);
    const refused = await anna.ask("POST", "api:users/", { body: nina });
    expect([refused.status, refused.body]).toEqual([
      403,
      { detail: "Confirm first that it is you: POST auth/confirm/.", code: "unconfirmed" },
    ]);
    expect((await anna.ask("GET", "api:users/")).status).toBe(200);
    expect((await anna.ask("POST", "api:tags/", { body: { name: "Sea" } })).status).toBe(201);
    const wrong = await anna.ask("POST", "api:auth/confirm/", { body: { password: "wrong" } });
    expect([wrong.status, wrong.body]).toEqual([400, { password: ["This is not the present password."] }]);
    expect((await anna.ask("POST", "api:users/", { body: nina })).status).toBe(403);
    expect((await anna.ask("POST", "api:auth/confirm/", { body: { password: PASSWORD } })).status).toBe(200);
    expect((await anna.ask("POST", "api:users/", { body: nina })).status).toBe(201);
    site.clock.tick(20 * MINUTE);
    const { id: made } = (await site.cms.accounts.store.findByName("nina"))!;
    expect((await site.ask("DELETE", `api:users/${made}/`, { as: "superuser" })).status).toBe(204);
  });

  it("is confirmed for one session alone", async () => {
    const site = await memorySite();
    const [here, there] = [await signIn(site, "anna", { is_superuser: true }), await signIn(site, "anna")];
    site.clock.tick(16 * MINUTE);
    await here.ask("POST", "api:auth/confirm/", { body: { password: PASSWORD } });
    expect((await there.ask("POST", "api:users/", { body: nina })).status).toBe(403);
    expect((await here.ask("POST", "api:users/", { body: nina })).status).toBe(201);
  });

  it("is what changes accounts, and nothing else", () => {
    const names = API_ROUTES.filter(({ isSensitive }) => isSensitive).map(({ method, path }) => `${method} ${path}`);
    expect(names.sort()).toEqual([
      "DELETE users/:id",
      "DELETE users/current/codes",
      "DELETE users/current/passkeys/:passkey",
      "DELETE users/current/tokens/:token",
      "PATCH users/:id",
      "POST auth/oidc/:provider",
      "POST users",
      "POST users/:id/kickout",
      "POST users/current/codes",
      "POST users/current/codes/new",
      "POST users/current/passkeys",
      "POST users/current/passkeys/new",
      "POST users/current/tokens",
      "PUT roles",
      "PUT users/:id",
      "PUT users/current",
    ]);
  });
});
