/**
 * Reading other content than the newest, on a site of 10,000 pages with 100 commits: `npm run -s build && node test/bench/time.mjs`.
 *
 * Prints, in processor time, the first `?at=` of the commit 100 commits back beside a cold open, later reads of it beside reads of the newest
 * content that no cache answers (medians of rounds that alternate), and the memory of ten branches beside that of the site with one.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createApp, openCms } from "../../dist/index.js";

const PAGES = 10_000;
const COMMITS = 100;
const BRANCHES = 10;
const ROUNDS = 12;
/** Pages of a round. Each is read once, so that nothing that was kept of it answers. */
const READS = 100;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const dir = mkdtempSync(join(tmpdir(), "cms-time-"));
const git = (...args) =>
  execFileSync("git", ["-c", "user.name=Bench", "-c", "user.email=bench@example.org", ...args], { cwd: dir });
const pageFile = (n) => join(dir, `content/pages/page-${n}.yaml`);
const pageText = (n, title) =>
  `id: ${n}\ntranslations:\n  en:\n    title: ${title}\n    permalink: /page-${n}\n    published_at: "2026-01-01T00:00:00Z"\n`;

function makeSite() {
  mkdirSync(join(dir, "content/pages"), { recursive: true });
  mkdirSync(join(dir, "templates"), { recursive: true });
  writeFileSync(join(dir, "cms.config.yaml"), "LANGUAGES: { en: English }\n");
  for (let n = 1; n <= PAGES; n++) writeFileSync(pageFile(n), pageText(n, `Page ${n}`));
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "Start");
  for (let n = 1; n <= COMMITS; n++) {
    writeFileSync(pageFile(n), pageText(n, `Changed ${n}`));
    git("commit", "-qam", `Change ${n}`);
  }
  for (let branch = 0; branch < BRANCHES; branch++) git("branch", `b${branch}`, `HEAD~${branch * 10}`);
}

/** In milliseconds of this process's processor time: other work on the machine must not count. */
async function timed(work) {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

function heapMb() {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

try {
  makeSite();
  const opened = {};
  const cold = await timed(async () => (opened.cms = await openCms(dir)));
  const { cms } = opened;
  const by = { name: "Bench", email: "bench@example.org" };
  await cms.users.create(
    { username: "bench", password: "a-long-password-of-bench", is_staff: true, is_superuser: true },
    { by },
  );
  const app = createApp(cms);
  const login = await app(
    new Request("http://localhost/api/cms/token-auth/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "bench", password: "a-long-password-of-bench" }),
    }),
  );
  const { token } = await login.json();
  const read = async (path) => {
    const answer = await app(new Request(`http://localhost${path}`, { headers: { authorization: `Token ${token}` } }));
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.text();
  };
  const old = execFileSync("git", ["rev-parse", `HEAD~${COMMITS}`], { cwd: dir, encoding: "utf8" }).trim();
  await read("/api/cms/pages-router-preview/page-1/");
  const alone = heapMb();
  const first = await timed(() => read(`/api/cms/pages-router-preview/page-1/?at=${old}`));
  const one = heapMb();
  const times = { newest: [], commit: [], branch: [] };
  const queries = { newest: "", commit: `?at=${old}`, branch: "?at=b9" };
  await read("/api/cms/pages-router-preview/page-1/?at=b9");
  let next = 200;
  for (let round = 0; round < ROUNDS; round++)
    for (const name of Object.keys(queries)) {
      const from = next;
      next += READS;
      const ms = await timed(async () => {
        for (let n = from; n < from + READS; n++)
          await read(`/api/cms/pages-router-preview/page-${n}/${queries[name]}`);
      });
      times[name].push(ms / READS);
    }
  const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)];
  const [live, past, branch] = [times.newest, times.commit, times.branch].map(median);
  for (let n = 0; n < BRANCHES; n++) await read(`/api/cms/pages-router-preview/page-1/?at=b${n}`);
  const ten = heapMb();
  console.log(`cold open             ${cold.toFixed(0)} ms`);
  console.log(`first ?at=            ${first.toFixed(0)} ms, ${(first / cold).toFixed(2)} of a cold open`);
  console.log(`a read, newest        ${live.toFixed(2)} ms`);
  console.log(`a read, ?at=<commit>  ${past.toFixed(2)} ms, ${(past / live).toFixed(2)} times`);
  console.log(`a read, ?at=<branch>  ${branch.toFixed(2)} ms, ${(branch / live).toFixed(2)} times`);
  console.log(`heap: site alone      ${alone.toFixed(0)} MB`);
  console.log(`heap: one commit      ${one.toFixed(0)} MB`);
  console.log(`heap: ten branches    ${ten.toFixed(0)} MB, ${(ten / one).toFixed(2)} times`);
  await cms.close();
} finally {
  rmSync(dir, { recursive: true, force: true });
}
