/** The manifest's epoch changes if and only if the answers of menus, page-less blocks, types and instances change. */
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCms } from "../../src/cms.ts";
import { defaultConfig } from "../../src/config.ts";
import { instantOf, msOf, parseInstant } from "../../src/model/time/instant.ts";
import { openHistory } from "../../src/store/history/history.ts";
import type { LogEntry, Repo } from "../../src/store/repo.ts";
import { openStore } from "../../src/store/write/store.ts";
import { sharedPayloadsOf } from "../../src/views/manifest/epoch-payloads.ts";
import { renderEpoch } from "../../src/views/manifest/epoch.ts";
import { memorySite, START, temporaryFolder, type MemorySite } from "../site.ts";
import { GIT_ENV, gitSite, quietEnv, type GitSite } from "../store/git/git-site.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

const epochOf = async ({ ask }: MemorySite): Promise<string | null> =>
  (await ask("GET", "api:pages-router/changes")).body.epoch as string | null;

/** The epoch that a new process computes from the repository alone. */
async function freshEpoch({ cms, clock }: MemorySite, repo: Repo = cms.store.repo): Promise<string | null> {
  const { locales, env } = cms;
  const history = openHistory(repo, ["content"], null);
  const store = await openStore({ repo, kinds: cms.store.kinds, locales, env, history });
  return renderEpoch({ ...cms, store, history }, store.current, clock.now());
}

/** The public answers that any page may show. */
async function answers({ cms: { store, config, locales }, clock }: MemorySite): Promise<string> {
  return (
    await sharedPayloadsOf(
      { config, locales, lang: locales.default, now: clock.now(), surface: "public", origin: "" },
      store.current,
    )
  ).digest;
}

const menu = (id: number, link: number, more = ""): string =>
  `id: ${id}\nkey: m${id}\n${more}translations:\n  en:\n    nodes:\n      - title: One\n        link: { link_type: RE, url_node: ${link} }\n`;
const page = (id: number, permalink: string, more = "", published = "2026-01-01T00:00:00Z"): string =>
  `id: ${id}\ndate_created: 2026-01-01T00:00:00.000Z\n${more}translations:\n  en: { title: P${id}, permalink: ${permalink}, autopermalink: false, published_at: ${published} }\n`;

const SITE = {
  "content/menus/main.yaml": menu(5, 1),
  "content/pages/a.yaml": page(1, "/a"),
  "content/pages/b.yaml": page(2, "/b"),
};

async function commit(site: MemorySite): Promise<void> {
  site.repo.commitByHand("By hand", site.clock.now());
  await site.cms.store.refresh();
}

describe("a menu's epoch", () => {
  // oxfmt-ignore
  it.each<[string, boolean, (site: MemorySite) => unknown]>([
    // what happens                             moves
    ["nothing",                                 false, () => undefined],
    ["an hour",                                 false, ({ clock }) => clock.tick(3_600_000)],
    ["a page it links to is renamed",           true,  ({ repo }) => repo.write("content/pages/a.yaml", page(1, "/new"))],
    ["a page it links to is trashed",           true,  ({ api }) => api("POST", "pages/1/trash/")],
    ["a page it links to is unpublished",       true,  ({ repo }) => repo.write("content/pages/a.yaml", page(1, "/a", "", "2027-01-01T00:00:00Z"))],
    ["a page it links to is removed",           true,  ({ api }) => api("DELETE", "pages/1/")],
    ["a page it links to has another text",     false, ({ repo }) => repo.write("content/pages/a.yaml", page(1, "/a").replace("P1", "Other"))],
    ["a page it links to moves to another file", false, ({ repo }) => {
      repo.write("content/pages/sub/z.yaml", page(1, "/a"));
      repo.erase("content/pages/a.yaml");
    }],
    ["another page is renamed",                 false, ({ repo }) => repo.write("content/pages/b.yaml", page(2, "/c"))],
    ["a comment in its file",                   false, ({ repo }) => repo.write("content/menus/main.yaml", `# comment\n${menu(5, 1)}`)],
    ["another target",                          true,  ({ repo }) => repo.write("content/menus/main.yaml", menu(5, 2))],
    ["its removal",                             true,  ({ repo }) => repo.erase("content/menus/main.yaml")],
    ["a block of a page",                       false, ({ repo }) => repo.write("content/contents/x.yaml", "id: 8\nidentifier: x\npage: 1\ncontent: { en: x }\n")],
    ["a block of none",                         true,  ({ repo }) => repo.write("content/contents/x.yaml", "id: 8\nidentifier: x\ncontent: { en: x }\n")],
  ])("%s: changed is %s", async (_what, moves, change) => {
    const site = await memorySite(SITE);
    const before = await epochOf(site);
    expect(before).not.toBeNull();
    site.clock.tick(5000);
    await change(site);
    await commit(site);
    const after = await epochOf(site);
    expect(after !== before).toBe(moves);
    expect(after! >= before!).toBe(true);
    expect(await freshEpoch(site)).toBe(after);
  });

  it("changes when a linked page goes public by schedule, and not when another page does", async () => {
    const site = await memorySite({
      ...SITE,
      "content/pages/a.yaml": page(1, "/a", "", "2026-03-01T13:00:00Z"),
      "content/pages/b.yaml": page(2, "/b", "", "2026-03-01T14:00:00Z"),
    });
    const before = await epochOf(site);
    site.clock.set("2026-03-01T12:59:59.999Z");
    expect(await epochOf(site)).toBe(before);
    site.clock.set("2026-03-01T13:00:00Z");
    expect(await epochOf(site)).toBe("2026-03-01T13:00:00.000001Z");
    site.clock.set("2026-03-01T15:00:00Z");
    expect(await epochOf(site)).toBe("2026-03-01T13:00:00.000001Z");
    expect(await freshEpoch(site)).toBe("2026-03-01T13:00:00.000001Z");
  });

  it("increases with each of many changes in one second", async () => {
    const site = await memorySite(SITE);
    let last = await epochOf(site);
    for (let n = 0; n < 20; n++) {
      await site.api(
        "PATCH",
        n % 2 ? "menus/m5/" : "pages/1/",
        n % 2 ? { enabled: n % 4 === 3 } : { permalink: `/p${n}`, autopermalink: false },
      );
      const next = await epochOf(site);
      expect(next! > last!).toBe(true);
      last = next;
    }
    expect(await freshEpoch(site)).toBe(last);
  });

  it("changes when a page is published and, in the same second, trashed, published again, hidden or deleted", async () => {
    const site = await memorySite({ ...SITE, "content/pages/a.yaml": page(1, "/a", "", "2027-01-01T00:00:00Z") });
    const seen = [[await epochOf(site), await answers(site)]];
    const step = async (change: () => unknown): Promise<void> => {
      await change();
      const [epoch, said] = [await epochOf(site), await answers(site)];
      const [before, saidBefore] = seen.at(-1)!;
      expect([seen.length, epoch! > before!]).toEqual([seen.length, said !== saidBefore]);
      expect(await freshEpoch(site)).toBe(epoch);
      seen.push([epoch, said]);
    };
    const post = (verb: string) => () => site.api("POST", `pages/1/${verb}/`);
    site.clock.tick(500);
    for (const verb of ["publish", "trash", "restore", "publish"]) {
      await step(post(verb));
      await step(() => site.clock.tick(20));
    }
    await step(async () => {
      site.repo.write("content/pages/a.yaml", page(1, "/a", "", "2027-01-01T00:00:00Z"));
      await commit(site);
    });
    const soon = instantOf(msOf(site.clock.now()) + 30);
    await step(() => site.api("POST", "pages/1/schedule/", { publish_at: soon }));
    await step(() => site.clock.tick(40));
    await step(() => site.api("DELETE", "pages/1/"));
    expect(new Set(seen.map(([, said]) => said)).size).toBeGreaterThan(1);
  });

  it("does not decrease with a commit whose clock is slow", async () => {
    const site = await memorySite(SITE);
    site.clock.tick(60_000);
    await site.api("PATCH", "menus/m5/", { enabled: false });
    const before = await epochOf(site);
    const { repo, cms, clock } = site;
    repo.write("content/menus/main.yaml", menu(5, 2));
    repo.commitByHand("From a machine that is behind", instantOf(msOf(clock.now()) - 3_600_000));
    await cms.store.refresh();
    const behind = withTimes(repo, (entry) =>
      entry.message.startsWith("From") ? instantOf(msOf(entry.at) - 3_600_000) : entry.at,
    );
    expect((await freshEpoch(site, behind))! > before!).toBe(true);
  });

  it("changes with an uncommitted edit or removal", async () => {
    const site = await memorySite(SITE);
    const seen = new Set([await epochOf(site)]);
    for (const text of [menu(5, 2), menu(5, 2, "enabled: false\n"), null]) {
      if (text === null) site.repo.erase("content/menus/main.yaml");
      else site.repo.write("content/menus/main.yaml", text);
      await site.cms.store.refresh();
      seen.add(await epochOf(site));
    }
    expect(seen.size).toBe(4);
  });
});

// oxfmt-ignore
it.each<[string, Record<string, string | null>]>([
  ["of a linked page",           { "content/pages/a.yaml": page(1, "/edited") }],
  ["of a page linked no longer", { "content/pages/a.yaml": page(1, "/edited"), "content/pages/b.yaml": page(2, "/edited-too") }],
  ["that removes a linked page", { "content/pages/b.yaml": null }],
  ["that gives its id away",     { "content/pages/b.yaml": page(3, "/b") }],
])("is stored without an uncommitted edit %s", async (_, edits) => {
  const site = await memorySite({ ...SITE, "content/menus/foot.yaml": menu(6, 2) });
  const { repo, cms, clock } = site;
  await epochOf(site);
  for (const [path, text] of Object.entries(edits)) {
    if (text === null) repo.erase(path);
    else repo.write(path, text);
  }
  await cms.store.refresh();
  for (const enabled of [false, true]) {
    clock.tick(5000);
    await site.api("PATCH", "menus/m5/", { enabled });
    await site.api("PATCH", "pages/1/", { title: `Enabled ${enabled}` }).catch(() => undefined);
    await epochOf(site);
  }
  for (const [path] of Object.entries(edits)) repo.write(path, SITE[path as keyof typeof SITE]);
  await cms.store.refresh();
  expect(await epochOf(site)).toBe(await freshEpoch(site));
});

/** The repository with changed commit times. */
const withTimes = (repo: Repo, at: (entry: LogEntry) => LogEntry["at"]): Repo => ({
  ...repo,
  async *log(from, until, under) {
    for await (const entry of repo.log(from, until, under)) yield { ...entry, at: at(entry) };
  },
});

describe("any sequence of changes", () => {
  const n = fc.integer({ min: 1, max: 4 });
  const edit = fc.oneof(
    fc.record({
      do: fc.constant("page" as const),
      n,
      link: n,
      day: fc.option(fc.integer({ min: 1, max: 4 })),
      trashed: fc.boolean(),
    }),
    fc.record({ do: fc.constant("removed" as const), n }),
    fc.record({ do: fc.constant("menu" as const), n: fc.integer({ min: 1, max: 2 }), link: n, comment: fc.boolean() }),
    fc.record({ do: fc.constant("no menu" as const), n: fc.integer({ min: 1, max: 2 }) }),
    fc.record({ do: fc.constant("block" as const), n, page: fc.option(n), text: n }),
    fc.record({ do: fc.constant("type" as const), n }),
    fc.record({ do: fc.constant("instance" as const), n: fc.integer({ min: 1, max: 2 }), who: n }),
    fc.record({ do: fc.constant("tick" as const), ms: fc.constantFrom(10, 1000, 40_000_000) }),
  );

  it(
    "the epoch moves forward exactly when shared payloads change, and equals that of a fresh clone",
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { minLength: 3, maxLength: 15 }), async (edits) => {
          const site = await memorySite({ "content/pages/n1.yaml": page(1, "/n1") });
          const { repo, clock } = site;
          let [epoch, said] = [await epochOf(site), await answers(site)];
          const published = new Map<number, string>();
          for (const step of edits) {
            const now = clock.now();
            // The history does not tell whether a moment of this second was taken back before it came: it moves then, too.
            const mayMove =
              (step.do === "page" || step.do === "removed") && published.get(step.n)?.slice(0, 19) === now.slice(0, 19);
            if (step.do === "page") published.set(step.n, step.day === null ? now : `2026-03-0${step.day}T00:00:00Z`);
            switch (step.do) {
              case "page":
                repo.write(
                  `content/pages/n${step.n}.yaml`,
                  page(
                    step.n,
                    `/x${step.n}${step.link}`,
                    step.trashed ? "deleted_at: 2026-01-01T00:00:00Z\n" : "",
                    published.get(step.n),
                  ),
                );
                break;
              case "removed":
                repo.erase(`content/pages/n${step.n}.yaml`);
                break;
              case "menu":
                repo.write(
                  `content/menus/m${step.n}.yaml`,
                  `${step.comment ? "# comment\n" : ""}${menu(50 + step.n, step.link)}`,
                );
                break;
              case "no menu":
                repo.erase(`content/menus/m${step.n}.yaml`);
                break;
              case "block":
                repo.write(
                  `content/contents/b${step.n}.yaml`,
                  `id: ${60 + step.n}\nidentifier: b${step.n}\n${step.page === null ? "" : `page: ${step.page}\n`}translations: { en: { content: T${step.text} } }\n`,
                );
                break;
              case "type":
                repo.write(
                  "content/meta-types/t.yaml",
                  `id: 70\nkey: t\nname: T${step.n}\nschema: [{ name: who, kind: ref, target_model: cms.Page }]\n`,
                );
                break;
              case "instance":
                repo.write(
                  `content/meta-instances/t/i${step.n}.yaml`,
                  `id: ${80 + step.n}\nidentifier: i${step.n}\ndata: { who: ${step.who} }\n`,
                );
                break;
              default:
                clock.tick(step.ms);
            }
            if (step.do !== "tick") await commit(site);
            const [next, saying] = [await epochOf(site), await answers(site)];
            expect({ step, moved: next !== epoch }).toEqual({
              step,
              moved: saying !== said || (mayMove && next !== epoch),
            });
            if (epoch !== null) expect(next! >= epoch).toBe(true);
            expect(await freshEpoch(site)).toBe(next);
            [epoch, said] = [next, saying];
          }
          await expectSameAfterRestart(site);
        }),
        { numRuns: Number(process.env.RUNS ?? 30) },
      );
    },
  );
});

it("is null until something it depends on is saved", async () => {
  const site = await memorySite({ "content/pages/a.yaml": page(1, "/a") });
  expect([await epochOf(site), site.clock.now()]).toEqual([null, START]);
});

describe("in a git repository", () => {
  const at = (site: GitSite, when: string, ...args: string[]): unknown =>
    execFileSync("git", args, {
      cwd: site.dir,
      env: { ...GIT_ENV, GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: when },
      stdio: ["ignore", "pipe", "pipe"],
    });
  const epochIn = async (dir: string, now = "2026-03-01T12:00:00Z"): Promise<string | null> => {
    const cms = await openCms(dir, {
      config: defaultConfig({}),
      env: { ...quietEnv(), now: () => parseInstant(now)! },
    });
    try {
      return await renderEpoch(cms, cms.store.current, cms.env.now());
    } finally {
      await cms.close();
    }
  };
  const commitIn = (site: GitSite, when: string): void => {
    site.git("add", "--all");
    at(site, when, "commit", "--quiet", "--message=Edit");
  };
  const open = (): GitSite => {
    const site = gitSite(SITE);
    onTestFinished(site.remove);
    return site;
  };

  it("changes with a merge of old commits, and equals that of a clone", async () => {
    const site = open();
    site.git("checkout", "--quiet", "-b", "side");
    site.save("content/menus/foot.yaml", menu(6, 2));
    commitIn(site, "2026-01-02T00:00:00Z");
    site.git("checkout", "--quiet", "main");
    site.save("content/menus/main.yaml", menu(5, 2));
    commitIn(site, "2026-01-03T00:00:00Z");
    expect(await epochIn(site.dir)).toBe("2026-01-03T00:00:00.000001Z");
    at(site, "2026-01-04T00:00:00Z", "merge", "--quiet", "--no-edit", "side");
    expect(await epochIn(site.dir)).toBe("2026-01-04T00:00:00.000001Z");
    const clone = await temporaryFolder();
    site.git("clone", "--quiet", site.dir, clone);
    expect(await epochIn(clone)).toBe("2026-01-04T00:00:00.000001Z");
  });

  it("is the same with and without the cache of an earlier start", async () => {
    const site = open();
    for (const [day, text] of [
      [2, page(1, "/x")],
      [3, page(1, "/x").replace("P1", "Text")],
      [4, page(1, "/y")],
      [5, page(1, "/y", "deleted_at: 2026-01-05T00:00:00Z\n")],
    ] as const) {
      site.save("content/pages/a.yaml", text);
      commitIn(site, `2026-01-0${day}T00:00:00Z`);
      const epoch = await epochIn(site.dir);
      expect(epoch).toBe(`2026-01-0${day === 3 ? 2 : day}T00:00:00.000001Z`);
      const clone = await temporaryFolder();
      site.git("clone", "--quiet", site.dir, clone);
      expect(await epochIn(clone)).toBe(epoch);
    }
  });

  it("is that of a clone where files were made that no record names", async () => {
    const site = open();
    site.save("media/a.txt", "A file of the media library\n");
    site.save("content/media/a.txt.yaml", "id: 8\n");
    site.save(
      "content/meta-types/card.yaml",
      "id: 7\nkey: card\nname: Card\nschema:\n  - { name: file, kind: media }\n",
    );
    site.save("content/meta-instances/card/one.yaml", "id: 9\nmeta_type: 7\nidentifier: one\ndata: { file: 8 }\n");
    commitIn(site, "2026-01-02T00:00:00Z");
    site.save("media/a_thumb.txt", "Such as a thumbnail, of which git knows nothing\n");
    expect(await epochIn(site.dir)).toBe("2026-01-02T00:00:00.000001Z");
  });

  it("is computed again after the history was rewritten", async () => {
    const site = open();
    site.save("content/menus/main.yaml", menu(5, 2));
    commitIn(site, "2026-01-02T00:00:00Z");
    await epochIn(site.dir);
    site.git("reset", "--quiet", "--hard", "HEAD~1");
    expect(await epochIn(site.dir)).toBe("2026-01-01T00:00:00.000001Z");
  });
});
