/** Named tokens: made once, narrowed, ended; and what no rule of theirs can open. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addUser, rotateToken, setPassword } from "../../../../src/actions/accounts/accounts.ts";
import { addNamedToken } from "../../../../src/actions/accounts/named-tokens.ts";
import { refuseToNamedToken } from "../../../../src/http/app/named-token.ts";
import { ROUTER_ROUTES } from "../../../../src/http/public/routers.ts";
import { API_ROUTES } from "../../../../src/http/routes/api-routes.ts";
import { NO_RIGHTS } from "../../../../src/model/account/account.ts";
import { READING, type NewNamedToken } from "../../../../src/model/account/named-token.ts";
import { parseInstant } from "../../../../src/model/time/instant.ts";
import { memorySite, type Answer, type MemorySite } from "../../../site.ts";
import { PASSWORD, signIn } from "./sign-in.ts";

const DAY = 24 * 3600 * 1000;
const PATH = "api:users/current/tokens/";

/** A site with the account anna, of staff, and a token of hers. */
async function siteWith(token: Partial<NewNamedToken> = {}) {
  const site = await memorySite();
  const anna = await addUser(site.cms.accounts, { username: "anna", password: PASSWORD, is_staff: true });
  const made = await addNamedToken(site.cms.accounts, anna, {
    name: "deploy",
    expires_at: null,
    rules: null,
    ...token,
  });
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    site.ask(method, path, { body, headers: { authorization: `Token ${made.token}` } });
  return { site, anna, made, ask };
}

const fileOf = (site: MemorySite): string => join(site.cms.store.repo.stateDir, "named-tokens.json");

describe("users/current/tokens/", () => {
  it("makes a token that is shown once, stored as a hash, listed and revoked", async () => {
    const site = await memorySite();
    const anna = await signIn(site, "anna", { is_staff: true });
    const body = { name: " deploy ", expires_at: "2026-06-01T00:00:00Z", rules: [{ may: ["view"], models: ["page"] }] };
    const made = await anna.ask("POST", PATH, { body });
    const shown = {
      ...{ id: expect.stringMatching(/^[\w-]{12}$/), name: "deploy", rules: body.rules },
      ...{ created_at: "2026-03-01T12:00:00Z", expires_at: "2026-06-01T00:00:00Z", last_used_at: null },
    };
    expect([made.status, made.body]).toEqual([201, { ...shown, token: expect.stringMatching(/^cms_[\w-]{43}$/) }]);
    expect((await anna.ask("GET", PATH)).body).toEqual([shown]);
    expect(readFileSync(fileOf(site), "utf8")).not.toContain(made.body.token.slice(4));
    const headers = { authorization: `Token ${made.body.token}` };
    expect((await site.ask("GET", "api:pages/", { headers })).status).toBe(200);
    const bruno = await signIn(site, "bruno");
    expect((await bruno.ask("DELETE", `${PATH}${made.body.id}/`)).status).toBe(404);
    expect((await bruno.ask("GET", PATH)).body).toEqual([]);
    expect((await anna.ask("DELETE", `${PATH}${made.body.id}/`)).status).toBe(204);
    expect((await site.ask("GET", "api:pages/", { headers })).body).toEqual({ detail: "Invalid token." });
    expect((await site.ask("GET", "api:audit/?search=token-", { as: "superuser" })).body).toMatchObject([
      { event: "token-removed", by: "anna", detail: "deploy" },
      { event: "token-added", by: "anna", detail: "deploy" },
    ]);
  });

  it.each([
    [{}, { name: ["This field is required."] }],
    [{ name: "" }, { name: ["This field may not be blank."] }],
    [{ name: "deploy" }, { name: ["A token with this name already exists."] }],
    [
      { name: "a", expires_at: "2026-03-01T12:00:00Z" },
      { expires_at: ["Expected a moment within the next 10 years."] },
    ],
    [
      { name: "a", expires_at: "2126-03-01T12:00:00Z" },
      { expires_at: ["Expected a moment within the next 10 years."] },
    ],
    [{ name: "a", rules: [] }, { rules: ["A token without a rule may nothing: null leaves it wide."] }],
    [{ name: "a", rules: [{ may: [] }] }, { rules: { 0: { may: ["A list of 1 to 200 names is expected."] } } }],
    [{ name: "a", rules: {} }, { rules: ["A list of at most 200 rules is expected."] }],
    [{ name: "a", scope: "all" }, { scope: ["Unknown field."] }],
  ])("refuses %j", async (body, errors) => {
    const { site } = await siteWith();
    const anna = await signIn(site, "anna");
    const { status, body: refused } = await anna.ask("POST", PATH, { body });
    expect([status, refused]).toEqual([400, errors]);
  });

  it("asks a session again who it is, and refuses a fifty-first", async () => {
    const { site, anna } = await siteWith();
    const browser = await signIn(site, "anna");
    for (let at = 1; at < 50; at++)
      await addNamedToken(site.cms.accounts, anna, { name: `n${at}`, expires_at: null, rules: null });
    expect((await browser.ask("POST", PATH, { body: { name: "more" } })).status).toBe(409);
    site.clock.tick(16 * 60_000);
    expect((await browser.ask("POST", PATH, { body: { name: "more" } })).body.code).toBe("unconfirmed");
    expect((await browser.ask("DELETE", `${PATH}none/`)).body.code).toBe("unconfirmed");
  });
});

describe("a named token", () => {
  it.each<[string, (at: Awaited<ReturnType<typeof siteWith>>) => unknown]>([
    ["its end", ({ site }) => site.clock.tick(30 * DAY)],
    ["a new password", ({ site, anna }) => setPassword(site.cms.accounts, anna.id, "another horse")],
    ["a new token of the account", ({ site, anna }) => rotateToken(site.cms.accounts, anna.id)],
    [
      "being disabled",
      ({ site, anna }) => site.ask("PATCH", `api:users/${anna.id}/`, { as: "superuser", body: { is_active: false } }),
    ],
    ["removal", ({ site, anna }) => site.ask("DELETE", `api:users/${anna.id}/`, { as: "superuser" })],
    ["a file that is damaged", ({ site }) => writeFileSync(fileOf(site), '[{"rules": null}]')],
  ])("ends with %s", async (_what, end) => {
    const at = await siteWith({ expires_at: parseInstant("2026-03-31T12:00:00Z")! });
    expect((await at.ask("GET", "api:pages/")).status).toBe(200);
    await at.site.cms.accounts.namedTokens.settled();
    await end(at);
    expect((await at.ask("GET", "api:pages/")).status).toBe(401);
  });

  it("is not widened by damage of its rules", async () => {
    const { site, ask } = await siteWith({ rules: READING });
    const text = readFileSync(fileOf(site), "utf8");
    writeFileSync(fileOf(site), text.replace(/"rules": \[[^\]]*\][^\]]*\]/, '"rules": "view"'));
    expect((await ask("GET", "api:pages/")).status).toBe(401);
  });

  it.each(["cms_", `cms_${"a".repeat(43)}`, `cms_${"a".repeat(42)}`])("%s opens nothing", async (token) => {
    const { site } = await siteWith();
    const headers = { authorization: `Token ${token}` };
    expect((await site.ask("GET", "api:pages/", { headers })).body).toEqual({ detail: "Invalid token." });
  });

  it("tells its last use, by one write an hour", async () => {
    const { site, ask } = await siteWith();
    const anna = await signIn(site, "anna");
    const used = async (): Promise<string> => {
      await site.cms.accounts.namedTokens.settled();
      return (await anna.ask("GET", PATH)).body[0].last_used_at;
    };
    await ask("GET", "api:pages/");
    expect(await used()).toBe("2026-03-01T12:00:00Z");
    site.clock.tick(59 * 60_000);
    const before = readFileSync(fileOf(site), "utf8");
    await ask("GET", "api:pages/");
    expect([await used(), readFileSync(fileOf(site), "utf8")]).toEqual(["2026-03-01T12:00:00Z", before]);
    site.clock.tick(60_000);
    await ask("GET", "api:pages/");
    expect(await used()).toBe("2026-03-01T13:00:00Z");
  });

  it("may what its account may, but for what is sensitive", async () => {
    const { ask, made } = await siteWith();
    expect((await ask("POST", "api:pages/", { title: "T" })).status).toBe(201);
    for (const [method, path] of [
      ["POST", PATH],
      ["DELETE", `${PATH}${made.id}/`],
      ["POST", "api:auth/password/"],
      ["DELETE", "api:users/current/sessions/"],
    ] as const)
      expect([path, (await ask(method, path, {})).body]).toEqual([
        path,
        { detail: "Named tokens may not do what is sensitive." },
      ]);
  });

  it("that reads only, reads only", async () => {
    const { ask } = await siteWith({ rules: READING });
    expect((await ask("GET", "api:pages/")).status).toBe(200);
    expect((await ask("GET", "api:users/current/")).body.username).toBe("anna");
    const refused = await ask("POST", "api:pages/", { title: "T" });
    expect([refused.status, refused.body]).toEqual([403, { detail: "This token may only read." }]);
  });
});

/** What a narrowed token may ask for, however wide its rules are: nothing else, and no new route by itself. */
describe("a narrowed token at the door", () => {
  const all = [...API_ROUTES, ...ROUTER_ROUTES].filter(({ isAliased }) => !isAliased);
  const opens = (rules: NonNullable<NewNamedToken["rules"]>): string[] =>
    all
      .filter((route) => {
        try {
          refuseToNamedToken(route, { ...NO_RIGHTS, narrowedBy: rules });
          return route.access !== "public";
        } catch {
          return false;
        }
      })
      .map(({ method, path }) => `${method} ${path}`);

  it("finds content, the own account and the roles", () => {
    const wide = opens([{ may: ["view", "create", "edit", "publish", "trash", "delete", "propose", "comment"] }]);
    const firsts = [...new Set(wide.map((route) => route.split(" ")[1]!.split("/")[0]!))].sort();
    expect(firsts.join(" ")).toBe(
      "articles block-types contents media media-folder media-folders menus meta-instances meta-types models page-models page-tree pages pages-router-preview redirects releases reviews roles search tags templates threads users",
    );
    expect(wide.filter((route) => route.includes("users"))).toEqual(["GET users/current"]);
  });

  it("changes nothing with rules that only read", () => {
    expect(opens(READING).filter((route) => !route.startsWith("GET "))).toEqual([]);
  });
});
