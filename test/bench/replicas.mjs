// A writer, a bare remote with webhooks, and three replicas: how long a write takes to each replica, and what a read costs.
// Run `npm run build` first, then `node test/bench/replicas.mjs [pages] [writes] [seconds]`.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saveTitle, serve, tokenFor } from "./serve.mjs";

const PAGES = Number(process.argv[2] ?? 1_000);
const WRITES = Number(process.argv[3] ?? 30);
const SECONDS = Number(process.argv[4] ?? 5);
const REPLICAS = 3;
const CONNECTIONS = 16;
const PER_FOLDER = 100;
/** Of /proc/<pid>/stat on Linux. */
const TICKS_PER_SECOND = 100;
const SECRET = "a secret of the benchmark";

const top = mkdtempSync(join(tmpdir(), "cms-bench-"));
const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", CMS_SYNC_SECRET: SECRET };
const git = (cwd, ...args) => execFileSync("git", args, { cwd, env, stdio: "ignore" });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const started = [];

function seed() {
  const dir = join(top, "seed");
  for (let n = 0; n < PAGES; n++) {
    const path = join(dir, `content/pages/${Math.floor(n / PER_FOLDER)}/page-${n}.yaml`);
    mkdirSync(join(path, ".."), { recursive: true });
    const published = "published_at: 2026-01-01T00:00:00.000Z";
    writeFileSync(
      path,
      `id: ${n + 1}\ntranslations:\n  en: { title: Page ${n}, permalink: /page-${n}, autopermalink: false, ${published} }\n`,
    );
  }
  writeFileSync(join(dir, "cms.config.yaml"), "LANGUAGES: { en: English }\nSYNC: { SECRET: env:CMS_SYNC_SECRET }\n");
  git(dir, "init", "--quiet", "--initial-branch=main");
  git(dir, "config", "user.name", "Bench");
  git(dir, "config", "user.email", "bench@example.org");
  git(dir, "add", "--all");
  git(dir, "commit", "--quiet", "--message=Begin");
  git(top, "clone", "--quiet", "--bare", dir, join(top, "site.git"));
}

async function open(name, ...args) {
  const root = join(top, name);
  git(top, "clone", "--quiet", `file://${join(top, "site.git")}`, root);
  const token = args.length > 0 ? undefined : tokenFor(root, env);
  const { url, child } = await serve(root, ["--sync", "--every", "60", ...args], env);
  started.push(child);
  return { url, token, pid: child.pid };
}

/** As a forge would: tells all replicas of each push. */
function addWebhooks(replicas) {
  const hook = join(top, "site.git/hooks/post-receive");
  const tell = ({ url }) => `curl -s -m 5 -o /dev/null -X POST -H 'X-Gitlab-Token: ${SECRET}' ${url}api/cms/sync/ &\n`;
  writeFileSync(hook, `#!/bin/sh\nexec >/dev/null 2>&1\n${replicas.map(tell).join("")}`);
  chmodSync(hook, 0o755);
}

async function lags(writer, replicas) {
  const all = [];
  for (let n = 0; n < WRITES; n++) {
    const title = `Written ${n}`;
    await saveTitle(writer, title);
    const from = performance.now();
    const seen = async ({ url }) => {
      while ((await (await fetch(`${url}api/cms/pages-router/page-0/`)).json()).title !== title) await pause(10);
      return performance.now() - from;
    };
    all.push(...(await Promise.all(replicas.map(seen))));
  }
  return all.sort((a, b) => a - b);
}

const cpuSeconds = ({ pid }) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};

/** Asks for all pages in turn, after each server has answered each once. */
async function load(servers) {
  for (const { url } of servers)
    for (let n = 0; n < PAGES; n++) await (await fetch(`${url}api/cms/pages-router/page-${n}/`)).arrayBuffer();
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const before = servers.map(cpuSeconds);
  const begun = performance.now();
  let count = 0;
  const get = (url) =>
    new Promise((resolve, reject) =>
      request(url, { agent }, (response) => response.resume().on("end", resolve))
        .on("error", reject)
        .end(),
    );
  const client = async (n) => {
    while (performance.now() - begun < SECONDS * 1000) {
      await get(`${servers[(n + count) % servers.length].url}api/cms/pages-router/page-${count % PAGES}/`);
      count++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => client(n)));
  const seconds = (performance.now() - begun) / 1000;
  const cpu = servers.reduce((sum, server, n) => sum + cpuSeconds(server) - before[n], 0);
  agent.destroy();
  return { rate: count / seconds, cpuMicros: (cpu / count) * 1e6 };
}

/** A server writes its caches when it stops: its folder is removed after it has ended. */
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill();
  await closed;
}

try {
  seed();
  const writer = await open("writer");
  const replicas = [];
  for (let n = 1; n <= REPLICAS; n++) replicas.push(await open(`replica-${n}`, "--read-only"));
  addWebhooks(replicas);
  await lags(writer, replicas); // the first writes include what is loaded at the first use
  const measured = await lags(writer, replicas);
  const at = (share) =>
    `${Math.round(measured[Math.min(measured.length - 1, Math.floor(share * measured.length))])} ms`;
  console.log(`${PAGES} pages, ${WRITES} writes, ${REPLICAS} replicas with webhooks`);
  console.log(`from the acknowledged write to its answer at a replica: p50 ${at(0.5)}, p99 ${at(0.99)}`);
  for (const servers of [replicas.slice(0, 1), replicas]) {
    const { rate, cpuMicros } = await load(servers);
    const name = servers.length === 1 ? "one replica" : `${servers.length} replicas`;
    console.log(`${name}: ${Math.round(rate)} answers a second, ${Math.round(cpuMicros)} µs of processor time each`);
  }
} finally {
  await Promise.all(started.map(end));
  rmSync(top, { recursive: true, force: true, maxRetries: 5 });
}
