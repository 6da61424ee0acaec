/** Lists for editors, and the public router beside a bare server of the same bytes. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import nunjucks from "nunjucks";
import { median, timed } from "../timing.mjs";
import { serve, TEMPLATE } from "./site.mjs";

const ROUNDS = 15;

export async function lists({ server, auth }) {
  const ask = async (query) => {
    const { value, ms } = await timed(() =>
      server.ask("GET", `/api/cms/pages/?items=20&page=1${query}`, undefined, auth),
    );
    if (value.status !== 200) throw new Error(`The list ${query}: ${value.status} ${value.text}`);
    return ms;
  };
  const queries = {
    filtered: "&fltr=status%3DPUB",
    sorted: "&sort=title",
    searched: "&search=gull",
  };
  const times = { plain: [], ...Object.fromEntries(Object.keys(queries).map((name) => [name, []])) };
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, query] of [["plain", ""], ...Object.entries(queries)]) {
      const ms = await ask(query);
      if (round >= 0) times[name].push(ms);
    }
  }
  return Object.keys(queries).map((name) => ({
    subject: `list of 20, ${name}`,
    against: "the plain list of 20",
    ours: median(times[name]),
    theirs: median(times.plain),
    unit: "ms",
    limit: { 10_000: 2, 100_000: 2 },
  }));
}

const wrk = (url) => {
  const output = execFileSync("wrk", ["-t1", "-c32", "-d3s", url], { encoding: "utf8" });
  if (/Non-2xx/.test(output)) throw new Error(output);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)[1]);
};

/** The public router from its cache and past it, and HTML past it, each beside its floor. */
export async function routers({ dir, pages }) {
  if (spawnSync("wrk", ["-v"]).error) return [{ subject: "public router", note: "not measured: wrk is not installed" }];
  const settings = join(dir, "cms.config.yaml");
  const before = readFileSync(settings, "utf8");
  const cached = await serve(dir);
  const path = "/api/cms/pages-router/p1/";
  const { text } = await cached.ask("GET", path);
  const bare = await bareServer(text);
  try {
    const rates = { bare: [], cached: [], uncached: [] };
    for (let round = 0; round < 3; round++) {
      rates.bare.push(wrk(bare.origin));
      rates.cached.push(wrk(cached.origin + path));
    }
    await cached.close();
    appendFileSync(settings, "ROUTER_CACHE: 0\n");
    const uncached = await serve(dir);
    for (let round = 0; round < 3; round++) rates.uncached.push(wrk(uncached.origin + path));
    const html = [wrk(`${uncached.origin}/p1/`), wrk(`${uncached.origin}/p1/`), wrk(`${uncached.origin}/p1/`)];
    await uncached.close();
    const row = (subject, against, ours, theirs, atLeast) => ({ subject, against, ours, theirs, unit: "/s", atLeast });
    const both = (share) => ({ 10_000: share, 100_000: share });
    return [
      row(
        "public router from its cache, 32 connections",
        "bare node:http, same bytes",
        median(rates.cached),
        median(rates.bare),
        both(0.85),
      ),
      row("public router past its cache", "the same", median(rates.uncached), median(rates.bare), both(0.5)),
      ...(pages > 10_000
        ? []
        : [
            row(
              "HTML route past its cache",
              "nunjucks render alone",
              median(html),
              nunjucksAlone(dir, JSON.parse(text)),
              { 10_000: 0.6 },
            ),
          ]),
    ];
  } finally {
    bare.close();
    writeFileSync(settings, before);
  }
}

async function bareServer(body) {
  const script = `const b=Buffer.from(${JSON.stringify(body)});require("http").createServer((q,r)=>{r.setHeader("content-type","application/json");r.end(b)}).listen(0,"127.0.0.1",function(){console.error("http://127.0.0.1:"+this.address().port+"/")})`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "pipe"] });
  const origin = await new Promise((resolve) => child.stderr.once("data", (chunk) => resolve(String(chunk).trim())));
  return { origin, close: () => child.kill() };
}

/** @returns renderings a second of the page's template by plain nunjucks */
function nunjucksAlone(dir, page) {
  const env = new nunjucks.Environment(new nunjucks.FileSystemLoader(join(dir, "templates")), { autoescape: true });
  const template = env.getTemplate(TEMPLATE, true);
  const end = performance.now() + 2000;
  let count = 0;
  for (; performance.now() < end; count++) template.render({ page });
  return count / 2;
}
