/** Lists for editors, and the public router beside a bare server of the same bytes. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
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

/** @param core undefined: any @returns requests a second, and how many there were */
function wrk(url, core) {
  const [command, ...args] = [...onCore(core), "wrk", "-t1", "-c32", "-d1s", url];
  const output = execFileSync(command, args, { encoding: "utf8" });
  if (/Non-2xx/.test(output)) throw new Error(output);
  const [rate, count] = [/Requests\/sec:\s+([\d.]+)/, /(\d+) requests in/].map((line) => Number(line.exec(output)[1]));
  return { rate, count };
}

const HAS_TASKSET = availableParallelism() > 1 && !spawnSync("taskset", ["-V"]).error;

const onCore = (core) => (HAS_TASKSET && core !== undefined ? ["taskset", "-c", String(core)] : []);

function pin({ pid }, core) {
  if (HAS_TASKSET) execFileSync("taskset", ["-a", "-c", "-p", String(core), String(pid)]);
}

/** @returns renderings a second, and how many there were */
async function renderings(url) {
  // A connection that was kept may be closed between two turns.
  const [response] = await once(get(url, { agent: false }), "response");
  const count = Number(await text(response));
  return { rate: count, count };
}

/** After some 100,000, when V8 has compiled all that they need, the service answers a third more of them a second. */
const WARM_UP_REQUESTS = 100_000;

/**
 * Where V8 and the system place the code and data of a process differs from start to start: on one machine the ratio of
 * two servers is 0.83 after one start and 0.98 after another.
 */
const ROUTER_STARTS = 5;

/**
 * Of each start. Short turns, since the machine may be faster or slower for seconds at a time, by turns on either core,
 * since one of them may be slower for minutes, and in either order, since a turn may be slower after a busy one.
 */
const ROUTER_ROUNDS = 4;

/**
 * The public router from its cache and past it, and HTML past it, each beside its floor. What is past the cache is made
 * for every request, so a bare server that makes the same is measured too: its ratio stands in the note.
 */
export async function routers({ dir, pages }) {
  if (spawnSync("wrk", ["-v"]).error) return [{ subject: "public router", note: "not measured: wrk is not installed" }];
  const rates = {};
  /** Milliseconds of the main thread of the server for a request. */
  const costs = {};
  for (let start = 0; start < ROUTER_STARTS; start++) {
    for (const { name, rate, cost } of await routerTurns(dir)) {
      (rates[name] ??= []).push(rate);
      (costs[name] ??= []).push(cost);
    }
  }
  const row = (subject, against, ours, theirs, atLeast, floor) => ({
    subject,
    against,
    ours: median(rates[ours]),
    theirs: median(rates[theirs]),
    ratio: medianRatio(rates[ours], rates[theirs]),
    unit: "/s",
    atLeast,
    // Without taskset, wrk shares the processors with the server, and takes more of them the faster that is.
    note:
      `by processor time ${medianRatio(costs[theirs], costs[ours]).toFixed(2)}` +
      (floor
        ? `; a bare server that makes the same: ${medianRatio(rates[floor], rates[theirs]).toFixed(2)}` +
          `, and of it ours ${medianRatio(rates[ours], rates[floor]).toFixed(2)}`
        : ""),
  });
  const both = (share) => ({ 10_000: share, 100_000: share });
  const past = "public router past its cache";
  return [
    row("public router from its cache, 32 connections", "bare node:http, same bytes", "cached", "bare", both(0.85)),
    row(past, "the same", "uncached", "bare", both(0.5), "json"),
    ...(pages > 10_000
      ? []
      : [row("HTML route past its cache", "nunjucks render alone", "html", "nunjucks", { 10_000: 0.6 }, "rendering")]),
  ];
}

/** Starts each server and asks it by turns. */
async function routerTurns(dir) {
  const settings = join(dir, "cms.config.yaml");
  const before = readFileSync(settings, "utf8");
  const path = "/api/cms/pages-router/p1/";
  const servers = [await serve(dir)];
  try {
    appendFileSync(settings, "ROUTER_CACHE: 0\n");
    servers.push(await serve(dir, "--read-only"));
    const [cached, uncached] = servers;
    const { text: json, headers } = await cached.ask("GET", path);
    const htmlHeaders = headersOf((await cached.ask("GET", "/p1/")).headers);
    const given = {
      text: json,
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
    const turns = [];
    for (let round = 0; round < ROUTER_ROUNDS; round++) {
      const core = round % 2;
      const names = Object.entries(asked);
      for (const [name, [server, at]] of round % 4 < 2 ? names : names.toReversed()) {
        pin(server, core);
        const spent = processorMs(server);
        const url = server.origin + at;
        const { rate, count } = name === "nunjucks" ? await renderings(url) : wrk(url, 1 - core);
        turns.push({ name, rate, cost: (processorMs(server) - spent) / count });
      }
    }
    return turns;
  } finally {
    for (const server of servers) await server.close();
    writeFileSync(settings, before);
  }
}

/** Without those that Node adds to every response. */
export const headersOf = ({ date: _date, connection: _connection, "keep-alive": _keepAlive, ...headers }) =>
  Object.entries(headers).flat();

const ratio = (ours, theirs) => (median(ours) / median(theirs)).toFixed(2);

/** Of the ratios of each round. */
const medianRatio = (ours, theirs) => median(ours.map((each, round) => each / theirs[round]));

/** @param what what `bare-server.mjs` answers */
export async function bareServer(what, given) {
  const script = fileURLToPath(new URL("bare-server.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, what], { stdio: ["pipe", "ignore", "pipe"] });
  child.stdin.end(JSON.stringify(given));
  const origin = await new Promise((resolve) => child.stderr.once("data", (chunk) => resolve(String(chunk).trim())));
  return { origin, pid: child.pid, close: () => child.kill() };
}
