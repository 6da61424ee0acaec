/**
 * `npm run soak -- --minutes 60 [--seed 1] [--pages 300] [--calm] [--keep]`: editors, a developer with native git
 * commands, kills, faults and other commands at one site at once, with a full check every half minute.
 *
 * Storms, in which the server is killed and its disk fails, take turns with calm stretches, in which its memory and its
 * descriptors are measured. `--calm` leaves the storms out: one life of the server from beginning to end. Ends with a
 * table, and with exit code 1 when anything was lost, corrupt or stuck.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkAll } from "./soak/checks.mjs";
import { openDeveloper } from "./soak/developer.mjs";
import { mountDisk, openFaults, whyNoDiskErrors } from "./soak/faults.mjs";
import { openLedger } from "./soak/ledger.mjs";
import { pause } from "./soak/random.mjs";
import { newReport, printReport } from "./soak/report.mjs";
import { superviseServer } from "./soak/server.mjs";
import { makeSite } from "./soak/site.mjs";
import { openWriters } from "./soak/writers.mjs";

const EDITORS = 6;
const DISK_MB = 3_000;
/** Seconds between two checks, of a storm and of a calm stretch. */
const STORM = 40;
const CALM = 40;
/** Calm stretches in a row without a kill, so that memory has time to grow if it grows. */
const CALM_IN_A_ROW = 6;
const STORMS_IN_A_ROW = 6;

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string" },
    seconds: { type: "string" },
    seed: { type: "string", default: "1" },
    pages: { type: "string", default: "300" },
    calm: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});
const seconds = options.seconds ? Number(options.seconds) : Number(options.minutes ?? 1) * 60;
const seed = Number(options.seed);
const ballast = Number(options.pages);
if (![seconds, seed, ballast].every((value) => Number.isFinite(value) && value > 0)) {
  console.error("soak: --minutes, --seconds, --seed and --pages take numbers above 0");
  process.exit(2);
}

const dir = mkdtempSync(join(tmpdir(), "cms-soak-"));
const unmount = await mountDisk(dir, DISK_MB);
const whyNoErrors = whyNoDiskErrors();
const say = (text) => console.error(`[${new Date().toISOString().slice(11, 19)}] ${text}`);
if (!unmount) say("The disk is not filled: no file system of its own can be mounted here.");
if (whyNoErrors) say(`No errors of the disk are injected: ${whyNoErrors}.`);

const report = newReport({ seed, ballast, editors: EDITORS });
const ledger = openLedger();
const startedAt = Date.now();
let server;
try {
  const site = await makeSite(dir, ballast);
  server = await superviseServer(site.root, report);
  const context = { ...site, ledger, report, seed, ballast, server, url: server.url };
  await server.start();
  const developer = await openDeveloper(context);
  const writers = openWriters(context, EDITORS);
  const faults = openFaults({ ...context, hasOwnDisk: unmount !== undefined, canFail: whyNoErrors === undefined });
  const isOver = () => Date.now() - startedAt >= seconds * 1000;
  for (let stretch = 0; !isOver(); stretch++) {
    const isCalm = options.calm || stretch % (STORMS_IN_A_ROW + CALM_IN_A_ROW) >= STORMS_IN_A_ROW;
    const until = Date.now() + (isCalm ? CALM : STORM) * 1000;
    while (Date.now() < until && !isOver()) {
      await faults.next(isCalm);
      await server.ensureUp();
      if (isCalm) await pause(2_000);
    }
    await Promise.all([writers.pause(), developer.pause()]);
    await developer.tidy();
    await checkAll({ ...context, writers }, false);
    const sample = await server.measure();
    if (sample) report.samples.push(sample);
    const memory = sample ? `, heap ${Math.round(sample.heap)} MB, resident ${Math.round(sample.rss)} MB` : "";
    say(`${isCalm ? "calm" : "storm"}: ${ledger.acknowledged} acknowledged, ${summary(report)}${memory}`);
    for (const failure of newFailures(report)) console.error(`  ${failure}`);
    writers.resume();
    developer.resume();
  }
  await Promise.all([writers.pause(), developer.pause()]);
  await Promise.all([writers.stop(), developer.stop()]);
  await developer.tidy();
  await checkAll({ ...context, writers }, true);
  await server.stop();
} catch (error) {
  report.stuck.push(`The soak itself ended: ${error.stack}`);
} finally {
  report.acknowledged = ledger.acknowledged;
  report.seconds = Math.round((Date.now() - startedAt) / 1000);
  console.log(printReport(report));
  await server?.kill();
  if (options.keep || !report.isGood()) say(`The site is kept in ${dir}.`);
  else {
    await unmount?.();
    rmSync(dir, { recursive: true, force: true });
  }
  // What is still open belongs to a run that has ended.
  process.exit(report.isGood() ? 0 : 1);
}

/** Failures that were not returned before. */
function* newFailures(current) {
  for (const name of ["lost", "corrupt", "stuck", "deaths", "defects"]) {
    for (const each of current[name].slice(current.told[name] ?? 0)) yield `${name}: ${each}`;
    current.told[name] = current[name].length;
  }
}

function summary({ lost, corrupt, stuck, deaths, defects }) {
  return `${lost.length} lost, ${corrupt.length} corrupt, ${stuck.length} stuck, ${deaths.length} deaths, ${defects.length} defects`;
}
