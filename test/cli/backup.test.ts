/** Backups of the private state: what is in them, who can read them, and what a changed one can do. */
import { createCipheriv, scryptSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { gzipSync } from "node:zlib";
import { Command } from "commander";
import { expect, it } from "vitest";
import { addUser, openAccounts } from "../../src/actions/accounts/accounts.ts";
import { authenticate } from "../../src/actions/accounts/sign-in.ts";
import { openSession } from "../../src/actions/accounts/sessions.ts";
import { registerBackup } from "../../src/cli/accounts/backup.ts";
import { runProgram } from "../../src/cli/command.ts";
import { silentLog, systemEnv } from "../../src/env.ts";
import { temporaryFolder } from "../site.ts";

const PASSPHRASE = "four words of some length";
const accountsIn = (root: string) =>
  openAccounts(join(root, ".git/cms"), systemEnv(silentLog), { cost: { N: 16, r: 1, p: 1 } });

async function folder(): Promise<string> {
  const root = await temporaryFolder();
  mkdirSync(join(root, ".git"));
  return root;
}

/** A site with an account, a session and events. */
async function siteWithAnna(): Promise<string> {
  const root = await folder();
  const accounts = accountsIn(root);
  const anna = await addUser(accounts, { username: "anna", password: "correct horse" });
  await openSession(accounts, anna);
  await accounts.auditLog.settled();
  writeFileSync(join(root, ".git/cms/content.cache"), "x");
  return root;
}

async function cms(args: readonly string[], passphrase = PASSPHRASE) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let [err, code] = ["", undefined as number | undefined];
  stderr.on("data", (chunk) => (err += String(chunk)));
  const stdin = new PassThrough();
  stdin.end(`${passphrase}\n`);
  const program = new Command("cms");
  registerBackup(program, { stdin, stdout, stderr, env: {}, setExitCode: (is) => void (code = is) });
  await runProgram(program, args);
  return { code, err };
}

it("takes accounts, tokens and the audit log to another clone, without sessions and caches", async () => {
  const [root, other] = [await siteWithAnna(), await folder()];
  const file = join(root, "private.backup");
  expect(await cms(["backup", file, "--root", root])).toMatchObject({
    code: 0,
    err: expect.stringContaining("2 files"),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file).includes("anna")).toBe(false);
  expect(await cms(["restore", file, "--root", other])).toMatchObject({
    code: 0,
    err: expect.stringContaining("1 accounts"),
  });
  const accounts = accountsIn(other);
  expect((await authenticate(accounts, "anna", "correct horse")).username).toBe("anna");
  expect((await accounts.auditLog.list(accounts.env.now())).map(({ event }) => event)).toEqual([
    "restored",
    "account-added",
  ]);
  expect([
    existsSync(join(other, ".git/cms/sessions.json")),
    existsSync(join(other, ".git/cms/content.cache")),
  ]).toEqual([false, false]);
  expect(statSync(join(other, ".git/cms/accounts.json")).mode & 0o777).toBe(0o600);
});

it("overwrites no backup, and no accounts unless it is told to", async () => {
  const [root, other] = [await siteWithAnna(), await siteWithAnna()];
  const file = join(root, "private.backup");
  await cms(["backup", file, "--root", root]);
  expect(await cms(["backup", file, "--root", root])).toMatchObject({
    code: 1,
    err: expect.stringContaining("EEXIST"),
  });
  expect(await cms(["restore", file, "--root", other])).toMatchObject({
    code: 1,
    err: expect.stringContaining("--force"),
  });
  expect((await cms(["restore", file, "--root", other, "--force"])).code).toBe(0);
  expect(await cms(["backup", join(root, "b"), "--root", root], "short")).toMatchObject({ code: 2 });
  expect(await cms(["backup", join(root, "b"), "--root", await folder()])).toMatchObject({ code: 1 });
});

it("does not open with another passphrase, nor when a byte of it changed", async () => {
  const [root, other] = [await siteWithAnna(), await folder()];
  const file = join(root, "private.backup");
  await cms(["backup", file, "--root", root]);
  const bytes = readFileSync(file);
  const attempt = async (changed: Buffer, passphrase = PASSPHRASE) => {
    writeFileSync(file, changed);
    return (await cms(["restore", file, "--root", other], passphrase)).err;
  };
  expect(await attempt(bytes, `${PASSPHRASE}!`)).toContain("The passphrase is wrong, or the backup is damaged.");
  for (const at of [30, 45, bytes.length - 20, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    expect(await attempt(changed)).toContain("The passphrase is wrong, or the backup is damaged.");
  }
  for (const none of [Buffer.alloc(0), Buffer.from("PK"), bytes.subarray(0, 40)])
    expect(await attempt(none)).toContain("This file is no backup of a private state.");
  expect(existsSync(join(other, ".git/cms/accounts.json"))).toBe(false);
});

it.each(["../config", "audit/../../config", "audit/.hidden.jsonl", "sessions.json", "/etc/x.json", "audit/a/b.json"])(
  "writes no file at %s, whoever made the backup",
  async (path) => {
    const [root, head] = [await folder(), Buffer.from("git-cms private state 1\n")];
    const [salt, iv] = [Buffer.alloc(16), Buffer.alloc(12)];
    const key = scryptSync(PASSPHRASE, salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 });
    const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(head);
    const packed = gzipSync(JSON.stringify({ [path]: "e30=" }));
    const file = join(root, "made.backup");
    writeFileSync(file, Buffer.concat([head, salt, iv, cipher.update(packed), cipher.final(), cipher.getAuthTag()]));
    expect((await cms(["restore", file, "--root", root])).err).toContain(`not of the private state: ${path}`);
    expect(existsSync(join(root, ".git/cms"))).toBe(false);
  },
);
