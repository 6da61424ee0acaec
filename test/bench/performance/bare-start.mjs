/**
 * The floor of a start from the cache: a program without a service that lists the content, looks at each file, and reads
 * and checks what the caches have of it.
 *
 *   node test/bench/performance/bare-start.mjs <site>
 */
import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

const FOOT_BYTES = 12;
const HEAD_LENGTH_BYTES = 4;
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

// The foot tells how long the index is, whose end tells how long its head is (src/store/cache/cache-file.ts).
const cache = openSync(join(state, "content.cache"));
const foot = fstatSync(cache).size - FOOT_BYTES;
const bytes = (at, length) => {
  const buffer = Buffer.allocUnsafe(length);
  readSync(cache, buffer, 0, length, at);
  return buffer;
};
const numbers = bytes(foot, FOOT_BYTES);
const length = numbers.readUInt32LE(4);
const index = bytes(foot - length, length);
closeSync(cache);
const isIntact = crc32(numbers.subarray(0, 8), crc32(index)) === numbers.readUInt32LE(8);
const headEnd = length - HEAD_LENGTH_BYTES;
const { kinds } = JSON.parse(index.toString("utf8", headEnd - index.readUInt32LE(headEnd), headEnd));

if (files === 0 || stats.size === 0 || !isIntact || kinds.length === 0)
  throw new Error("The caches are not those of the site");
