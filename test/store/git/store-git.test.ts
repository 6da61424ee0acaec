/** What only the command line of git can tell about a write: the index, the history, and a person's work beside it. */
import { describe, expect, it, onTestFinished } from "vitest";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { gitSite, quietEnv, type GitSite } from "./git-site.ts";
import { contentOver, create, EDITH, handsOn, retitle, titleIn, type Content } from "../store-site.ts";

const page = (id: number, title: string): string =>
  `id: ${id}\nidentifier: p${id}\ndate_created: 2026-01-02T00:00:00.000Z\ndate_updated_at: 2026-01-02T00:00:00.000Z\ntranslations:\n  en:\n    title: ${title}\n    permalink: /${id}\n  it:\n    permalink: /${id}\n`;
const file = (id: number): string => `content/pages/p${id}.yaml`;
const FILES = Object.fromEntries([1, 2, 3, 4, 5].map((id) => [file(id), page(id, `Page ${id}`)]));

async function open(): Promise<{ site: GitSite; content: Content }> {
  const site = gitSite({ ...FILES, "notes.txt": "one\n" });
  onTestFinished(site.remove);
  const repo = await openGitRepo(site.dir, { env: quietEnv() });
  return { site, content: await contentOver({ repo, hands: handsOn(site) }) };
}

describe("a commit", () => {
  it("has the editor as author, the service as committer, and trailers git can read", async () => {
    const { site, content } = await open();
    await content.store.transact(EDITH, retitle(1, "New"));
    expect(
      site.git(
        "log",
        "-1",
        "--format=%an <%ae>|%cn <%ce>|%s|%(trailers:key=Cms-Action,valueonly,separator=%x2C)|%(trailers:key=Cms-Page,valueonly,separator=%x2C)",
      ),
    ).toBe('Edith Editor <edith@example.org>|git-cms <git-cms@cms.invalid>|Call page 1 "New"|update|1\n');
    expect(site.git("diff", "--name-status", "HEAD~1", "HEAD")).toBe(`M\t${file(1)}\n`);
    expect(site.complaints()).toBe("");
  });

  it("changes the one line that changed", async () => {
    const { site, content } = await open();
    await content.store.transact(EDITH, retitle(1, "New"));
    expect(site.git("diff", "--numstat", "HEAD~1", "HEAD")).toBe(`1\t1\t${file(1)}\n`);
  });

  it("does not let an author's name add to it", async () => {
    const { site, content } = await open();
    await content.store.transact(
      { name: "Eve\ncommitter Mallory <m@x> 0 +0000", email: "e>\0<e" },
      retitle(1, "New\n\nCms-Action: delete"),
    );
    expect(site.complaints()).toBe("");
    expect(site.git("log", "-1", "--format=%cn|%(trailers:key=Cms-Action,valueonly,separator=%x2C)")).toBe(
      "git-cms|update\n",
    );
  });
});

it("many writes at once are as many commits, and leave a clean repository", async () => {
  const { site, content } = await open();
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      content.store.transact(EDITH, n % 3 === 0 ? create(`New-${n}`) : retitle((n % 5) + 1, `Title ${n}`)),
    ),
  );
  expect(site.git("rev-list", "--count", "HEAD")).toBe("61\n");
  expect(site.complaints()).toBe("");
});

describe("a person's work elsewhere", () => {
  it("stays exactly as it was: staged, half staged, modified, added, deleted, untracked", async () => {
    const { site, content } = await open();
    site.save(file(2), page(2, "Staged"));
    site.git("add", file(2));
    site.save(file(3), page(3, "Staged"));
    site.git("add", file(3));
    site.save(file(3), page(3, "Then changed again"));
    site.save(file(4), page(4, "Changed"));
    site.save("new.txt", "added\n");
    site.git("add", "new.txt");
    site.save("untracked.txt", "untracked\n");
    site.git("rm", "--quiet", "notes.txt");
    const look = (): string[] => [
      site.git("status", "--porcelain"),
      site.git("diff"),
      site.git("diff", "--cached"),
      site.git("ls-files", "--stage", ":!" + file(1)),
    ];
    const before = look();
    await Promise.all([
      content.store.transact(EDITH, retitle(1, "One")),
      content.store.transact(EDITH, retitle(1, "Two")),
    ]);
    expect(look()).toEqual(before);
    expect(site.git("log", "--format=%s", "-2")).toBe('Call page 1 "Two"\nCall page 1 "One"\n');
    expect(site.git("diff", "--name-only", "HEAD~2", "HEAD")).toBe(`${file(1)}\n`);
  });

  it("staged in the file being written is neither committed nor written over", async () => {
    const { site, content } = await open();
    site.save(file(1), `${page(1, "Staged")}ordering: 4\n`);
    site.git("add", file(1));
    site.save(file(1), `${page(1, "Later")}ordering: 5\n`);
    const head = site.git("rev-parse", "HEAD");
    const refused = { code: "conflict", message: expect.stringContaining(`git restore --staged ${file(1)}`) as string };
    await expect(content.store.transact(EDITH, retitle(1, "Ours"))).rejects.toMatchObject(refused);
    expect(site.git("rev-parse", "HEAD")).toBe(head);
    expect(site.git("show", `:${file(1)}`)).toContain("Staged");
    expect(site.text(file(1))).toContain("Later");
    site.git("restore", "--staged", file(1));
    await content.store.transact(EDITH, retitle(1, "Ours"));
    expect(site.git("log", "--format=%an: %s", "-2")).toBe(
      `Edith Editor: Call page 1 "Ours"\nPat Person: Adopt edits made by hand in ${file(1)}\n`,
    );
    expect(site.git("show", `HEAD:${file(1)}`)).toBe(`${page(1, "Ours")}ordering: 5\n`);
    expect(site.complaints()).toBe("");
  });

  it.each(["skip-worktree", "assume-unchanged"])(
    "which git was told to overlook (%s) is not committed",
    async (mark) => {
      const { site, content } = await open();
      site.git("update-index", `--${mark}`, file(1));
      site.save(file(1), `${page(1, "Mine alone")}ordering: 5\n`);
      const head = site.git("rev-parse", "HEAD");
      const refused = { code: "conflict", message: expect.stringContaining(`--no-${mark}`) as string };
      await expect(content.store.transact(EDITH, retitle(1, "Ours"))).rejects.toMatchObject(refused);
      expect(site.git("rev-parse", "HEAD")).toBe(head);
      expect(site.text(file(1))).toContain("Mine alone");
      site.git("update-index", `--no-${mark}`, file(1));
      await content.store.transact(EDITH, retitle(1, "Ours"));
      expect(site.complaints()).toBe("");
    },
  );

  it("promised with `git add --intent-to-add` is adopted: nothing of it is staged", async () => {
    const { site, content } = await open();
    site.save(file(9), page(9, "New"));
    site.git("add", "--intent-to-add", file(9));
    await content.store.refresh();
    await content.store.transact(EDITH, retitle(9, "Ours"));
    expect(site.git("show", `HEAD~1:${file(9)}`)).toBe(page(9, "New"));
    expect(site.complaints()).toBe("");
  });

  it("moved with `git mv` is left to be committed; moved without git it is adopted as a move", async () => {
    const { site, content } = await open();
    const renamed = "content/pages/renamed.yaml";
    site.git("mv", file(1), renamed);
    await expect(content.store.transact(EDITH, retitle(1, "Ours"))).rejects.toMatchObject({ code: "conflict" });
    site.git("restore", "--staged", file(1), renamed);
    await content.store.transact(EDITH, retitle(1, "Ours"));
    expect(site.git("log", "-1", "--skip=1", "--format=", "--name-status", "-M")).toBe(
      `R100\t${file(1)}\t${renamed}\n`,
    );
    expect(site.complaints()).toBe("");
  });
});

describe("what git does in between", () => {
  it("`git commit`, `git reset --hard`, `git checkout`: the next write builds on it", async () => {
    const { site, content } = await open();
    const { store } = content;
    await store.transact(EDITH, retitle(1, "One"));
    site.git("reset", "--quiet", "--hard", "HEAD~1");
    await store.transact(EDITH, retitle(2, "Two"));
    expect([titleIn(store, 1), titleIn(store, 2)]).toEqual(["Page 1", "Two"]);
    site.git("checkout", "--quiet", "-b", "side", "HEAD~1");
    await store.transact(EDITH, retitle(3, "Three"));
    expect(site.git("log", "--format=%s", "side", "^main")).toBe('Call page 3 "Three"\n');
    site.git("checkout", "--quiet", "main");
    await store.transact(EDITH, retitle(3, "Other three"));
    expect([titleIn(store, 2), titleIn(store, 3)]).toEqual(["Two", "Other three"]);
    expect(site.complaints()).toBe("");
  });

  it("`git gc` and `git pack-refs` do not matter", async () => {
    const { site, content } = await open();
    await content.store.transact(EDITH, retitle(1, "One"));
    site.git("pack-refs", "--all");
    await content.store.transact(EDITH, retitle(1, "Two"));
    site.git("gc", "--quiet", "--prune=now");
    await content.store.transact(EDITH, retitle(1, "Three"));
    expect(site.git("log", "--format=%s", "-3")).toBe('Call page 1 "Three"\nCall page 1 "Two"\nCall page 1 "One"\n');
    expect(site.complaints()).toBe("");
  });
});
