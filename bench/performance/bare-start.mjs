/**
 * The floor of a start from the cache: a program without a service that lists the content, looks at each file, and reads
 * and parses what the caches have of it.
 *
 *   node bench/performance/bare-start.mjs <site>
 */
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";

const FRONT_BYTES = 12;
const [site] = process.argv.slice(2);
const state = join(site, ".git/cms");

let files = 0;
const look = (folder) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) look(path);
    else files += Number(lstatSync(path, { bigint: true }).isFile());
  }
};
look(join(site, "content"));

// Its head tells how many there are: four numbers and an id of each, then their paths (worktree/saved-stats.ts).
const saved = readFileSync(join(state, "stat.cache"));
const front = saved.indexOf("\n") + 1;
const { count } = JSON.parse(saved.toString("utf8", 0, front));
const stats = new Set(saved.toString("utf8", front + count * (4 * 8 + 40)).split("\0"));

// The front tells how long the summaries are, which are JSON (src/store/cache/cache-file.ts).
const cache = openSync(join(state, "content.cache"));
const bytes = (at, length) => {
  const buffer = Buffer.allocUnsafe(length);
  readSync(cache, buffer, 0, length, at);
  return buffer;
};
const { records } = JSON.parse(bytes(FRONT_BYTES, bytes(0, FRONT_BYTES).readUInt32LE(8)).toString());
closeSync(cache);
const byBase = new Map(records.map((record) => [record[1], record]));

if (files < byBase.size || stats.size < byBase.size) throw new Error("The caches are not those of the site");
