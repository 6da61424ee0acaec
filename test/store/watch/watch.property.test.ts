/**
 * Whatever people, git and the service itself do to the files, in whatever order: what is served is what is on disk, soon,
 * without a scan of the whole tree.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { PAGES } from "../../../src/store/records/pages.ts";
import { watch } from "../../../src/store/watch/watch.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import type { Path } from "../../../src/store/repo.ts";
import type { Found, Store } from "../../../src/store/write/store.ts";
import { gitSite, quietEnv, type GitSite } from "../git/git-site.ts";
import { contentOver, create, EDITH, handsOn, retitle } from "../store-site.ts";

/** A tenth of the time after which the whole tree is scanned. */
const DEADLINE_MS = 6_000;

const page = (id: number, title: string): string =>
  `id: ${id}\ndate_created: 2026-01-02T00:00:00.000Z\ntranslations:\n  en:\n    title: ${title}\n    permalink: /${id}\n`;

const FILES = ["p1", "a/p2", "a/b/p3", "a/b/p4", "c/p5"].map((name) => `content/pages/${name}.yaml`);
const FOLDERS = ["content/pages/a", "content/pages/a/b", "content/pages/c", "content/pages/new/deep"];
const idOf = (file: Path): number => Number(/p(\d)\.yaml$/.exec(file)?.[1]);

const STEP = fc.oneof(
  fc.record({ kind: fc.constantFrom("save" as const, "replace" as const, "break" as const), at: fc.nat(4) }),
  fc.record({ kind: fc.constantFrom("erase" as const, "move" as const), at: fc.nat(4) }),
  fc.record({ kind: fc.constantFrom("eraseFolder" as const, "moveFolder" as const), at: fc.nat(3) }),
  fc.record({ kind: fc.constantFrom("retitle" as const, "create" as const, "pause" as const), at: fc.nat(4) }),
  fc.record({ kind: fc.constantFrom("commit" as const, "switch" as const, "stash" as const), at: fc.nat(1) }),
);
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

async function take(site: GitSite, store: Store, { kind, at }: Step, turn: number): Promise<void> {
  const file = FILES[at % FILES.length] ?? "";
  const folder = FOLDERS[at % FOLDERS.length] ?? "";
  const absolute = (path: Path): string => join(site.dir, path);
  const other = `content/pages/moved-${turn}`;
  switch (kind) {
    case "save":
      return site.save(file, page(idOf(file), `Saved ${turn}`));
    case "replace":
      mkdirSync(dirname(absolute(file)), { recursive: true });
      writeFileSync(absolute(`${file}.tmp`), page(idOf(file), `Replaced ${turn}`));
      return renameSync(absolute(`${file}.tmp`), absolute(file));
    case "break":
      return site.save(file, "id: 1\ntranslations: {");
    case "erase":
      return rmSync(absolute(file), { force: true });
    case "move":
      return renameSync(absolute(file), absolute(`${other}.yaml`));
    case "eraseFolder":
      return rmSync(absolute(folder), { recursive: true, force: true });
    case "moveFolder":
      return renameSync(absolute(folder), absolute(other));
    case "retitle":
      return void (await store.transact(EDITH, retitle(idOf(file), `Retitled ${turn}`)));
    case "create":
      return void (await store.transact(EDITH, create(`Created${turn}`)));
    case "pause":
      return pause(at * 60);
    case "commit":
      site.git("add", "--all");
      return void site.git("commit", "--quiet", `--message=By hand ${turn}`);
    case "switch":
      return void site.git("switch", "--quiet", "--discard-changes", at === 0 ? "main" : "side");
    case "stash":
      return void site.git("stash", "--quiet", "--include-untracked");
  }
}

/** What a scan of the whole tree finds, of which nothing is loaded. */
async function scan(store: Store): Promise<Found> {
  let found: Found | undefined;
  await store.refresh(() => (seen) => {
    found = seen;
    return false;
  });
  if (!found) throw new Error("The scan was not asked about");
  return found;
}

const oids = (files: Found["served"]): [Path, string][] =>
  Array.from(files, ([path, { oid }]): [Path, string] => [path, oid]).sort(([a], [b]) => (a < b ? -1 : 1));

/** Title and path of each page, but for those with a file that does not load. */
function served(store: Store, broken: ReadonlySet<Path>): unknown[] {
  return store.current
    .all(PAGES)
    .map(({ id, translations }) => [id, translations.en?.title, store.current.pathsOf(PAGES, id)])
    .filter(([, , paths]) => !(paths as Path[]).some((path) => broken.has(path)));
}

async function checkServed(site: GitSite, store: Store): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  for (;;) {
    const { files, served: loaded, head } = await scan(store);
    const isServed = head === store.current.commit && JSON.stringify(oids(files)) === JSON.stringify(oids(loaded));
    if (isServed) break;
    if (performance.now() > end) expect(oids(loaded)).toEqual(oids(files));
    if (performance.now() > end) expect(store.current.commit).toBe(head);
    await pause(20);
  }
  const repo = await openGitRepo(site.dir, { env: quietEnv(), use: "read" });
  const { store: fresh } = await contentOver({ repo, hands: handsOn(site) }, { readOnly: true });
  const broken = new Set([...store.current.problems, ...fresh.current.problems].map(({ path }) => path));
  expect(served(store, broken)).toEqual(served(fresh, broken));
}

it("is served soon", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 10 }), async (steps) => {
      const site = gitSite(Object.fromEntries(FILES.map((file) => [file, page(idOf(file), "First")])));
      onTestFinished(site.remove);
      site.git("branch", "side");
      const repo = await openGitRepo(site.dir, { env: quietEnv() });
      const { store } = await contentOver({ repo, hands: handsOn(site) });
      const asked: (ReadonlySet<Path> | undefined)[] = [];
      // A look is counted once it is over: a step during the first one would have the whole tree looked at again.
      const refresh: Store["refresh"] = async (accept, paths) => {
        const outcome = await store.refresh(accept, paths);
        asked.push(paths);
        return outcome;
      };
      const stop = watch({
        store: { repo, refresh, maintain: (part) => store.maintain(part) },
        log: quietEnv().log,
      });
      try {
        // The first look is at the whole tree: steps before it would test nothing.
        while (asked.length === 0) await pause(5);
        // Git refuses some commands, the service some writes, and some files are not there to be moved.
        for (const [turn, step] of steps.entries()) await take(site, store, step, turn).catch(() => undefined);
        await checkServed(site, store);
        expect(asked.indexOf(undefined, 1)).toBe(-1);
      } finally {
        await stop();
      }
    }),
    { numRuns: 20 },
  );
});
