/**
 * Revisions of one page in a history of 5,000 commits: our list, first and indexed, compared with `git log -- <file>`.
 *
 *   npm run build && node test/bench/revisions.mjs [commits]
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCms } from "../../dist/cms.js";
import { listRevisions } from "../../dist/actions/pages/revisions.js";
import { median, timed } from "./timing.mjs";

const COMMITS = Number(process.argv[2] ?? 5000);
const PAGES = 200;
const ROUNDS = 9;

const root = mkdtempSync(join(tmpdir(), "git-cms-bench-"));
try {
  makeHistory();
  const page = 7;
  const file = `content/pages/p${page}.yaml`;
  const expected = git("log", "--format=%H", "--", file).trim().split("\n").length;

  const cms = await openCms(root);
  const first = await timed(() => listRevisions(cms, page));
  const indexed = [];
  const native = [];
  for (let round = 0; round < ROUNDS; round++) {
    indexed.push((await timed(() => listRevisions(cms, page))).ms);
    native.push((await timed(() => git("log", "--format=%H%x00%an%x00%ct%x00%B", "--", file))).ms);
  }
  await cms.close();
  const again = await openCms(root);
  const restarted = await timed(() => listRevisions(again, page));
  await again.close();

  if (first.value.length !== expected) throw new Error(`${first.value.length} revisions listed, git has ${expected}`);
  console.log(`${COMMITS} commits, ${expected} of them change the page`);
  console.log(`first list, walk of history  ${first.ms.toFixed(0)} ms`);
  console.log(`list, indexed                ${median(indexed).toFixed(2)} ms`);
  console.log(`list after a restart         ${restarted.ms.toFixed(1)} ms`);
  console.log(`git log -- file              ${median(native).toFixed(1)} ms`);
  console.log(`ratio indexed / git log      ${(median(indexed) / median(native)).toFixed(4)}`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

function makeHistory() {
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  const body = (id, round) =>
    `id: ${id}\nidentifier: p${id}\ndate_created: 2026-01-01T00:00:00.000Z\ndate_updated_at: 2026-01-01T00:00:00.000Z\ntranslations:\n  en:\n    title: Page ${id} round ${round}\n    permalink: /p${id}\n    autopermalink: false\n  it:\n    permalink: /p${id}\n    autopermalink: false\n`;
  const stream = [];
  for (let n = 0; n < COMMITS; n++) {
    const id = (n % PAGES) + 1;
    const text = body(id, n);
    const message = `Change page ${id}`;
    stream.push(
      `commit refs/heads/main\ncommitter Bench <bench@example.org> ${1760000000 + n} +0000\ndata ${Buffer.byteLength(message)}\n${message}\n`,
    );
    if (n === 0) stream.push(`M 100644 inline cms.config.yaml\ndata 18\nLANGUAGE_CODE: en\n\n`);
    stream.push(`M 100644 inline content/pages/p${id}.yaml\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  }
  spawnSync("git", ["-C", root, "fast-import", "--quiet"], {
    input: stream.join(""),
    stdio: ["pipe", "ignore", "inherit"],
  });
  git("checkout", "-q", "-f", "main");
  writeFileSync(join(root, ".git/info/exclude"), "");
}

function git(...args) {
  return execFileSync("git", ["-C", root, ...args], { encoding: "utf8", maxBuffer: 1e9 });
}
