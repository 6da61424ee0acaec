/** Progress of work of more than a second: a bar on a terminal, lines in a log, nothing with --quiet and --json. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { openPageLog } from "../../src/static-site/page-log.ts";
import { openCms } from "../../src/cms.ts";
import { openSite } from "../../src/static-site/open-site.ts";
import type { Io } from "../../src/cli/terminal.ts";
import { openProgress, openSteps, type ProgressOptions } from "../../src/cli/progress.ts";
import { silentLog, systemEnv, type Timers } from "../../src/env.ts";
import { ensureMissingDerivatives } from "../../src/actions/media/regenerate.ts";
import { jpeg, mediaSite } from "../media/media-site.ts";
import { cms, site as siteDir } from "./process.ts";

function said(
  isTTY: boolean,
  options: ProgressOptions,
  steps: readonly (readonly [at: number, done: number])[],
): string {
  const stream = Object.assign(new PassThrough(), { isTTY });
  const io: Io = { stdin: new PassThrough(), stdout: stream, stderr: stream, env: {}, setExitCode: () => undefined };
  let at = 0;
  const progress = openProgress(io, options, "Making renditions", 60, () => at);
  for (const [next, done] of steps) {
    at = next;
    progress.show(done, "a.jpg");
  }
  progress.clear();
  return String(stream.read() ?? "");
}

const STEPS = [
  [0, 0],
  [900, 5],
  [1100, 6],
  [2000, 9],
  [6000, 20],
  [6200, 21],
  [11_300, 40],
  [20_000, 60],
] as const;

describe("progress", () => {
  it("is a line after one second and then every five seconds without a terminal", () => {
    expect(said(false, {}, STEPS)).toBe(
      "Making renditions: 6 of 60\nMaking renditions: 21 of 60\nMaking renditions: 40 of 60\n",
    );
  });

  it("is not shown for work of less than a second", () => {
    expect(
      said(false, {}, [
        [0, 0],
        [400, 30],
        [900, 60],
      ]),
    ).toBe("");
  });

  it("is a bar on a terminal", () => {
    expect(
      said(true, {}, [
        [0, 0],
        [10, 30],
      ]),
    ).toContain("████████████░░░░░░░░░░░░ 30/60 a.jpg");
  });

  it.each([
    [true, { quiet: true }],
    [false, { quiet: true }],
    [true, { json: true }],
    [false, { json: true }],
  ])("terminal %s, %j: nothing", (isTTY, options) => {
    expect(said(isTTY, options, STEPS)).toBe("");
  });
});

describe("steps", () => {
  const stepsOn = (isTTY: boolean, options: ProgressOptions = {}) => {
    const stream = Object.assign(new PassThrough(), { isTTY });
    const io: Io = { stdin: new PassThrough(), stdout: stream, stderr: stream, env: {}, setExitCode: () => undefined };
    const pending = new Set<() => void>();
    const timers: Timers = { start: (work) => (pending.add(work), () => void pending.delete(work)) };
    return { steps: openSteps(io, options, timers), pending, said: () => String(stream.read() ?? "") };
  };

  it("are a line each without a terminal, once they have lasted a second", () => {
    const { steps, pending, said } = stepsOn(false);
    steps.begin("Reading the content");
    steps.begin("Checking");
    for (const work of pending) work();
    steps.end();
    expect(said()).toBe("Checking ...\n");
    expect(pending.size).toBe(0);
  });

  it("replace each other on a terminal, and leave nothing", () => {
    const { steps, said } = stepsOn(true);
    steps.begin("Reading the content");
    steps.begin("Checking");
    steps.end();
    steps.end();
    expect(said()).toBe("\u001b[KReading the content ...\r\u001b[KChecking ...\r\u001b[K");
  });

  it.each([{ quiet: true }, { json: true }])("are silent with %j", (options) => {
    const { steps, pending, said } = stepsOn(true, options);
    steps.begin("Checking");
    steps.end();
    expect([said(), pending.size]).toEqual(["", 0]);
  });
});

it("renditions that a clone lacks are counted while a server makes them", async () => {
  const site = await mediaSite();
  await site.form("POST", "api:media", { file: ["a.jpg", await jpeg(900, 600)] });
  rmSync(join(site.cms.root, "media/renditions"), { recursive: true });
  const told: [number, number][] = [];
  await ensureMissingDerivatives(site.cms, new AbortController().signal, (...step) => void told.push(step));
  const total = told.at(-1)![1];
  expect(total).toBeGreaterThan(1);
  expect(told).toEqual(Array.from({ length: total + 1 }, (_, done) => [done, total]));
});

it("a build reports each missing rendition before it is made", async () => {
  const site = siteDir({
    "cms.config.yaml":
      "MEDIA:\n  RENDITIONS:\n    COMMIT: false\n    VARIANTS: [{ name: sm-webp, width: 40, format: webp }]\n",
  });
  writeFileSync(join(site.dir, ".git/info/exclude"), "media/\n");
  site.save("media/notes.txt", "x");
  writeFileSync(join(site.dir, "media/a.jpg"), await jpeg(60, 40));
  site.git("add", "--force", "media/a.jpg");
  site.git("commit", "--quiet", "--message=picture");
  expect((await cms(["regenerate-renditions", "--root", site.dir])).code).toBe(0);
  rmSync(join(site.dir, "media/renditions"), { recursive: true });
  const told: [number, number, string][] = [];
  const log = openPageLog(silentLog);
  const env = systemEnv(log);
  const order = { out: "dist", html: true, json: true, now: env.now() };
  const opened = await openSite(
    site.dir,
    { ...order, full: false, redirects: [] },
    { env, log, openCms, making: (...step) => void told.push(step) },
    { order, pool: { sharing: undefined, workersFor: () => [] } },
  );
  await opened.close();
  expect(told).toEqual([[0, 1, "renditions/a/sm-webp.webp"]]);
});
