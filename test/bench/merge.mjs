// The merge of pages that both sides changed, English here and Italian there, compared with `git merge` of the same commits.
// Ours is the merge by field of bytes that are in memory; git's reads objects and writes a commit and the files.
// Run `npm run build` first, then `node test/bench/merge.mjs [files] [rounds]`.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PAGES } from "../../dist/store/records/pages.js";
import { mergeRecordFile } from "../../dist/store/merge/merge-file.js";
import { median, timed } from "./timing.mjs";

const FILES = Number(process.argv[2] ?? 1_000);
const ROUNDS = Number(process.argv[3] ?? 5);
const PER_FOLDER = 100;
const LOCALES = { codes: ["en", "it"], default: "en" };
const BODY = Array.from({ length: 25 }, (_, n) => `        Paragraph ${n} of a text that people read.\n`).join("\n");

const page = (n, { en = "", it = "", day = "01" }) => `id: ${n + 1}
identifier: page-${n}
date_created: 2026-01-01T00:00:00.000Z
date_updated_at: 2026-01-${day}T00:00:00.000Z
translations:
  en:
    title: Page ${n}${en}
    permalink: /page-${n}
    published_at: 2026-01-01T00:00:00.000Z
    template_data:
      body: |
${BODY}
  it:
    title: Pagina ${n}${it}
    permalink: /pagina-${n}
    published_at: 2026-01-01T00:00:00.000Z
    template_data:
      body: |
${BODY}`;
const pathOf = (n) => `content/pages/${Math.floor(n / PER_FOLDER)}/page-${n}.yaml`;

const CASES = [
  ["edited by hand: no stamps", { en: " here" }, { it: " there" }],
  ["edited by two servers: both with a stamp", { en: " here", day: "02" }, { it: " there", day: "03" }],
  ["one title changed by both", { en: " here" }, { en: " there" }],
];

const dir = mkdtempSync(join(tmpdir(), "cms-bench-"));
const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
const git = (...args) => execFileSync("git", args, { cwd: dir, env, stdio: "ignore" });
/** A merge with conflicts ends with 1. */
const gitMerge = (...args) => {
  const { status } = spawnSync("git", args, { cwd: dir, env, stdio: "ignore" });
  if (status > 1) throw new Error(`git ${args.join(" ")} ended with ${status}`);
};
const save = (changes) => {
  for (let n = 0; n < FILES; n++) {
    mkdirSync(join(dir, pathOf(n), ".."), { recursive: true });
    writeFileSync(join(dir, pathOf(n)), page(n, changes));
  }
  git("add", ".");
  git("commit", "--quiet", "--message=Save");
};

try {
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Bench");
  git("config", "user.email", "bench@example.org");
  git("config", "gc.auto", "0");
  save({});
  git("tag", "base");
  console.log(`${FILES} files of ${page(0, {}).length} bytes that both sides changed, median of ${ROUNDS}`);
  for (const [label, ours, theirs] of CASES) {
    git("switch", "--quiet", "--detach", "base");
    save(theirs);
    git("tag", "--force", "theirs");
    git("switch", "--quiet", "--detach", "base");
    save(ours);
    git("tag", "--force", "ours");
    const bytes = (n, changes) => Buffer.from(page(n, changes));
    const inputs = Array.from({ length: FILES }, (_, n) => [
      { path: pathOf(n), kind: PAGES, locales: LOCALES },
      { base: bytes(n, {}), ours: bytes(n, ours), theirs: bytes(n, theirs) },
    ]);
    const times = { ours: [], merge: [], tree: [] };
    let conflicts = 0;
    for (let round = -1; round < ROUNDS; round++) {
      const mine = await timed(() => inputs.map((input) => mergeRecordFile(...input)));
      if (mine.value.some(({ outcome }) => outcome !== "merged")) throw new Error("A file was not merged.");
      conflicts = mine.value.reduce((sum, each) => sum + each.conflicts.length, 0);
      const tree = await timed(() => gitMerge("merge-tree", "--write-tree", "ours", "theirs"));
      const merge = await timed(() => gitMerge("merge", "--quiet", "--no-edit", "theirs"));
      git("reset", "--quiet", "--hard", "ours");
      if (round < 0) continue;
      times.ours.push(mine.ms);
      times.merge.push(merge.ms);
      times.tree.push(tree.ms);
    }
    const [our, merge, tree] = [times.ours, times.merge, times.tree].map(median);
    const ratio = (other) => `${(our / other).toFixed(2)} x`;
    console.log(`\n${label}: ${conflicts} conflicts`);
    console.log(`  by field                 ${our.toFixed(0).padStart(6)} ms`);
    console.log(`  git merge                ${merge.toFixed(0).padStart(6)} ms   ${ratio(merge)}`);
    console.log(`  git merge-tree (no files) ${tree.toFixed(0).padStart(5)} ms   ${ratio(tree)}`);
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
