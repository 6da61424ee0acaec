/**
 * What the disk alone takes for a durable commit: a bare program with the same files, renames, links and syncs as
 * docs/reliability.md lists ("A commit, step by step"), and no other work, beside `git add && git commit`.
 *
 *   node bench/floor.mjs [pages]
 *
 * The ratio of a row of `npm run bench` to git's, divided by the ratio printed here, is what the service adds.
 */
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { median, timed } from "./timing.mjs";
import { fileOf, git, makeSite, pageText } from "./performance/site.mjs";

const fsync = promisify(fs.fsync);
/** As the thread pool of bin/cms.cjs. */
const AT_ONCE = 16;
const ROUNDS = 12;
const TOGETHER = 32;
const PAGE = Buffer.alloc(3_000, "page ");
const TREE = Buffer.alloc(4_800, "tree ");
/** Of an index of git: 62 bytes and a path. */
const ENTRY_BYTES = 96;

const pages = Number(process.argv[2] ?? 10_000);
const folder = fs.mkdtempSync(join(tmpdir(), "git-cms-floor-"));
try {
  const dir = join(folder, "site");
  fs.mkdirSync(dir);
  makeSite(dir, pages);
  const [alone, together, native] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push((await timed(() => commit(folder, round, 1))).ms);
    together.push((await timed(() => commit(folder, ROUNDS + round, TOGETHER))).ms);
    fs.writeFileSync(join(dir, fileOf(1 + round * 17)), pageText(1 + round * 17, `Round ${round}`));
    const { ms } = await timed(() => {
      git(dir, "add", fileOf(1 + round * 17));
      git(dir, "commit", "-qm", "Save");
    });
    native.push(ms);
  }
  const [one, batch, theirs] = [alone, together, native].map(median);
  console.log(`one commit: ${one.toFixed(1)} ms; git: ${theirs.toFixed(1)} ms; ratio ${(one / theirs).toFixed(2)}`);
  const perSecond = (TOGETHER * 1000) / batch;
  const ratio = (perSecond * theirs) / 1000;
  console.log(
    `${TOGETHER} commits together: ${perSecond.toFixed(0)} /s; git: ${(1000 / theirs).toFixed(1)} /s; ratio ${ratio.toFixed(1)}`,
  );
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

/** @param commits made together, each of one new file in a folder of its own */
async function commit(at, round, commits) {
  const base = join(at, `round-${round}`);
  const scratch = join(base, "scratch");
  const objects = Array.from({ length: 6 }, (_, n) => join(base, `objects-${n}`));
  const content = Array.from({ length: commits }, (_, n) => join(base, `content-${n}`));
  const refs = join(base, "refs");
  for (const each of [scratch, ...objects, ...content, refs]) fs.mkdirSync(each, { recursive: true });
  const index = Buffer.alloc(pages * ENTRY_BYTES, "entry ");
  const isPacked = commits > 5;
  const stored = isPacked
    ? [
        ["keep", Buffer.from("kept\n")],
        ["pack", Buffer.alloc(commits * 2_900, "pack")],
        ["idx", Buffer.alloc(commits * 160, "idx")],
      ]
    : objects.map((_, n) => [`object-${n}`, n < 4 ? TREE : PAGE]);
  const working = content.map((_, n) => [`file-${n}`, PAGE]);
  const others = [
    ["index", index],
    ["journal", Buffer.alloc(400)],
    ["ref", Buffer.alloc(41)],
  ];
  await inParallel([...stored, ...working, ...others], ([name, bytes]) => writeSynced(join(scratch, name), bytes));
  for (const [n, [name]] of stored.entries()) {
    if (!isPacked) fs.linkSync(join(scratch, name), join(refs, name));
    fs.renameSync(join(scratch, name), join(objects[isPacked ? 0 : n], name));
  }
  await inParallel(isPacked ? [objects[0]] : [...objects, refs], syncFolder);
  for (const name of ["index", "ref"]) fs.renameSync(join(scratch, name), join(refs, name));
  await inParallel([refs, base], syncFolder);
  for (const [n, [name]] of working.entries()) fs.renameSync(join(scratch, name), join(content[n], name));
  await inParallel([...content, base], syncFolder);
}

async function writeSynced(path, bytes) {
  const file = fs.openSync(path, "wx");
  fs.writeSync(file, bytes);
  await fsync(file);
  fs.closeSync(file);
}

async function syncFolder(path) {
  const file = fs.openSync(path, "r");
  await fsync(file);
  fs.closeSync(file);
}

async function inParallel(items, work) {
  const left = [...items];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
    }),
  );
}
