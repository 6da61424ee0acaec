/** Searches: the index that the first one makes, its memory, and queries beside those of a list. */
import { readFileSync } from "node:fs";
import { timed } from "../timing.mjs";
import { bodyOf, pageText, processorMs, resting, serve } from "./site.mjs";

const ROUNDS = 200;
const WORDS = ["harbour", "lantern", "tide", "keeper", "rope", "gull", "ferry", "storm"];

const residentOf = ({ pid }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024;

/** Alternates words that every page has with numbers that few have, both finished and unfinished, and mistyped words. */
const queryOf = (round, pages) => {
  const id = 1 + ((round * 7919) % pages);
  const word = WORDS[round % WORDS.length];
  return [`${word} ${id}`, `${word}s ${id}`, `page ${id}`, `${word.slice(0, 4)}`, `${word}x ${id} `][round % 5];
};

export async function searches({ dir, pages, auth }) {
  const server = await serve(dir);
  try {
    const ask = async (path) => {
      const { value, ms } = await timed(() => server.ask("GET", `/api/cms/${path}`, undefined, auth));
      if (value.status !== 200) throw new Error(`${path}: ${value.status} ${value.text}`);
      return ms;
    };
    const spentOn = async (work) => {
      const before = processorMs(server);
      await work();
      return processorMs(server) - before;
    };
    const searched = (words) => ask(`search/?items=10&q=${encodeURIComponent(words)}`);
    // It reads every page, as the first search does.
    const reading = await spentOn(() => ask("pages/?items=20&page=1&search=nothingofthiskind"));
    await resting(server);
    const before = residentOf(server);
    const making = await spentOn(() => searched("harbour"));
    await resting(server);
    const index = residentOf(server) - before;
    const texts = pages * 2 * (bodyOf(1, "").length + pageText(1).length / 2 - bodyOf(1, "        ").length);
    const times = [];
    const spent = [];
    for (let round = -20; round < ROUNDS; round++) {
      const processor = await spentOn(async () => times.push(await searched(queryOf(round + 20, pages))));
      if (round < 0) times.pop();
      else spent.push(processor);
    }
    for (const each of [times, spent]) each.sort((a, b) => a - b);
    const lists = [];
    for (let round = 0; round < 5; round++)
      lists.push(await ask(`pages/?items=10&page=1&search=gull%20${round + 100}`));
    lists.sort((a, b) => a - b);
    const following = [];
    for (let round = 0; round < 9; round++) {
      await server.ask("PATCH", `/api/cms/pages/${round + 5}/?language=en`, { title: `Found ${round}` }, auth);
      following.push(await searched(`found ${round}`));
    }
    following.sort((a, b) => a - b);
    const of = (share, all = times) => all[Math.min(all.length - 1, Math.floor(all.length * share))];
    return [
      {
        subject: "search of all content, 99th of 100 queries",
        against: "a list searched for the first time",
        ours: of(0.99),
        theirs: lists[2],
        unit: "ms",
        limit: { 10_000: 1, 100_000: 1 },
        note:
          `half of them in ${of(0.5).toFixed(1)} ms, after a write in ${following[4].toFixed(1)} ms; ` +
          `processor time ${of(0.99, spent).toFixed(1)} ms, half of them ${of(0.5, spent).toFixed(1)} ms`,
      },
      {
        subject: "first search, which makes the index, in processor time",
        against: "a list that reads every page",
        ours: making,
        theirs: reading,
        unit: "ms",
        limit: { 10_000: 2, 100_000: 2 },
      },
      {
        subject: "resident memory that the index adds",
        against: "the texts",
        ours: index / 1e6,
        theirs: texts / 1e6,
        unit: "MB",
        limit: { 10_000: 0.6, 100_000: 0.6 },
      },
    ];
  } finally {
    await server.close();
  }
}
