/** Writes over HTTP, each durable and a commit of its own, beside git's command line in a copy of the same tree. */
import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync, inflateSync } from "node:zlib";
import { median, timed } from "../timing.mjs";
import { fileOf, git, openClient, pageText, processorMs, resting, stall } from "./site.mjs";

const ROUNDS = 100;
const CHILDREN = 2000;
/** Of the page with its children, by turns with the plain loop. */
const MOVES = 5;

const BARE_WRITES = fileURLToPath(new URL("bare-writes.mjs", import.meta.url));

/** Milliseconds of a bare program (bare-writes.mjs). It gets as many threads as bin/cms.cjs has. */
export function floorOf(what, folder, count, pages) {
  const env = { ...process.env, UV_THREADPOOL_SIZE: "16" };
  const given = [BARE_WRITES, what, folder, String(count), String(pages)];
  const ms = Number(execFileSync(process.execPath, given, { env, encoding: "utf8" }));
  rmSync(folder, { recursive: true });
  return ms;
}

/** Pages spread over the folders of the site. */
export const pick = (round, pages) => 1 + ((round * 7919) % pages);

export async function onePatch({ server, auth, copy, pages, scratch }) {
  await resting(server);
  const bare = await openBarePatch(scratch, pages);
  const ours = [];
  const native = [];
  const floor = [];
  const before = { ours: 0, bare: 0 };
  for (let round = -3; round < ROUNDS; round++) {
    const id = pick(round + 3, pages);
    const title = `Draft ${round}`;
    // Those before are warming up.
    if (round === 0) Object.assign(before, { ours: processorMs(server), bare: processorMs(bare) });
    const patch = () => server.ask("PATCH", `/api/cms/pages/${id}/draft/?language=en`, { title }, auth);
    const { value, ms } = await timed(patch);
    if (value.status !== 200) throw new Error(`PATCH of page ${id}: ${value.status} ${value.text}`);
    const gitMs = commitByGit(copy, id, `Native ${round}`);
    const bareMs = await bare.patch(title);
    // Again after it, so that both servers are asked as long after git.
    commitByGit(copy, id, `Native again ${round}`);
    if (round < 0) continue;
    ours.push(ms);
    native.push(gitMs);
    floor.push(bareMs);
  }
  const spent = (processorMs(server) - before.ours) / ROUNDS;
  const bareSpent = (processorMs(bare) - before.bare) / ROUNDS;
  bare.close();
  const files = floorOf("commit", join(scratch, "files"), 1, pages) / median(native);
  return {
    subject: "one durable PATCH of a draft, p50",
    against: "`git add && git commit` of one file",
    ours: median(ours),
    theirs: median(native),
    unit: "ms",
    limit: { 10_000: 0.25, 100_000: 0.15 },
    note:
      `a bare server with the same system calls, JSON, YAML, hashes and compression, by turns: ` +
      `${(median(floor) / median(native)).toFixed(2)}; the files and syncs alone: ${files.toFixed(2)}; ` +
      `${spent.toFixed(1)} ms of the main thread each, of the bare server's ${bareSpent.toFixed(1)}`,
  };
}

/** The server of bare-patch.mjs, and milliseconds of a PATCH of it. */
async function openBarePatch(scratch, pages) {
  const folder = join(scratch, "bare");
  mkdirSync(folder, { recursive: true });
  const script = fileURLToPath(new URL("bare-patch.mjs", import.meta.url));
  const env = { ...process.env, UV_THREADPOOL_SIZE: "16" };
  const child = spawn(process.execPath, [script, folder, String(pages)], { stdio: ["ignore", "ignore", "pipe"], env });
  const origin = await new Promise((resolve, reject) => {
    child.stderr.once("data", (chunk) => resolve(String(chunk).trim().replace(/\/$/, "")));
    child.once("exit", () => reject(new Error("bare-patch.mjs ended")));
  });
  const client = openClient(origin);
  return {
    pid: child.pid,
    async patch(title) {
      const { value, ms } = await timed(() => client.ask("PATCH", "/", { title }));
      if (value.status !== 200) throw new Error(`bare-patch.mjs: ${value.status}`);
      return ms;
    },
    close() {
      client.close();
      child.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

/** @returns milliseconds */
export function commitByGit(dir, id, title) {
  writeFileSync(join(dir, fileOf(id)), pageText(id, title));
  const began = performance.now();
  git(dir, "add", fileOf(id));
  git(dir, "commit", "-qm", "Save");
  return performance.now() - began;
}

/** Moves a page with 2,000 children there and back; each child's file gets its new permalink. */
export async function moveWithChildren({ server, auth, scratch, pages }) {
  if (pages > 10_000) return [];
  const parent = { title: "Parent", permalink: "/parent", autopermalink: false };
  const made = await server.ask("POST", "/api/cms/pages/?language=en", parent, auth);
  const { id } = JSON.parse(made.text);
  const texts = [];
  // The children come by hand, in one commit, since making them one by one is not what is measured.
  const { dir } = server;
  mkdirSync(join(dir, "content/pages/moved"), { recursive: true });
  for (let n = 0; n < CHILDREN; n++) {
    const text = pageText(5_000_000 + n)
      .replace(/^parent_page: .*$/m, `parent_page: ${id}`)
      .replaceAll(/permalink: \/.*$/gm, `permalink: /parent/c${n}`)
      .replaceAll("autopermalink: false", "autopermalink: true");
    writeFileSync(join(dir, `content/pages/moved/c${n}.yaml`), text);
    texts.push(text);
  }
  git(dir, "add", "-A");
  await until(async () => commits(dir, "Children"));
  const last = `/api/cms/pages/${5_000_000 + CHILDREN - 1}/`;
  await until(async () => (await server.ask("GET", last, undefined, auth)).status === 200);
  const turns = { ours: [], plain: [], spent: [], stalled: [] };
  for (let turn = 0; turn < MOVES; turn++) {
    await stall(server);
    const before = processorMs(server);
    const change = { permalink: turn % 2 === 0 ? "/moved" : "/parent" };
    const { value, ms } = await timed(() => server.ask("PATCH", `/api/cms/pages/${id}/?language=en`, change, auth));
    turns.spent.push(processorMs(server) - before);
    if (value.status !== 200) throw new Error(`Moving: ${value.status} ${value.text}`);
    turns.ours.push(ms);
    turns.stalled.push(await stall(server));
    // Nothing is removed between the turns: on some file systems, files are created more slowly for minutes after that.
    const folder = join(scratch, `plain-${turn}`);
    mkdirSync(folder, { recursive: true });
    const plain = await timed(() => {
      for (const [n, text] of texts.entries()) writeSynced(join(folder, `c${n}.yaml`), text);
    });
    turns.plain.push(plain.ms);
    // The loop has blocked this process: let it notice which connections the server has closed meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const floor = floorOf("replacement", join(scratch, "floor"), CHILDREN, pages) / median(turns.plain);
  rmSync(scratch, { recursive: true });
  const isStallTold = turns.stalled.every((each) => each !== undefined);
  return [
    {
      subject: "moving a page with 2,000 children",
      against: "2,000 files written and synced by a plain loop",
      ours: median(turns.ours),
      theirs: median(turns.plain),
      unit: "ms",
      limit: { 10_000: 1.5 },
      note:
        `${MOVES} turns, the first one ${(turns.ours[0] / turns.plain[0]).toFixed(2)}; ` +
        `a bare program with the same files and syncs: ${floor.toFixed(2)}; ` +
        `${Math.round(median(turns.spent))} ms of the main thread`,
    },
    ...(isStallTold
      ? [
          {
            subject: "longest stall of the event loop during that",
            against: "50 ms",
            ours: median(turns.stalled),
            theirs: 50,
            unit: "ms",
            limit: { 10_000: 1 },
            note: `of a turn; the longest of all was ${Math.max(...turns.stalled).toFixed(0)} ms`,
          },
        ]
      : []),
  ];
}

/** @returns false while the service, which has seen the added files, holds the lock of the index */
function commits(dir, message) {
  try {
    git(dir, "commit", "-qm", message);
    return true;
  } catch (error) {
    if (!/index\.lock/.test(error.stderr)) throw error;
    return false;
  }
}

function writeSynced(path, text) {
  const file = openSync(`${path}.new`, "w");
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
}

export async function until(holds, timeoutMs = 60_000) {
  const end = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("It did not come to be within a minute");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Bytes that one edit adds to `.git`, less the compressed blob and commit themselves. */
export async function growth({ server, auth, pages }) {
  const { dir } = server;
  const head = git(dir, "rev-parse", "HEAD").trim();
  const id = pick(77, pages);
  const { status } = await server.ask("PATCH", `/api/cms/pages/${id}/draft/?language=en`, { title: "Growth" }, auth);
  if (status !== 200) throw new Error(`PATCH of page ${id}: ${status}`);
  const made = git(dir, "rev-list", "--objects", "HEAD", `^${head}`)
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[0]);
  let ours = 0;
  let floor = 0;
  for (const oid of made) {
    if (git(dir, "cat-file", "-t", oid).trim() !== "tree") continue;
    const bytes = readFileSync(join(dir, ".git/objects", oid.slice(0, 2), oid.slice(2)));
    ours += bytes.length;
    floor += deflateSync(inflateSync(bytes), { level: 9 }).length;
  }
  return {
    subject: "growth of the repository by one edit, above its blob and commit",
    against: pages > 10_000 ? "8 kB" : "4 kB",
    ours: ours / 1000,
    theirs: pages > 10_000 ? 8 : 4,
    unit: "kB",
    limit: { 10_000: 1, 100_000: 1 },
    note: `the same trees at the highest level of zlib: ${(floor / 1000).toFixed(2)} kB`,
  };
}
