/**
 * What a write executes does not grow with the site: of each piece of code, a site of 500 pages runs as much as one of
 * 100. V8 counts it, so neither the machine nor other processes have a say.
 */
import { utimesSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { siteOver } from "../../site.ts";
import { gitSite, quietEnv } from "../../store/git/git-site.ts";

const [FEW, MANY] = [100, 500];
/** A pass over all pages adds 400 to the count of a piece of code; chance, such as lengths of numbers, adds less. */
const GROWTH = 200;
/**
 * Git's index is one file, which is written whole, in blocks; files of folders are one tree. Once a second, objects are
 * looked for that a `git gc` may have removed.
 */
const GROWS = /store\/git\/(index\/|objects\/(tree-format|trees|objects)\.ts)/;
const MOMENT = "2026-01-01T00:00:00.000Z";
const FOLDERS = 10;

type Write = readonly [method: string, path: string, body?: object];

/** Each in two versions: the first prepares what is built when it is first used. */
const WRITES: Readonly<Record<string, readonly [Write, Write]>> = {
  "draft of a page": twice((n) => ["PATCH", `pages/${n + 10}/draft/?language=en`, { title: `Draft ${n}` }]),
  "title of a page": twice((n) => ["PATCH", `pages/${n + 20}/?language=en`, { title: `Title ${n}` }]),
  "permalink of a page": twice((n) => ["PATCH", `pages/${n + 30}/?language=en`, { permalink: `/moved-${n}` }]),
  "new page": twice((n) => ["POST", "pages/", { title: `New ${n}` }]),
  tag: twice((n) => ["POST", "tags/", { name: `Tag ${n}` }]),
  menu: twice((n) => ["POST", "menus/", { key: `menu-${n}` }]),
};

/** Reads every page, for references to the deleted one: what shows that the measure finds such a pass. */
const DELETION = "deletion of a page";
const DELETIONS = twice((n) => ["DELETE", `pages/${n + 50}/`]);

it("runs no piece of code more often on a larger site", async () => {
  const [few, many] = [await countsOn(FEW), await countsOn(MANY)];
  for (const [name, counts] of many) {
    expect(counts.size, name).toBeGreaterThan(300);
    const grown = [...counts].filter(
      ([place, count]) => !GROWS.test(place) && count - times(few, name, place) > GROWTH,
    );
    if (name === DELETION) expect(grown).not.toEqual([]);
    else expect(grown, name).toEqual([]);
  }
});

type Counts = ReadonlyMap<string, number>;

const times = (counts: ReadonlyMap<string, Counts>, name: string, place: string): number =>
  counts.get(name)!.get(place) ?? 0;

function twice(write: (n: number) => Write): readonly [Write, Write] {
  return [write(1), write(2)];
}

/** How often each piece of code has run for each of the writes. */
async function countsOn(pages: number): Promise<ReadonlyMap<string, Counts>> {
  const files = Object.fromEntries(Array.from({ length: pages }, (_, n) => [fileOf(n + 1), textOf(n + 1)]));
  const disk = gitSite(files);
  // Git's index cannot vouch for files saved in the second in which it was written: each would be looked at once more.
  for (const path of Object.keys(files)) utimesSync(join(disk.dir, path), new Date(MOMENT), new Date(MOMENT));
  disk.git("update-index", "--refresh");
  const site = await siteOver(await openGitRepo(disk.dir, { env: quietEnv() }), disk.dir);
  const send = async ([method, path, body]: Write): Promise<void> => {
    const { status, text } = await site.ask(method, `api:${path}`, { body, as: "superuser" });
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
  };
  const writes = Object.entries({ ...WRITES, [DELETION]: DELETIONS });
  for (const [, [first]] of writes) await send(first);
  const found = new Map<string, Counts>();
  for (const [name, [, second]] of writes) found.set(name, await counted(() => send(second)));
  return found;
}

const fileOf = (id: number): string => `content/pages/${id % FOLDERS}/p${id}.yaml`;

/** Every twentieth page is the parent of those that follow. */
function textOf(id: number): string {
  const parent = id % 20 === 1 ? "" : `parent_page: ${id - ((id - 1) % 20)}\n`;
  const translations = ["en", "it"].map(
    (lang) =>
      `  ${lang}:\n    title: Page ${id}\n    permalink: /p${id}\n    autopermalink: false\n    published_at: ${MOMENT}\n`,
  );
  return `id: ${id}\nidentifier: p${id}\n${parent}date_created: ${MOMENT}\ntranslations:\n${translations.join("")}`;
}

/** How often each function, branch and body of a loop of `src` runs, by its place. */
async function counted(work: () => Promise<void>): Promise<Counts> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    await work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const found = new Map<string, number>();
    for (const { url, functions } of result) {
      const file = /\/src\/(.+)$/.exec(url)?.[1];
      if (file === undefined || url.startsWith("node:") || url.includes("/node_modules/")) continue;
      for (const { functionName, ranges } of functions)
        for (const { startOffset, endOffset, count } of ranges)
          if (count > 0) found.set(`${file} ${functionName} ${startOffset}-${endOffset}`, count);
    }
    return found;
  } finally {
    session.disconnect();
  }
}
