/** One-time codes and recovery codes; the app is an implementation of others. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as OTPAuth from "otpauth";
import { describe, expect, it } from "vitest";
import { codeAt, base32Of, secretOf, stepOfCode } from "../../../../src/model/account/one-time-code.ts";
import { parseInstant } from "../../../../src/model/time/instant.ts";
import { memorySite, type MemorySite } from "../../../site.ts";
import { PASSWORD, signIn, type Browser } from "./sign-in.ts";

const PATH = "api:users/current/codes/";

async function withCodes(account = {}) {
  const site = await memorySite({}, { SITE_NAME: "The pier" });
  const browser = await signIn(site, "anna", account);
  const { secret, uri } = (await browser.ask("POST", `${PATH}new/`)).body;
  const app = OTPAuth.URI.parse(uri) as OTPAuth.TOTP;
  const code = (): string => app.generate({ timestamp: Date.parse(site.clock.now()) });
  const on = await browser.ask("POST", PATH, { body: { secret, code: code() } });
  return { site, browser, app, code, uri: String(uri), on, recovery: on.body.recovery_codes as string[] };
}

const logIn = (site: MemorySite, more: object) =>
  site.ask("POST", "api:auth/login/", { body: { username: "anna", password: PASSWORD, ...more } });

describe("the code of a step", () => {
  // RFC 6238, appendix B, the last six of its eight digits.
  const secret = Buffer.from("12345678901234567890");
  it.each([
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ])("at %i s is %s", (seconds, code) => expect(codeAt(secret, Math.floor(seconds / 30))).toBe(code));

  // oxfmt-ignore
  it.each([
    // steps away  last  holds
    [ 0,             -1, true],
    [-1,             -2, true],
    [ 1,             -1, true],
    [-2,             -1, false],
    [ 2,             -1, false],
    [ 0,              0, false], // it was used
    [-1,              0, false], // an older one than that
    [ 1,              0, true],
  ])("%i steps away, where step %i was used: %s", (away, last, holds) => {
    const now = parseInstant("2026-03-01T12:00:10Z")!;
    const step = Math.floor(Date.parse(now) / 30_000);
    expect(stepOfCode(secret, codeAt(secret, step + away), now, step + last) !== undefined).toBe(holds);
  });

  it.each(["", "12345", "1234567", "abcdef", "１２３４５６"])("is not %j", (code) =>
    expect(stepOfCode(secret, code, parseInstant("2026-03-01T12:00:10Z")!, 0)).toBeUndefined(),
  );

  it("has a secret that survives its text form", () => {
    expect([base32Of(secret), secretOf(base32Of(secret))]).toEqual(["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", secret]);
    expect([secretOf("A"), secretOf("1".repeat(32))]).toEqual([undefined, undefined]);
  });
});

describe("an account with one-time codes", () => {
  it("signs in with password and code, each code once", async () => {
    const { site, code, on, uri } = await withCodes();
    expect([on.status, on.body.recovery_codes.length, new Set(on.body.recovery_codes).size]).toEqual([200, 10, 10]);
    expect(uri).toMatch(/^otpauth:\/\/totp\/The%20pier%3Aanna\?secret=[A-Z2-7]{32}&issuer=The%20pier$/);
    const none = await logIn(site, {});
    expect([none.status, none.body]).toEqual([400, { code: ["This field is required."] }]);
    expect((await logIn(site, { code: "000000" })).body).toEqual({ code: ["This code does not hold."] });
    expect((await logIn(site, { code: code() })).status).toBe(400); // it turned codes on
    site.clock.tick(30_000);
    expect((await logIn(site, { code: code(), password: "wrong" })).body).toHaveProperty("non_field_errors");
    expect((await logIn(site, { code: code() })).status).toBe(200);
    expect((await logIn(site, { code: code() })).status).toBe(400);
    site.clock.tick(30_000);
    const token = await site.ask("POST", "api:token-auth/", { body: { username: "anna", password: PASSWORD } });
    expect([token.status, token.body]).toEqual([400, { code: ["This field is required."] }]);
    const form = new URLSearchParams({ username: "anna", password: PASSWORD, code: code() }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await site.ask("POST", "api:token-auth/", { body: form, headers })).status).toBe(200);
  });

  it("loses its telephone: each recovery code signs in once", async () => {
    const { site, browser, recovery } = await withCodes();
    expect((await logIn(site, { code: ` ${recovery[3]!.toUpperCase()} ` })).status).toBe(200);
    expect((await logIn(site, { code: recovery[3] })).status).toBe(400);
    expect((await browser.ask("GET", PATH)).body).toEqual({ is_on: true, recovery_codes_left: 9 });
    const file = readFileSync(join(site.cms.store.repo.stateDir, "proofs.json"), "utf8");
    expect(recovery.filter((code) => file.includes(code))).toEqual([]);
    expect(
      (await site.ask("GET", "api:audit/?search=co", { as: "superuser" })).body.map((e: { event: string }) => e.event),
    ).toEqual(expect.arrayContaining(["codes-on", "recovery-code-used"]));
  });

  it("is slowed down at codes as at passwords", async () => {
    const { site } = await withCodes();
    const from = "192.0.2.7";
    const guess = (code: number) =>
      site.ask("POST", "api:auth/login/", {
        body: { username: "anna", password: PASSWORD, code: String(code).padStart(6, "0") },
        from,
      });
    for (let at = 0; at < 10; at++) expect((await guess(at)).status).toBe(400);
    expect((await guess(10)).status).toBe(429);
  });

  it("confirms with both, and turns codes off where it has proved who it is", async () => {
    const { site, browser, code } = await withCodes();
    site.clock.tick(16 * 60_000);
    expect((await browser.ask("DELETE", PATH)).body.code).toBe("unconfirmed");
    const confirm = (more: object) =>
      browser.ask("POST", "api:auth/confirm/", { body: { password: PASSWORD, ...more } });
    expect((await confirm({})).body).toEqual({ code: ["This field is required."] });
    expect((await confirm({ code: code() })).status).toBe(200);
    expect((await browser.ask("DELETE", PATH)).status).toBe(204);
    expect((await logIn(site, {})).status).toBe(200);
  });

  it("is let in by no damage of the file", async () => {
    const { site } = await withCodes();
    const file = join(site.cms.store.repo.stateDir, "proofs.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"account"', '"acount"'));
    expect((await logIn(site, {})).status).toBe(503);
  });

  it.each([
    [{ secret: "short", code: "123456" }, "secret"],
    [{ secret: "A".repeat(32), code: "123456" }, "code"],
    [{}, "secret"],
  ])("is not turned on by %j", async (body, field) => {
    const { browser }: { browser: Browser } = { browser: await signIn(await memorySite(), "anna") };
    const { status, body: errors } = await browser.ask("POST", PATH, { body });
    expect([status, Object.keys(errors)[0]]).toEqual([400, field]);
  });
});
