/** Path traversal: no input reaches a file outside its folder, symlinks included. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCms } from "../../src/cms.ts";
import { defaultConfig } from "../../src/config.ts";
import { served, type Line } from "../http/socket/raw.ts";
import { memorySite, siteOver, temporaryFolder, type MemorySite } from "../site.ts";
import { gitSite, quietEnv } from "../store/git/git-site.ts";

const SECRET = "the contents of a secret";

/** A site with secrets next to, above and linked from the served folders. */
async function siteWithSecrets(): Promise<{ site: MemorySite; line: Line; root: string }> {
  const site = await memorySite();
  const { root } = site.repo;
  const outside = await temporaryFolder();
  for (const folder of ["media/sub", "media-private", "templates", "templates_private", ".git"])
    mkdirSync(join(root, folder), { recursive: true });
  const files = [
    "secret.txt",
    "secret.html",
    ".git/config",
    ".env",
    "media/.hidden",
    "media-private/secret.txt",
    "templates_private/secret.html",
  ];
  for (const path of files) writeFileSync(join(root, path), SECRET);
  writeFileSync(join(outside, "secret.txt"), SECRET);
  writeFileSync(join(outside, "secret.html"), SECRET);
  writeFileSync(join(root, "media/ok.txt"), "fine");
  writeFileSync(join(root, "templates/ok.html"), "fine");
  symlinkSync(join(outside, "secret.txt"), join(root, "media/link.txt"));
  symlinkSync(outside, join(root, "media/linked"));
  symlinkSync("../secret.txt", join(root, "media/near.txt"));
  symlinkSync("loop", join(root, "media/loop"));
  symlinkSync(join(outside, "secret.html"), join(root, "templates/link.html"));
  symlinkSync(outside, join(root, "templates/linked"));
  return { site, line: await served(site.cms), root };
}

const UPWARDS = [
  "../secret.txt",
  "sub/../../secret.txt",
  "%2e%2e/secret.txt",
  "%2e%2e%2fsecret.txt",
  "..%2fsecret.txt",
  "%252e%252e%252fsecret.txt",
  "..\\secret.txt",
  "..%5csecret.txt",
  "....//secret.txt",
  "..;/secret.txt",
  "%c0%ae%c0%ae/secret.txt",
  "%ef%bc%8e%ef%bc%8e/secret.txt",
  "%e2%80%a5/secret.txt",
  "../media-private/secret.txt",
  "..%00/secret.txt",
  "ok.txt%00",
  "/../secret.txt",
  "//../secret.txt",
  "./../secret.txt",
];
const BESIDE = [
  ".hidden",
  "sub/../.hidden",
  "link.txt",
  "linked/secret.txt",
  "near.txt",
  "loop",
  "%2ehidden",
  "linked%2fsecret.txt",
];

describe("files by address", () => {
  it("are served from the media folder", async () => {
    const { line } = await siteWithSecrets();
    expect(await line.get("/media/ok.txt")).toMatch(/^HTTP\/1\.1 200 [\s\S]*fine$/);
  });

  it("and from nowhere else", async () => {
    const { line } = await siteWithSecrets();
    const targets = [
      ...[...UPWARDS, ...BESIDE].map((path) => `/media/${path}`),
      ...[
        "/.git/config",
        "/.env",
        "/secret.txt",
        "/media/../.git/config",
        "/media-private/secret.txt",
        "/templates/ok.html",
        "/.git/cms/accounts.json",
      ],
      ...[
        "http://test.local/media/../secret.txt",
        "/api/cms/../../secret.txt",
        "/api/cms/media/../../../secret.txt",
        "/static/../secret.txt",
      ],
      ...UPWARDS.flatMap((path) => [`/api/cms/pages-router/${path}`, `/it/${path}`]),
    ];
    for (const target of targets) {
      const answer = await line.get(target);
      expect([target, answer.includes(SECRET), /^HTTP\/1\.1 (200|302|400|404) /.test(answer)]).toEqual([
        target,
        false,
        true,
      ]);
      if (answer.startsWith("HTTP/1.1 200")) expect(answer).toContain('"redirect":'); // the router's answer for non-canonical paths
    }
  });
});

describe("templates by name", () => {
  it.each([
    "../secret.html",
    "../templates_private/secret.html",
    "../../secret.html",
    "link.html",
    "linked/secret.html",
    "/etc/passwd",
    "..\\secret.html",
    "sub/../../secret.html",
    "ok.html\0",
    "./ok.html",
    ".hidden",
    "",
    "constructor",
    "__proto__",
    "file:///etc/passwd",
  ])("%j is not found, or fails without details", async (template) => {
    const { site } = await siteWithSecrets();
    const made = await site.ask("POST", "api:pages/", { as: "staff", body: { title: "T", template } });
    if (made.status === 400) return;
    const { id } = made.body;
    await site.ask("POST", `api:pages/${id}/publish/`, { as: "staff" });
    for (const path of [`api:pages/${id}/render/`, "/t/"]) {
      const { status, text } = await site.ask("GET", path, { as: "staff" });
      expect([status, text]).toEqual([500, '{"detail":"Internal server error."}']);
    }
  });
});

describe("files by content", () => {
  it.each(
    [
      "../../evil",
      "/etc/passwd",
      "..\\..\\evil",
      "a\0b",
      ".git/config",
      ".GIT/hooks/post-commit",
      "git~1",
      "CON",
      "aux.txt",
      "a\nb",
      "--upload-pack=x",
      "．．／evil",
      "x".repeat(900),
    ].map((title) => [title.slice(0, 20), title]),
  )("a title %j makes a file among pages", async (_shown, title) => {
    const site = await memorySite();
    const answer = await site.ask("POST", "api:pages/", { as: "staff", body: { title } });
    expect([201, 400]).toContain(answer.status);
    for (const path of (await site.repo.files(["content", ".git", "etc", "evil", "evil.yaml"])).keys()) {
      expect(path).toMatch(/^content\/(pages\/[\p{L}\p{N}][\p{L}\p{N}_-]*\.yaml|pages\/\.gitkeep)$/u);
    }
  });

  it.each(["/../../evil", "/a/../../evil", "/.git/config", "/./a", "//evil", "/a\\..\\b", "/a\0b", "/a%2e%2e/b"])(
    "a permalink %j as well",
    async (permalink) => {
      const site = await memorySite();
      const answer = await site.ask("POST", "api:pages/", {
        as: "staff",
        body: { title: "T", autopermalink: false, permalink },
      });
      expect([201, 400]).toContain(answer.status);
      for (const path of (await site.repo.files(["content", ".git", "evil", "evil.yaml"])).keys())
        expect(path).not.toMatch(/\.\.|\\|^\.git|\0/);
    },
  );

  it.each(["../../x", "..%2f..%2fHEAD", "HEAD", "main", "refs/heads/main", "--all", "0".repeat(40), "%00"])(
    "a revision %j is none",
    async (version) => {
      const site = await memorySite();
      const { id } = await site.page({ title: "T" });
      expect(
        (await site.ask("POST", `api:pages/${id}/revert/${encodeURIComponent(version)}/`, { as: "staff" })).status,
      ).toBe(404);
    },
  );
});

describe("symlinks in the tree", () => {
  it("are reported as problems and never followed", async () => {
    const outside = await temporaryFolder();
    writeFileSync(join(outside, "page.yaml"), `title: ${SECRET}\n`);
    const git = gitSite({ "content/pages/about.yaml": "title: About\n" });
    const { dir } = git;
    mkdirSync(join(dir, "templates"));
    symlinkSync(join(outside, "page.yaml"), join(dir, "content/pages/leak.yaml"));
    symlinkSync(outside, join(dir, "content/pages/folder"));
    symlinkSync(join(dir, ".git"), join(dir, "content/pages/inward"));
    git.git("add", "--all");
    git.git("commit", "--quiet", "-m", "Links");
    const cms = await openCms(dir, { config: defaultConfig(), env: quietEnv(), hashCost: { N: 16, r: 8, p: 1 } });
    const site = await siteOver(cms.store.repo, dir);
    const pages = await site.ask("GET", "api:pages/", { as: "staff" });
    expect([pages.body.length, pages.text.includes(SECRET)]).toEqual([1, false]);
    expect(cms.store.current.problems.map(({ path }) => path)).toContain("content/pages/leak.yaml");
    for (const title of ["Leak", "Folder", "Inward"]) {
      const parent = await site.ask("POST", "api:pages/", { as: "staff", body: { title } });
      if (parent.status === 201)
        await site.ask("POST", "api:pages/", { as: "staff", body: { title: "Child", parent_page: parent.body.id } });
    }
    expect(readdirSync(outside)).toEqual(["page.yaml"]);
    expect(existsSync(join(dir, ".git/child.yaml"))).toBe(false);
    await cms.close();
    git.remove();
  });
});
