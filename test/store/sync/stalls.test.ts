/** A large merge is done in steps, between which requests are answered. */
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers";
import { expect, it } from "vitest";
import { settingsFiles } from "../../../src/config.ts";
import { KINDS } from "../../../src/store/records/kinds.ts";
import type { Repo } from "../../../src/store/repo.ts";
import { planMerge } from "../../../src/store/sync/merge-plan.ts";
import { memoryRepo } from "../../support/memory-repo.ts";
import { quietEnv } from "../git/git-site.ts";
import { LOCALES } from "./clones.ts";

/** Awaits the work. @returns the longest turn of the event loop meanwhile, as a part of the whole time */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  let last = began;
  let longest = 0;
  let isDone = false;
  const look = (): void => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  await work();
  longest = Math.max(longest, performance.now() - last);
  isDone = true;
  return longest / (performance.now() - began);
}

const contextOf = (repo: Repo) => ({
  ...{ repo, kinds: KINDS, locales: LOCALES, env: quietEnv(), settings: settingsFiles },
});

it("of one list of 8,000 items", { timeout: 60_000 }, async () => {
  const path = "content/pages/a.yaml";
  const list = (edit: (n: number) => string): string =>
    `id: 7\nfeatures:\n${Array.from({ length: 8_000 }, (_, n) => `  - id: ${n}\n    label: Item ${n}${edit(n)}\n`).join("")}`;
  const repo = memoryRepo({ [path]: list(() => "") });
  const base = (await repo.state()).head!;
  const theirs = repo.receive(base, { [path]: list((n) => (n % 7 === 1 ? " theirs" : "")) }, "Theirs");
  const ours = repo.receive(base, { [path]: list((n) => (n % 7 === 3 ? " ours" : "")) }, "Ours");
  const plan = async () => {
    const { changes, conflicts } = await planMerge(contextOf(repo), { base, ours, theirs }, () =>
      Promise.resolve([base]),
    );
    expect([changes.size, conflicts]).toEqual([1, []]);
  };
  await plan(); // compiles what is measured
  expect(await longestTurn(plan)).toBeLessThan(0.5);
});
