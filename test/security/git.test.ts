/** Git: input never becomes options, commit headers or repository paths, and no secret is committed. */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addUser } from "../../src/actions/accounts/accounts.ts";
import { openCms, type Cms } from "../../src/cms.ts";
import { defaultConfig } from "../../src/config.ts";
import { PASSWORD, signIn } from "../http/routes/accounts/sign-in.ts";
import { siteOver, type TestSite } from "../site.ts";
import { gitSite, quietEnv, type GitSite } from "../store/git/git-site.ts";

let git: GitSite;
let cms: Cms;
let site: TestSite;

beforeEach(async () => {
  git = gitSite({ "content/pages/about.yaml": "title: About\n" });
  cms = await openCms(git.dir, { config: defaultConfig(), env: quietEnv(), hashCost: { N: 16, r: 8, p: 1 } });
  site = await siteOver(cms.store.repo, git.dir);
});
afterEach(() => git.remove());

describe("authors", () => {
  it.each([
    ["Eve\ncommitter Evil <evil@example.org> 0 +0000", "x"],
    ["Eve <root@example.org>", "Rossi> 0 +0000\n\nAnother message"],
    ["\0", "\r\n"],
    ["--author=Evil", "$(touch pwned)"],
    ["`id`", "; rm -rf /"],
  ])("%j %j become one valid line", async (first_name, last_name) => {
    const account = await addUser(cms.accounts, { username: "eve", password: PASSWORD, is_staff: true });
    // Written to the accounts' file, since the API refuses some of these.
    await cms.accounts.store.update(account.id, (before) => ({
      ...before,
      first_name,
      last_name,
      email: "eve@example.org>\ngpgsig x",
    }));
    const eve = await signIn(site, "eve");
    expect((await eve.ask("POST", "api:pages/", { body: { title: "T" } })).status).toBe(201);
    const raw = git.git("cat-file", "commit", "HEAD");
    const [head = ""] = raw.split("\n\n");
    expect(head.split("\n").map((line) => line.split(" ")[0])).toEqual(["tree", "parent", "author", "committer"]);
    expect(head).toMatch(/^author [^<>\n\0]* <[^<>\s\0]*> \d+ \+0000$/m);
    expect([git.complaints(), existsSync(join(git.dir, "pwned"))]).toEqual(["", false]);
  });
});

describe("messages", () => {
  it.each(
    [
      "Fine\n\nCms-Action: publish\nCms-Page: 1",
      "--amend",
      "# comment",
      "\0",
      "a\r\nb",
      "x".repeat(100_000),
      "Signed-off-by: Somebody <a@b.c>",
      "🎉\u202e\u0007",
    ].map((comment) => [comment.slice(0, 20), comment]),
  )("a comment %j is only text", async (_shown, comment) => {
    const [{ id }] = (await site.ask("GET", "api:pages/", { as: "staff" })).body;
    expect((await site.ask("POST", `api:pages/${id}/publish/`, { as: "staff", body: { comment } })).status).toBe(200);
    const actions = git.git("log", "-1", "--format=%(trailers:key=Cms-Action,valueonly)").trim().split("\n");
    expect(actions.at(-1)).toBe("publish");
    expect([git.git("rev-list", "--count", "HEAD").trim(), git.complaints()]).toEqual(["2", ""]);
    expect((await site.ask("GET", `api:pages/${id}/revisions/`, { as: "staff" })).body).toHaveLength(2);
  });
});

describe("names of files", () => {
  it.each(
    [
      "--upload-pack=touch pwned",
      "-rf",
      ".git",
      ".GIT",
      ".gitmodules",
      "git~1",
      ".git\u200c",
      "con",
      "a\nb",
      "a\tb",
      "é",
      "e\u0301",
      "İ",
      "ß",
      "a".repeat(300),
      "..",
      ".gitattributes",
      "HEAD",
    ].map((title) => [title.slice(0, 20), title]),
  )("from a title %j are plain", async (_shown, title) => {
    const { status } = await site.ask("POST", "api:pages/", { as: "staff", body: { title } });
    expect([201, 400]).toContain(status);
    for (const path of git.git("ls-files", "-z").split("\0").filter(Boolean))
      expect(path).toMatch(/^content\/pages\/[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,200}\.yaml$/u);
    expect([git.complaints(), existsSync(join(git.dir, "pwned"))]).toEqual(["", false]);
  });

  it("that differ only by case or Unicode form do not collide", async () => {
    for (const title of ["Straße", "strasse", "STRASSE", "Caf\u00e9", "Cafe\u0301"])
      await site.ask("POST", "api:pages/", { as: "staff", body: { title } });
    const paths = git.git("ls-files", "-z").split("\0").filter(Boolean);
    expect(new Set(paths.map((path) => path.normalize("NFC").toLowerCase())).size).toBe(paths.length);
    expect(git.complaints()).toBe("");
  });
});

describe("a hostile repository", () => {
  it("runs nothing: no hooks, filters or programs of its configuration", async () => {
    const marker = join(git.dir, "pwned");
    const script = `#!/bin/sh\ntouch ${marker}\n`;
    for (const hook of [
      "pre-commit",
      "commit-msg",
      "post-commit",
      "reference-transaction",
      "post-index-change",
      "fsmonitor-watchman",
    ]) {
      mkdirSync(join(git.dir, ".git/hooks"), { recursive: true });
      writeFileSync(join(git.dir, ".git/hooks", hook), script, { mode: 0o755 });
    }
    for (const [key, value] of [
      ["core.fsmonitor", "true"],
      ["core.hooksPath", ".git/hooks"],
      ["core.editor", `touch ${marker}`],
      ["filter.x.clean", `touch ${marker}`],
      ["core.sshCommand", `touch ${marker}`],
      ["gpg.program", `${marker}.sh`],
      ["commit.gpgSign", "true"],
    ]) {
      writeFileSync(
        join(git.dir, ".git/config"),
        `${readFileSync(join(git.dir, ".git/config"), "utf8")}\n[${key!.split(".").length === 3 ? `${key!.split(".")[0]} "${key!.split(".")[1]}"` : key!.split(".")[0]}]\n\t${key!.split(".").at(-1)} = ${JSON.stringify(value)}\n`,
      );
    }
    writeFileSync(join(git.dir, ".gitattributes"), "* filter=x diff=x\n");
    const write = async (): Promise<number> =>
      (await site.ask("POST", "api:pages/", { as: "staff", body: { title: "T" } })).status;
    expect(await write()).toBe(409); // only git with that filter could store it
    rmSync(join(git.dir, ".gitattributes"));
    expect(await write()).toBe(201);
    expect(existsSync(marker)).toBe(false);
  });

  it("with a submodule where a record should be has a problem, and nothing is fetched", async () => {
    git.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},content/pages/module`);
    git.git("commit", "--quiet", "-m", "Module");
    await cms.store.refresh();
    expect((await site.ask("POST", "api:pages/", { as: "staff", body: { title: "Module" } })).status).toBe(201);
    expect(git.git("ls-files", "--stage", "content/pages/module")).toMatch(/^160000 1{40}/);
  });
});

describe("secrets", () => {
  it("are neither in the history nor in a tracked file", async () => {
    const anna = await signIn(site, "anna", { is_staff: true, is_superuser: true, email: "anna@example.org" });
    await anna.ask("POST", "api:pages/", { body: { title: "T" } });
    await anna.ask("POST", "api:users/", { body: { username: "bruno", password: `${PASSWORD} too` } });
    const { token } = (await site.ask("POST", "api:token-auth/", { body: { username: "anna", password: PASSWORD } }))
      .body;
    for (const { id } of (await anna.ask("GET", "api:pages/")).body)
      await site.ask("POST", `api:pages/${id}/publish/`, { headers: { authorization: `Token ${token}` } });
    git.git("add", "--all");
    git.git("commit", "--quiet", "--allow-empty", "-m", "Everything a person would add");
    const accounts = await site.cms.accounts.store.list();
    const secret = (await site.cms.accounts.store.secret()).toString("base64url");
    const secrets = [
      PASSWORD,
      token,
      secret,
      ...anna.cookies.values(),
      ...accounts.map(({ password }) => password!),
      "scrypt$",
      "sessionid",
      "bruno",
    ];
    const objects = git.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").trim().split("\n");
    const history =
      objects.map((id) => git.git("cat-file", "-p", id)).join("\n") + git.git("log", "--all", "--format=raw", "-p");
    for (const each of secrets) expect([each, history.includes(each)]).toEqual([each, false]);
  });

  it("are in files of this user only, never committed", async () => {
    await signIn(site, "anna");
    const dir = cms.store.repo.stateDir;
    expect([dir, statSync(dir).mode & 0o777]).toEqual([join(git.dir, ".git/cms"), 0o700]);
    for (const name of readdirSync(dir).filter((each) => each.endsWith(".json")))
      expect([name, statSync(join(dir, name)).mode & 0o777]).toEqual([name, 0o600]);
    expect(git.git("status", "--porcelain")).toBe("");
  });

  it("that were committed prevent the start, and are named", async () => {
    const before = process.env.CMS_STATE_DIR;
    process.env.CMS_STATE_DIR = "state";
    mkdirSync(join(git.dir, "state"), { mode: 0o700 });
    writeFileSync(join(git.dir, "state/accounts.json"), "{}");
    git.git("add", "--all", "--force");
    git.git("commit", "--quiet", "-m", "Oops");
    try {
      await expect(openCms(git.dir, { config: defaultConfig(), env: quietEnv() })).rejects.toThrow(
        /^state\/accounts\.json is committed, but state is the private state/,
      );
    } finally {
      if (before === undefined) delete process.env.CMS_STATE_DIR;
      else process.env.CMS_STATE_DIR = before;
    }
  });
});
