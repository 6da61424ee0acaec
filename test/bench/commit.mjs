// One changed page, one commit: ours, durable, compared with `git add && git commit`, which does not sync by default.
// Then our commits in batches. Run `npm run build` first, then `node test/bench/commit.mjs [files] [rounds]`.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openGitRepo } from "../../dist/store/git/repo.js";
import { median, percentile, timed } from "./timing.mjs";

const FILES = Number(process.argv[2] ?? 2_000);
const ROUNDS = Number(process.argv[3] ?? 60);
const BATCH = 50;
const PER_FOLDER = 100;

const dir = mkdtempSync(join(tmpdir(), "cms-bench-"));
const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
const git = (...args) => execFileSync("git", args, { cwd: dir, env, stdio: "ignore" });
const page = (text) => `title: ${text}\n${"text: some three kilobytes of page\n".repeat(85)}`;
const pathOf = (n) => `content/pages/${Math.floor(n / PER_FOLDER)}/page-${n}.yaml`;

const show = (label, text) => console.log(`${label.padEnd(42)}${text}`);

try {
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Bench");
  git("config", "user.email", "bench@example.org");
  git("config", "gc.auto", "0");
  for (let n = 0; n < FILES; n++) {
    mkdirSync(join(dir, pathOf(n), ".."), { recursive: true });
    writeFileSync(join(dir, pathOf(n)), page(n));
  }
  git("add", ".");
  git("commit", "--quiet", "--message=Begin");

  const repo = await openGitRepo(dir);
  const plan = (path, text) => ({
    author: { name: "Bench", email: "bench@example.org" },
    at: new Date().toISOString(),
    message: `Save ${path}`,
    changes: new Map([[path, Buffer.from(page(text))]]),
  });
  const commit = async (commits) => {
    const expect = new Map();
    for (const { changes } of commits) {
      for (const path of changes.keys()) expect.set(path, (await repo.read(path))?.oid ?? null);
    }
    const result = await repo.commit({ base: (await repo.state()).head, commits, expect });
    if (!result.made) throw new Error(`No commit: ${result.moved} moved`);
  };

  const ours = [];
  const theirs = [];
  for (let round = -5; round < ROUNDS; round++) {
    const path = pathOf(((round + 5) * 7) % FILES);
    const { ms: our } = await timed(() => commit([plan(path, `ours ${round}`)]));
    const { ms: their } = await timed(() => {
      writeFileSync(join(dir, path), page(`theirs ${round}`));
      git("add", path);
      git("commit", "--quiet", "--message=Save");
    });
    // The first rounds warm up.
    if (round < 0) continue;
    ours.push(our);
    theirs.push(their);
  }
  const batches = [];
  for (let round = 0; round < 5; round++) {
    const commits = Array.from({ length: BATCH }, (_, n) => plan(pathOf((n * 13) % FILES), `batch ${round} ${n}`));
    batches.push((await timed(() => commit(commits))).ms / BATCH);
  }
  await repo.close();

  show(
    `${FILES} files, one page per commit, median ms`,
    `ours ${median(ours).toFixed(1)}, git ${median(theirs).toFixed(1)}`,
  );
  show("95th percentile, ms", `ours ${percentile(ours, 0.95).toFixed(1)}, git ${percentile(theirs, 0.95).toFixed(1)}`);
  show("ours / git", (median(ours) / median(theirs)).toFixed(2));
  show(`in batches of ${BATCH}, ms per commit`, median(batches).toFixed(2));
  show("batched / git", (median(batches) / median(theirs)).toFixed(2));
} finally {
  rmSync(dir, { recursive: true, force: true });
}
