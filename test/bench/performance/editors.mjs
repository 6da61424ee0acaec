/** Editors who save at once, and readers beside them. */
import { setTimeout as wait } from "node:timers/promises";
import { join } from "node:path";
import { median, percentile, timed } from "../timing.mjs";
import { bareServer, headersOf } from "./reads.mjs";
import { openClient, processorMs, resting, stall, TEMPLATE } from "./site.mjs";
import { commitByGit, floorOf, pick } from "./writes.mjs";

const EDITORS = 32;
const PER_EDITOR = 12;
const WRITES = EDITORS * PER_EDITOR;
const READERS = 8;
const ALONE_MS = 2000;
/** The result of a single turn depends on whether V8 collects the whole heap during it. */
const TURNS = 5;

/** The editors alone, as git in a loop is; then readers beside them. */
export async function manyEditors({ server, auth, copy, pages, scratch }) {
  let next = 1000;
  const edit = () => editTogether(server, auth, pages, (next += WRITES) - WRITES);
  const { perSecond, spent } = await edit();
  const turns = await readersBeside(edit, server, pages);
  const medianOf = (name) => median(turns.map((turn) => turn[name]));
  const native = Array.from({ length: 12 }, (_, n) => commitByGit(copy, pick(n, pages), `Loop ${n}`));
  const floor = (EDITORS * median(native)) / floorOf("commit", scratch, EDITORS, pages);
  const [first] = turns;
  return [
    {
      subject: `${EDITORS} editors at once, acknowledged writes a second`,
      against: "the same commits by git in a loop",
      ours: perSecond,
      theirs: 1000 / median(native),
      unit: "/s",
      atLeast: { 10_000: 10, 100_000: 10 },
      note:
        `a bare program with the same files and syncs: ${floor.toFixed(0)}; ` +
        `${spent.toFixed(1)} ms of the main thread each; ` +
        `beside ${READERS} readers ${((medianOf("perSecond") * median(native)) / 1000).toFixed(1)}`,
    },
    {
      subject: "readers' p99 during that",
      against: "readers alone, p99",
      ours: medianOf("beside"),
      theirs: medianOf("alone"),
      ratio: medianOf("ratio"),
      unit: "ms",
      limit: { 10_000: 3, 100_000: 3 },
      note:
        `${TURNS} turns, the first one ${first.ratio.toFixed(2)}; ` +
        `readers of a bare server beside the same writes: ${medianOf("bareRatio").toFixed(2)}`,
    },
    {
      subject: "longest stall of the event loop during that",
      against: "50 ms",
      ours: medianOf("stalled"),
      theirs: 50,
      unit: "ms",
      limit: { 10_000: 1, 100_000: 1 },
      note:
        `of a turn; the longest of all was ${Math.max(...turns.map((turn) => turn.stalled)).toFixed(0)} ms; ` +
        (first.stallAlone === undefined
          ? "as the slowest of the readers' requests"
          : `${medianOf("stallAlone").toFixed(1)} ms with the readers alone`),
    },
  ];
}

/**
 * By turns readers alone and readers beside the editors, then both again with readers of a bare server, which does
 * nothing else: that they wait longer beside the editors is the floor, since the processors are busy with the writes.
 */
async function readersBeside(edit, server, pages) {
  const pageOf = (n) => `/api/cms/pages-router/p${1 + 100 * (n % (pages / 100))}/`;
  const { text, headers } = await server.ask("GET", pageOf(0));
  const templates = join(server.dir, "templates");
  const given = { text, headers: headersOf(headers), htmlHeaders: [], templates, template: TEMPLATE };
  const bare = await bareServer("text", given);
  const client = openClient(bare.origin);
  const turns = [];
  try {
    for (let turn = 0; turn < TURNS; turn++) {
      await resting(server);
      await stall(server);
      const alone = p99(await readWhile(server, pageOf, wait(ALONE_MS)));
      const stallAlone = await stall(server);
      const edits = edit();
      const times = await readWhile(server, pageOf, edits);
      const beside = p99(times);
      const stalled = (await stall(server)) ?? Math.max(...times);
      await resting(server);
      const bareAlone = p99(await readWhile(client, () => "/", wait(ALONE_MS)));
      const bareBeside = p99(await readWhile(client, () => "/", edit()));
      const { perSecond } = await edits;
      const ratios = { ratio: beside / alone, bareRatio: bareBeside / bareAlone };
      turns.push({ alone, beside, ...ratios, perSecond, stallAlone, stalled });
    }
  } finally {
    client.close();
    bare.close();
  }
  return turns;
}

const p99 = (times) => percentile(times, 0.99);

/**
 * Editors who each save drafts of several pages, one after the other.
 *
 * @param first the round that the pages are picked from
 * @returns writes a second, and milliseconds of the main thread of the server for each
 */
async function editTogether(server, auth, pages, first) {
  const spentBefore = processorMs(server);
  const began = performance.now();
  await Promise.all(
    Array.from({ length: EDITORS }, async (_, editor) => {
      for (let n = 0; n < PER_EDITOR; n++) {
        const round = first + editor * PER_EDITOR + n;
        const path = `/api/cms/pages/${pick(round, pages)}/draft/?language=it`;
        const { status, text } = await server.ask("PATCH", path, { title: `Round ${round}` }, auth);
        if (status !== 200) throw new Error(`PATCH of ${path}: ${status} ${text}`);
      }
    }),
  );
  return {
    perSecond: (WRITES * 1000) / (performance.now() - began),
    spent: (processorMs(server) - spentBefore) / WRITES,
  };
}

/** Milliseconds of each request of some readers until the promise settles. @param pathOf the path of each request */
async function readWhile({ ask }, pathOf, until) {
  let isOver = false;
  const ended = until.finally(() => (isOver = true));
  const times = [];
  await Promise.all([
    ended,
    ...Array.from({ length: READERS }, async (_, reader) => {
      for (let n = 0; !isOver; n++) {
        const path = pathOf(n * READERS + reader);
        const { value, ms } = await timed(() => ask("GET", path));
        if (value.status !== 200) throw new Error(`GET ${path}: ${value.status}`);
        times.push(ms);
        await wait(2);
      }
    }),
  ]);
  return times;
}
