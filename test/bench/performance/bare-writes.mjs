/**
 * The floors of writes: bare programs that make the files, renames, links and syncs of docs/reliability.md ("A commit,
 * step by step"), and do no other work. Prints the median of some rounds in milliseconds.
 *
 *   UV_THREADPOOL_SIZE=16 node test/bench/performance/bare-writes.mjs commit|replacement <empty folder> <count> <pages>
 *
 * `commit` makes `count` commits together, each of one new file in a folder of its own. `replacement` makes one commit that
 * replaces `count` files of one folder, in each round the same: on some file systems, files are created more slowly for
 * minutes after others were removed. `pages` are those of the site, for the size of its index.
 */
import * as fs from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { median } from "../timing.mjs";
import { inParallel, syncFolder, writeSynced } from "./bare-files.mjs";

const unlink = promisify(fs.unlink);
const PAGE = Buffer.alloc(3_000, "page ");
const TREE = Buffer.alloc(4_800, "tree ");
/** Of an index of git: 62 bytes and a path. */
const ENTRY_BYTES = 96;
const ROUNDS = { commit: 12, replacement: 5 };

const [what, folder, ...sizes] = process.argv.slice(2);
const times = [];
for (let round = 0; round < ROUNDS[what]; round++)
  times.push(await { commit, replacement }[what](join(folder, what), ...sizes.map(Number), round));
console.log(median(times));

async function commit(folder, commits, pages, round) {
  const base = `${folder}-${round}`;
  const scratch = join(base, "scratch");
  const objects = Array.from({ length: 6 }, (_, n) => join(base, `objects-${n}`));
  const content = Array.from({ length: commits }, (_, n) => join(base, `content-${n}`));
  const refs = join(base, "refs");
  for (const each of [scratch, ...objects, ...content, refs]) fs.mkdirSync(each, { recursive: true });
  const isPacked = commits > 5;
  const stored = isPacked ? packOf(commits) : objects.map((_, n) => [`object-${n}`, n < 4 ? TREE : PAGE]);
  const working = content.map((_, n) => [`file-${n}`, PAGE]);
  const began = performance.now();
  await inParallel([...stored, ...working, ...others(pages)], ([name, bytes]) =>
    writeSynced(join(scratch, name), bytes),
  );
  for (const [n, [name]] of stored.entries()) {
    if (!isPacked) fs.linkSync(join(scratch, name), join(refs, name));
    fs.renameSync(join(scratch, name), join(objects[isPacked ? 0 : n], name));
  }
  await inParallel(isPacked ? [objects[0]] : [...objects, refs], syncFolder);
  for (const name of ["index", "ref"]) fs.renameSync(join(scratch, name), join(refs, name));
  await inParallel([refs, base], syncFolder);
  for (const [n, [name]] of working.entries()) fs.renameSync(join(scratch, name), join(content[n], name));
  await inParallel([...content, base], syncFolder);
  return performance.now() - began;
}

/** Its objects are one pack, and what was in a file keeps a name until the new one is in place. */
async function replacement(base, files, pages, round) {
  const [scratch, objects, refs, content] = ["scratch", "objects", "refs", "content"].map((name) => join(base, name));
  for (const each of [scratch, objects, refs, content]) fs.mkdirSync(each, { recursive: true });
  const names = Array.from({ length: files }, (_, n) => `file-${n}`);
  if (round === 0) for (const name of names) fs.writeFileSync(join(content, name), PAGE);
  const stored = packOf(files);
  const began = performance.now();
  await inParallel([...stored, ...others(pages), ...names.map((name) => [name, PAGE])], ([name, bytes]) =>
    writeSynced(join(scratch, name), bytes),
  );
  for (const [name] of stored) fs.renameSync(join(scratch, name), join(objects, name));
  await syncFolder(objects);
  for (const name of ["index", "ref"]) fs.renameSync(join(scratch, name), join(refs, name));
  await syncFolder(refs);
  for (const name of names) {
    fs.linkSync(join(content, name), join(scratch, `${name}-before`));
    fs.renameSync(join(scratch, name), join(content, name));
  }
  await syncFolder(content);
  const ms = performance.now() - began;
  await inParallel([...names.map((name) => `${name}-before`), "journal"], (name) => unlink(join(scratch, name)));
  return ms;
}

function packOf(commits) {
  return [
    ["keep", Buffer.from("kept\n")],
    ["pack", Buffer.alloc(commits * 2_900, "pack")],
    ["idx", Buffer.alloc(commits * 160, "idx")],
  ];
}

function others(pages) {
  return [
    ["index", Buffer.alloc(pages * ENTRY_BYTES, "entry ")],
    ["journal", Buffer.alloc(400)],
    ["ref", Buffer.alloc(41)],
  ];
}
