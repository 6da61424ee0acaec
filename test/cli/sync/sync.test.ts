/** `cms sync` as a process: two clones of one bare remote, as in the README. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bareRemote } from "../../store/sync/clones.ts";
import { cms, serve } from "../process.ts";

const HOME = "content/pages/home.yaml";
const PAGE = (title: string, titolo: string) => `id: 1
translations:
  en:
    title: ${title}
    published_at: 2026-01-01T00:00:00.000Z
  it:
    title: ${titolo}
    published_at: 2026-01-01T00:00:00.000Z
`;

function clones() {
  const remote = bareRemote({
    "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n",
    [HOME]: PAGE("Home", "Casa"),
  });
  return [remote.clone(), remote.clone()] as const;
}

describe("cms sync", () => {
  it("sets up the merge driver of a clone that has none, outside the working tree, and not in a dry run", async () => {
    const [a] = clones();
    const driver = () => a.git("config", "--local", "--default", "", "--get", "merge.cms.driver").trim();
    const attributes = () => a.git("check-attr", "merge", HOME).trim();
    expect((await cms(["sync", "--root", a.dir, "--dry-run"])).code).toBe(0);
    expect([driver(), attributes()]).toEqual(["", `${HOME}: merge: unspecified`]);
    expect(await cms(["sync", "--root", a.dir])).toMatchObject({ code: 0, err: "" });
    expect(driver()).toContain("merge-driver %O %A %B %L %P");
    expect([attributes(), a.git("status", "--porcelain")]).toEqual([`${HOME}: merge: cms`, ""]);
    a.git("config", "merge.cms.driver", "their own %A");
    expect((await cms(["sync", "--root", a.dir])).code).toBe(0);
    expect(driver()).toBe("their own %A");
  });

  it("brings two clones together; of a title that both changed, ours waits as a draft", async () => {
    const [a, b] = clones();
    a.save(HOME, PAGE("Start", "Casa"));
    a.commit("English");
    b.save(HOME, PAGE("Beginning", "Inizio"));
    b.commit("Both");
    const sync = (dir: string, ...args: string[]) => cms(["sync", "--root", dir, ...args]);
    expect(await sync(b.dir)).toMatchObject({ code: 0, out: "Pushed 1 commit.\n" });
    const dry = await sync(a.dir, "--dry-run", "--json");
    expect(JSON.parse(dry.out)).toMatchObject({
      dry_run: true,
      outcome: "merged",
      pulled: 1,
      conflicts: [{ draft: true }],
    });
    // Errors are not looked at: a slow machine says there what the sync is doing.
    expect(await sync(a.dir)).toMatchObject({
      code: 0,
      out:
        "Merged 1 commit of origin/main, pushed 2 commits.\n" +
        `  ${HOME}: both sides changed title (en). The remote's value stands. Ours is kept as a draft.\n`,
    });
    expect(await sync(b.dir)).toMatchObject({ code: 0, out: "Taken 2 commits of origin/main.\n" });
    expect(await sync(b.dir)).toMatchObject({ code: 0, out: "Nothing to exchange with origin/main.\n" });
    for (const clone of [a, b]) {
      expect(clone.text(HOME)).toBe(PAGE("Beginning", "Inizio"));
      expect(clone.text("content/pages/home.draft.en.yaml")).toContain("Start");
      expect(await cms(["check", "--root", clone.dir])).toMatchObject({ code: 0 });
    }
  });

  it("leaves a conflict that `cms conflicts` lists, also where its page comes from the content cache", async () => {
    const page = (title: string, id = 1): string =>
      `id: ${id}\ntranslations:\n  en:\n    title: ${title}\n    permalink: /p${id}\n    autopermalink: false\n`;
    // With fewer records nothing is cached.
    const others = Array.from({ length: 60 }, (_, n) => [`content/pages/p${n}.yaml`, page("Other", n + 2)]);
    const remote = bareRemote({
      "cms.config.yaml": "LANGUAGES: { en: English }\n",
      [HOME]: page("Home"),
      ...Object.fromEntries(others),
    });
    const [a, b] = [remote.clone(), remote.clone()];
    for (const [clone, title] of [
      [b, "Beginning"],
      [a, "Start"],
    ] as const) {
      clone.save(HOME, page(title));
      clone.commit(title);
      expect((await cms(["sync", "--root", clone.dir])).code).toBe(0);
    }
    expect(await (await serve(a.dir)).stop()).toBe(0);
    expect(existsSync(join(a.dir, ".git/cms/content.cache"))).toBe(true);
    const listed = await cms(["conflicts", "--root", a.dir]);
    expect(listed).toMatchObject({ code: 0, err: "Open conflicts: 1.\n" });
    expect(listed.out).toMatch(
      /^\S+ {2}content\/pages\/home\.yaml: title \(en\)\n {2}live: "Beginning" .+\n {2}ours: "Start" /,
    );
    const { out } = await cms(["conflicts", "--root", a.dir, "--json"]);
    expect(JSON.parse(out)).toMatchObject([{ record: { model: "Page", id: 1, name: "Beginning" }, field: "title" }]);
  });

  it("takes remote and branch from the settings, and flags before those", async () => {
    const remote = bareRemote({
      "cms.config.yaml":
        "LANGUAGES: { en: English }\nSYNC: { REMOTE: live, BRANCH: content, PUSH_BRANCH: edits, PUSH: false }\n",
      [HOME]: PAGE("Home", "Casa"),
    });
    remote.git("branch", "content");
    const [a, b] = [remote.clone(), remote.clone()];
    a.git("remote", "rename", "origin", "live");
    b.save(HOME, PAGE("Theirs", "Casa"));
    const theirs = b.commit("Theirs");
    b.git("push", "--quiet", "origin", "HEAD:content");
    a.save("notes.txt", "ours\n");
    const before = a.commit("Ours");
    const sync = (...args: string[]) => cms(["sync", "--root", a.dir, ...args]);
    expect((await sync("--branch", "main")).out).toBe("Nothing to exchange with live/main.\n");
    expect(a.head()).toBe(before);
    expect((await sync()).out).toBe("Merged 1 commit of live/content.\n");
    expect(a.git("merge-base", theirs, "HEAD").trim()).toBe(theirs);
    const refs = () => remote.git("for-each-ref", "--format=%(refname:short) %(objectname)").trim().split("\n");
    expect(refs()).toEqual([`content ${theirs}`, `main ${b.git("rev-parse", "HEAD^").trim()}`]);
    expect((await sync("--push")).out).toBe("Pushed 2 commits.\n");
    expect(refs()).toContain(`edits ${a.head()}`);
    expect((await sync("--branch", "main", "--push")).out).toBe("Pushed 3 commits.\n");
    expect(refs()).toContain(`main ${a.head()}`);
    expect(refs()).toContain(`content ${theirs}`);
    expect(await sync("--remote", "origin")).toMatchObject({
      code: 1,
      err: expect.stringContaining('no remote "origin"'),
    });
  });

  it("says in one sentence why it failed, with exit code 1, and 2 for wrong use", async () => {
    const [a] = clones();
    a.git("remote", "set-url", "origin", "file:///nowhere.git");
    const { code, out, err } = await cms(["sync", "--root", a.dir]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^error: The remote repository does not exist, .*\n$/);
    expect(await cms(["sync", "--root", a.dir, "--nothing"])).toMatchObject({ code: 2 });
  });
});
