import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  addUser,
  openAccounts,
  removeUser,
  rotateToken,
  setPassword,
  type Accounts,
} from "../../src/actions/accounts/accounts.ts";
import { authenticate, tokenOf } from "../../src/actions/accounts/sign-in.ts";
import { ownerOfToken } from "../../src/actions/accounts/token-owner.ts";
import { silentLog, type Env } from "../../src/env.ts";
import { instantOf } from "../../src/model/time/instant.ts";
import { processorTimer } from "../support/processor-time.ts";

const CHEAP = { N: 16, r: 1, p: 1 };
const PASSWORD = "correct horse";

let dir: string;
let ids: number[];
let accounts: Accounts;
const env: Env = {
  now: () => instantOf(Date.UTC(2026, 2, 1)),
  elapsed: () => 0,
  hasStepped: () => false,
  randomId: () => ids.shift()!,
  uuid: () => "",
  log: silentLog,
};
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), "cms-accounts-")), "state");
  ids = [41, 42, 43, 44];
  accounts = openAccounts(dir, env, { cost: CHEAP });
});
afterEach(() => rmSync(join(dir, ".."), { recursive: true, force: true }));

const add = (username: string, more = {}): ReturnType<typeof addUser> =>
  addUser(accounts, { username, password: PASSWORD, ...more });

const refused = { code: "invalid", fields: { non_field_errors: ["Unable to log in with provided credentials."] } };

describe("addUser", () => {
  it("creates an account that is stored", async () => {
    const made = await add("anna", { email: "anna@example.com", is_staff: true });
    expect(made).toEqual({
      id: 41,
      username: "anna",
      email: "anna@example.com",
      first_name: "",
      last_name: "",
      is_staff: true,
      is_superuser: false,
      is_active: true,
      user_permissions: null,
      roles: [],
      password: expect.stringMatching(/^scrypt\$16\$1\$1\$[\w-]{22}\$[\w-]{43}$/),
      token_version: 1,
      has_token: false,
      date_joined: "2026-03-01T00:00:00.000Z",
      last_login: null,
    });
    expect(await openAccounts(dir, env).store.list()).toEqual([made]);
    expect(statSync(join(dir, "accounts.json")).mode & 0o777).toBe(0o600);
  });

  it("draws another id when one is taken", async () => {
    ids = [41, 41, 7];
    await add("anna");
    expect((await add("bruno")).id).toBe(7);
  });

  it("reports all errors at once", async () => {
    const failure = addUser(accounts, { username: "a b", password: "1234", email: "nowhere" });
    await expect(failure).rejects.toMatchObject({
      code: "invalid",
      fields: {
        username: [expect.any(String)],
        email: [expect.any(String)],
        password: [expect.any(String), expect.any(String)],
      },
    });
    expect(await accounts.store.list()).toEqual([]);
  });

  it("rejects a taken name, ignoring case", async () => {
    await add("anna");
    await expect(add("Anna")).rejects.toMatchObject({
      fields: { username: ["A user with that username already exists."] },
    });
  });

  it("stores neither the password nor a token", async () => {
    const anna = await add("anna");
    const token = await tokenOf(accounts, anna);
    const kept = readFileSync(join(dir, "accounts.json"), "utf8");
    expect(kept).not.toContain(PASSWORD);
    expect(kept).not.toContain(token);
  });
});

describe("authenticate", () => {
  it("accepts name and password, and sets last_login", async () => {
    const anna = await add("anna");
    expect(await authenticate(accounts, "ANNA", PASSWORD)).toEqual({ ...anna, last_login: env.now() });
  });

  it("treats composed and decomposed characters as equal", async () => {
    await addUser(accounts, { username: "anna", password: "caff\u00e8 nero" });
    expect(await authenticate(accounts, "anna", "caffe\u0300 nero")).toMatchObject({ id: 41 });
  });

  it.each([
    ["a wrong password", "anna", "wrong horse"],
    ["no password", "anna", ""],
    ["an unknown name", "nobody", PASSWORD],
    ["a disabled account", "off", PASSWORD],
    ["a password beyond measure", "anna", "x".repeat(1025)],
    ["a name from the prototype", "constructor", PASSWORD],
  ])("refuses %s with the same answer", async (_what, username, password) => {
    await add("anna");
    await add("off", { is_active: false });
    await expect(authenticate(accounts, username, password)).rejects.toMatchObject(refused);
  });

  it("does the same work for unknown and known names", async () => {
    await add("anna");
    const asked: (string | null)[] = [];
    const { hasher } = accounts;
    const watched = {
      ...accounts,
      hasher: {
        ...hasher,
        matches: (password: string, stored: string | null) => {
          asked.push(stored && "a hash");
          return hasher.matches(password, stored);
        },
      },
    };
    await expect(authenticate(watched, "nobody", PASSWORD)).rejects.toMatchObject(refused);
    await expect(authenticate(watched, "anna", "wrong horse")).rejects.toMatchObject(refused);
    expect(asked).toEqual([null, "a hash"]);
  });

  it("never matches an invalid hash", async () => {
    for (const stored of [null, "", PASSWORD, "scrypt$15$1$1$AAAA$AAAA", "scrypt$16$1$1$AAAA$"]) {
      expect(await accounts.hasher.matches(PASSWORD, stored)).toBe(false);
    }
  });

  it.each(["scrypt$1048576$32$99", "scrypt$65536$8$99", "scrypt$524288$8$1"])(
    "computes no stored hash as costly as %s",
    async (cost) => {
      const [salt, hash] = [16, 32].map((length) => Buffer.alloc(length).toString("base64url"));
      const used = processorTimer();
      expect(await accounts.hasher.matches(PASSWORD, `${cost}$${salt}$${hash}`)).toBe(false);
      expect(used()).toBeLessThan(1000);
    },
  );

  // By `hashlib.pbkdf2_hmac` of Python, which Django uses.
  const DJANGO = "pbkdf2_sha256$10000$seasalt2$skPdPHnAsVEsRcqTNPTvR47tkLzsQWTgrRtM6x/bAR0=";

  it("takes a hash of Django once: the first sign-in replaces it", async () => {
    const { id } = await add("anna");
    await accounts.store.update(id, (account) => ({ ...account, password: DJANGO }));
    await expect(authenticate(accounts, "anna", "letmein")).rejects.toThrow();
    expect((await accounts.store.get(id)).password).toBe(DJANGO);
    await authenticate(accounts, "anna", "lètmein");
    expect((await accounts.store.get(id)).password).toMatch(/^scrypt\$/);
    expect((await authenticate(accounts, "anna", "lètmein")).id).toBe(id);
  });

  it.each([
    DJANGO.replace("10000", "4000001"),
    DJANGO.replace("10000", "99999999999"),
    DJANGO.replace("10000", "0"),
    DJANGO.replace("10000", "1e3"),
    DJANGO.replace("seasalt2", ""),
    DJANGO.replace("seasalt2", "s".repeat(129)),
    DJANGO.replace("skPd", ""),
    DJANGO.replace("sha256", "sha1"),
    `${DJANGO}$x`,
  ])("never matches %s", async (stored) => {
    expect(await accounts.hasher.matches("lètmein", stored)).toBe(false);
  });

  it("hashes again when the parameters changed, and keeps token and password", async () => {
    const anna = await add("anna");
    const stronger = openAccounts(dir, env, { cost: { N: 32, r: 1, p: 1 } });
    const signedIn = await authenticate(stronger, "anna", PASSWORD);
    expect(signedIn.password).toMatch(/^scrypt\$32\$1\$1\$/);
    expect(signedIn.token_version).toBe(anna.token_version);
    expect((await authenticate(stronger, "anna", PASSWORD)).password).toBe(signedIn.password);
  });

  it("uses the recommended scrypt parameters by default", async () => {
    const { hasher } = openAccounts(dir, env);
    const hash = await hasher.hash(PASSWORD);
    expect(hash).toMatch(/^scrypt\$65536\$8\$1\$/);
    expect(await hasher.matches(PASSWORD, hash)).toBe(true);
  });

  it("rejects attempts beyond the queue, and serves the queued ones", async () => {
    await add("anna");
    const storm = Array.from({ length: 40 }, () => accounts.hasher.matches(PASSWORD, null));
    const results = await Promise.allSettled(storm);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(18);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "unavailable", retryAfter: 2 },
    });
    expect(await authenticate(accounts, "anna", PASSWORD)).toMatchObject({ id: 41 });
  });
});

describe("tokens", () => {
  it("are 40 hexadecimal digits, the same every time and after a restart", async () => {
    const anna = await add("anna");
    const token = await tokenOf(accounts, anna);
    expect(token).toMatch(/^[0-9a-f]{40}$/);
    const restarted = openAccounts(dir, env);
    expect(await tokenOf(restarted, anna)).toBe(token);
    expect(await ownerOfToken(restarted.store, token)).toEqual(anna);
  });

  it("differ between accounts and between sites", async () => {
    const [anna, bruno] = [await add("anna"), await add("bruno")];
    const elsewhere = openAccounts(join(dir, "..", "other"), env);
    const tokens = [await tokenOf(accounts, anna), await tokenOf(accounts, bruno), await tokenOf(elsewhere, anna)];
    expect(new Set(tokens).size).toBe(3);
  });

  it.each<[string, (id: number) => Promise<unknown>]>([
    ["rotation", (id) => rotateToken(accounts, id)],
    ["a new password", (id) => setPassword(accounts, id, "another horse")],
    ["removal", (id) => removeUser(accounts, id)],
    ["being disabled", (id) => accounts.store.update(id, (account) => ({ ...account, is_active: false }))],
  ])("are revoked by %s, without affecting other accounts", async (_what, end) => {
    const [anna, bruno] = [await add("anna"), await add("bruno")];
    const [annas, brunos] = [await tokenOf(accounts, anna), await tokenOf(accounts, bruno)];
    await end(anna.id);
    expect((await ownerOfToken(accounts.store, annas))?.is_active ?? false).toBe(false);
    expect(await ownerOfToken(accounts.store, brunos)).toEqual(bruno);
  });

  it.each(["", "x", "0".repeat(40), "0".repeat(41), "Z".repeat(40)])("%j is rejected", async (token) => {
    await add("anna");
    expect(await ownerOfToken(accounts.store, token)).toBeUndefined();
  });

  it("are accepted only in the exact form", async () => {
    const token = await tokenOf(accounts, await add("anna"));
    expect(await ownerOfToken(accounts.store, `${token}\n`)).toBeUndefined();
    expect(await ownerOfToken(accounts.store, token.toUpperCase())).toBeUndefined();
  });
});

describe("setPassword and removeUser", () => {
  it("accepts the new password and rejects the old one", async () => {
    const { id } = await add("anna");
    await setPassword(accounts, id, "another horse");
    expect(await authenticate(accounts, "anna", "another horse")).toMatchObject({ id });
    await expect(authenticate(accounts, "anna", PASSWORD)).rejects.toMatchObject(refused);
  });

  it("validates the password", async () => {
    const { id } = await add("annarossi");
    await expect(setPassword(accounts, id, "AnnaRossi")).rejects.toMatchObject({
      fields: { password: [expect.any(String)] },
    });
  });

  it("rejects an unknown account", async () => {
    await expect(setPassword(accounts, 1, PASSWORD)).rejects.toMatchObject({ code: "not_found" });
    await expect(removeUser(accounts, 1)).rejects.toMatchObject({ code: "not_found" });
    await expect(rotateToken(accounts, 1)).rejects.toMatchObject({ code: "not_found" });
  });

  it("leaves no trace of a removed account", async () => {
    await add("anna");
    await removeUser(accounts, 41);
    await expect(authenticate(accounts, "anna", PASSWORD)).rejects.toMatchObject(refused);
    expect(readFileSync(join(dir, "accounts.json"), "utf8")).not.toContain("anna");
  });
});

describe("accounts.json", () => {
  it("refuses a damaged file, naming the entry without its content", async () => {
    await add("anna");
    await tokenOf(accounts, (await accounts.store.list())[0]!);
    const path = join(dir, "accounts.json");
    const state = JSON.parse(readFileSync(path, "utf8"));
    state.accounts[0].id = "41";
    writeFileSync(path, JSON.stringify(state));
    const failure = await accounts.store.list().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "setup", message: expect.stringMatching(/damaged at entry 0/) });
    expect(String(failure)).not.toContain("scrypt");
  });

  it("gives no rights for missing keys", async () => {
    await add("anna", { is_staff: true });
    const path = join(dir, "accounts.json");
    const state = JSON.parse(readFileSync(path, "utf8"));
    Object.assign(state.accounts[0], { is_superuser: "yes", is_staff: 1, user_permissions: "all", level: 9 });
    // Without its roles the account would have the rights of one that is not restricted.
    state.accounts[0].roles = "author";
    delete state.accounts[0].is_active;
    writeFileSync(path, JSON.stringify(state));
    const [anna] = await accounts.store.list();
    expect(anna).toMatchObject({
      is_superuser: false,
      is_staff: false,
      is_active: false,
      user_permissions: [],
      roles: [""],
    });
    expect(anna).not.toHaveProperty("level");
  });
});
