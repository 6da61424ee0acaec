/** Passkeys with a device in software, and what an attacker tries. `test/browser/accounts` has them in a browser. */
import { describe, expect, it } from "vitest";
import { removeProofs } from "../../../../src/actions/accounts/accounts.ts";
import { authenticator } from "../../../support/authenticator.ts";
import { memorySite } from "../../../site.ts";
import { browserOf, signIn, type Browser } from "./sign-in.ts";

const PATH = "api:users/current/passkeys/";
const ORIGIN = "http://test.local";

async function addTo(browser: Browser, device = authenticator(ORIGIN), name = "Laptop") {
  const options = (await browser.ask("POST", `${PATH}new/`)).body;
  return browser.ask("POST", PATH, { body: { name, response: device.create(options) } });
}

async function siteWith(settings = {}) {
  const site = await memorySite({}, settings);
  const device = authenticator(ORIGIN);
  const anna = await signIn(site, "anna", { is_superuser: true });
  const added = await addTo(anna, device);
  /** Begins in a browser and lets the device answer. @returns the browser, the answer, and a function that sends it */
  const answer = async (browser = browserOf(site)) => {
    const response = device.get((await browser.ask("POST", "api:auth/passkey/new/")).body);
    return { browser, response, send: () => browser.ask("POST", "api:auth/passkey/", { body: { response } }) };
  };
  return { site, device, anna, added, answer };
}

const REFUSED = { response: ["This passkey does not sign in here."] };

describe("a passkey", () => {
  it("signs in without name and password, and is listed and removed by its owner", async () => {
    const { site, anna, added, answer } = await siteWith();
    expect([added.status, added.body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: "Laptop",
        host: "test.local",
        created_at: "2026-03-01T12:00:00Z",
        last_used_at: null,
      },
    ]);
    const { browser, send } = await answer();
    expect((await send()).body).toEqual({ detail: "Logged in" });
    expect((await browser.ask("GET", "api:users/current/")).body.username).toBe("anna");
    const listed = (await anna.ask("GET", PATH)).body;
    expect(listed).toEqual([{ ...added.body, last_used_at: "2026-03-01T12:00:00Z" }]);
    const bruno = await signIn(site, "bruno");
    expect((await bruno.ask("DELETE", `${PATH}${added.body.id}/`)).status).toBe(404);
    expect((await anna.ask("DELETE", `${PATH}${added.body.id}/`)).status).toBe(204);
    const after = await (await answer()).send();
    expect([after.status, after.body]).toEqual([400, REFUSED]);
    const events = (await site.ask("GET", "api:audit/?search=passkey", { as: "superuser" })).body as {
      event: string;
    }[];
    expect(events.map(({ event }) => event)).toEqual([
      "sign-in-refused",
      "passkey-removed",
      "signed-in",
      "passkey-added",
    ]);
  });

  it("confirms what is sensitive in the session of its account, and of no other", async () => {
    const { site, anna, device } = await siteWith();
    const bruno = await signIn(site, "bruno");
    site.clock.tick(16 * 60_000);
    const confirm = async (browser: Browser) => {
      const response = device.get((await browser.ask("POST", "api:auth/passkey/new/")).body);
      return browser.ask("POST", "api:auth/confirm/", { body: { response } });
    };
    expect((await anna.ask("POST", `${PATH}new/`)).body.code).toBe("unconfirmed");
    expect((await confirm(bruno)).body).toEqual({ response: ["This passkey is of another account."] });
    expect((await bruno.ask("POST", `${PATH}new/`)).status).toBe(403);
    expect((await confirm(anna)).status).toBe(200);
    expect((await anna.ask("POST", `${PATH}new/`)).status).toBe(200);
  });

  it("ends with the account, and with a reset", async () => {
    const { site, answer } = await siteWith();
    const { id } = (await site.cms.accounts.store.findByName("anna"))!;
    await site.ask("PATCH", `api:users/${id}/`, { as: "superuser", body: { is_active: false } });
    expect((await (await answer()).send()).body).toEqual(REFUSED);
    await site.ask("PATCH", `api:users/${id}/`, { as: "superuser", body: { is_active: true } });
    expect((await (await answer()).send()).status).toBe(200);
    expect([await removeProofs(site.cms.accounts, id), await removeProofs(site.cms.accounts, id)]).toEqual([
      true,
      false,
    ]);
    expect((await (await answer()).send()).body).toEqual(REFUSED);
  });

  it.each([
    [{ name: "" }, "name"],
    [{ name: "Laptop" }, "response"],
    [{ name: "Laptop", response: { id: 1 } }, "response"],
    [{ name: "Laptop", response: "x" }, "response"],
  ])("is not added by %j", async (body, field) => {
    const anna = await signIn(await memorySite(), "anna");
    await anna.ask("POST", `${PATH}new/`);
    const { status, body: errors } = await anna.ask("POST", PATH, { body });
    expect([status, Object.keys(errors)]).toEqual([400, [field]]);
  });

  it("is added once, and not more than twenty", async () => {
    const { anna, device } = await siteWith();
    expect((await addTo(anna, device)).body).toEqual({ response: ["This passkey is known already."] });
    for (let at = 1; at < 20; at++) expect((await addTo(anna)).status).toBe(201);
    expect((await addTo(anna)).status).toBe(409);
  });
});

describe("an attacker", () => {
  it("gains nothing by an answer that was sent before, even with the cookie of its sign-in", async () => {
    const { site, answer } = await siteWith();
    const { browser, response, send } = await answer();
    const cookies = new Map(browser.cookies);
    expect((await send()).status).toBe(200);
    const again = browserOf(site);
    for (const [name, value] of cookies) again.cookies.set(name, value);
    expect((await again.ask("POST", "api:auth/passkey/", { body: { response } })).status).toBe(400);
    expect((await browserOf(site).ask("POST", "api:auth/passkey/", { body: { response } })).status).toBe(400);
  });

  it.each<[string, (at: Awaited<ReturnType<typeof siteWith>>) => unknown]>([
    ["of another site", ({ device }) => (device.origin = "https://evil.example")],
    ["of another port", ({ device }) => (device.origin = "http://test.local:81")],
    ["of a device that did not ask its owner", ({ device }) => (device.verifies = false)],
    ["of a copy of the device, whose counter is behind", ({ device }) => (device.counter = 1)],
  ])("signs in by no answer %s", async (_what, tamper) => {
    const at = await siteWith();
    expect((await (await at.answer()).send()).status).toBe(200);
    tamper(at);
    const { browser, send } = await at.answer();
    expect((await send()).body).toEqual(REFUSED);
    expect((await browser.ask("GET", "api:users/current/")).status).toBe(401);
  });

  it("signs in by no challenge that is old, or was for adding a passkey", async () => {
    const { site, anna, device, answer } = await siteWith();
    const late = await answer();
    site.clock.tick(10 * 60_000);
    expect((await late.send()).body).toEqual({ response: ["This took too long, or began in another browser."] });
    const { challenge } = (await anna.ask("POST", `${PATH}new/`)).body;
    const other = browserOf(site);
    other.cookies.set("cms_passkey_sign_in", anna.cookies.get("cms_passkey")!);
    const response = device.get({ challenge, rpId: "test.local" });
    expect((await other.ask("POST", "api:auth/passkey/", { body: { response } })).status).toBe(400);
  });

  it("adds no passkey of the own account to a session of another, nor from another site", async () => {
    const { site, anna } = await siteWith();
    const bruno = await signIn(site, "bruno");
    const device = authenticator(ORIGIN);
    const options = (await bruno.ask("POST", `${PATH}new/`)).body;
    anna.cookies.set("cms_passkey", bruno.cookies.get("cms_passkey")!);
    const planted = await anna.ask("POST", PATH, { body: { name: "x", response: device.create(options) } });
    expect(planted.body).toEqual({ response: ["This took too long, or began in another browser."] });
    expect((await addTo(bruno, authenticator("https://evil.example"))).status).toBe(400);
    const headers = { origin: "https://evil.example" };
    expect((await site.ask("POST", "api:auth/passkey/", { body: {}, headers })).status).toBe(403);
  });

  it("is slowed down", async () => {
    const { site } = await siteWith();
    const browser = browserOf(site);
    await browser.ask("POST", "api:auth/passkey/new/");
    const guess = () =>
      browser.ask("POST", "api:auth/passkey/", { body: { response: { id: "x" } }, from: "192.0.2.7" });
    for (let at = 0; at < 10; at++) expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
  });
});

it("AUTH.ONLY_OIDC takes no passkeys", async () => {
  const OIDC = [{ NAME: "company", LABEL: "Company", ISSUER: "https://login.example", CLIENT_ID: "cms" }];
  const site = await memorySite({}, { AUTH: { ONLY_OIDC: true, OIDC: OIDC as never } });
  for (const path of ["api:auth/passkey/new/", "api:auth/passkey/"])
    expect((await site.ask("POST", path, { body: { response: {} } })).status).toBe(403);
});
