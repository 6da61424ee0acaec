/** What looking an account up by its token costs. */
import crypto from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { openAccounts } from "../../src/actions/accounts/accounts.ts";
import { tokenOf } from "../../src/actions/accounts/sign-in.ts";
import { ownerOfToken } from "../../src/actions/accounts/token-owner.ts";
import type { Account } from "../../src/model/account/account.ts";
import { quietEnv } from "../store/git/git-site.ts";

const hmacs = vi.spyOn(crypto, "createHmac");
syncBuiltinESMExports();
afterAll(() => {
  hmacs.mockRestore();
  syncBuiltinESMExports();
});

const COUNT = 500;

async function site() {
  const dir = mkdtempSync(join(tmpdir(), "cms-tokens-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const env = quietEnv();
  const accounts = openAccounts(dir, env);
  const account = (id: number): Account => ({
    ...{ id, username: `u${id}`, password: "", email: "", first_name: "", last_name: "" },
    ...{ is_staff: true, is_superuser: false, is_active: true, user_permissions: null, roles: [], last_login: null },
    ...{ date_joined: env.now(), token_version: 1, has_token: true },
  });
  const made = Array.from({ length: COUNT }, (_, n) => account(n + 1));
  await accounts.store.putAll(new Map(made.map((each) => [each.id, () => each])));
  const cost = async (token: string) => {
    hmacs.mockClear();
    const owner = await ownerOfToken(accounts.store, token);
    return [owner?.id, hmacs.mock.calls.length];
  };
  return { accounts, made, cost };
}

it("costs the same for right and wrong tokens, however many accounts there are", async () => {
  const { accounts, made, cost } = await site();
  const token = await tokenOf(accounts, made[400]!);
  await ownerOfToken(accounts.store, token);
  expect(await cost(token)).toEqual([401, 1]);
  expect(await cost("0".repeat(40))).toEqual([undefined, 1]);
  expect(await cost("no token")).toEqual([undefined, 0]);
});

it("costs one account after one has changed", async () => {
  const { accounts, made, cost } = await site();
  const token = await tokenOf(accounts, made[400]!);
  await ownerOfToken(accounts.store, token);
  await accounts.store.update(7, (seven) => ({ ...seven, token_version: 2 }));
  expect(await cost(token)).toEqual([401, 3]);
  expect(await cost(await tokenOf(accounts, made[6]!))).toEqual([undefined, 1]);
});

it("knows the last token of a disabled account, which is not let in", async () => {
  const { accounts, made, cost } = await site();
  const token = await tokenOf(accounts, made[8]!);
  await accounts.store.update(9, (nine) => ({ ...nine, is_active: false, token_version: 2 }));
  expect((await cost(token))[0]).toBe(9);
  expect(await ownerOfToken(accounts.store, token)).toMatchObject({ is_active: false });
});

it("finds the account again after an index could not be built", async () => {
  const { accounts, made } = await site();
  const token = await tokenOf(accounts, made[0]!);
  const listed = await accounts.store.list();
  hmacs.mockImplementationOnce(() => {
    throw new Error("No memory");
  });
  await expect(ownerOfToken(accounts.store, token)).rejects.toThrow("No memory");
  expect(await accounts.store.list()).toBe(listed);
  expect((await ownerOfToken(accounts.store, token))?.id).toBe(1);
});
