/** What people and the `git` command do to the files under a running service. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { watch } from "../../../src/store/watch/watch.ts";
import { GIT_ENV, gitSite, quietEnv, type GitSite } from "../git/git-site.ts";
import type { Store } from "../../../src/store/write/store.ts";
import { contentOver, EDITH, handsOn, retitle, titleIn, type Content } from "../store-site.ts";

const page = (id: number, title: string): string =>
  `id: ${id}\ndate_created: 2026-01-02T00:00:00.000Z\ntranslations:\n  en:\n    title: ${title}\n    permalink: /${id}\n`;
const file = (id: number): string => `content/pages/p${id}.yaml`;

/** Milliseconds within which a change is to be served. */
const SOON = 1_000;
// A busy machine may be late once; a promise that is not kept is late every time.
const TIMED = { retry: 2 };

interface Watched {
  readonly site: GitSite;
  readonly content: Content;
  /** How often readers got to see other content. */
  swaps(): number;
  templates(): number;
  /** Waits until it holds. @returns how long that took, in milliseconds */
  until(holds: () => boolean, deadline?: number): Promise<number>;
}

async function watched(
  files: Record<string, string> = { [file(1)]: page(1, "One"), [file(2)]: page(2, "Two") },
): Promise<Watched> {
  const site = gitSite(files);
  onTestFinished(site.remove);
  const content = await contentOver({ repo: await openGitRepo(site.dir, { env: quietEnv() }), hands: handsOn(site) });
  let [swaps, templates] = [0, 0];
  const stop = watch({
    store: content.store,
    log: quietEnv().log,
    onContent: () => swaps++,
    onTemplates: () => templates++,
  });
  onTestFinished(stop);
  return {
    site,
    content,
    swaps: () => swaps,
    templates: () => templates,
    async until(holds, deadline = SOON) {
      const start = performance.now();
      while (!holds()) {
        if (performance.now() - start > deadline) expect.fail(`It did not come to that within ${deadline} ms`);
        await pause(5);
      }
      return performance.now() - start;
    },
  };
}

describe("within a second", TIMED, () => {
  it("an edit, a new file and a deletion are served", async () => {
    const { site, content, until } = await watched();
    site.save(file(1), page(1, "By hand"));
    await until(() => titleIn(content.store, 1) === "By hand");
    site.save("content/pages/new/deep/p3.yaml", page(3, "Three"));
    await until(() => titleIn(content.store, 3) === "Three");
    rmSync(join(site.dir, file(2)));
    await until(() => content.store.current.find(PAGES, 2) === undefined);
  });

  it("a save by way of a temporary file is served", async () => {
    const { site, content, until } = await watched();
    site.save("content/pages/.p1.yaml.swp", page(1, "Renamed"));
    renameSync(join(site.dir, "content/pages/.p1.yaml.swp"), join(site.dir, file(1)));
    await until(() => titleIn(content.store, 1) === "Renamed");
    expect(content.store.current.problems).toEqual([]);
  });

  it("a renamed file and a renamed folder keep their records", async () => {
    const { site, content, until } = await watched({
      "content/pages/a/p1.yaml": page(1, "One"),
      "content/pages/a/p2.yaml": page(2, "Two"),
    });
    renameSync(join(site.dir, "content/pages/a"), join(site.dir, "content/pages/b"));
    await until(() => content.store.current.pathsOf(PAGES, 1)[0] === "content/pages/b/p1.yaml");
    expect(titleIn(content.store, 2)).toBe("Two");
    site.save("content/pages/b/p1.yaml", page(1, "Still noticed"));
    await until(() => titleIn(content.store, 1) === "Still noticed");
  });

  it("`git commit` is known, also one that changes no content", async () => {
    const { site, content, until } = await watched();
    site.save(file(1), page(1, "Committed"));
    site.git("commit", "--quiet", "--all", "--message=By hand");
    const head = site.git("rev-parse", "HEAD").trim();
    await until(() => content.store.current.commit === head && titleIn(content.store, 1) === "Committed");
    site.git("commit", "--quiet", "--allow-empty", "--message=Nothing");
    const next = site.git("rev-parse", "HEAD").trim();
    await until(() => content.store.current.commit === next);
  });

  it("`git checkout` of another branch, `git reset --hard` and `git stash` are served", async () => {
    const { site, content, until } = await watched();
    site.git("checkout", "--quiet", "-b", "side");
    site.save(file(1), page(1, "Side"));
    site.git("commit", "--quiet", "--all", "--message=Side");
    site.git("checkout", "--quiet", "main");
    await until(() => titleIn(content.store, 1) === "One");
    site.git("checkout", "--quiet", "side");
    await until(
      () =>
        titleIn(content.store, 1) === "Side" && content.store.current.commit === site.git("rev-parse", "side").trim(),
    );
    site.git("reset", "--quiet", "--hard", "HEAD~1");
    await until(() => titleIn(content.store, 1) === "One");
    site.save(file(1), page(1, "Stashed"));
    await until(() => titleIn(content.store, 1) === "Stashed");
    site.git("stash", "--quiet");
    await until(() => titleIn(content.store, 1) === "One");
  });

  it("`git pull` from another clone is served", async () => {
    const { site, content, until } = await watched();
    const other = mkdtempSync(join(tmpdir(), "cms-clone-"));
    onTestFinished(() => rmSync(other, { recursive: true, force: true }));
    const there = (...args: string[]): string =>
      execFileSync("git", args, { cwd: other, env: GIT_ENV, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    there("clone", "--quiet", site.dir, ".");
    writeFileSync(join(other, file(2)), page(2, "From afar"));
    there("-c", "user.name=Otto", "-c", "user.email=otto@example.org", "commit", "--quiet", "--all", "--message=Afar");
    await content.store.transact(EDITH, retitle(1, "Here"));
    site.git("pull", "--quiet", "--no-rebase", "--no-edit", other, "main");
    await until(() => titleIn(content.store, 2) === "From afar" && titleIn(content.store, 1) === "Here");
    await content.store.transact(EDITH, retitle(2, "Goes on"));
    expect(site.complaints()).toBe("");
  });

  it("a change of a template is told, once a burst", async () => {
    const { site, templates, swaps, until } = await watched({ [file(1)]: page(1, "One"), "templates/a.html": "a" });
    for (const text of ["b", "c", "d"]) site.save("templates/a.html", text);
    await until(() => templates() === 1);
    await pause(200);
    expect([templates(), swaps()]).toEqual([1, 0]);
  });

  it("an edit is seen although the service is written to without pause", async () => {
    const { site, content, until } = await watched();
    let go = true;
    const writer = (async () => {
      for (let n = 0; go; n++) {
        await content.store.transact(EDITH, retitle(1, `Title ${n}`));
        await pause(10);
      }
    })();
    await pause(50);
    site.save(file(2), page(2, "By hand"));
    try {
      await until(() => titleIn(content.store, 2) === "By hand");
    } finally {
      go = false;
      await writer;
    }
  });

  it("a content folder that comes only later is noticed, and so are its files", async () => {
    const { site, content, until } = await watched({ "notes.txt": "no content yet\n" });
    site.save(file(1), page(1, "First"));
    await until(() => titleIn(content.store, 1) === "First");
    site.save(file(1), page(1, "Second"));
    await until(() => titleIn(content.store, 1) === "Second");
  });
});

describe("half a change", () => {
  it("a broken file leaves the last good version, is told, and is served once it is whole", async () => {
    const { site, content, until } = await watched();
    site.save(file(1), "id: 1\ntranslations:\n  en: {");
    await until(() => content.store.current.problems.length === 1);
    expect(titleIn(content.store, 1)).toBe("One");
    site.save(file(1), page(1, "Whole"));
    await until(() => titleIn(content.store, 1) === "Whole");
    expect(content.store.current.problems).toEqual([]);
  });

  it("an empty file that is filled at once is never a problem", async () => {
    const { site, content, until } = await watched();
    site.save(file(1), "");
    await pause(400);
    expect([titleIn(content.store, 1), content.store.current.problems]).toEqual(["One", []]);
    site.save(file(1), page(1, "Filled"));
    await until(() => titleIn(content.store, 1) === "Filled");
    expect(content.logged).toEqual([]);
  });

  it("an empty file that stays empty is one in the end", async () => {
    const { site, content, until } = await watched();
    site.save(file(1), "");
    await until(() => content.store.current.problems.length === 1, 4_000);
    expect(titleIn(content.store, 1)).toBe("One");
  });

  it("a lock of git's is waited for, so that a checkout is seen whole", async () => {
    const { site, content, swaps, until } = await watched();
    site.save(".git/index.lock", "");
    site.save(file(1), page(1, "New one"));
    await pause(300);
    site.save(file(2), page(2, "New two"));
    await pause(300);
    expect([titleIn(content.store, 1), swaps()]).toEqual(["One", 0]);
    rmSync(join(site.dir, ".git/index.lock"));
    await until(() => titleIn(content.store, 1) === "New one");
    expect([titleIn(content.store, 2), swaps()]).toEqual(["New two", 1]);
  });
});

describe("many files", () => {
  const MANY = Array.from({ length: 300 }, (_, n) => n + 1);
  const all = (title: string): Record<string, string> =>
    Object.fromEntries(MANY.map((id) => [file(id), page(id, `${title} ${id}`)]));

  it("of a checkout are swapped at once, never half", async () => {
    const { site, content, swaps, until } = await watched(all("Old"));
    site.git("checkout", "--quiet", "-b", "side");
    for (const [path, text] of Object.entries(all("New"))) site.save(path, text);
    site.git("commit", "--quiet", "--all", "--message=All");
    await until(() => titleIn(content.store, 300) === "New 300", 5_000);
    const before = swaps();
    const seen = new Set<string>();
    content.store.onChange((snapshot) =>
      seen.add([...new Set(snapshot.all(PAGES).map((one) => one.translations.en!.title!.split(" ")[0]))].join("+")),
    );
    site.git("checkout", "--quiet", "main");
    await until(() => titleIn(content.store, 300) === "Old 300", 5_000);
    await pause(300);
    expect([swaps() - before, [...seen]]).toEqual([1, ["Old"]]);
  });

  it("of a checkout during a look are looked at again", async () => {
    const site = gitSite(all("Old"));
    onTestFinished(site.remove);
    site.git("checkout", "--quiet", "-b", "side");
    for (const [path, text] of Object.entries(all("New"))) site.save(path, text);
    site.git("commit", "--quiet", "--all", "--message=All");
    const { store } = await contentOver({
      repo: await openGitRepo(site.dir, { env: quietEnv() }),
      hands: handsOn(site),
    });
    const outcomes: string[] = [];
    let isFirst = true;
    const looking: Pick<Store, "repo" | "refresh" | "maintain"> = {
      repo: store.repo,
      maintain: () => store.maintain(),
      async refresh(judge) {
        const outcome = await store.refresh(() => {
          const isSettled = judge?.();
          return async (found) => {
            if (isFirst) site.git("checkout", "--quiet", "main");
            isFirst = false;
            return (await isSettled?.(found)) ?? true;
          };
        });
        outcomes.push(outcome);
        return outcome;
      },
    };
    onTestFinished(await watch({ store: looking, log: quietEnv().log }));
    while (!outcomes.includes("other")) await pause(5);
    expect(outcomes).toEqual(["unsettled", "other"]);
    expect(MANY.map((id) => titleIn(store, id))).toEqual(MANY.map((id) => `Old ${id}`));
  });

  it("that vanish for a moment are served throughout", async () => {
    const { site, content, swaps, until } = await watched(all("Old"));
    renameSync(join(site.dir, "content"), join(site.dir, "elsewhere"));
    await pause(700);
    expect([content.store.current.all(PAGES).length, swaps()]).toEqual([300, 0]);
    renameSync(join(site.dir, "elsewhere"), join(site.dir, "content"));
    await pause(300);
    site.save(file(1), page(1, "Back"));
    await until(() => titleIn(content.store, 1) === "Back", 3_000);
    expect(content.store.current.all(PAGES)).toHaveLength(300);
  });

  it("that are deleted for good are gone in the end", async () => {
    const { site, content, until } = await watched(all("Old"));
    rmSync(join(site.dir, "content"), { recursive: true });
    await until(() => content.store.current.all(PAGES).length === 0, 5_000);
  });

  it("that a commit deletes are gone at once", async () => {
    const { site, content, until } = await watched(all("Old"));
    site.git("rm", "--quiet", "-r", "content/pages");
    site.git("commit", "--quiet", "--message=Clear");
    await until(() => content.store.current.all(PAGES).length === 0, 1_500);
  });
});

describe("a symbolic link", () => {
  it("is a problem and is not followed, neither as a file nor as a folder", async () => {
    const { site, content, until } = await watched();
    const outside = mkdtempSync(join(tmpdir(), "cms-outside-"));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    writeFileSync(join(outside, "p9.yaml"), page(9, "Outside"));
    symlinkSync(join(outside, "p9.yaml"), join(site.dir, "content/pages/p9.yaml"));
    symlinkSync(outside, join(site.dir, "content/pages/folder"));
    await until(() => content.store.current.problems.length === 2);
    expect(content.store.current.problems.map(({ path }) => path).sort()).toEqual([
      "content/pages/folder",
      "content/pages/p9.yaml",
    ]);
    expect(content.store.current.find(PAGES, 9)).toBeUndefined();
  });
});

it("does nothing more once it is stopped", async () => {
  const site = gitSite({ [file(1)]: page(1, "One") });
  onTestFinished(site.remove);
  const content = await contentOver({ repo: await openGitRepo(site.dir, { env: quietEnv() }), hands: handsOn(site) });
  const stop = watch({ store: content.store, log: quietEnv().log });
  site.save(file(1), page(1, "Too late"));
  await stop();
  await pause(300);
  expect(titleIn(content.store, 1)).toBe("One");
});
