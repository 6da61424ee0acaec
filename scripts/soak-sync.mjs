/**
 * `npm run soak:sync -- --minutes 10 [--seed 1] [--seconds 20] [--hours 8] [--keep]`: three servers with `--sync` on one bare
 * remote, and a developer in a fourth clone. Random writes at the API, scheduled drafts, commits by hand, deletions, moves, a
 * remote that goes away, `kill -9`.
 *
 * Every half minute, and at the end, all is healed and synchronised, and checked: the trees are equal, every value that was
 * committed is in the tree or in the list of conflicts unless a commit that knew it replaced it, each acknowledged value was
 * committed, all servers, one started again without caches, and a fresh clone show the same, no draft is due, `cms check` and `git fsck` find nothing. Ends with a table, and with exit code 1 when anything was lost, corrupt or
 * stuck. `--hours`, for a night: such runs one after the other, each with the next seed and new clones, whatever they find.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pause } from "./soak/random.mjs";
import { openActors } from "./soak-sync/actors.mjs";
import { checkAll } from "./soak-sync/checks.mjs";
import { openLedger } from "./soak-sync/ledger.mjs";
import { openNetwork } from "./soak-sync/network.mjs";

const STRETCH_MS = 30_000;

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string" },
    seconds: { type: "string" },
    hours: { type: "string" },
    seed: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
  },
});
const seconds = options.seconds ? Number(options.seconds) : Number(options.minutes ?? 1) * 60;
const hours = options.hours === undefined ? undefined : Number(options.hours);
const firstSeed = Number(options.seed);
if (![seconds, firstSeed, hours ?? 1].every((value) => Number.isFinite(value) && value > 0)) {
  console.error("soak:sync: --minutes, --seconds, --hours and --seed take numbers above 0");
  process.exit(2);
}

const say = (text) => console.error(`[${new Date().toISOString().slice(11, 19)}] ${text}`);
const badSeeds = [];
const end = Date.now() + (hours ?? 0) * 3_600_000;
let seed = firstSeed;
do {
  if (hours !== undefined) console.log(`\nSeed ${seed}`);
  if (await soak(seed)) badSeeds.push(seed);
  seed++;
} while (Date.now() < end);
if (hours !== undefined)
  console.log(`\nRuns: ${seed - firstSeed}. Seeds with findings: ${badSeeds.join(", ") || "none"}.`);
process.exit(badSeeds.length > 0 ? 1 : 0);

/** One run with clones of its own, which are kept if it finds anything. @returns whether it did */
async function soak(seed) {
  const dir = mkdtempSync(join(tmpdir(), "cms-soak-sync-"));
  const report = { lost: [], corrupt: [], stuck: [], counts: {}, healMs: [] };
  const count = (what) => (report.counts[what] = (report.counts[what] ?? 0) + 1);
  let network;
  try {
    const ledger = openLedger();
    network = await openNetwork(dir, report);
    const context = { network, ledger, report, count, seed };
    const actors = openActors(context);
    const until = Date.now() + seconds * 1000;
    while (Date.now() < until) {
      await actors.run(Math.min(Date.now() + STRETCH_MS, until));
      await pause(Math.max(0, ledger.lastMoment() - Date.now()));
      const begun = Date.now();
      await network.heal();
      report.healMs.push(Date.now() - begun);
      await checkAll(context);
      say(
        `${ledger.acknowledged.size} values acknowledged, ${report.lost.length} lost, ${report.corrupt.length} corrupt, ${report.stuck.length} stuck`,
      );
    }
  } catch (error) {
    report.stuck.push(`The soak itself failed: ${error.stack}`);
  } finally {
    await network?.stop();
  }
  print(seed, report);
  const isBad = report.lost.length + report.corrupt.length + report.stuck.length > 0;
  if (options.keep || isBad) console.error(`Kept: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
  return isBad;
}

function print(seed, report) {
  const rows = [
    ["Seed", seed],
    ["Seconds", seconds],
    ...Object.entries(report.counts).sort(([a], [b]) => (a < b ? -1 : 1)),
    ["Longest time until all had synchronised", `${(Math.max(0, ...report.healMs) / 1000).toFixed(1)} s`],
    ["Lost", report.lost.length],
    ["Corrupt", report.corrupt.length],
    ["Stuck", report.stuck.length],
  ];
  console.log(`| | |\n|---|---|\n${rows.map(([name, value]) => `| ${name} | ${value} |`).join("\n")}`);
  for (const each of [...report.lost, ...report.corrupt, ...report.stuck]) console.log(`- ${each}`);
}
