/** CSRF: every write route, with a session, from a foreign page. Reading is tested in http/cors. */
import { describe, expect, it } from "vitest";
import { API_ROUTES } from "../../src/http/routes/api-routes.ts";
import { ROUTER_ROUTES } from "../../src/http/public/routers.ts";
import { addUser } from "../../src/actions/accounts/accounts.ts";
import { PASSWORD, signIn, type Browser } from "../http/routes/accounts/sign-in.ts";
import { memorySite } from "../site.ts";

const WRITES = [...API_ROUTES, ...ROUTER_ROUTES].filter(
  ({ method, access }) => method !== "GET" && access !== "public",
);
const ROOT = { is_staff: true, is_superuser: true };

const fill = (path: string): string => path.replace(/:\w+/g, "1").replace("**", "x/");

describe("a write with a session", () => {
  it.each<[string, (browser: Pick<Browser, "cookies">) => Record<string, string>]>([
    ["without the header", () => ({})],
    ["with an empty header", () => ({ "x-csrftoken": "" })],
    ["with the cookie's value in another header", ({ cookies }) => ({ "x-csrf-token": cookies.get("csrftoken")! })],
    [
      "with a made-up value in header and cookie",
      ({ cookies }) => ({
        "x-csrftoken": "A".repeat(43),
        cookie: `sessionid=${cookies.get("sessionid")}; csrftoken=${"A".repeat(43)}`,
      }),
    ],
    [
      "with somebody else's value in header and cookie",
      ({ cookies }) => ({
        "x-csrftoken": cookies.get("other")!,
        cookie: `sessionid=${cookies.get("sessionid")}; csrftoken=${cookies.get("other")}`,
      }),
    ],
    [
      "without the cookie",
      ({ cookies }) => ({ "x-csrftoken": cookies.get("csrftoken")!, cookie: `sessionid=${cookies.get("sessionid")}` }),
    ],
    [
      "from a foreign origin",
      ({ cookies }) => ({ "x-csrftoken": cookies.get("csrftoken")!, origin: "https://evil.example" }),
    ],
    ["from no origin in particular", ({ cookies }) => ({ "x-csrftoken": cookies.get("csrftoken")!, origin: "null" })],
    [
      "from a neighbour",
      ({ cookies }) => ({ "x-csrftoken": cookies.get("csrftoken")!, origin: "http://test.local.evil.example" }),
    ],
    [
      "over another scheme",
      ({ cookies }) => ({ "x-csrftoken": cookies.get("csrftoken")!, origin: "https://test.local" }),
    ],
  ])("%s is 403 on every route", async (_what, headers) => {
    const site = await memorySite();
    const other = await signIn(site, "mallory");
    const { cookies } = await signIn(site, "root", ROOT);
    const [sessionid, csrftoken] = [cookies.get("sessionid")!, cookies.get("csrftoken")!];
    const known = new Map([
      ["sessionid", sessionid],
      ["csrftoken", csrftoken],
      ["other", other.cookies.get("csrftoken")!],
    ]);
    const before = [site.cms.store.current.commit, await site.cms.accounts.store.list()];
    for (const { method, path } of WRITES) {
      const sent = headers({ cookies: known });
      const answer = await site.ask(method, `api:${fill(path)}`, {
        body: {},
        headers: { cookie: `sessionid=${sessionid}; csrftoken=${csrftoken}`, ...sent },
      });
      expect([method, path, answer.status, answer.body.detail]).toEqual([
        method,
        path,
        403,
        expect.stringMatching(/^CSRF Failed: /),
      ]);
    }
    expect([site.cms.store.current.commit, await site.cms.accounts.store.list()]).toEqual(before);
  });

  it.each([
    [undefined, {}],
    ["http://test.local", {}],
    ["https://editor.example", { TRUSTED_ORIGINS: ["https://editor.example"] }],
    ["https://www.example", { BASE_URL: "https://www.example" }],
  ])("from %s with %j is accepted", async (origin, settings) => {
    const site = await memorySite({}, settings);
    const root = await signIn(site, "root", ROOT);
    const answer = await root.ask("POST", "api:pages/", {
      body: { title: "T" },
      headers: origin === undefined ? {} : { origin },
    });
    expect(answer.status).toBe(201);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "as a form a foreign page can send (%s) is refused",
    async (type) => {
      const site = await memorySite();
      const root = await signIn(site, "root", ROOT);
      root.cookies.delete("csrftoken");
      const answer = await root.ask("POST", "api:pages/", {
        body: '{"title":"T"}',
        headers: { "content-type": type, origin: "https://evil.example" },
      });
      expect(answer.status).toBe(403);
    },
  );

  it.each(["x-http-method-override", "x-http-method", "x-method-override"])(
    "hidden behind GET with %s changes nothing",
    async (name) => {
      const site = await memorySite();
      const root = await signIn(site, "root", ROOT);
      const { id } = await site.page({ title: "T" });
      await root.ask("GET", `api:pages/${id}/?_method=DELETE`, { headers: { [name]: "DELETE" } });
      expect((await root.ask("GET", `api:pages/${id}/`)).status).toBe(200);
    },
  );
});

describe("signing in", () => {
  it.each([
    ["https://evil.example", 403],
    ["null", 403],
    ["http://test.local", 200],
  ])("from a page of %s is %i: no visitor is signed in to a foreign account", async (origin, status) => {
    const site = await memorySite();
    await addUser(site.cms.accounts, { username: "mallory", password: PASSWORD });
    const answer = await site.ask("POST", "api:auth/login/", {
      body: { username: "mallory", password: PASSWORD },
      headers: { origin },
    });
    expect([answer.status, answer.headers.getSetCookie().length > 0]).toEqual([status, status === 200]);
  });
});

describe("cookies", () => {
  it("have SameSite, and HttpOnly for the session", async () => {
    const site = await memorySite();
    await addUser(site.cms.accounts, { username: "anna", password: PASSWORD });
    const [session, csrf] = (
      await site.ask("POST", "api:auth/login/", { body: { username: "anna", password: PASSWORD } })
    ).headers.getSetCookie();
    expect([session, csrf].every((cookie) => /; SameSite=Lax(;|$)/.test(cookie!))).toBe(true);
    expect([/HttpOnly/.test(session!), /HttpOnly/.test(csrf!), /Domain=/i.test(`${session}${csrf}`)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
