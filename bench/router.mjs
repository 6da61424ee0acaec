/**
 * The public router, with and without its cache, compared with a bare node:http server that sends the same bytes.
 *
 *   npm run build && node bench/router.mjs
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync, spawn } from "node:child_process";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "./timing.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PATH = "/api/cms/pages-router/about-us/";
const CONNECTIONS = 32;
const ROUND_MS = 2000;
const ROUNDS = 3;

const folder = mkdtempSync(join(tmpdir(), "git-cms-bench-"));
const children = [];
try {
  const cached = await site("cached", "");
  const uncached = await site("uncached", "ROUTER_CACHE: 0\n");
  const body = await text(`${cached}${PATH}`);
  const bare = await bareServer(body);
  const rates = { bare: [], cached: [], uncached: [] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push(await rate(bare));
    rates.cached.push(await rate(`${cached}${PATH}`));
    rates.uncached.push(await rate(`${uncached}${PATH}`));
  }
  for (const [name, values] of Object.entries(rates))
    console.log(`${name.padEnd(9)} ${Math.round(median(values))} requests/s`);
  console.log(`ratio cached / bare node:http    ${(median(rates.cached) / median(rates.bare)).toFixed(2)}`);
  console.log(`ratio uncached / bare node:http  ${(median(rates.uncached) / median(rates.bare)).toFixed(2)}`);
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function site(name, settings) {
  const root = join(folder, name);
  for (const part of ["content", "templates", "cms.config.yaml"])
    cpSync(join(ROOT, part), join(root, part), { recursive: true });
  writeFileSync(join(root, "cms.config.yaml"), readFileSync(join(ROOT, "cms.config.yaml"), "utf8") + `\n${settings}`);
  const git = (...args) =>
    execFileSync("git", ["-C", root, "-c", "user.name=Bench", "-c", "user.email=bench@example.org", ...args]);
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  git("add", "-A");
  git("commit", "-qm", "Start");
  return start(process.execPath, [join(ROOT, "bin/cms.cjs"), "serve", "--root", root, "--port", "0"]);
}

async function bareServer(body) {
  const script = `const b=Buffer.from(${JSON.stringify(body)});require("http").createServer((q,r)=>{r.setHeader("content-type","application/json");r.end(b)}).listen(0,"127.0.0.1",function(){console.error("http://127.0.0.1:"+this.address().port+"/")})`;
  return start(process.execPath, ["-e", script]);
}

/** Starts a server; resolves to the address it prints, without its final slash. */
function start(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
    children.push(child);
    let output = "";
    child.stderr.on("data", (chunk) => {
      output += chunk;
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
      if (url) resolve(url[0]);
    });
    child.once("exit", () => reject(new Error(`${command} ${args[0]} ended: ${output}`)));
  });
}

async function rate(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const end = performance.now() + ROUND_MS;
  let count = 0;
  const loop = async () => {
    while (performance.now() < end) {
      await text(url, agent);
      count++;
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  agent.destroy();
  return (count * 1000) / (performance.now() - began);
}

function text(url, agent) {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        response.statusCode === 200
          ? resolve(Buffer.concat(chunks).toString())
          : reject(new Error(`${url}: ${response.statusCode}`)),
      );
    }).on("error", reject);
  });
}
