/** `cms import markdown`: old sites of four generators, imported, checked, built and crawled. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn } from "../../static-site/build-site.ts";
import { temporaryFolder } from "../../site.ts";
import { GIT_ENV } from "../../store/git/git-site.ts";
import { brokenLinks } from "../../support/crawl.ts";
import { MARKDOWN_SITES, picture } from "../../support/markdown-sites.ts";
import { cms } from "../process.ts";

/** A new site, and the folder that is imported into it. */
async function start(files: ReadonlyMap<string, string>, pictures: readonly string[]) {
  const folder = await temporaryFolder();
  const root = join(folder, "site");
  const old = join(folder, "old");
  const write = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(old, path)), { recursive: true });
    writeFileSync(join(old, path), text);
  };
  for (const [path, text] of files) write(path, text);
  for (const [at, path] of pictures.entries()) write(path, await picture(at));
  expect(await cms(["init", root, "--bare-site", "--languages", "en,it"])).toMatchObject({ code: 0 });
  const commits = (): number =>
    Number(execFileSync("git", ["rev-list", "--count", "HEAD"], { cwd: root, env: GIT_ENV }));
  return { root, old, write, commits, args: ["import", "markdown", old, "--root", root] };
}

/** Every page and article of a site, as it is stored. */
const recordsIn = (root: string): string[] =>
  ["pages", "articles"].flatMap((kind) =>
    readdirSync(join(root, "content", kind), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:json|ya?ml|md)$/.test(name))
      .map((name) => readFileSync(join(root, "content", kind, name), "utf8")),
  );

describe("cms import markdown", () => {
  it.each(MARKDOWN_SITES.filter(({ name }) => name !== "decap").map((site) => [site.name, site] as const))(
    "%s: imports, passes the check, builds, and leaves no old address and no link dead",
    async (name, { files, pictures, addresses }) => {
      const { root, commits, args } = await start(files, pictures);
      const before = commits();
      const done = await cms(args);
      expect(done).toMatchObject({ code: 0, err: expect.stringMatching(/\d+ added/) });
      expect(commits()).toBe(before + 1);
      const records = recordsIn(root);
      const post = records.find((record) => /title: "?Post 1"?\n/.test(record));
      // As the old site writes it.
      expect(post).toContain("published_at: 2024-02-02T23:30:00-05:00");
      expect(post).toMatch(/^tags:\n {2}- \d+\n {2}- \d+\n/m);
      expect(post).toContain("from: /old/1\n");
      const draft = records.find((record) => /title: "?A draft"?\n/.test(record));
      expect(draft).toBeDefined();
      expect(draft).not.toContain("published_at");
      if (name === "hugo") expect(readFileSync(join(root, "content/menus/main.yaml"), "utf8")).toContain("Posts");
      const checked = await cms(["check", "--root", root]);
      expect([checked.code, checked.out.split("\n").filter((line) => line.includes(": error: "))]).toEqual([0, []]);
      expect(await cms(["build", "--root", root])).toMatchObject({ code: 0 });
      const built = filesIn(join(root, "dist"));
      expect(brokenLinks(built)).toEqual([]);
      const redirects: { from: string; to: string }[] = JSON.parse(
        readFileSync(join(root, "dist/redirects.json"), "utf8"),
      );
      const target = new Map(redirects.map(({ from, to }) => [from.replace(/\/$/, ""), to]));
      const isThere = (path: string): boolean => built.has(`${path.slice(1)}${path.endsWith("/") ? "index.html" : ""}`);
      expect(addresses.length).toBeGreaterThan(50);
      expect(
        addresses.filter((path) => !isThere(path) && !isThere(target.get(path.replace(/\/$/, "")) ?? "-")),
      ).toEqual([]);
      expect(await cms(args)).toMatchObject({ code: 0, err: expect.stringContaining("Nothing changed, no commit.") });
      expect(commits()).toBe(before + 1);
    },
  );

  it("killed at any moment, has imported everything or nothing", async () => {
    const { files, pictures } = MARKDOWN_SITES.find(({ name }) => name === "hugo")!;
    const { root, commits, args } = await start(files, pictures);
    const git = (...command: string[]): string =>
      execFileSync("git", command, { cwd: root, env: GIT_ENV, encoding: "utf8" });
    const packs = (): number => readdirSync(join(root, ".git/objects/pack")).length;
    const head = (): string => readFileSync(join(root, ".git/refs/heads/main"), "utf8");
    const [before, known, first] = [commits(), packs(), head()];
    const moments = {
      "objects are written": () => packs() > known,
      "the branch is about to move": () => existsSync(join(root, ".git/refs/heads/main.lock")),
      "working files are written": () => existsSync(join(root, "content/imports")),
    };
    const codes: (number | null)[] = [];
    for (const [moment, killOnce] of Object.entries(moments)) {
      codes.push((await cms(args, { killOnce })).code);
      expect(commits(), moment).toBe(head() === first ? before : before + 1);
      expect(git("fsck", "--strict", "--no-dangling"), moment).toBe("");
    }
    // On a busy machine an import may end before its death.
    expect(codes).toContain(null);
    expect(await cms(args)).toMatchObject({ code: 0 });
    expect(commits()).toBe(before + 1);
    expect(recordsIn(root).filter((record) => /title: "?(?:Post|Page) \d+"?\n/.test(record))).toHaveLength(54);
    expect(git("status", "--porcelain")).toBe("");
  });

  it("killed while files are written ahead, has changed nothing", async () => {
    const posts = Array.from({ length: 600 }, (_, n) => [
      `content/p-${n}.md`,
      `---\ntitle: Post ${n}\n---\nText ${n}\n`,
    ]);
    const { root, commits, args } = await start(
      new Map([["hugo.toml", ""], ["content/about.md", "---\ntitle: About\n---\n"], ...(posts as [string, string][])]),
      [],
    );
    const git = (...command: string[]): string =>
      execFileSync("git", command, { cwd: root, env: GIT_ENV, encoding: "utf8" });
    const run = join(root, ".git/cms/run");
    const isWritten = (): boolean =>
      existsSync(run) && readdirSync(run, { recursive: true, encoding: "utf8" }).some((name) => /\/new-/.test(name));
    const [before, status] = [commits(), git("status", "--porcelain")];
    expect(await cms(args, { killOnce: isWritten })).toMatchObject({ code: null });
    expect([isWritten(), commits(), git("status", "--porcelain")]).toEqual([true, before, status]);
    expect(await cms(args)).toMatchObject({ code: 0 });
    expect([isWritten(), commits(), git("status", "--porcelain")]).toEqual([false, before + 1, status]);
    expect(git("fsck", "--strict", "--no-dangling")).toBe("");
    const names = readdirSync(join(root, "content/pages"), { recursive: true, encoding: "utf8" });
    expect(names.filter((name) => /post-\d+\.yaml$/.test(name))).toHaveLength(600);
  });

  it("keeps what was edited here, and lists it; with --force overwrites it", async () => {
    const { files, pictures } = MARKDOWN_SITES.find(({ name }) => name === "decap")!;
    const { root, commits, args } = await start(files, pictures);
    expect(await cms(args)).toMatchObject({ code: 0 });
    const folder = join(root, "content/pages");
    const file = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((each) => join(folder, each))
      .find((each) => each.endsWith(".yaml") && readFileSync(each, "utf8").includes("title: Page 1\n"))!;
    const edited = readFileSync(file, "utf8").replace("title: Page 1\n", "title: Edited\n");
    writeFileSync(file, edited);
    execFileSync("git", ["-c", "user.name=Pat", "-c", "user.email=pat@example.org", "commit", "-qam", "Edit"], {
      cwd: root,
      env: GIT_ENV,
    });
    const before = commits();
    const again = await cms(args);
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining("edited here, kept: ") });
    expect(again.out).toContain("content/info/page-1.md");
    expect([commits(), readFileSync(file, "utf8")]).toEqual([before, edited]);
    expect(await cms([...args, "--force"])).toMatchObject({ code: 0, err: expect.stringContaining("1 changed") });
    expect(readFileSync(file, "utf8")).toContain("title: Page 1\n");
  });

  it.each([
    [["no-such"], "There is no folder no-such"],
    [["DIR", "--time-zone", "Mars"], "Mars is no time zone"],
    [["DIR", "--from", "gatsby"], "gatsby"],
  ])("refuses %j", async (args, message) => {
    const { root, old } = await start(new Map([["a.md", "# A\n"]]), []);
    const given = args.map((each) => (each === "DIR" ? old : each));
    const ended = await cms(["import", "markdown", ...given, "--root", root]);
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});
