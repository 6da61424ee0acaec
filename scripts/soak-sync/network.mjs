/** A bare remote, three servers on clones of it, and the clone of a developer. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { COMMAND, ENVIRONMENT, cms, mustRun, run } from "../soak/process.mjs";
import { pause } from "../soak/random.mjs";
import { removeCaches, shownBy } from "../soak/restart.mjs";
import { siteFiles } from "./site.mjs";

const SERVERS = 3;
const PAGES = 12;
const START_MS = 120_000;
const HEAL_MS = 300_000;

/** @param report its `stuck` gets servers that end or hang */
export async function openNetwork(dir, report) {
  const remote = join(dir, "remote.git");
  const git = (cwd, ...args) => mustRun("git", args, { cwd });
  await seed(join(dir, "seed"), remote, git);

  const clone = async (name) => {
    const root = join(dir, name);
    await git(dir, "clone", "--quiet", `file://${remote}`, root);
    await git(root, "config", "user.name", name);
    await git(root, "config", "user.email", `${name}@example.org`);
    return root;
  };
  const developer = await clone("developer");
  const servers = [];
  for (let n = 1; n <= SERVERS; n++) servers.push(await openServer(await clone(`server-${n}`), report));
  await Promise.all(servers.map((server) => server.start()));

  const cutOff = new Set();

  async function headsOf() {
    const roots = [developer, ...servers.map(({ root }) => root)];
    const heads = await Promise.all(roots.map((root) => git(root, "rev-parse", "HEAD")));
    return new Set([...heads, await git(remote, "rev-parse", "main")].map((head) => head.trim()));
  }

  /** Whether a scheduled draft is left that a server could publish: one whose permalink another page has taken stays. */
  async function hasDueDraft() {
    const { out } = await run("git", ["grep", "-h", "-e", "^scheduled_for:", "HEAD", "--", "content"], {
      cwd: developer,
    });
    const due = out.match(/^scheduled_for: .+$/gm)?.length ?? 0;
    const refused = Math.max(...servers.map((server) => server.refusedDrafts()));
    return due > refused;
  }

  return {
    servers,
    developer,
    remote,
    git,
    /** Takes the remote away from a clone, or gives it back. */
    async setCutOff(root, wanted) {
      if (wanted === cutOff.has(root)) return;
      await git(root, "remote", "set-url", "origin", `file://${remote}${wanted ? ".away" : ""}`);
      if (wanted) cutOff.add(root);
      else cutOff.delete(root);
    },
    syncDeveloper: (options) => cms(developer, ["sync", "--accept-deletions"], options),
    /** Brings all back, and synchronises until every clone has the same commit and the servers have published what is due. */
    async heal() {
      for (const root of [...cutOff]) await this.setCutOff(root, false);
      for (const server of servers) await server.ensureUp();
      for (const deadline = Date.now() + HEAL_MS; (await headsOf()).size > 1 || (await hasDueDraft());) {
        if (Date.now() > deadline) {
          report.stuck.push(
            `After ${HEAL_MS / 1000} s the clones still differ, or a draft is due: ${servers.map((each) => each.log()).join("\n")}`,
          );
          return;
        }
        await this.syncDeveloper();
        for (const server of servers) await server.ask("POST", "api/cms/sync/", { accept_deletions: true });
      }
    },
    /** What a new server shows on a clone that it has just made. */
    async shownByFreshClone() {
      const root = await clone("fresh");
      const server = await openServer(root, report);
      await server.start();
      const shown = await server.shown();
      await server.stop();
      rmSync(root, { recursive: true });
      return shown;
    },
    async stop() {
      for (const server of servers) await server.stop();
    },
  };
}

async function seed(root, remote, git) {
  for (const [path, text] of Object.entries(siteFiles(PAGES))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  await git(root, "init", "--quiet", "--initial-branch=main");
  await git(root, "add", "--all");
  await git(root, "commit", "--quiet", "--message=Begin");
  await git(root, "clone", "--quiet", "--bare", root, remote);
}

/** `cms serve --sync` at a port of its own choice, which changes with each start. */
async function openServer(root, report) {
  const user = ["user", "add", "edith", "--staff", "--superuser"];
  const added = await cms(root, user, { env: { CMS_PASSWORD: "open sesame" } });
  if (added.code !== 0) throw new Error(added.err);
  const token = (await cms(root, ["token", "edith"])).out.trim();
  let child;
  let url;
  let log = "";
  let isOrdered = true;
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  async function start() {
    log = "";
    url = undefined;
    isOrdered = false;
    const args = [COMMAND, "serve", "--root", root, "--port", "0", "--sync", "--every", "2"];
    const started = spawn(process.execPath, args, { env: ENVIRONMENT, stdio: ["ignore", "ignore", "pipe"] });
    child = started;
    started.stderr.on("data", (chunk) => (log = (log + chunk).slice(-100_000)));
    started.on("close", (code, signal) => {
      if (!isOrdered && child === started)
        report.stuck.push(`${root} ended with ${code ?? signal}: ${log.slice(-2_000)}`);
    });
    for (const deadline = Date.now() + START_MS; url === undefined; await pause(50)) {
      url = /^ {2}➜ Site +(http:\S+\/)$/m.exec(log)?.[1];
      if (!isRunning()) return;
      if (Date.now() <= deadline) continue;
      report.stuck.push(`${root} did not start: ${log.slice(-2_000)}`);
      return;
    }
  }

  async function end(signal) {
    if (!isRunning()) return;
    isOrdered = true;
    const closed = once(child, "close");
    child.kill(signal);
    await closed;
  }

  return {
    root,
    start,
    log: () => log.slice(-2_000),
    /** How many pages and languages have a due draft that the server has refused to publish since its start. */
    refusedDrafts: () => new Set(log.match(/^.*is due but cannot be published/gm)).size,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    /** See `shownBy`. */
    shown: () => shownBy(url, token),
    async restartWithoutCaches() {
      await end("SIGTERM");
      removeCaches(root);
      await start();
    },
    async ensureUp() {
      if (!isRunning()) await start();
    },
    /** @returns undefined when there was no answer */
    async ask(method, path, body) {
      try {
        const response = await fetch(url + path, {
          method,
          headers: { authorization: `Token ${token}`, ...(body && { "content-type": "application/json" }) },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(120_000),
        });
        const text = await response.text();
        return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
      } catch (error) {
        if (error.name === "TimeoutError") report.stuck.push(`${method} ${path} had no answer within 120 s at ${root}`);
        return undefined;
      }
    },
  };
}
