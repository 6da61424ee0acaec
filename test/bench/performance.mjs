/**
 * What writes, reads and starts cost at 10,000 and 100,000 pages in two languages, each beside something real in the
 * same run.
 *
 *   npm run bench -- [pages ...] [--only writes,manifest,...] [--write]
 *
 * Prints every row with its ratio and whether it is within its limit; `--write` puts the table into docs/performance.md.
 * Sites are made in TMPDIR. Rows that need `wrk` are left out, and say so, where it is not installed.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { manyEditors } from "./performance/editors.mjs";
import { firstManifest, manifests } from "./performance/manifest.mjs";
import { lists, routers } from "./performance/reads.mjs";
import { searches } from "./performance/search.mjs";
import { administrator, makeSite, ROOT, serve } from "./performance/site.mjs";
import { memory, starts } from "./performance/start.mjs";
import { checkout, commitByHand } from "./performance/worktree.mjs";
import { growth, moveWithChildren, onePatch } from "./performance/writes.mjs";

/** By name, in the order of the table; each answers with one row or several. `offline` ones start servers of their own. */
const SUBJECTS = {
  patch: { run: onePatch },
  editors: { run: manyEditors },
  manifest: { run: manifests },
  commit: { run: commitByHand },
  checkout: { run: checkout },
  start: { run: starts, offline: true },
  memory: { run: memory, offline: true },
  lists: { run: lists },
  move: { run: moveWithChildren },
  growth: { run: growth },
  search: { run: searches, offline: true },
  router: { run: routers, offline: true },
};
const START = "<!-- figures of `npm run bench -- --write` -->";
const END = "<!-- end of figures -->";

const args = process.argv.slice(2);
const only = args.includes("--only") ? args[args.indexOf("--only") + 1].split(",") : Object.keys(SUBJECTS);
const unknown = only.filter((name) => !(name in SUBJECTS));
if (unknown.length > 0) throw new Error(`No such subject: ${unknown}. There are ${Object.keys(SUBJECTS)}.`);
const sizes = args.map(Number).filter((number) => number > 0);
const tables = [];
for (const pages of sizes.length > 0 ? sizes : [10_000, 100_000]) tables.push([pages, await measure(pages)]);
if (args.includes("--write")) writeTables(tables);

async function measure(pages) {
  const folder = mkdtempSync(join(tmpdir(), "git-cms-bench-"));
  const rows = [];
  let server;
  try {
    const dir = join(folder, "site");
    const copy = join(folder, "copy");
    mkdirSync(dir);
    makeSite(dir, pages);
    cpSync(dir, copy, { recursive: true });
    // Otherwise the system writes the new files, over a gigabyte at 100,000 pages, while the first rows are measured.
    execFileSync("sync");
    const auth = administrator(dir);
    console.log(`${pages} pages in two languages`);
    const context = { dir, copy, pages, auth, scratch: join(folder, "scratch") };
    let first;
    for (const [name, { run, offline }] of Object.entries(SUBJECTS)) {
      if (!only.includes(name)) continue;
      if (offline && server) {
        await server.close();
        server = undefined;
      }
      if (!offline && !server) {
        server = Object.assign(await serve(dir), { dir });
        first ??= await firstManifest(server);
      }
      for (const row of [await run({ ...context, server, first })].flat()) {
        rows.push({ ...row, ...judged(row, pages) });
        console.log(lineOf(rows.at(-1)));
      }
    }
  } finally {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

/** Limits of other sizes are those of the nearest size below, or of the smallest. */
function judged({ ours, theirs, ratio = ours / theirs, limit, atLeast }, pages) {
  if (ours === undefined) return {};
  const size = pages > 10_000 ? 100_000 : 10_000;
  const most = limit?.[size];
  const least = atLeast?.[size];
  const target = most !== undefined ? `at most ${most}` : least !== undefined ? `at least ${least}` : "";
  const isWithin = (most === undefined || ratio <= most) && (least === undefined || ratio >= least);
  return { ratio, target, verdict: target === "" ? "" : isWithin ? "within" : "misses" };
}

function number(value) {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(value >= 10 ? 1 : 2);
}

function cellsOf({ subject, against, ours, theirs, unit, ratio, target, verdict, note }) {
  if (ours === undefined) return [subject, "", "", "", "", "", note];
  const figures = [`${number(ours)} ${unit}`, `${number(theirs)} ${unit}`, ratio.toFixed(ratio < 0.1 ? 3 : 2)];
  return [subject, against, ...figures, target, note ? `${verdict}; ${note}` : verdict];
}

function lineOf(row) {
  return cellsOf(row).join(" | ");
}

function writeTables(tables) {
  const path = join(ROOT, "docs/performance.md");
  const head = "| Subject | Against | ours | theirs | ratio | target | verdict |\n|---|---|---|---|---|---|---|";
  const version = (command, ...flags) => execFileSync(command, flags, { encoding: "utf8" }).trim();
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${version("git", "--version")}`;
  const text = tables
    .map(([pages, rows]) => {
      const body = rows.map((row) => `| ${cellsOf(row).join(" | ")} |`).join("\n");
      return `### ${pages.toLocaleString("en")} pages in two languages\n\n${head}\n${body}`;
    })
    .join("\n\n");
  const before = readFileSync(path, "utf8");
  const figures = `${START}\n${machine}; ${new Date().toISOString().slice(0, 10)}; \`npm run bench\`.\n\n${text}\n${END}`;
  writeFileSync(
    path,
    before.replace(new RegExp(`${START}[^]*${END}`), () => figures),
  );
}
