// A sync of one edit here and one there, on a site of 10,000 pages, compared with `git pull && git push` of the same.
// Then, how long a write at the API of a server takes to a bare remote.
// Run `npm run build` first, then `node test/bench/sync.mjs [pages] [rounds] [writes]`.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCms } from "../../dist/cms.js";
import { settingsFiles } from "../../dist/config.js";
import { silentLog, systemEnv } from "../../dist/env.js";
import { KINDS } from "../../dist/store/records/kinds.js";
import { openGitRepo } from "../../dist/store/git/repo.js";
import { openRemote } from "../../dist/store/sync/remote.js";
import { synchronise } from "../../dist/store/sync/synchronise.js";
import { answerGit } from "./git-http.mjs";
import { saveTitle, serve, tokenFor } from "./serve.mjs";
import { median, timed } from "./timing.mjs";

const PAGES = Number(process.argv[2] ?? 10_000);
const ROUNDS = Number(process.argv[3] ?? 7);
const WRITES = Number(process.argv[4] ?? 10);
const PER_FOLDER = 100;
const PROMISED_MS = 2_000;
const PUSH_MAX_MS = 60_000;

const top = mkdtempSync(join(tmpdir(), "cms-bench-"));
const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
const git = (cwd, ...args) => execFileSync("git", args, { cwd, env, stdio: "ignore" });
const pathOf = (n) => `content/pages/${Math.floor(n / PER_FOLDER)}/page-${n}.yaml`;
const page = (n, en, it) => `id: ${n + 1}
date_created: 2026-01-01T00:00:00.000Z
translations:
  en:
    title: ${en}
    permalink: /page-${n}
    published_at: 2026-01-01T00:00:00.000Z
  it:
    title: ${it}
    permalink: /pagina-${n}
`;

/** A bare remote, the clone that is measured, and another one that pushes. */
function clones(name) {
  const seed = join(top, `${name}-seed`);
  for (let n = 0; n < PAGES; n++) {
    mkdirSync(join(seed, pathOf(n), ".."), { recursive: true });
    writeFileSync(join(seed, pathOf(n)), page(n, `Page ${n}`, `Pagina ${n}`));
  }
  writeFileSync(join(seed, "cms.config.yaml"), "LANGUAGES: { en: English, it: Italiano }\n");
  git(seed, "init", "--quiet", "--initial-branch=main");
  configure(seed);
  commit(seed);
  const bare = join(top, `${name}.git`);
  git(top, "clone", "--quiet", "--bare", seed, bare);
  rmSync(seed, { recursive: true });
  return ["measured", "other"].map((each) => {
    const dir = join(top, `${name}-${each}`);
    git(top, "clone", "--quiet", `file://${bare}`, dir);
    configure(dir);
    return dir;
  });
}
function configure(dir) {
  git(dir, "config", "user.name", "Bench");
  git(dir, "config", "user.email", "bench@example.org");
}
function commit(dir) {
  git(dir, "add", "--all");
  git(dir, "commit", "--quiet", "--message=Edit");
}

/** One page is edited here and another there, which is pushed; then the sync is timed. */
async function rounds([measured, other], sync) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    git(other, "pull", "--quiet");
    writeFileSync(join(other, pathOf(round)), page(round, `There ${round}`, `Pagina ${round}`));
    commit(other);
    git(other, "push", "--quiet");
    writeFileSync(join(measured, pathOf(PAGES - 1 - round)), page(PAGES - 1 - round, `Here ${round}`, "Qui"));
    commit(measured);
    times.push((await timed(sync)).ms);
  }
  return median(times);
}

/** How long acknowledged writes take to the remote, and whether that is within the promised time. */
async function pushes(name, remoteUrl, bare) {
  const root = join(top, name.replace(/\W+/g, "-"));
  // Not from its address: this process, which waits for git here, is the one that answers there.
  git(top, "clone", "--quiet", `file://${bare}`, root);
  git(root, "remote", "set-url", "origin", remoteUrl);
  configure(root);
  const token = tokenFor(root, env);
  const { url, child } = await serve(root, ["--sync", "--every", "60"], env);
  try {
    const times = [];
    for (let n = 0; n < WRITES; n++) {
      await saveTitle({ url, token }, `Written ${n}`);
      const head = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, env, encoding: "utf8" });
      const done = await timed(async () => {
        const ref = join(bare, "refs/heads/main"); // packed until the first push
        const isPushed = () => existsSync(ref) && readFileSync(ref, "utf8") === head;
        for (const end = Date.now() + PUSH_MAX_MS; !isPushed();) {
          if (Date.now() > end)
            throw new Error(`A write was not pushed within ${PUSH_MAX_MS / 1000} s to ${remoteUrl}`);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      });
      times.push(done.ms);
    }
    const [middle, longest] = [median(times), Math.max(...times)].map((ms) => `${ms.toFixed(0).padStart(6)} ms`);
    const within = times.filter((ms) => ms <= PROMISED_MS).length;
    console.log(`${name.padEnd(44)} ${middle} median ${longest} longest  ${within}/${WRITES} within two seconds`);
  } finally {
    child.kill();
    await once(child, "close");
  }
}

let http;
try {
  const native = clones("native");
  const plain = await rounds(native, () => {
    git(native[0], "pull", "--quiet", "--no-rebase", "--no-edit");
    git(native[0], "push", "--quiet");
  });

  const locales = { codes: ["en", "it"], default: "en" };
  const quiet = systemEnv(silentLog);
  const options = { pushes: true, acceptsDeletions: false, isDryRun: false, needsLfsFiles: true };
  const row = (name, ms) =>
    console.log(`${name.padEnd(44)} ${ms.toFixed(0).padStart(6)} ms  ${(ms / plain).toFixed(2)}`);
  console.log(`${PAGES} pages, one edit on each side; time relative to git`);
  row("git pull && git push", plain);

  const own = clones("command");
  const command = await rounds(own, async () => {
    const repo = await openGitRepo(own[0], { env: quiet });
    const remote = await openRemote(own[0], "main");
    await synchronise({ repo, kinds: KINDS, locales, env: quiet, settings: settingsFiles }, remote, {
      ...options,
      merge: (merge) => repo.merge(merge),
      inTurn: (work) => work((merge) => repo.merge(merge)),
    });
    await repo.close();
  });
  row("cms sync, without the start of the program", command);

  const served = clones("served");
  const cms = await openCms(served[0], { env: quiet });
  const remote = await openRemote(served[0], "main");
  const server = await rounds(served, () =>
    synchronise({ repo: cms.store.repo, kinds: KINDS, locales, env: quiet, settings: settingsFiles }, remote, {
      ...options,
      merge: cms.store.merge,
      inTurn: cms.store.inTurn,
    }),
  );
  await cms.close();
  row("a running server, until the content is served", server);

  console.log(
    `\n${WRITES} writes at the API of \`cms serve --sync\`, one after the other: until each is on the bare remote`,
  );
  const bare = join(top, "pushed.git");
  clones("pushed");
  http = createServer((request, response) => answerGit({ folder: top, env }, request, response));
  await new Promise((listening) => http.listen(0, "127.0.0.1", listening));
  const remotes = [
    ["file://", `file://${bare}`],
    ["http-backend on loopback", `http://127.0.0.1:${http.address().port}/pushed.git`],
  ];
  for (const [name, url] of remotes) await pushes(name, url, bare);
} finally {
  http?.close();
  rmSync(top, { recursive: true, force: true });
}
