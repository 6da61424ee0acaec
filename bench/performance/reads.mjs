/** Lists for editors, and the public router beside a bare server of the same bytes. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, timed } from "../timing.mjs";
import { processorMs, serve, TEMPLATE } from "./site.mjs";

const ROUNDS = 15;

/** Each also with a condition that was not asked before, since a list that was is kept. */
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
  const unasked = {
    filtered: (round) => `${queries.filtered}&fltr=id__gt%3D${round + 10}`,
    searched: (round) => `${queries.searched}%20${round + 10}`,
  };
  const times = { plain: [], ...Object.fromEntries(Object.keys(queries).map((name) => [name, []])) };
  const first = { filtered: [], searched: [] };
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, query] of [["plain", ""], ...Object.entries(queries)]) {
      const ms = await ask(query);
      if (round >= 0) times[name].push(ms);
    }
    for (const [name, queryOf] of Object.entries(unasked)) {
      const ms = await ask(queryOf(round));
      if (round >= 0) first[name].push(ms);
    }
  }
  return Object.keys(queries).map((name) => ({
    subject: `list of 20, ${name}`,
    against: "the plain list of 20",
    ours: median(times[name]),
    theirs: median(times.plain),
    unit: "ms",
    limit: { 10_000: 2, 100_000: 2 },
    ...(first[name] && { note: `asked for the first time: ${ratio(first[name], times.plain)}` }),
  }));
}

/** @returns requests a second, and how many there were */
function wrk(url, seconds = 1) {
  const output = execFileSync("wrk", ["-t1", "-c32", `-d${seconds}s`, url], { encoding: "utf8" });
  if (/Non-2xx/.test(output)) throw new Error(output);
  const [rate, count] = [/Requests\/sec:\s+([\d.]+)/, /(\d+) requests in/].map((line) => Number(line.exec(output)[1]));
  return { rate, count };
}

/** @returns renderings a second, and how many there were */
async function renderings(url) {
  const [rate, count] = (await (await fetch(url)).text()).split(" ").map(Number);
  return { rate, count };
}

/** After some 100,000, when V8 has compiled all that they need, the service answers a third more of them a second. */
const WARM_UP_REQUESTS = 150_000;

/** Short turns, since the machine may be faster or slower for seconds at a time. */
const ROUTER_ROUNDS = 15;

/**
 * The public router from its cache and past it, and HTML past it, each beside its floor. What is past the cache is made
 * for every request, so a bare server that makes the same is measured too: its ratio stands in the note.
 */
export async function routers({ dir, pages }) {
  if (spawnSync("wrk", ["-v"]).error) return [{ subject: "public router", note: "not measured: wrk is not installed" }];
  const settings = join(dir, "cms.config.yaml");
  const before = readFileSync(settings, "utf8");
  const path = "/api/cms/pages-router/p1/";
  const servers = [await serve(dir)];
  try {
    appendFileSync(settings, "ROUTER_CACHE: 0\n");
    servers.push(await serve(dir, "--read-only"));
    const [cached, uncached] = servers;
    const { text, headers } = await cached.ask("GET", path);
    const htmlHeaders = headersOf((await cached.ask("GET", "/p1/")).headers);
    const given = {
      text,
      headers: headersOf(headers),
      htmlHeaders,
      templates: join(dir, "templates"),
      template: TEMPLATE,
    };
    const bare = {};
    for (const what of ["text", "json", "html", "render"]) servers.push((bare[what] = await bareServer(what, given)));
    const asked = {
      bare: [bare.text, "/"],
      cached: [cached, path],
      uncached: [uncached, path],
      json: [bare.json, "/"],
      html: [uncached, "/p1/"],
      rendering: [bare.html, "/"],
      nunjucks: [bare.render, "/"],
    };
    for (const [name, [{ origin }, at]] of Object.entries(asked))
      for (let done = 0; name !== "nunjucks" && done < WARM_UP_REQUESTS;) done += wrk(origin + at).count;
    const rates = {};
    /** Milliseconds of the main thread of the server for a request. */
    const costs = {};
    for (let round = 0; round < ROUTER_ROUNDS; round++) {
      for (const [name, [server, at]] of Object.entries(asked)) {
        const before = processorMs(server);
        const { rate, count } = await (name === "nunjucks" ? renderings : wrk)(server.origin + at);
        (rates[name] ??= []).push(rate);
        (costs[name] ??= []).push((processorMs(server) - before) / count);
      }
    }
    const row = (subject, against, ours, theirs, atLeast, floor) => ({
      subject,
      against,
      ours: median(rates[ours]),
      theirs: median(rates[theirs]),
      unit: "/s",
      atLeast,
      // wrk shares the processors with the server, and takes more of them the faster that is.
      note:
        `by processor time ${ratio(costs[theirs], costs[ours])}` +
        (floor
          ? `; a bare server that makes the same: ${ratio(rates[floor], rates[theirs])}, by processor time ${ratio(costs[theirs], costs[floor])}`
          : ""),
    });
    const both = (share) => ({ 10_000: share, 100_000: share });
    const past = "public router past its cache";
    return [
      row("public router from its cache, 32 connections", "bare node:http, same bytes", "cached", "bare", both(0.85)),
      row(past, "the same", "uncached", "bare", both(0.5), "json"),
      ...(pages > 10_000
        ? []
        : [
            row("HTML route past its cache", "nunjucks render alone", "html", "nunjucks", { 10_000: 0.6 }, "rendering"),
          ]),
    ];
  } finally {
    for (const server of servers) await server.close();
    writeFileSync(settings, before);
  }
}

/** Without those that Node adds to every response. */
const headersOf = ({ date: _date, connection: _connection, "keep-alive": _keepAlive, ...headers }) =>
  Object.entries(headers).flat();

const ratio = (ours, theirs) => (median(ours) / median(theirs)).toFixed(2);

/** @param what what `bare-server.mjs` answers */
async function bareServer(what, given) {
  const script = fileURLToPath(new URL("bare-server.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, what], { stdio: ["pipe", "ignore", "pipe"] });
  child.stdin.end(JSON.stringify(given));
  const origin = await new Promise((resolve) => child.stderr.once("data", (chunk) => resolve(String(chunk).trim())));
  return { origin, pid: child.pid, close: () => child.kill() };
}
