/**
 * What the disk alone takes for a durable commit: a bare program with the same files, renames, links and syncs as
 * docs/reliability.md lists ("A commit, step by step"), and no other work, beside `git add && git commit`.
 *
 *   node test/bench/floor.mjs [pages]
 *
 * The ratio of a row of `npm run bench` to git's, divided by the ratio printed here, is what the service adds.
 */
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, timed } from "./timing.mjs";
import { fileOf, git, makeSite, pageText } from "./performance/site.mjs";
import { floorOf } from "./performance/writes.mjs";

const ROUNDS = 12;
const TOGETHER = 32;

const pages = Number(process.argv[2] ?? 10_000);
const folder = fs.mkdtempSync(join(tmpdir(), "git-cms-floor-"));
try {
  const dir = join(folder, "site");
  fs.mkdirSync(dir);
  makeSite(dir, pages);
  const native = [];
  for (let round = 0; round < ROUNDS; round++) {
    fs.writeFileSync(join(dir, fileOf(1 + round * 17)), pageText(1 + round * 17, `Round ${round}`));
    const { ms } = await timed(() => {
      git(dir, "add", fileOf(1 + round * 17));
      git(dir, "commit", "-qm", "Save");
    });
    native.push(ms);
  }
  const theirs = median(native);
  const one = floorOf("commit", join(folder, "one"), 1, pages);
  const batch = floorOf("commit", join(folder, "together"), TOGETHER, pages);
  console.log(`one commit: ${one.toFixed(1)} ms; git: ${theirs.toFixed(1)} ms; ratio ${(one / theirs).toFixed(2)}`);
  const perSecond = (TOGETHER * 1000) / batch;
  const ratio = (perSecond * theirs) / 1000;
  console.log(
    `${TOGETHER} commits together: ${perSecond.toFixed(0)} /s; git: ${(1000 / theirs).toFixed(1)} /s; ratio ${ratio.toFixed(1)}`,
  );
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
