/**
 * Servers and people that write at random on clones of one remote, some of them cut off for a while.
 *
 * When all have synchronised, their trees are the same, every file loads, and each value is live, in a draft, in the conflict
 * list or in a draft file that a move left behind, unless a commit that knew it wrote its field again or deleted its page.
 *
 * `SYNC_RUNS` sets the number of runs, `SYNC_SEED` the first of them: thousands of them for a night.
 */
import { expect, it } from "vitest";
import { listConflicts } from "../../../src/actions/conflicts.ts";
import { createPage, savePageDraft, updatePage } from "../../../src/actions/pages.ts";
import { deletePage } from "../../../src/actions/page-removal.ts";
import { openCms, type Cms } from "../../../src/cms.ts";
import { PAGES } from "../../../src/store/content/records/pages.ts";
import { quietEnv } from "../git-site.ts";
// @ts-expect-error: a script, which has no types
import { randomOf } from "../../../scripts/soak/random.mjs";
// @ts-expect-error: a script, which has no types
import { FIELDS, LANGUAGES, siteFiles } from "../../../scripts/soak-sync/site.mjs";
// @ts-expect-error: a script, which has no types
import { fatesIn, HISTORY, readHistory, valueOf } from "../../../scripts/soak-sync/written-values.mjs";
import { bareRemote, complaintsOf, type Clone } from "./clones.ts";

const RUNS = Number(process.env.SYNC_RUNS ?? 10);
const SEED = Number(process.env.SYNC_SEED ?? 1);
const STEPS = 24;
const PAGES_AT_FIRST = 4;

interface Server {
  readonly clone: Clone;
  readonly cms: Cms;
  isCutOff: boolean;
}

const AUTHOR = { name: "Edith Editor", email: "edith@example.org" };

async function run(seed: number): Promise<void> {
  const source = randomOf(seed, "converge");
  const random = (below: number): number => source.between(0, below - 1);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const remote = bareRemote(siteFiles(PAGES_AT_FIRST));
  const servers: Server[] = [];
  for (let i = 0; i < 2 + random(3); i++) {
    const clone = remote.clone();
    servers.push({ clone, cms: await openCms(clone.dir, { env: quietEnv() }), isCutOff: false });
  }
  /** By value, the page and field that it was written to, live or in a draft. */
  const writes = new Map<string, { readonly page: number; readonly field: string }>();
  let count = 0;

  async function write({ cms, clone }: Server): Promise<void> {
    const [lang, field] = [pick<string>(LANGUAGES), pick<string>(FIELDS)];
    const pages = cms.store.current.all(PAGES);
    const target = pages.length > 0 ? pick(pages) : undefined;
    const value: string = valueOf(++count);
    const kind = random(12);
    if (kind === 0 || !target) {
      await createPage(cms, AUTHOR, { title_en: `New ${count}`, title_it: `Nuova ${count}` }, "en");
    } else if (kind === 1 && pages.length > 3) {
      await deletePage(cms, AUTHOR, target.id);
    } else if (kind === 2) {
      await savePageDraft(cms, AUTHOR, target.id, lang, { [`${field}_${lang}`]: value }, { mode: "merge" });
      writes.set(value, { page: target.id, field: `${target.id} ${lang} ${field}` });
    } else if (kind === 3) {
      const { base, files: parts } = cms.store.current.table(PAGES).byId.get(target.id)!;
      const isAlone = count % 2 === 1; // the drafts are left behind
      for (const part of isAlone ? [".yaml"] : parts.keys())
        clone.git("mv", base + part, `content/pages/moved-${count}${part}`);
      clone.commit(`Move ${base}`);
      await cms.store.refresh();
    } else {
      await updatePage(cms, AUTHOR, target.id, { [`${field}_${lang}`]: value }, "en", "merge");
      writes.set(value, { page: target.id, field: `${target.id} ${lang} ${field}` });
    }
  }

  const sync = ({ clone, cms }: Server) =>
    clone.sync({ merge: (merge) => cms.store.merge(merge), acceptsDeletions: true });

  for (let step = 0; step < STEPS; step++) {
    const server = pick(servers);
    const action = random(10);
    if (action < 7) await write(server);
    else if (action < 9 && !server.isCutOff) await sync(server);
    else server.isCutOff = !server.isCutOff;
  }
  for (let round = 0; round < 2; round++) for (const server of servers) await sync(server);

  const trees = servers.map(({ clone }) => clone.git("rev-parse", "HEAD^{tree}"));
  expect(new Set(trees).size, `seed ${seed}`).toBe(1);
  const [{ cms, clone }] = servers as [Server, ...Server[]];
  const leftDrafts = cms.store.current.problems.filter(({ message }) => message.includes("This draft stands alone"));
  const left = leftDrafts.map(({ path }) => clone.text(path)).join("\n");
  const listed = JSON.stringify(
    await listConflicts(cms).then((all) => all.map(({ ours, theirs }) => [ours.value, theirs.value])),
  );
  const fateOf = fatesIn(readHistory(clone.git(...HISTORY)), writes);
  const kept = JSON.stringify(cms.store.current.all(PAGES)) + listed + left;
  for (const [value, { field }] of writes) {
    const isFound = kept.includes(value) ? "found" : fateOf(value);
    expect(isFound, `seed ${seed}: page, language and field ${field} had "${value}"`).toMatch(/found|replaced/);
  }
  for (const server of servers) {
    // A server that had loaded the page by its former name also names its last version.
    const others = server.cms.store.current.problems.filter(
      ({ path }) => !leftDrafts.some((draft) => draft.path.startsWith(path.replace(/yaml$/, ""))),
    );
    expect(others, `seed ${seed}`).toEqual([]);
    await server.cms.close();
    expect(complaintsOf(server.clone), `seed ${seed}`).toBe("");
  }
}

it.each(Array.from({ length: RUNS }, (_, i) => SEED + i))(
  "seed %i: all converge, and nothing is lost",
  { timeout: 120_000 },
  run,
);
