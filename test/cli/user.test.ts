import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Command } from "commander";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { authenticate } from "../../src/actions/accounts/sign-in.ts";
import { openAccounts } from "../../src/actions/accounts/accounts.ts";
import { ownerOfToken } from "../../src/actions/accounts/token-owner.ts";
import { runProgram } from "../../src/cli/command.ts";
import { table, type Io } from "../../src/cli/terminal.ts";
import { registerAudit } from "../../src/cli/accounts/audit.ts";
import { registerToken } from "../../src/cli/accounts/token.ts";
import { registerUser } from "../../src/cli/accounts/user.ts";
import { silentLog, systemEnv } from "../../src/env.ts";
import { gitBytes } from "../support/run-git.ts";

const CHEAP = { N: 16, r: 1, p: 1 };
const PASSWORD = "correct horse";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "cms-user-")));
  mkdirSync(join(root, ".git"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

interface World {
  readonly stdin?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Both ends are a terminal, where somebody types these lines, one an answer. */
  readonly typed?: readonly string[];
  readonly colours?: boolean;
}

interface Outcome {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** Runs `cms` with the arguments in this process, as `--root` the site of the test. */
async function cms(args: string, world: World = {}): Promise<Outcome> {
  const isTTY = world.typed !== undefined || world.colours;
  const typed = [...(world.typed ?? [])];
  const [out, err] = ["", ""].map(() => [] as string[]) as [string[], string[]];
  let code: number | undefined;
  const stdin = Object.assign(new PassThrough(), { isTTY });
  if (!isTTY) stdin.end(world.stdin ?? "");
  const stdout = Object.assign(new PassThrough(), {
    isTTY,
    hasColors: (_: number, env: NodeJS.ProcessEnv) => !env.NO_COLOR,
  });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  stdout.on("data", (chunk) => out.push(String(chunk)));
  stderr.on("data", (chunk) => {
    err.push(String(chunk));
    const line = String(chunk).endsWith(": ") ? typed.shift() : undefined;
    if (line !== undefined) stdin.write(line);
  });
  const io: Io = { stdin, stdout, stderr, env: world.env ?? {}, setExitCode: (is) => void (code = is) };
  const program = new Command("cms");
  registerUser(program, io, CHEAP);
  registerToken(program, io);
  registerAudit(program, io);
  await runProgram(program, args.replaceAll("--root .", `--root ${root}`).split(" "), io);
  return { code, out: out.join(""), err: err.join("") };
}

const accounts = (stateDir = join(root, ".git", "cms")): ReturnType<typeof openAccounts> =>
  openAccounts(stateDir, systemEnv(silentLog), { cost: CHEAP });

const stored = (): string => readFileSync(join(root, ".git", "cms", "accounts.json"), "utf8");

const addAnna = (): Promise<Outcome> => cms("user add anna --root .", { stdin: PASSWORD });

describe("cms user add", () => {
  it("adds an account that can sign in", async () => {
    const done = await cms(
      "user add anna --root . --email anna@example.com --first-name Anna --last-name Rossi --staff",
      {
        stdin: `${PASSWORD}\n`,
      },
    );
    expect(done).toEqual({ code: 0, out: "", err: "Added anna (staff).\n" });
    expect(await authenticate(accounts(), "anna", PASSWORD)).toMatchObject({
      email: "anna@example.com",
      first_name: "Anna",
      last_name: "Rossi",
      is_staff: true,
      is_superuser: false,
    });
  });

  it("keeps its state to the machine's user", async () => {
    await addAnna();
    expect(statSync(join(root, ".git", "cms")).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, ".git", "cms", "accounts.json")).mode & 0o777).toBe(0o600);
    expect(stored()).not.toContain(PASSWORD);
  });

  it("keeps it in CMS_STATE_DIR when that is set", async () => {
    const dir = join(root, "elsewhere");
    await cms("user add anna --root .", { stdin: PASSWORD, env: { CMS_STATE_DIR: dir } });
    expect(await accounts(dir).store.list()).toHaveLength(1);
    expect(existsSync(join(root, ".git", "cms"))).toBe(false);
  });

  it("gives it roles of the site", async () => {
    gitBytes(["init", "--quiet"], { cwd: root, env: process.env });
    writeFileSync(join(root, "cms.config.yaml"), "");
    const done = await cms("user add anna --root . --role author --role web", { stdin: PASSWORD });
    expect(done).toEqual({ code: 1, out: "", err: expect.stringContaining('There is no role "web"') });
    expect(await cms("user add anna --root . --role author", { stdin: PASSWORD })).toMatchObject({
      err: "Added anna (author).\n",
    });
    expect(await accounts().store.findByName("anna")).toMatchObject({ roles: ["author"], is_staff: false });
  });

  it("makes a superuser staff as well", async () => {
    await cms("user add root --root . --superuser --quiet", { stdin: PASSWORD });
    expect(await accounts().store.findByName("root")).toMatchObject({ is_staff: true, is_superuser: true });
  });

  // oxfmt-ignore
  it.each<[string, string, World]>([
    ["the flag before all else", " --password from-the-flag", { env: { CMS_PASSWORD: "from-the-env" }, stdin: "from-stdin" }],
    ["CMS_PASSWORD",             "",                          { env: { CMS_PASSWORD: "from-the-flag" }, stdin: "from-stdin" }],
    ["standard input",           "",                          { stdin: "from-the-flag\r\nmore\n" }],
    ["a person, asked twice",    "",                          { typed: ["from-the-flag\n", "from-the-flag\n"] }],
  ])("takes the password from %s", async (_source, flag, world) => {
    const { code, out, err } = await cms(`user add anna --root .${flag}`, world);
    expect(code).toBe(0);
    expect(out + err).not.toContain("from-the-flag");
    expect(await authenticate(accounts(), "anna", "from-the-flag")).toMatchObject({ username: "anna" });
  });

  it.each<[string, string, World, number, string]>([
    [
      "no password at all",
      "anna",
      {},
      2,
      "error: There is no password: give it with --password, in CMS_PASSWORD or on standard input.\n",
    ],
    [
      "passwords that differ",
      "anna",
      { typed: ["correct horse\n", "correct house\n"] },
      2,
      "Password: \nThe same again: \nerror: The two passwords differ.\n",
    ],
    ["Ctrl-C at the prompt", "anna", { typed: ["corr\u0003"] }, 2, "Password: \nerror: Broken off.\n"],
    [
      "a weak password",
      "anna",
      { stdin: "1234567" },
      1,
      "error: password: This password is too short. It must contain at least 8 characters. This password is entirely numeric.\n",
    ],
    [
      "a name that is none",
      "an/na",
      { stdin: PASSWORD },
      1,
      "error: username: Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.\n",
    ],
  ])("refuses %s", async (_what, name, world, code, err) => {
    expect(await cms(`user add ${name} --root .`, world)).toEqual({ code, out: "", err });
    expect(await accounts().store.list()).toEqual([]);
  });

  it("refuses a name that is taken before it asks for a password", async () => {
    await addAnna();
    expect(await cms("user add Anna --root .")).toEqual({
      code: 1,
      out: "",
      err: "error: There is an account named Anna already.\n",
    });
  });
});

describe("cms user list", () => {
  it("shows who there is, aligned", async () => {
    await cms("user add anna --root . --superuser --email anna@example.com", { stdin: PASSWORD });
    await cms("user add bartholomew --root .", { stdin: PASSWORD });
    const [anna, bart] = await accounts().store.list();
    const idWidth = Math.max(String(anna!.id).length, String(bart!.id).length);
    expect(await cms("user list --root .")).toEqual({
      code: 0,
      out: [
        `NAME         ROLE       EMAIL             ${"ID".padEnd(idWidth)}  LAST LOGIN`,
        `anna         superuser  anna@example.com  ${String(anna!.id).padEnd(idWidth)}  never`,
        `bartholomew  reader                       ${String(bart!.id).padEnd(idWidth)}  never`,
        "",
      ].join("\n"),
      err: "",
    });
  });

  it("gives JSON without anything that opens the door", async () => {
    await addAnna();
    const { out } = await cms("user list --root . --json");
    expect(Object.keys(JSON.parse(out)[0])).toEqual([
      "id",
      "username",
      "email",
      "first_name",
      "last_name",
      "is_staff",
      "is_superuser",
      "is_active",
      "user_permissions",
      "roles",
      "has_token",
      "date_joined",
      "last_login",
    ]);
  });

  it("says where there is nobody, but not in JSON", async () => {
    expect(await cms("user list --root .")).toMatchObject({
      code: 0,
      out: "",
      err: expect.stringContaining("cms user add"),
    });
    expect(await cms("user list --root . --json")).toEqual({ code: 0, out: "[]\n", err: "" });
    expect(existsSync(join(root, ".git", "cms"))).toBe(false);
  });
});

describe("cms user passwd", () => {
  it("changes the password and ends the token", async () => {
    await addAnna();
    const token = (await cms("token anna --root .")).out.trim();
    expect(await cms("user passwd anna --root . --quiet", { stdin: "another horse" })).toEqual({
      code: 0,
      out: "",
      err: "",
    });
    expect(await authenticate(accounts(), "anna", "another horse")).toMatchObject({ username: "anna" });
    expect(await ownerOfToken(accounts().store, token)).toBeUndefined();
  });
});

describe("cms user remove", () => {
  it("removes the account, as a running server sees", async () => {
    await addAnna();
    const server = accounts();
    expect(await server.store.list()).toHaveLength(1);
    expect(await cms("user remove anna --root .")).toEqual({ code: 0, out: "", err: "Removed anna.\n" });
    expect(await server.store.list()).toEqual([]);
  });
});

describe("cms token", () => {
  it("prints the token and nothing else, the same each time", async () => {
    await addAnna();
    const { code, out, err } = await cms("token anna --root .");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^[0-9a-f]{40}\n$/);
    expect((await cms("token anna --root .")).out).toBe(out);
    expect(await ownerOfToken(accounts().store, out.trim())).toMatchObject({ username: "anna" });
    expect(stored()).not.toContain(out.trim());
  });

  it("makes another with --rotate", async () => {
    await addAnna();
    const before = (await cms("token anna --root .")).out;
    const after = (await cms("token anna --root . --rotate")).out;
    expect(after).not.toBe(before);
    expect(await ownerOfToken(accounts().store, before.trim())).toBeUndefined();
    expect(await ownerOfToken(accounts().store, after.trim())).toMatchObject({ username: "anna" });
  });

  it("gives none for an account that is not active", async () => {
    await addAnna();
    const { store } = accounts();
    await store.update((await store.findByName("anna"))!.id, (anna) => ({ ...anna, is_active: false }));
    expect(await cms("token anna --root .")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("not active"),
    });
  });
});

describe("every command", () => {
  it.each(["user passwd anna", "user remove anna", "token anna"])(
    "%s says that there is no such account",
    async (command) => {
      const { code, out, err } = await cms(`${command} --root .`, { stdin: PASSWORD });
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toBe("error: There is no account named anna: `cms user list` shows all.\n");
    },
  );

  it.each([
    ["user list --root /nowhere/at/all", "error: There is no folder /nowhere/at/all.\n"],
    ["user list --colour", "error: unknown option '--colour'\n"],
    ["user add", "error: missing required argument 'name'\n"],
    ["user ad anna", "error: unknown command 'ad'\n(Did you mean add?)\n"],
    ["user list --root", "error: option '--root <dir>' argument missing\n"],
  ])("%s is wrong use", async (args, err) => {
    expect(await cms(args)).toEqual({ code: 2, out: "", err });
  });

  it("answers --help with 0", async () => {
    expect(await cms("user add --help")).toMatchObject({
      code: 0,
      out: expect.stringContaining("--superuser"),
      err: "",
    });
  });

  it("says what a folder outside of a repository lacks", async () => {
    rmSync(join(root, ".git"), { recursive: true });
    const { code, err } = await cms("user list --root .");
    expect(code).toBe(1);
    expect(err).toBe(`error: ${root} is no git repository: make one with \`cms init\` or \`git init\`.\n`);
  });

  it("says damage in one sentence, without a stack", async () => {
    await addAnna();
    writeFileSync(join(root, ".git", "cms", "accounts.json"), "{");
    const { code, err } = await cms("user list --root .");
    expect(code).toBe(1);
    expect(err).toMatch(/^error: accounts\.json in the private state is not valid JSON: .*\n$/);
  });

  it("paints headings in a terminal, unless NO_COLOR holds", async () => {
    await addAnna();
    expect((await cms("user list --root .", { colours: true })).out).toContain("\u001b[1mNAME");
    expect((await cms("user list --root .", { colours: true, env: { NO_COLOR: "1" } })).out).not.toContain("\u001b");
    expect((await cms("user list --root .")).out).not.toContain("\u001b");
  });
});

describe("table", () => {
  it("lets no cell steer the terminal", () => {
    const io = { stdout: new PassThrough(), env: {} } as unknown as Io;
    expect(table(io, ["A", "B"], [["x\u001b[2J", "y\nz"]])).toBe("A      B\nx?[2J  y?z\n");
  });
});

describe("cms audit", () => {
  it("tells what commands did to accounts, newest first", async () => {
    await addAnna();
    await cms("user passwd anna --root .", { stdin: "another horse" });
    await cms("token anna --rotate --root .");
    await cms("user remove anna --root .");
    const { out } = await cms("audit --root . --json");
    expect(JSON.parse(out)).toMatchObject(
      [
        ["account-removed", ""],
        ["access-revoked", ""],
        ["account-changed", "password"],
        ["account-added", ""],
      ].map(([event, detail]) => ({ event, by: null, from: "command line", about: "anna", detail })),
    );
    expect((await cms("audit --root . --event account-added --account anna --items 1")).out).toMatch(
      /^AT +EVENT +BY +FROM +ABOUT +DETAIL\n\S+Z +account-added +command line +anna\n$/,
    );
    expect((await cms("audit --root . --account bruno")).err).toBe("The audit log has no such event.\n");
  });

  it.each(["--event nothing", "--items 0"])("%s is wrong use", async (flags) => {
    expect((await cms(`audit --root . ${flags}`)).code).toBe(2);
  });
});

describe("cms token --name", () => {
  const withSettings = (): void =>
    writeFileSync(join(root, "cms.config.yaml"), "LANGUAGES: { en: English, it: Italiano }\n");

  it("makes, lists and revokes named tokens", async () => {
    withSettings();
    await addAnna();
    const made = await cms("token anna --root . --name deploy --read-only --expires 90d");
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^cms_[\w-]{43}\n$/) });
    await cms("token anna --root . --name news --may view,edit --models article --below /journal --languages it");
    const { list } = accounts().namedTokens;
    expect((await list()).map(({ rules }) => rules)).toEqual([
      [{ may: ["view"] }],
      [{ may: ["view", "edit"], models: ["article"], below: "/journal", languages: ["it"] }],
    ]);
    expect((await cms("token anna --root . --list")).out).toMatch(
      /^NAME +MAY +EXPIRES +LAST USED\ndeploy +view +\S+Z +never\nnews +view,edit +never +never\n$/,
    );
    expect((await cms("token anna --root . --revoke news")).code).toBe(0);
    expect((await list()).map(({ name }) => name)).toEqual(["deploy"]);
    expect((await cms("token anna --root . --revoke news")).err).toContain("anna has no token named news.");
  });

  it.each([
    ["--name a --may fly", 1, "may.0: One of view"],
    ["--name a --below /x", 2, "--models, --below and --languages narrow what --may names."],
    ["--name a --read-only --may edit", 2, "Give --read-only or --may."],
    ["--read-only", 2, "give it a --name"],
    ["--name a --expires soon", 2, '--expires takes a span as 30m, 1h or 2d, not "soon".'],
  ])("%s is refused", async (flags, code, message) => {
    withSettings();
    await addAnna();
    expect(await cms(`token anna --root . ${flags}`)).toMatchObject({ code, err: expect.stringContaining(message) });
  });
});

it("cms user reset removes passkeys and codes, and ends sessions and tokens", async () => {
  await addAnna();
  const { id } = (await accounts().store.findByName("anna"))!;
  const codes = { account: id, secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", last_step: 0, recovery: [] };
  await accounts().proofs.update((proofs) => [{ ...proofs, codes: [codes] }, undefined]);
  await expect(authenticate(accounts(), "anna", PASSWORD)).rejects.toMatchObject({
    fields: { code: expect.any(Array) },
  });
  const done = await cms("user reset anna --root .");
  expect([done.code, done.err]).toEqual([0, "anna signs in by the password alone.\n"]);
  expect((await authenticate(accounts(), "anna", PASSWORD)).token_version).toBe(2);
});
