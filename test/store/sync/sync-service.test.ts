import { expect, it, vi } from "vitest";
import { CmsError } from "../../../src/errors.ts";
import { nextSyncIn } from "../../../src/store/sync/sync-timing.ts";
import { startSync, type StartedSync } from "../../../src/store/sync/sync-service.ts";
import type { Remote } from "../../../src/store/sync/remote.ts";
import type { SyncReport } from "../../../src/store/sync/synchronise.ts";
import { manualTimers } from "../../support/manual-timers.ts";
import { clockAt, START } from "../../site.ts";
import { silentLog, systemEnv } from "../../../src/env.ts";

// oxfmt-ignore
it.each([
  // every    failures  random  wait
  [30_000,    0,        0.5,    30_000],
  [30_000,    0,        0,      24_000],
  [30_000,    0,        1,      36_000],
  [30_000,    2,        0.5,    120_000],
  [30_000,    9,        0.5,    300_000],
  [3_600_000, 5,        0.5,    3_600_000],
])("every %i ms, after %i failures, at random %d: in %i ms", (every, failures, random, wait) => {
  expect(nextSyncIn({ every, failures, random })).toBe(wait);
});

const A = "a".repeat(40);
const REMOTE: Remote = {
  name: "origin",
  branch: "main",
  pushBranch: "main",
  fetch: async () => ({ before: A, now: A }),
  fetchLfs: async () => undefined,
  fetchedCommit: async () => A,
  pushedCommit: async () => A,
  push: async () => undefined,
  mergeBases: async () => [A],
  distance: async () => ({ ahead: 2, behind: 1 }),
  count: async () => 1,
  wasFetched: async () => true,
};
const REPORT: SyncReport = {
  ...{
    remote: "origin/main",
    outcome: "unchanged",
    commit: A,
    pulled: 0,
    pushed: 0,
    conflicts: [],
    isRewritten: false,
  },
};

function started(
  run: (acceptsDeletions: boolean) => Promise<SyncReport>,
  pushOnce?: (commit: string) => Promise<void>,
) {
  const clock = clockAt(START);
  const timers = manualTimers();
  const logged: string[] = [];
  const log = { ...silentLog, warn: (message: string) => void logged.push(message) };
  const service: StartedSync = startSync({
    ...{ env: { ...systemEnv(log), now: clock.now }, timers, random: () => 0.5, every: 30_000 },
    ...{ openRemote: async () => REMOTE, run: (_, accepts) => run(accepts), head: async () => "b".repeat(40) },
    ...(pushOnce && { pushOnce }),
  });
  return { clock, timers, logged, service };
}

it("syncs at the start, then on its timer, and a second after a commit", async () => {
  let runs = 0;
  const { timers, service } = started(async () => (runs++, REPORT));
  expect(timers.waits()).toEqual([0]);
  await timers.fire();
  expect([runs, timers.waits()]).toEqual([1, [30_000]]);
  service.noteCommit(A);
  expect(timers.waits()).toEqual([30_000]);
  service.noteCommit("b".repeat(40));
  service.noteCommit("c".repeat(40));
  expect(timers.waits()).toEqual([1_000]);
  await timers.fire();
  expect([runs, timers.waits()]).toEqual([2, [30_000]]);
  await service.stop();
  expect(timers.waits()).toEqual([]);
});

it("waits longer after each failure, logs each reason once, and says since when", async () => {
  let failure: Error | undefined = new CmsError("unavailable", "It does not answer.");
  const { clock, timers, logged, service } = started(async () => {
    if (failure) throw failure;
    return REPORT;
  });
  const waits: (number | undefined)[] = [];
  for (let i = 0; i < 3; i++) {
    await timers.fire();
    waits.push(timers.waits()[0]);
    clock.tick(60_000);
  }
  expect(waits).toEqual([60_000, 120_000, 240_000]);
  expect(logged).toEqual(["Sync: It does not answer."]);
  expect(await service.status()).toMatchObject({
    ...{ ahead: 2, behind: 1, last_success: null, failing_since: START, failing_seconds: 180 },
    last_error: { message: "It does not answer.", is_held: false },
  });
  failure = new CmsError("conflict", "A person has to decide.");
  await expect(service.sync(false)).rejects.toThrow("A person has to decide.");
  expect((await service.status()).last_error).toMatchObject({ is_held: true });
  failure = undefined;
  await service.sync(true);
  expect(await service.status()).toMatchObject({ last_error: null, failing_since: null, failing_seconds: 0 });
  await service.stop();
});

it("makes one sync of the requests before it begins, and another of those after", async () => {
  const running: (() => void)[] = [];
  const { timers, service } = started(() => new Promise((done) => running.push(() => done(REPORT))));
  const first = timers.fire();
  await vi.waitUntil(() => running.length === 1);
  for (let i = 0; i < 3; i++) service.request();
  running[0]!();
  await first;
  await vi.waitUntil(() => running.length === 2);
  service.request();
  service.request();
  running[1]!();
  await vi.waitUntil(() => running.length === 3);
  running[2]!();
  await service.stop();
  expect(running).toHaveLength(3);
});

it("reports a failure of a requested sync in its state", async () => {
  const { service } = started(async () => Promise.reject(new CmsError("unavailable", "It does not answer.")));
  service.request();
  await service.sync(false).catch(() => undefined);
  expect((await service.status()).last_error).toMatchObject({ message: "It does not answer." });
  await service.stop();
});

it("makes one sync of all calls before it begins, and another where deletions are accepted", async () => {
  const begun: boolean[] = [];
  let go = (): void => undefined;
  const { service } = started(async (acceptsDeletions) => {
    begun.push(acceptsDeletions);
    if (begun.length === 1) await new Promise<void>((resolve) => (go = resolve));
    return REPORT;
  });
  const first = service.sync(false);
  await vi.waitUntil(() => begun.length === 1);
  const calls = [false, false, true, false, true].map((acceptsDeletions) => service.sync(acceptsDeletions));
  go();
  await Promise.all([first, ...calls]);
  expect(begun).toEqual([false, false, true]);
  await service.stop();
});

it.each<[string, pushOnce: () => Promise<void>, warned: number]>([
  ["pushes them", async () => undefined, 0],
  [
    "or leaves them for the next start",
    () => Promise.reject(new CmsError("unavailable", "Another push came first.")),
    1,
  ],
])("at its end has commits since the last sync, and %s", async (_case, pushOnce, warned) => {
  const pushed: string[] = [];
  const push = (commit: string): Promise<void> => (pushed.push(commit), pushOnce());
  const { timers, logged, service } = started(async () => REPORT, push);
  await timers.fire();
  await service.stop();
  await service.pushRest();
  expect(pushed).toEqual(["b".repeat(40)]);
  expect(logged).toHaveLength(warned);
});

it.each<[string, run: () => Promise<SyncReport>]>([
  ["the last sync has", async () => ({ ...REPORT, commit: "b".repeat(40) })],
  ["nobody may push, since syncs fail", () => Promise.reject(new CmsError("unavailable", "It does not answer."))],
])("at its end pushes nothing that %s", async (_case, run) => {
  const pushed: string[] = [];
  const { timers, service } = started(run, async (commit) => void pushed.push(commit));
  await timers.fire();
  await service.stop();
  await service.pushRest();
  expect(pushed).toEqual([]);
});
