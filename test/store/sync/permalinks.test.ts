/** Pages renamed in several clones: after a merge every permalink has one page, and every alias is used. */
import { describe, expect, it } from "vitest";
import { createPage, updatePage } from "../../../src/actions/pages/pages.ts";
import { deletePage } from "../../../src/actions/pages/page-removal.ts";
import { openCms, type Cms } from "../../../src/cms.ts";
import { CmsError } from "../../../src/errors.ts";
import { contentProblems } from "../../../src/store/check/check.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { quietEnv } from "../git/git-site.ts";
// @ts-expect-error: a script, which has no types
import { randomOf } from "../../../scripts/soak/random.mjs";
// @ts-expect-error: a script, which has no types
import { siteFiles } from "../../../scripts/soak-sync/site.mjs";
import { bareRemote, complaintsOf, LOCALES, type Clone } from "./clones.ts";
import { expectSameOnDisk } from "../../support/restart.ts";

const RUNS = Number(process.env.SYNC_RUNS ?? 5);
const SEED = Number(process.env.SYNC_SEED ?? 1);
const AUTHOR = { name: "Edith Editor", email: "edith@example.org" };

const HOME = "content/pages/home.yaml";
const ABOUT = "content/pages/about.yaml";

const page = (id: number, permalink: string, ...aliases: string[]): string => `id: ${id}
date_created: 2026-01-0${id}T00:00:00.000Z
${aliases.length > 0 ? `aliases:\n${aliases.map((from) => `  - language: en\n    from: ${from}\n`).join("")}` : ""}\
translations:
  en:
    title: Page ${id}
    permalink: ${permalink}
    autopermalink: false
`;

const SITE = { "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n" };

describe("an alias", () => {
  const home = page(1, "/home");
  const about = page(2, "/about", "/start-2");
  const NEW = "content/pages/new.yaml";

  // oxfmt-ignore
  it.each<[string, ours: Record<string, string>, theirs: Record<string, string>, merged: Record<string, string>]>([
    ["is dropped when its page has the permalink again",
     { [HOME]: page(1, "/start", "/home") },
     { [HOME]: page(1, "/home", "/start") },
     { [HOME]: page(1, "/start", "/home") }],
    ["is dropped when another page has the permalink",
     { [HOME]: page(1, "/start", "/home") },
     { [HOME]: page(1, "/first"), [ABOUT]: page(2, "/home", "/about") },
     { [HOME]: page(1, "/first", "/start"), [ABOUT]: page(2, "/home", "/about") }],
    ["stays when one side had both already",
     { [HOME]: page(1, "/home", "/about") },
     { [ABOUT]: page(2, "/about", "/news") },
     { [HOME]: page(1, "/home", "/about"), [ABOUT]: page(2, "/about", "/news") }],
    ["is no permalink that a contested page gets instead",
     { [HOME]: page(1, "/start", "/home") },
     { [NEW]: page(3, "/start") },
     { [HOME]: page(1, "/start", "/home"), [ABOUT]: about, [NEW]: page(3, "/start-3") }],
  ])("%s", async (_case, ours, theirs, merged) => {
    const remote = bareRemote({ ...SITE, [HOME]: home, [ABOUT]: about });
    const [a, b] = [remote.clone(), remote.clone()];
    for (const [clone, files] of [[a, ours], [b, theirs]] as const) {
      for (const [path, text] of Object.entries(files)) clone.save(path, text);
      clone.commit("Rename");
    }
    await b.sync();
    await a.sync();
    for (const [path, text] of Object.entries(merged)) expect(a.text(path)).toBe(text);
    expect(complaintsOf(a)).toBe("");
    expect((await b.sync()).outcome).not.toBe("merged");
    expect(b.text(HOME)).toBe(a.text(HOME));
  });
});

async function renameAtRandom(seed: number): Promise<void> {
  const source = randomOf(seed, "permalinks");
  const random = (below: number): number => source.between(0, below - 1);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const remote = bareRemote(siteFiles(3));
  const servers: { readonly clone: Clone; readonly cms: Cms }[] = [];
  for (let i = 0; i < 2 + random(2); i++) {
    const clone = remote.clone();
    servers.push({ clone, cms: await openCms(clone.dir, { env: quietEnv() }) });
  }

  async function write(cms: Cms): Promise<void> {
    const name = pick(["Alpha", "Beta", "Gamma"]);
    const pages = cms.store.current.all(PAGES);
    const [target, above] = [pick(pages), pick(pages)];
    const kind = random(12);
    if (kind === 0) await createPage(cms, AUTHOR, { title_en: name, title_it: name }, "en");
    else if (kind === 1 && pages.length > 2) await deletePage(cms, AUTHOR, target.id);
    else if (kind === 2)
      await updatePage(cms, AUTHOR, target.id, { parent_page: above.id }, { lang: "en", mode: "merge" });
    else if (kind < 6) {
      const lang = pick(["en", "it"]);
      const body = { [`permalink_${lang}`]: `/${name}`, [`autopermalink_${lang}`]: false };
      await updatePage(cms, AUTHOR, target.id, body, { lang: "en", mode: "merge" });
    } else {
      const body = { title_en: name, autopermalink_en: true, title_it: name };
      await updatePage(cms, AUTHOR, target.id, body, { lang: "en", mode: "merge" });
    }
  }

  const sync = ({ clone, cms }: (typeof servers)[number]) =>
    clone.sync({ merge: (merge) => cms.store.merge(merge), acceptsDeletions: true });

  for (let step = 0; step < 30; step++) {
    const server = pick(servers);
    if (random(5) === 0) await sync(server);
    else
      await write(server.cms).catch((error: unknown) => {
        // A permalink that is taken, a parent that is a descendant.
        if (!(error instanceof CmsError && error.code === "invalid")) throw error;
      });
  }
  for (let round = 0; round < 2; round++) for (const server of servers) await sync(server);

  const trees = servers.map(({ clone }) => clone.git("rev-parse", "HEAD^{tree}"));
  expect(new Set(trees).size, `seed ${seed}`).toBe(1);
  for (const { cms, clone } of servers) {
    const found = await contentProblems(cms.store, LOCALES);
    expect(
      found.filter(({ severity }) => severity === "error"),
      `seed ${seed}`,
    ).toEqual([]);
    await expectSameOnDisk(cms, clone.dir);
    await cms.close();
    expect(complaintsOf(clone), `seed ${seed}`).toBe("");
  }
}

it.each(Array.from({ length: RUNS }, (_, i) => SEED + i))(
  "seed %i: renames at random leave no permalink with two pages, and no alias without use",
  { timeout: 120_000 },
  renameAtRandom,
);
