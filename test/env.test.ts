/** The clocks of a process: what it does when the system's clock is set. */
import { expect, it } from "vitest";
import { countAttempts } from "../src/actions/accounts/attempts.ts";
import { systemEnv } from "../src/env.ts";
import { isAttemptDue } from "../src/model/hooks/delivery-retry.ts";
import { msOf } from "../src/model/time/instant.ts";
import { memorySite } from "./site.ts";

const START = Date.UTC(2026, 2, 1, 12);
const DAY = 86_400_000;

function clocks() {
  const at = { wall: START, steady: 0 };
  const warned: string[] = [];
  const log = { info() {}, error() {}, warn: (line: string) => void warned.push(line) };
  const env = systemEnv(log, { wall: () => at.wall, steady: () => at.steady });
  return { at, env, warned, now: () => msOf(env.now()) };
}

it("a small step back is held, and the clock goes on from where it was", () => {
  const { at, env, now, warned } = clocks();
  expect(now()).toBe(START);
  at.wall = START - 5000;
  expect(now()).toBe(START);
  at.wall = START - 1;
  expect(now()).toBe(START);
  at.wall = START + 1;
  expect(now()).toBe(START + 1);
  expect([env.hasStepped(), warned]).toEqual([false, []]);
});

it("a larger step back is followed, and told once", () => {
  const { at, env, now, warned } = clocks();
  now();
  at.wall = START + 30 * DAY;
  expect([now(), env.hasStepped()]).toEqual([START + 30 * DAY, false]);
  at.wall = START + 5000;
  expect([now(), env.hasStepped()]).toEqual([START + 5000, true]);
  at.wall = START + 6000;
  expect(now()).toBe(START + 6000);
  at.wall = START - DAY;
  expect(now()).toBe(START - DAY);
  expect(warned).toHaveLength(1);
  expect(warned[0]).toContain("The clock was set back from 2026-03-31T12:00:00.000Z to 2026-03-01T12:00:05.000Z.");
});

it("durations follow the clock that cannot be set", () => {
  const { at, env } = clocks();
  const attempts = countAttempts();
  const fail = (): unknown => attempts.begin("anna", "192.0.2.1", env.elapsed());
  for (let n = 0; n < 11; n++) {
    at.steady += 2000;
    fail();
  }
  expect(fail).toThrow("throttled");
  at.wall += 30 * DAY;
  expect(fail).toThrow("throttled");
  at.wall -= 60 * DAY;
  at.steady += 61_000;
  expect(fail).not.toThrow();
});

it("a delivery that was planned while the clock was ahead does not wait for that moment", () => {
  const hour = 3_600_000;
  expect([-1, 0, 1, 9 * hour, 10 * hour, 30 * DAY].map((ms) => isAttemptDue(START + ms, START))).toEqual([
    ...[true, true, false, false],
    ...[true, true],
  ]);
});

it("/healthz says that the clock has stepped", async () => {
  const site = await memorySite();
  expect((await site.ask("GET", "/healthz")).body).not.toHaveProperty("clock");
  Object.assign(site.cms.env, { hasStepped: () => true });
  expect((await site.ask("GET", "/healthz")).body).toMatchObject({ status: "ok", clock: "stepped" });
});
