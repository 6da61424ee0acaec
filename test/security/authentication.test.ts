/** Authentication: guessing, timing, fixation, leaks and bypasses. Counting of failures is in http/limits. */
import { describe, expect, it } from "vitest";
import { addUser, removeUser, rotateToken, setPassword } from "../../src/actions/accounts/accounts.ts";
import { authenticate, issueToken } from "../../src/actions/accounts/sign-in.ts";
import { ownerOfToken } from "../../src/actions/accounts/token-owner.ts";
import { accountBySession, openSession } from "../../src/actions/accounts/sessions.ts";
import { browserOf, PASSWORD, signIn, type Browser } from "../http/routes/accounts/sign-in.ts";
import { memorySite, type MemorySite } from "../site.ts";

describe("guessing", () => {
  it("unknown name, wrong password and disabled account have the same answer and cost", async () => {
    const site = await memorySite();
    await addUser(site.cms.accounts, { username: "anna", password: PASSWORD });
    await addUser(site.cms.accounts, { username: "off", password: PASSWORD, is_active: false });
    const { hasher } = site.cms.accounts;
    let hashed = 0;
    const matches = hasher.matches.bind(hasher);
    Object.assign(hasher, { matches: (...args: Parameters<typeof matches>) => (hashed++, matches(...args)) });
    const answers = [];
    for (const [username, password] of [
      ["nobody", PASSWORD],
      ["anna", "wrong horse"],
      ["off", PASSWORD],
      ["constructor", PASSWORD],
    ]) {
      for (const path of ["api:token-auth/", "api:auth/login/"]) {
        const { status, text, headers } = await site.ask("POST", path, { body: { username, password } });
        answers.push(JSON.stringify([status, text, [...headers]]));
      }
    }
    expect([new Set(answers).size, hashed]).toEqual([1, 8]);
  });

  it("tokens by prefix or other spellings fails", async () => {
    const { ask, token } = await memorySite();
    const real = await token("staff");
    for (const guess of [
      real.slice(0, 39),
      `${real}0`,
      real.toUpperCase(),
      `${real.slice(0, 39)}\u00a0`,
      real.replace(/.$/, "%"),
      ` ${real}x`,
      `${real},${real}`,
    ]) {
      const { status } = await ask("GET", "api:users/current/", {
        headers: { authorization: `Token ${encodeURI(guess)}` },
      });
      expect(status).toBe(401);
    }
    expect((await ask("GET", "api:users/current/", { headers: { authorization: `token   ${real} ` } })).status).toBe(
      200,
    );
  });
});

describe("fixation", () => {
  it("a session id planted before sign-in is not used after it, and is rejected", async () => {
    const site = await memorySite();
    await addUser(site.cms.accounts, { username: "anna", password: PASSWORD });
    const planted = "A".repeat(43);
    const victim = browserOf(site);
    victim.cookies.set("sessionid", planted);
    victim.cookies.set("csrftoken", planted);
    await victim.ask("POST", "api:auth/login/", { body: { username: "anna", password: PASSWORD } });
    expect(victim.cookies.get("sessionid")).not.toBe(planted);
    expect((await site.ask("GET", "api:users/current/", { headers: { cookie: `sessionid=${planted}` } })).status).toBe(
      401,
    );
  });

  it("signing in again creates a new session and ends the old one", async () => {
    const site = await memorySite();
    const attacker = await signIn(site, "mallory");
    const known = attacker.cookies.get("sessionid")!;
    await addUser(site.cms.accounts, { username: "anna", password: PASSWORD });
    await attacker.ask("POST", "api:auth/login/", { body: { username: "anna", password: PASSWORD } });
    expect((await site.ask("GET", "api:users/current/", { headers: { cookie: `sessionid=${known}` } })).status).toBe(
      401,
    );
    expect((await attacker.ask("GET", "api:users/current/")).body.username).toBe("anna");
  });
});

describe("access that is revoked while a request is sent", () => {
  type Revocation = (site: MemorySite, id: number, browser: Browser) => unknown;

  /** A body that comes once something was done, which is when the account has been checked and the body is read. */
  const bodyAfter = (work: () => unknown, body: object): ReadableStream =>
    new ReadableStream(
      {
        async pull(controller) {
          await work();
          controller.enqueue(new TextEncoder().encode(JSON.stringify(body)));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );

  // oxfmt-ignore
  const REVOCATIONS: readonly (readonly [string, Revocation, number])[] = [
    ["by a new password",        ({ cms }, id) => setPassword(cms.accounts, id, "another horse"), 401],
    ["by a kickout",             ({ cms }, id) => rotateToken(cms.accounts, id), 401],
    ["by disabling the account", ({ cms }, id) => cms.accounts.store.update(id, (account) => ({ ...account, is_active: false })), 401],
    ["by removing the account",  ({ cms }, id) => removeUser(cms.accounts, id), 401],
    ["by a sign-out",            (_site, _id, browser) => browser.ask("POST", "api:auth/logout/"), 401],
    ["by taking its rights",     ({ cms }, id) => cms.accounts.store.update(id, (account) => ({ ...account, is_staff: false })), 403],
  ];

  it.each(REVOCATIONS)("%s writes nothing", async (_how, revoke, status) => {
    const site = await memorySite();
    const browser = await signIn(site, "anna", { is_staff: true });
    const { id } = (await site.cms.accounts.store.findByName("anna"))!;
    const { head } = await site.repo.state();
    const csrf = { "content-type": "application/json", "x-csrftoken": browser.cookies.get("csrftoken")! };
    const body = bodyAfter(() => revoke(site, id, browser), { title_en: "Late" });
    expect((await browser.ask("POST", "api:pages/", { body, headers: csrf })).status).toBe(status);
    expect((await site.repo.state()).head).toBe(head);
  });

  it("by a demotion gives no rights that the account had", async () => {
    const site = await memorySite();
    const browser = await signIn(site, "anna", { is_superuser: true });
    const { id } = (await site.cms.accounts.store.findByName("anna"))!;
    const demote = () =>
      site.cms.accounts.store.update(id, (account) => ({
        ...account,
        is_superuser: false,
        user_permissions: ["auth.add_user"],
      }));
    const body = bodyAfter(demote, { username: "eve", password: PASSWORD, is_superuser: true });
    const csrf = { "content-type": "application/json", "x-csrftoken": browser.cookies.get("csrftoken")! };
    expect((await browser.ask("POST", "api:users/", { body, headers: csrf })).status).toBe(403);
    expect(await site.cms.accounts.store.findByName("eve")).toBeUndefined();
  });

  it("gives no token of the time after it to a sign-in that began before", async () => {
    const { cms } = await memorySite();
    const { accounts } = cms;
    const { id } = await addUser(accounts, { username: "anna", password: PASSWORD });
    const signedIn = await authenticate(accounts, "anna", PASSWORD);
    await setPassword(accounts, id, "another horse");
    const token = await issueToken(accounts, signedIn);
    expect(await ownerOfToken(accounts.store, token)).toBeUndefined();
    expect(await accounts.store.get(id)).toMatchObject({ has_token: false });
    const session = await openSession(accounts, signedIn);
    expect(await accountBySession(accounts, session.id)).toBeUndefined();
  });
});

describe("secrets", () => {
  it("are in no answer and no log line", async () => {
    const site = await memorySite();
    const browser = await signIn(site, "anna", { is_staff: true, is_superuser: true });
    const { token } = (await site.ask("POST", "api:token-auth/", { body: { username: "anna", password: PASSWORD } }))
      .body;
    const { password: hash } = (await site.cms.accounts.store.findByName("anna"))!;
    const secret = (await site.cms.accounts.store.secret()).toString("base64url");
    const secrets = [PASSWORD, token, hash!, secret, ...browser.cookies.values()];
    const headers = { authorization: `Token ${token}` };
    const said: string[] = [];
    for (const path of [
      "users/",
      "users/current/",
      "permissions/",
      "pages/",
      "languages/",
      "",
      "nothing/",
      "pages/1/",
      "pages-router/changes",
      "users/?search=scrypt",
    ]) {
      said.push((await site.ask("GET", `api:${path}`, { headers })).text);
    }
    await site.ask("POST", "api:token-auth/", {
      body: `{"username":"anna","password":"${PASSWORD}"`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    await site.ask("POST", "api:auth/login/", { body: { username: PASSWORD, password: token } });
    await site.ask("GET", `api:pages/?token=${token}`, { headers: { cookie: `sessionid=${token}` } });
    for (const text of [...said, ...site.logged, JSON.stringify(site.cms.config)])
      for (const each of secrets) expect(text).not.toContain(each);
  });

  it("are never cached: every private answer is no-store", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "T" });
    for (const path of [
      "users/",
      "users/current/",
      "pages/",
      `pages/${id}/`,
      `pages/${id}/preview/`,
      `pages/${id}/revisions/`,
      "pages-router-preview/t/",
      "permissions/",
      "menus/",
      "contents/",
      "tags/",
    ]) {
      for (const headers of [{}, { "if-none-match": "*" }] as Record<string, string>[]) {
        const answer = await site.ask("GET", `api:${path}`, { as: "superuser", headers });
        expect([path, answer.headers.get("cache-control")]).toEqual([path, "no-store, private"]);
      }
    }
    for (const path of ["pages/", "users/1/", "pages-router-preview/x/"])
      expect((await site.ask("GET", `api:${path}`)).headers.get("cache-control")).toBe("no-store, private");
  });
});

describe("bypasses", () => {
  it.each([
    ["x-forwarded-user", "staff"],
    ["x-remote-user", "staff"],
    ["x-user", "1"],
    ["x-forwarded-for", "127.0.0.1"],
    ["x-real-ip", "127.0.0.1"],
    ["x-original-url", "/api/cms/languages/"],
    ["x-rewrite-url", "/api/cms/languages/"],
    ["x-http-method-override", "GET"],
    ["authorization", "Basic c3RhZmY6c3RhZmY="],
    ["cookie", "user=staff; is_staff=1; sessionid=1"],
    ["referer", "http://test.local/api/cms/"],
  ])("%s: %s gives no access", async (name, value) => {
    const { ask } = await memorySite();
    for (const [method, path] of [
      ["GET", "pages/"],
      ["POST", "pages/"],
      ["GET", "pages-router-preview/"],
      ["POST", "pages-router/publish-due"],
    ]) {
      expect((await ask(method!, `api:${path}`, { headers: { [name]: value } })).status).toBe(401);
    }
  });
});
