/**
 * `npm run soak:sync -- --minutes 10 [--seed 1] [--seconds 20] [--keep]`: three servers with `--sync` on one bare remote, and a
 * developer in a fourth clone. Random writes at the API, commits by hand, deletions, moves, a remote that goes away, `kill -9`.
 *
 * Every half minute, and at the end, all is healed and synchronised, and checked: the trees are equal, every acknowledged value is
 * in the tree or in the list of conflicts unless a later one was acknowledged for its field, `cms check` and `git fsck` find
 * nothing. Ends with a table, and with exit code 1 when anything was lost, corrupt or stuck.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openActors } from "./soak-sync/actors.mjs";
import { checkAll } from "./soak-sync/checks.mjs";
import { openLedger } from "./soak-sync/ledger.mjs";
import { openNetwork } from "./soak-sync/network.mjs";

const STRETCH_MS = 30_000;

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string" },
    seconds: { type: "string" },
    seed: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
  },
});
const seconds = options.seconds ? Number(options.seconds) : Number(options.minutes ?? 1) * 60;
const seed = Number(options.seed);
if (![seconds, seed].every((value) => Number.isFinite(value) && value > 0)) {
  console.error("soak:sync: --minutes, --seconds and --seed take numbers above 0");
  process.exit(2);
}

const dir = mkdtempSync(join(tmpdir(), "cms-soak-sync-"));
const report = { lost: [], corrupt: [], stuck: [], counts: {}, healMs: [] };
const count = (what) => (report.counts[what] = (report.counts[what] ?? 0) + 1);
const say = (text) => console.error(`[${new Date().toISOString().slice(11, 19)}] ${text}`);
let network;
try {
  const ledger = openLedger();
  network = await openNetwork(dir, report);
  const context = { network, ledger, report, count, seed };
  const actors = openActors(context);
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    await actors.run(Math.min(Date.now() + STRETCH_MS, end));
    const begun = Date.now();
    await network.heal();
    report.healMs.push(Date.now() - begun);
    await checkAll(context);
    say(
      `${ledger.size()} values acknowledged, ${report.lost.length} lost, ${report.corrupt.length} corrupt, ${report.stuck.length} stuck`,
    );
  }
} catch (error) {
  report.stuck.push(`The soak itself failed: ${error.stack}`);
} finally {
  await network?.stop();
}
print();
const isBad = report.lost.length + report.corrupt.length + report.stuck.length > 0;
if (options.keep || isBad) console.error(`Kept: ${dir}`);
else rmSync(dir, { recursive: true, force: true });
process.exit(isBad ? 1 : 0);

function print() {
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
