/**
 * Servers and people that write at random on clones of one remote. Some servers are cut off for a while, some die at any step of
 * a write or a sync, and scheduled drafts become due.
 *
 * When all have synchronised, their trees are the same, every file loads, no draft is due, and each value is live, in a draft,
 * in the conflict list or in a draft file that a move left behind, unless a commit that knew it wrote its field again, published
 * a draft of it or deleted its page.
 *
 * `SYNC_RUNS` sets the number of runs, `SYNC_SEED` the first of them: thousands of them for a night.
 */
import { expect, it } from "vitest";
import { SERVICE } from "../../../src/actions/context.ts";
import { listConflicts } from "../../../src/actions/conflicts.ts";
import { createPage, publishPage, savePageDraft, schedulePage, updatePage } from "../../../src/actions/pages/pages.ts";
import { deletePage } from "../../../src/actions/pages/page-removal.ts";
import { dueDrafts, sweepDue } from "../../../src/actions/pages/sweep.ts";
import type { Env } from "../../../src/env.ts";
import { instantOf, type Instant } from "../../../src/model/time/instant.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { quietEnv } from "../git/git-site.ts";
// @ts-expect-error: a script, which has no types
import { randomOf } from "../../../scripts/soak/random.mjs";
// @ts-expect-error: a script, which has no types
import { FIELDS, LANGUAGES, siteFiles } from "../../../scripts/soak-sync/site.mjs";
// @ts-expect-error: a script, which has no types
import { fatesIn, HISTORY, readHistory, valueOf } from "../../../scripts/soak-sync/written-values.mjs";
import { bareRemote, complaintsOf } from "./clones.ts";
import { openRandomServer, type RandomServer } from "./random-server.ts";
import { expectSameOnDisk } from "../../support/restart.ts";

const RUNS = Number(process.env.SYNC_RUNS ?? 6);
const SEED = Number(process.env.SYNC_SEED ?? 1);
const STEPS = 24;
const PAGES_AT_FIRST = 4;
const MINUTE = 60_000;
/** More than a write or a merge has changing calls: then the server dies after its last one, or lives. */
const CALLS = 60;
const ROUNDS = 4;

const AUTHOR = { name: "Edith Editor", email: "edith@example.org" };

async function run(seed: number): Promise<void> {
  const source = randomOf(seed, "converge");
  const random = (below: number): number => source.between(0, below - 1);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  let ms = Date.parse("2027-01-01T00:00:00Z");
  const env: Env = { ...quietEnv(), now: () => instantOf(ms) };
  const remote = bareRemote(siteFiles(PAGES_AT_FIRST));
  const servers: RandomServer[] = [];
  for (let i = 0; i < 2 + random(4); i++) servers.push(await openRandomServer(remote.clone(), env));
  /** By value, the page and field that it was written to, live or in a draft. */
  const writes = new Map<string, { readonly page: number; readonly field: string }>();
  const acknowledged = new Set<string>();
  let count = 0;

  /** One write in four is at a server that dies in it. @returns whether it was acknowledged */
  async function mayDie(server: RandomServer, work: () => Promise<unknown>): Promise<boolean> {
    if (random(4) > 0) {
      await work();
      return true;
    }
    return server.dieAt(1 + random(CALLS), pick(["before", "half way", "after"] as const), work);
  }

  async function write(server: RandomServer): Promise<void> {
    const { clone } = server;
    const [lang, field] = [pick<string>(LANGUAGES), pick<string>(FIELDS)];
    const pages = server.cms.store.current.all(PAGES);
    const target = pages.length > 0 ? pick(pages) : undefined;
    const value: string = valueOf(++count);
    const later = (): Instant => instantOf(ms + random(120) * MINUTE);
    /** A write of the value to the field of the page. */
    const writeValue = async (page: number, work: () => Promise<unknown>): Promise<void> => {
      writes.set(value, { page, field: `${page} ${lang} ${field}` });
      if (await mayDie(server, work)) acknowledged.add(value);
    };
    const kind = random(15);
    const body = { [`${field}_${lang}`]: value };
    if (kind === 0 || !target) {
      const titles = { title_en: `New ${count}`, title_it: `Nuova ${count}` };
      await mayDie(server, () => createPage(server.cms, AUTHOR, titles, "en"));
    } else if (kind === 1 && pages.length > 3) {
      await mayDie(server, () => deletePage(server.cms, AUTHOR, target.id));
    } else if (kind <= 4) {
      const schedule = kind === 4 ? {} : { scheduledFor: later() };
      await writeValue(target.id, () =>
        savePageDraft(server.cms, AUTHOR, target.id, body, { lang, mode: "merge", ...schedule }),
      );
    } else if (kind === 5) {
      await mayDie(server, () => schedulePage(server.cms, AUTHOR, target.id, lang, { at: later() }));
    } else if (kind === 6) {
      await mayDie(server, () => publishPage(server.cms, AUTHOR, target.id, lang));
    } else if (kind === 7) {
      const { base, files: parts } = server.cms.store.current.table(PAGES).byId.get(target.id)!;
      const isAlone = count % 2 === 1; // the drafts are left behind
      for (const part of isAlone ? [".yaml"] : parts.keys())
        clone.git("mv", base + part, `content/pages/moved-${count}${part}`);
      clone.commit(`Move ${base}`);
      await server.cms.store.refresh();
    } else {
      await writeValue(target.id, () => updatePage(server.cms, AUTHOR, target.id, body, { lang: "en", mode: "merge" }));
    }
  }

  const sync = (server: RandomServer, pushes = true) =>
    server.clone.sync({ merge: (merge) => server.cms.store.merge(merge), acceptsDeletions: true, pushes, env });
  /** One in six ends after its merge, before the push. */
  const syncOrDie = (server: RandomServer) => mayDie(server, () => sync(server, random(6) > 0));

  const sweep = ({ cms }: RandomServer) => sweepDue(cms, SERVICE, "Scheduled publish");

  for (let step = 0; step < STEPS; step++) {
    ms += random(20) * MINUTE;
    const server = pick(servers);
    if (random(2) > 0 && dueDrafts(server.cms).length > 0) await mayDie(server, () => sweep(server));
    const action = random(10);
    if (action < 7) await write(server);
    else if (action < 9 && !server.isCutOff) await syncOrDie(server);
    else server.isCutOff = !server.isCutOff;
  }

  ms += 24 * 60 * MINUTE;
  for (let round = 0; round < ROUNDS; round++) {
    for (const server of servers) {
      await sweep(server);
      await sync(server);
    }
  }

  const trees = servers.map(({ clone }) => clone.git("rev-parse", "HEAD^{tree}"));
  expect(new Set(trees).size, `seed ${seed}`).toBe(1);
  const [{ cms, clone }] = servers as [RandomServer, ...RandomServer[]];
  const leftDrafts = cms.store.current.problems.filter(({ message }) => message.includes("This draft stands alone"));
  const left = leftDrafts.map(({ path }) => clone.text(path)).join("\n");
  const listed = JSON.stringify(
    await listConflicts(cms).then((all) => all.map(({ ours, theirs }) => [ours.value, theirs.value])),
  );
  const fateOf = fatesIn(readHistory(clone.git(...HISTORY)), writes);
  const kept = JSON.stringify(cms.store.current.all(PAGES)) + listed + left;
  for (const [value, { field }] of writes) {
    const fate = kept.includes(value) ? "found" : fateOf(value);
    const isRight = ["found", "replaced"].includes(fate) || (fate === "unwritten" && !acknowledged.has(value));
    expect(isRight, `seed ${seed}: page, language and field ${field} had "${value}": ${fate}`).toBe(true);
  }
  for (const server of servers) {
    expect(dueDrafts(server.cms), `seed ${seed}`).toEqual([]);
    // A server that had loaded the page by its former name also names its last version.
    const others = server.cms.store.current.problems.filter(
      ({ path }) => !leftDrafts.some((draft) => draft.path.startsWith(path.replace(/yaml$/, ""))),
    );
    expect(others, `seed ${seed}`).toEqual([]);
    await expectSameOnDisk(server.cms, server.clone.dir);
    await server.cms.close();
    expect(complaintsOf(server.clone), `seed ${seed}`).toBe("");
  }
}

it.each(Array.from({ length: RUNS }, (_, i) => SEED + i))(
  "seed %i: all converge, and nothing is lost",
  { timeout: 120_000 },
  run,
);
