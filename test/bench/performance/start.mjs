/** Starts of the server until its first answer, and what it holds in memory then. */
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { median, timed } from "../timing.mjs";
import { firstManifest } from "./manifest.mjs";
import { git, resting, serve } from "./site.mjs";

/** A start from the cache is short, so that chance weighs more. */
const CACHED_ROUNDS = 9;
const ROUNDS = 3;
/** Resident, at 100,000 pages. */
const LARGEST_BYTES = 1500e6;
const CACHES = ["content.cache", "looks", "stat.cache"];
const BARE_START = fileURLToPath(new URL("bare-start.mjs", import.meta.url));

async function firstAnswer(dir) {
  const server = await serve(dir);
  const { status } = await server.ask("GET", "/api/cms/pages-router/p1/");
  if (status !== 200) throw new Error(`The first page: ${status}`);
  return server;
}

export async function starts({ dir }) {
  await (await firstAnswer(dir)).close();
  const cached = [];
  const native = [];
  const bare = [];
  const uncached = [];
  const parse = [];
  for (let round = 0; round < CACHED_ROUNDS; round++) {
    const warm = await timed(() => firstAnswer(dir));
    await warm.value.close();
    cached.push(warm.ms);
    native.push(
      (
        await timed(() => {
          git(dir, "status", "--porcelain");
          execFileSync(process.execPath, ["-e", "0"]);
        })
      ).ms,
    );
    bare.push((await timed(() => execFileSync(process.execPath, [BARE_START, dir]))).ms);
  }
  for (let round = 0; round < ROUNDS; round++) {
    removeCaches(dir);
    const cold = await timed(() => firstAnswer(dir));
    await cold.value.close();
    uncached.push(cold.ms);
    parse.push((await timed(() => contentOf(dir))).ms);
  }
  const row = (subject, against, ours, theirs, limit) => ({
    subject,
    against,
    ours: median(ours),
    theirs: median(theirs),
    unit: "ms",
    limit,
  });
  return [
    {
      ...row("start until the first 200, cached", "`git status` and a bare start of Node", cached, native, {
        10_000: 6,
        100_000: 4,
      }),
      note: `a bare program that lists, looks at and reads the same: ${(median(bare) / median(native)).toFixed(2)}`,
    },
    row("start until the first 200, nothing cached", "one js-yaml pass over the files", uncached, parse, {
      10_000: 1,
      100_000: 1,
    }),
  ];
}

function removeCaches(dir) {
  for (const name of readdirSync(join(dir, ".git/cms")))
    if (CACHES.includes(name) || name.endsWith(".cache")) rmSync(join(dir, ".git/cms", name), { recursive: true });
}

function contentOf(dir) {
  const folder = join(dir, "content");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".yaml"))
    .map((path) => load(readFileSync(join(folder, path), "utf8")));
}

export async function memory({ dir, pages }) {
  await residentAtRest(dir); // writes what other rows have changed to the cache
  const cached = await residentAtRest(dir);
  const withManifest = await residentAtRest(dir, firstManifest);
  removeCaches(dir);
  const uncached = await residentAtRest(dir);
  const json = contentOf(dir).reduce((sum, data) => sum + Buffer.byteLength(JSON.stringify(data)), 0);
  return {
    subject: "resident memory after the load, idle",
    against: "the parsed content as JSON",
    ours: cached / 1e6,
    theirs: json / 1e6,
    unit: "MB",
    limit: { 10_000: 3, 100_000: 3 },
    note:
      (pages > 10_000 ? `${cached < LARGEST_BYTES ? "and under" : "but over"} 1,500 MB; ` : "") +
      `with the first manifest, which reads every page, ${(withManifest / 1e6).toFixed(0)} MB; ` +
      `after a start with nothing cached ${(uncached / 1e6).toFixed(0)} MB`,
  };
}

/** In bytes. @param ask asks the server for more before it rests */
async function residentAtRest(dir, ask = async () => undefined) {
  const server = await firstAnswer(dir);
  await ask(server);
  await resting(server);
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]) * 1024;
  await server.close();
  return resident;
}
