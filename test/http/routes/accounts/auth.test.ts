/** Tokens: how they are got, sent and revoked. */
import { describe, expect, it } from "vitest";
import { addUser, rotateToken } from "../../../../src/actions/accounts/accounts.ts";
import { tokenOf } from "../../../../src/actions/accounts/sign-in.ts";
import { memorySite, type MemorySite } from "../../../site.ts";
import { PASSWORD } from "./sign-in.ts";

async function siteWithAnna(): Promise<MemorySite> {
  const site = await memorySite();
  await addUser(site.cms.accounts, { username: "anna", password: PASSWORD });
  return site;
}

const CREDENTIALS = { username: "anna", password: PASSWORD };
const REFUSED = { non_field_errors: ["Unable to log in with provided credentials."] };

describe("POST token-auth/", () => {
  it.each<[string, string, string]>([
    ["JSON", "application/json", JSON.stringify(CREDENTIALS)],
    ["a form", "application/x-www-form-urlencoded", new URLSearchParams(CREDENTIALS).toString()],
    [
      "a multipart form",
      "multipart/form-data; boundary=x",
      ["username", "password"]
        .map(
          (name) =>
            `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${CREDENTIALS[name as "username"]}\r\n`,
        )
        .join("") + "--x--\r\n",
    ],
  ])("accepts %s and answers the same 40 digits every time, not cacheable", async (_what, type, body) => {
    const { ask } = await siteWithAnna();
    const [first, second] = [
      await ask("POST", "api:token-auth/", { body, headers: { "content-type": type } }),
      await ask("POST", "api:token-auth", { body: CREDENTIALS }),
    ];
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ token: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(second.body).toEqual(first.body);
    expect(first.headers.get("cache-control")).toBe("no-store, private");
  });

  it.each([
    [{ username: "anna", password: "wrong horse" }, REFUSED],
    [{ username: "nobody", password: PASSWORD }, REFUSED],
    [{ username: "off", password: PASSWORD }, REFUSED],
    [{ username: "anna", password: "x".repeat(5000) }, REFUSED],
    [{}, { username: ["This field is required."], password: ["This field is required."] }],
    [
      { username: "", password: null },
      { username: ["This field may not be blank."], password: ["This field may not be null."] },
    ],
    [
      { username: ["anna"], password: {} },
      { username: ["Not a valid string."], password: ["Not a valid string."] },
    ],
    [["anna"], { non_field_errors: ["Invalid data. Expected a dictionary, but got list."] }],
  ])("refuses %j", async (body, errors) => {
    const { ask, cms } = await siteWithAnna();
    await addUser(cms.accounts, { username: "off", password: PASSWORD, is_active: false });
    const answer = await ask("POST", "api:token-auth/", { body });
    expect([answer.status, answer.body]).toEqual([400, errors]);
  });

  it("does not answer GET", async () => {
    const { ask } = await siteWithAnna();
    const answer = await ask("GET", "api:token-auth/");
    expect([answer.status, answer.body, answer.headers.get("allow")]).toEqual([
      405,
      { detail: 'Method "GET" not allowed.' },
      "POST, OPTIONS",
    ]);
  });
});

describe("Authorization: Token", () => {
  it.each([
    ["Token", "Invalid token header. No credentials provided."],
    ["Token a b", "Invalid token header. Token string should not contain spaces."],
    ["Token 0123456789012345678901234567890123456789", "Invalid token."],
    ["token x", "Invalid token."],
  ])("%s is 401, also on public endpoints", async (authorization, detail) => {
    const { ask } = await siteWithAnna();
    for (const path of ["api:languages/", "api:pages/", "api:pages-router/"]) {
      const answer = await ask("GET", path, { headers: { authorization } });
      expect([answer.status, answer.body, answer.headers.get("www-authenticate")]).toEqual([
        401,
        { detail },
        "Session",
      ]);
    }
  });

  it("of a disabled account says so, for a valid token only", async () => {
    const { ask, cms, token } = await siteWithAnna();
    const anna = (await cms.accounts.store.findByName("anna"))!;
    const said = async (text: string) => {
      const answer = await ask("GET", "api:pages/", { headers: { authorization: `Token ${text}` } });
      return [answer.status, answer.body.detail];
    };
    const former = await tokenOf(cms.accounts, anna);
    await rotateToken(cms.accounts, anna.id);
    const annas = await tokenOf(cms.accounts, (await cms.accounts.store.find(anna.id))!);
    const superuser = { authorization: `Token ${await token("superuser")}` };
    const set = (is_active: boolean) =>
      ask("PATCH", `api:users/${anna.id}/`, { headers: superuser, body: { is_active } });
    expect((await set(false)).status).toBe(200);
    expect([await said(annas), await said(former)]).toEqual([
      [401, "User inactive or deleted."],
      [401, "Invalid token."],
    ]);
    expect((await set(true)).status).toBe(200);
    expect(await said(annas)).toEqual([401, "Invalid token."]);
  });

  it.each(["Bearer x", "Basic YTpi", "x"])("%s is ignored", async (authorization) => {
    const { ask } = await siteWithAnna();
    expect((await ask("GET", "api:languages/", { headers: { authorization } })).status).toBe(200);
    const refused = await ask("GET", "api:pages/", { headers: { authorization } });
    expect([refused.status, refused.body]).toEqual([401, { detail: "Authentication credentials were not provided." }]);
  });

  it("is accepted nowhere else", async () => {
    const { ask, token } = await siteWithAnna();
    const key = await token("staff");
    for (const query of ["token", "auth_token", "access_token", "authorization"]) {
      expect((await ask("GET", `api:pages/?${query}=${key}`)).status).toBe(401);
    }
    expect(
      (await ask("GET", "api:pages/", { headers: { cookie: `sessionid=${key}; token=${key}`, "x-token": key } }))
        .status,
    ).toBe(401);
  });

  it("takes precedence over a session, and needs no CSRF header", async () => {
    const { ask } = await siteWithAnna();
    const answer = await ask("POST", "api:pages/", {
      as: "staff",
      body: { title: "T" },
      headers: { cookie: "sessionid=forged; csrftoken=x" },
    });
    expect(answer.status).toBe(201);
  });
});
