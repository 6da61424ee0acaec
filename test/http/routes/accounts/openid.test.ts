/** Signing in by a real provider of OpenID Connect on loopback, and what an attacker tries with it. */
import { describe, expect, it } from "vitest";
import { addUser } from "../../../../src/actions/accounts/accounts.ts";
import type { SettingsInput } from "../../../../src/config.ts";
import { browserAt, openIdentityProvider } from "../../../support/identity-provider.ts";
import { memorySite, type Answer } from "../../../site.ts";
import { browserOf, PASSWORD, signIn } from "./sign-in.ts";

const CALLBACK = "/api/cms/auth/oidc/company/callback/";
const ANNA = { sub: "anna-1", preferred_username: "anna", given_name: "Anna", groups: ["web", "all"] };

process.env.TEST_OIDC_SECRET = "provider-secret";

async function siteWith(
  auth: SettingsInput["AUTH"] = {},
  roles: Record<string, string[]> = { web: ["editor"] },
  settings: SettingsInput = {},
) {
  const provider = await openIdentityProvider([
    `http://test.local${CALLBACK}`,
    `http://test.local/site${CALLBACK}`,
    `http://test.local${CALLBACK.replace("company", "other")}`,
  ]);
  const of = (NAME: string) => ({
    ...{ NAME, LABEL: "the company", ISSUER: provider.issuer, CLIENT_ID: "cms" },
    ...{
      CLIENT_SECRET: "env:TEST_OIDC_SECRET" as const,
      SCOPES: ["openid", "email", "profile"],
      GROUPS: "groups",
      ROLES: roles,
    },
  });
  const site = await memorySite({}, { ...settings, AUTH: { OIDC: [of("company"), of("other")], ...auth } });
  /** Goes to the provider and comes back. @returns the address at which the provider leads back, and the answer there */
  const visit = async (browser = browserOf(site), start = "api:auth/oidc/company/") => {
    const left = await browser.ask("GET", start);
    const back = await browserAt(provider)(left.headers.get("location")!);
    const path = back.replace("http://test.local", "");
    return { browser, left, path, answer: await browser.ask("GET", path) };
  };
  return { provider, site, visit };
}

const locationOf = ({ headers }: Answer): string | null => headers.get("location");

describe("a first sign-in", () => {
  it("of a member of a group makes an account with its roles, in a session of a day", async () => {
    const { provider, site, visit } = await siteWith();
    provider.person = { ...ANNA, email: "anna@example.org", email_verified: true };
    const { browser, left, answer } = await visit(browserOf(site), "api:auth/oidc/company/?next=/admin/pages/12");
    expect([left.status, new URL(locationOf(left)!).origin]).toEqual([302, provider.issuer]);
    expect([answer.status, locationOf(answer)]).toEqual([302, "/admin/pages/12"]);
    expect(answer.headers.getSetCookie().find((cookie) => cookie.startsWith("sessionid="))).toMatch(/Max-Age=86400;/);
    expect((await browser.ask("GET", "api:users/current/")).body).toMatchObject({
      ...{ username: "anna", first_name: "Anna", email: "anna@example.org", roles: ["editor"] },
      ...{ is_superuser: false, is_active: true },
    });
    expect((await site.ask("GET", "api:audit/?items=2&search=anna", { as: "superuser" })).body.items).toMatchObject([
      { event: "signed-in", by: "anna", detail: "company" },
      { event: "account-added", about: "anna", detail: `by ${provider.issuer}` },
    ]);
  });

  it.each([
    ["no group", []],
    ["a group without roles", ["all"]],
    ["a group by a name of every object", ["constructor", "__proto__"]],
  ])("of somebody in %s is refused", async (_what, groups) => {
    const { provider, site, visit } = await siteWith();
    provider.person = { ...ANNA, groups };
    const { browser, answer } = await visit();
    expect(locationOf(answer)).toBe("/admin/?sign-in=refused");
    expect((await browser.ask("GET", "api:users/current/")).status).toBe(401);
    expect(await site.cms.accounts.store.list()).toEqual([]);
  });

  it("takes no account over by a name or an e-mail address", async () => {
    const { provider, site, visit } = await siteWith();
    const own = { username: "anna", password: PASSWORD, email: "anna@example.org", is_superuser: true };
    await addUser(site.cms.accounts, own);
    provider.person = { ...ANNA, email: "anna@example.org", email_verified: false };
    const { browser } = await visit();
    expect((await browser.ask("GET", "api:users/current/")).body).toMatchObject({
      ...{ username: "anna-2", email: "", is_superuser: false },
    });
  });

  it.each([
    ["Anna Bianchi!", "Anna-Bianchi-"],
    ["anna@example.org", "anna@example.org"],
    [" ", "anna-1"],
    ["x".repeat(500), "x".repeat(140)],
  ])("of %j is named %s", async (preferred_username, name) => {
    const { provider, site, visit } = await siteWith();
    provider.person = { ...ANNA, preferred_username };
    await visit();
    expect((await site.cms.accounts.store.list()).map(({ username }) => username)).toEqual([name]);
  });
});

it("below a path comes back there, to the screen that was asked for", async () => {
  const { provider, site, visit } = await siteWith({}, undefined, { BASE_URL: "http://test.local/site" });
  provider.person = ANNA;
  const start = "/site/api/cms/auth/oidc/company/?next=/site/admin/pages";
  const { answer } = await visit(browserOf(site), start);
  expect(locationOf(answer)).toBe("/site/admin/pages");
});

it("in two browsers at once makes one account", async () => {
  const { provider, site, visit } = await siteWith();
  provider.person = ANNA;
  const outcomes = await Promise.all([visit(), visit()]);
  expect(await site.cms.accounts.store.list()).toHaveLength(1);
  expect(outcomes.some(({ answer }) => locationOf(answer) === "/admin/")).toBe(true);
});

describe("a further sign-in", () => {
  it("finds the account by the subject, and follows its groups", async () => {
    const { provider, site, visit } = await siteWith({}, { web: ["editor"], press: ["author"] });
    provider.person = ANNA;
    await visit();
    const other = { email: "other@example.org", email_verified: true };
    provider.person = { ...ANNA, ...other, preferred_username: "bianca", groups: ["press"] };
    await visit();
    const [anna, ...more] = await site.cms.accounts.store.list();
    expect([anna, more]).toMatchObject([{ username: "anna", roles: ["author"] }, []]);
    expect(anna!.email).not.toBe("other@example.org");
    provider.person = { ...ANNA, groups: [] };
    expect(locationOf((await visit()).answer)).toBe("/admin/?sign-in=refused");
    // Another person of the same name.
    provider.person = { ...ANNA, sub: "anna-2" };
    await visit();
    expect((await site.cms.accounts.store.list()).map(({ username }) => username)).toEqual(["anna", "anna-2"]);
  });

  it("of a disabled account is refused", async () => {
    const { provider, site, visit } = await siteWith();
    provider.person = ANNA;
    await visit();
    const [anna] = await site.cms.accounts.store.list();
    await site.ask("PATCH", `api:users/${anna!.id}/`, { as: "superuser", body: { is_active: false } });
    expect(locationOf((await visit()).answer)).toBe("/admin/?sign-in=refused");
  });
});

describe("an attacker", () => {
  it("gets no other browser signed in with an answer of the own one", async () => {
    const { provider, site, visit } = await siteWith();
    provider.person = ANNA;
    const left = await browserOf(site).ask("GET", "api:auth/oidc/company/");
    const path = (await browserAt(provider)(locationOf(left)!)).replace("http://test.local", "");
    const victim = browserOf(site);
    expect(locationOf(await victim.ask("GET", path))).toBe("/admin/?sign-in=failed");
    // Nor one that is signing in itself.
    await victim.ask("GET", "api:auth/oidc/company/");
    expect(locationOf(await victim.ask("GET", path))).toBe("/admin/?sign-in=failed");
    expect((await victim.ask("GET", "api:users/current/")).status).toBe(401);
    provider.person = null;
    expect(locationOf((await visit()).answer)).toBe("/admin/?sign-in=failed");
  });

  it("uses no code twice, with the cookie of the first time", async () => {
    const { provider, site } = await siteWith();
    provider.person = ANNA;
    const browser = browserOf(site);
    const left = await browser.ask("GET", "api:auth/oidc/company/");
    const kept = new Map(browser.cookies);
    const path = (await browserAt(provider)(locationOf(left)!)).replace("http://test.local", "");
    expect(locationOf(await browser.ask("GET", path))).toBe("/admin/");
    expect([...browser.cookies.keys()]).not.toContain("cms_oidc_company");
    const again = browserOf(site);
    for (const [name, value] of kept) again.cookies.set(name, value);
    expect(locationOf(await again.ask("GET", path))).toBe("/admin/?sign-in=failed");
  });

  it("answers for no other provider, with no changed state, and not too late", async () => {
    const { provider, site } = await siteWith();
    provider.person = ANNA;
    const browser = browserOf(site);
    const left = await browser.ask("GET", "api:auth/oidc/company/");
    const path = (await browserAt(provider)(locationOf(left)!)).replace("http://test.local", "");
    const sealed = browser.cookies.get("cms_oidc_company")!;
    const attempt = async (cookies: Record<string, string>, to: string): Promise<string | null> => {
      const other = browserOf(site);
      for (const [name, value] of Object.entries(cookies)) other.cookies.set(name, value);
      return locationOf(await other.ask("GET", to));
    };
    const failed = "/admin/?sign-in=failed";
    expect(await attempt({ cms_oidc_other: sealed }, path.replace("company", "other"))).toBe(failed);
    expect(await attempt({ cms_oidc_company: sealed }, path.replace(/state=[^&]+/, "state=x"))).toBe(failed);
    expect(
      await attempt({ cms_oidc_company: sealed }, path.replace(/iss=[^&]+/, "iss=https%3A%2F%2Fevil.example")),
    ).toBe(failed);
    expect(
      await attempt({ cms_oidc_company: `${sealed.slice(0, -1)}${sealed.endsWith("A") ? "B" : "A"}x` }, path),
    ).toBe(failed);
    expect(await attempt({ cms_oidc_company: "" }, path)).toBe(failed);
    site.clock.tick(10 * 60_000);
    expect(await attempt({ cms_oidc_company: sealed }, path)).toBe(failed);
    expect(await site.cms.accounts.store.list()).toEqual([]);
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/admin//evil.example",
    "/admin/../../evil",
    "/admin/\\evil",
    "/api/cms/auth/logout/",
    "/adminevil",
    "javascript:alert(1)",
    "/admin/\r\nSet-Cookie: a=b",
  ])("leads nobody to %j", async (next) => {
    const { provider, visit } = await siteWith();
    provider.person = ANNA;
    const { answer } = await visit(undefined, `api:auth/oidc/company/?next=${encodeURIComponent(next)}`);
    expect(locationOf(answer)).toBe("/admin/");
  });
});

describe("what is sensitive", () => {
  it("needs a proof at the provider, which a session that it knows is not", async () => {
    const { provider, site, visit } = await siteWith();
    provider.person = ANNA;
    site.clock.set("2100-01-01T00:00:00Z"); // long after the provider asked, by the real clock
    const { browser } = await visit();
    const make = () => browser.ask("POST", "api:users/current/tokens/", { body: { name: "deploy" } });
    expect((await make()).body.code).toBe("unconfirmed");
    const before = provider.proofs();
    site.clock.set(new Date().toISOString());
    await visit(browser, "api:auth/oidc/company/?proof=1");
    expect([provider.proofs() > before, (await make()).status]).toEqual([true, 201]);
  });
});

describe("an account that is there", () => {
  it("is connected by its owner, and signs in by both from then on", async () => {
    const { provider, site, visit } = await siteWith({}, {});
    provider.person = ANNA;
    expect(locationOf((await visit()).answer)).toBe("/admin/?sign-in=refused");
    const browser = await signIn(site, "root", { is_superuser: true });
    const { body } = await browser.ask("POST", "api:auth/oidc/company/", { body: { next: "/admin/profile" } });
    const path = (await browserAt(provider)(body.url)).replace("http://test.local", "");
    // Not in the session of somebody else.
    const other = await signIn(site, "bruno");
    other.cookies.set("cms_oidc_company", browser.cookies.get("cms_oidc_company")!);
    expect(locationOf(await other.ask("GET", path))).toBe("/admin/?sign-in=refused");
    const again = await browser.ask("POST", "api:auth/oidc/company/", { body: { next: "/admin/profile" } });
    const back = (await browserAt(provider)(again.body.url)).replace("http://test.local", "");
    expect(locationOf(await browser.ask("GET", back))).toBe("/admin/profile");
    const { browser: fresh } = await visit();
    expect((await fresh.ask("GET", "api:users/current/")).body).toMatchObject({ username: "root", is_superuser: true });
    // The identity is nobody else's from now on.
    const stolen = await other.ask("POST", "api:auth/oidc/company/", { body: {} });
    const taken = (await browserAt(provider)(stolen.body.url)).replace("http://test.local", "");
    expect(locationOf(await other.ask("GET", taken))).toBe("/admin/?sign-in=refused");
  });

  it("is connected in a session alone", async () => {
    const { site } = await siteWith();
    expect((await site.ask("POST", "api:auth/oidc/company/", { as: "staff", body: {} })).status).toBe(403);
  });
});

describe("AUTH.ONLY_OIDC", () => {
  it("refuses passwords everywhere, and says what to use", async () => {
    const { provider, site, visit } = await siteWith({ ONLY_OIDC: true });
    provider.person = ANNA;
    await addUser(site.cms.accounts, { username: "root", password: PASSWORD, is_superuser: true });
    const credentials = { username: "root", password: PASSWORD };
    const { browser } = await visit();
    for (const [path, body] of [
      ["auth/login/", credentials],
      ["token-auth/", credentials],
      ["auth/confirm/", { password: PASSWORD }],
      ["auth/password/", { current_password: PASSWORD, password: "another horse" }],
    ] as const)
      expect([path, await browser.ask("POST", `api:${path}`, { body })]).toMatchObject([
        path,
        { status: 403, body: { detail: "Accounts sign in here by the company alone." } },
      ]);
    expect((await site.ask("GET", "api:auth/means/")).body).toEqual({
      passwords: false,
      providers: [
        { name: "company", label: "the company" },
        { name: "other", label: "the company" },
      ],
    });
  });
});

it("a provider that does not answer is 503, and one that there is not is 404", async () => {
  const { provider, site } = await siteWith();
  provider.close();
  const { status, body } = await site.ask("GET", "api:auth/oidc/company/");
  expect([status, body]).toEqual([503, { detail: "the company does not answer just now." }]);
  expect((await site.ask("GET", "api:auth/oidc/nothing/")).status).toBe(404);
});
