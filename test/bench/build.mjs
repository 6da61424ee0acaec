/**
 * A static build of pages in two languages beside Hugo and Eleventy: the same words, the same pages, the same run.
 *
 *   npm run -s build && node test/bench/build.mjs [pages] [rounds]
 *
 * Hugo is taken from PATH; Eleventy from ELEVENTY (a folder with node_modules), else installed into a temporary folder.
 * Processor seconds are printed beside wall time, since other work on the machine changes them little. The programs run by
 * turns, because the load of a machine changes, and a ratio is the median of the rounds' ratios.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeEleventy, writeHugo } from "./build-peers.mjs";
import { makePages, ROOT, save, writeCmsSite } from "./build-site.mjs";
import { median } from "./timing.mjs";

const COUNT = Number(process.argv[2] ?? 10_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const EDITS = 5;
const CMS = join(ROOT, "bin/cms.cjs");
const folder = mkdtempSync(join(tmpdir(), "git-cms-bench-"));
const out = join(folder, "out");

try {
  const pages = makePages(COUNT);
  const site = join(folder, "site");
  writeCmsSite(site, pages);
  const clone = join(folder, "clone");
  execFileSync("git", ["clone", "-q", "--depth", "1", `file://${site}`, clone]);
  const cms = (...args) =>
    timed([process.execPath, CMS, "build", "--root", clone, "--out", out, "--quiet", "--no-json", ...args]);
  const hasHugo = spawnSync("hugo", ["version"]).status === 0;
  if (hasHugo) writeHugo(join(folder, "hugo"), pages);
  const eleventy = join(eleventyFolder(), "node_modules/@11ty/eleventy/cmd.cjs");
  writeEleventy(join(folder, "eleventy"), pages);
  /** By name, one a round; several where a round has several. */
  const results = {};
  const note = (name, result) => (results[name] ??= []).push(result);

  for (let round = 0; round < ROUNDS; round++) {
    // Like a fresh clone: without any file of an earlier build.
    for (const left of [out, join(clone, ".git/cms"), join(folder, "hugo/public"), join(folder, "eleventy/_site")])
      rmSync(left, { recursive: true, force: true });
    note("process start", timed([process.execPath, CMS, "--version"]));
    note("cms build, cold clone", cms());
    if (hasHugo) note("hugo", timed(["hugo", "--quiet", "--source", join(folder, "hugo")]));
    note("cms build --full, warm", cms("--full"));
    note("eleventy 3.1.2", timed([process.execPath, eleventy, "--quiet"], join(folder, "eleventy")));
    if (hasHugo) check(join(folder, "hugo/public"), pages);
    check(join(folder, "eleventy/_site"), pages);
    note("cms build, nothing changed", cms());
    const edits = Array.from({ length: EDITS }, () => {
      edit(clone, pages.at(-1));
      return cms();
    });
    note("cms build, one edit", {
      wall: median(edits.map(({ wall }) => wall)),
      cpu: median(edits.map(({ cpu }) => cpu)),
      worst: Math.max(...edits.map(({ wall }) => wall)),
    });
  }

  const range = (values) =>
    `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;
  for (const [name, rounds] of Object.entries(results))
    console.log(
      `${name.padEnd(28)} ${range(rounds.map(({ wall }) => wall)).padStart(22)} s wall ${median(
        rounds.map(({ cpu }) => cpu),
      )
        .toFixed(2)
        .padStart(7)} s processor`,
    );
  const ratio = (a, b) => {
    if (!results[b]) return;
    const of = (measure) => results[a].map((result, round) => result[measure] / results[b][round][measure]);
    console.log(`ratio ${a} / ${b}`.padEnd(60), `${range(of("wall"))} wall, ${range(of("cpu"))} processor`);
    return median(of("wall"));
  };
  /** A release must pass both gates on a quiet machine; on a busy one the verdict means little. */
  const gate = (value, max) =>
    console.log(value === undefined ? "gate: not measured" : `gate: at most ${max}: ${value <= max ? "pass" : "FAIL"}`);
  gate(ratio("cms build, cold clone", "hugo"), 0.95);
  ratio("cms build --full, warm", "hugo");
  ratio("cms build, cold clone", "eleventy 3.1.2");
  gate(ratio("cms build, one edit", "cms build, cold clone"), 0.2);
  const above = (measure) =>
    results["cms build, one edit"].map((result, round) => result[measure] - results["process start"][round].wall);
  console.log(
    `one edit, above process start: ${range(above("wall"))} s, at most ${Math.max(...above("worst")).toFixed(2)} s (${ROUNDS * EDITS} edits)`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function timed([command, ...args], cwd = folder) {
  const began = performance.now();
  const ended = spawnSync("sh", ["-c", '"$@"; code=$?; times; exit $code', "sh", command, ...args], {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  if (ended.status !== 0)
    throw new Error(
      `${command} ${args.join(" ")} ended with ${ended.status}: ${ended.stderr}${ended.stdout.slice(-2000)}`,
    );
  const [user, system] = ended.stdout
    .trim()
    .split("\n")
    .at(-1)
    .split(" ")
    .map((each) => Number(each.split("m")[0]) * 60 + Number.parseFloat(each.split("m")[1]));
  return { wall: (performance.now() - began) / 1000, cpu: user + system };
}

function edit(dir, page) {
  const file = join(dir, `content/pages/${Math.floor(page.n / 200)}/p${page.n}.yaml`);
  writeFileSync(file, readFileSync(file, "utf8").replace("description: ", "description: Edited "));
}

/** Checks the number of pages, and that two of them are equal except for white space. */
function check(dir, pages) {
  const made = readdirSync(dir, { recursive: true }).filter((path) => path.endsWith("index.html"));
  if (made.length < pages.length * 2) throw new Error(`${dir} has ${made.length} pages`);
  const words = (at) => readFileSync(at, "utf8").replace(/\s/g, "");
  for (const path of ["page-1/page-5/index.html", "it/page-1/page-7/index.html"]) {
    if (words(join(dir, path)) !== words(join(out, path))) throw new Error(`${dir} has another ${path}`);
  }
}

function eleventyFolder() {
  if (process.env.ELEVENTY) return process.env.ELEVENTY;
  const dir = join(folder, "eleventy-program");
  save(dir, "package.json", "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", "@11ty/eleventy@3.1.2"], { cwd: dir });
  if (!existsSync(join(dir, "node_modules/@11ty/eleventy"))) throw new Error("Eleventy is not installed");
  return dir;
}
