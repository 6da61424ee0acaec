/**
 * Servers and people that write at random on clones of one remote, some of them cut off for a while.
 *
 * When all have synchronised, their trees are the same, every file loads, and the last value acknowledged for each field is
 * live, in a draft, in the conflict list or in a draft file that a move left behind, unless its page was deleted later.
 *
 * `SYNC_RUNS` sets the number of runs, `SYNC_SEED` the first of them.
 */
import { expect, it } from "vitest";
import { listConflicts } from "../../../src/actions/conflicts.ts";
import { createPage, savePageDraft, updatePage } from "../../../src/actions/pages.ts";
import { deletePage } from "../../../src/actions/page-removal.ts";
import { openCms, type Cms } from "../../../src/cms.ts";
import type { Page } from "../../../src/model/page.ts";
import { PAGES } from "../../../src/store/content/records/pages.ts";
import { quietEnv } from "../git-site.ts";
import { bareRemote, complaintsOf, type Clone } from "./clones.ts";

const RUNS = Number(process.env.SYNC_RUNS ?? 3);
const SEED = Number(process.env.SYNC_SEED ?? 1);
const STEPS = 24;
const LANGS = ["en", "it"] as const;
const FIELDS = ["title", "description", "keywords"] as const;

type Field = (typeof FIELDS)[number];
type Lang = (typeof LANGS)[number];

interface Server {
  readonly clone: Clone;
  readonly cms: Cms;
  isCutOff: boolean;
}

/** Mulberry32: the same numbers for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const page = (id: number): string => `id: ${id}
date_created: 2026-01-01T00:00:00.000Z
translations:
  en:
    title: Page ${id}
    permalink: /page-${id}
    autopermalink: false
    published_at: 2026-01-01T00:00:00.000Z
  it:
    title: Pagina ${id}
    permalink: /pagina-${id}
    autopermalink: false
    published_at: 2026-01-01T00:00:00.000Z
`;

const textOf = (of: Page, lang: Lang, field: Field): string => String(of.translations[lang]?.[field] ?? "");
const AUTHOR = { name: "Edith Editor", email: "edith@example.org" };

async function run(seed: number): Promise<void> {
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const files = Object.fromEntries([1, 2, 3, 4].map((id) => [`content/pages/page-${id}.yaml`, page(id)]));
  const remote = bareRemote({ "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n", ...files });
  const servers: Server[] = [];
  for (let i = 0; i < 2 + random(3); i++) {
    const clone = remote.clone();
    servers.push({ clone, cms: await openCms(clone.dir, { env: quietEnv() }), isCutOff: false });
  }
  /** The last acknowledged value of each field, live or in a draft. */
  const acknowledged = new Map<string, string>();
  let count = 0;

  async function write({ cms, clone }: Server): Promise<void> {
    const [lang, field] = [pick(LANGS), pick(FIELDS)];
    const pages = cms.store.current.all(PAGES);
    const target = pages.length > 0 ? pick(pages) : undefined;
    const value = `${field} ${++count}`;
    const kind = random(12);
    if (kind === 0 || !target) {
      await createPage(cms, AUTHOR, { title_en: `New ${count}`, title_it: `Nuova ${count}` }, "en");
    } else if (kind === 1 && pages.length > 3) {
      for (const key of acknowledged.keys()) if (key.startsWith(`${target.id} `)) acknowledged.delete(key);
      await deletePage(cms, AUTHOR, target.id);
    } else if (kind === 2) {
      await savePageDraft(cms, AUTHOR, target.id, lang, { [`${field}_${lang}`]: value }, { mode: "merge" });
      acknowledged.set(`${target.id} ${lang} ${field}`, value);
    } else if (kind === 3) {
      const { base, files: parts } = cms.store.current.table(PAGES).byId.get(target.id)!;
      const isAlone = count % 2 === 1; // the drafts are left behind
      for (const part of isAlone ? [".yaml"] : parts.keys())
        clone.git("mv", base + part, `content/pages/moved-${count}${part}`);
      clone.commit(`Move ${base}`);
      await cms.store.refresh();
    } else {
      await updatePage(cms, AUTHOR, target.id, { [`${field}_${lang}`]: value }, "en", "merge");
      acknowledged.set(`${target.id} ${lang} ${field}`, value);
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
  for (const [key, value] of acknowledged) {
    const [id, lang, field] = key.split(" ") as [string, Lang, Field];
    const current = cms.store.current.find(PAGES, Number(id));
    const isKept =
      (current && textOf(current, lang, field) === value) ||
      JSON.stringify(current?.drafts ?? {}).includes(`"${value}"`) ||
      listed.includes(`"${value}"`) ||
      left.includes(`: ${value}\n`);
    expect(isKept, `seed ${seed}: page, language and field ${key} had "${value}"`).toBe(true);
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
