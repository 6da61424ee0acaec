/** Changes that come by git, until they are served. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { median, timed } from "../timing.mjs";
import { fileOf, git, pageText, permalinkOf } from "./site.mjs";
import { until } from "./writes.mjs";

/** How long the watcher waits for quiet (src/store/watch/watch.ts). */
const QUIET_MS = 100;
const ROUNDS = 5;
const CHANGED = 1000;

const titleAt = async (server, id) =>
  JSON.parse((await server.ask("GET", `/api/cms/pages-router${permalinkOf(id)}/`)).text).title;

export async function commitByHand({ server, pages }) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const id = 1 + ((round * 4001 + 17) % pages);
    writeFileSync(join(server.dir, fileOf(id)), pageText(id, `Hand ${round}`));
    git(server.dir, "add", fileOf(id));
    git(server.dir, "commit", "-qm", "By hand");
    const { ms } = await timed(() => until(async () => (await titleAt(server, id)) === `Hand ${round} en`));
    times.push(ms);
  }
  return {
    subject: "`git commit` by hand of one file, until served, after the watcher's quiet time",
    against: "150 ms",
    ours: Math.max(0, median(times) - QUIET_MS),
    theirs: 150,
    unit: "ms",
    limit: { 10_000: 1, 100_000: 1 },
  };
}

export async function checkout({ server, pages }) {
  const { dir } = server;
  const ids = Array.from({ length: CHANGED }, (_, n) => 1 + ((n * 13) % pages));
  git(dir, "checkout", "-q", "-b", "side");
  for (const id of ids) writeFileSync(join(dir, fileOf(id)), pageText(id, "Side"));
  git(dir, "commit", "-qam", "Side");
  await until(async () => (await titleAt(server, ids.at(-1))) === "Side en");
  const times = [];
  const parse = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [branch, title] = round % 2 === 0 ? ["main", (id) => id] : ["side", () => "Side"];
    const expected = (id) => (title(id) === "Side" ? "Side en" : undefined);
    const last = ids.at(-1);
    git(dir, "checkout", "-q", branch);
    const { ms } = await timed(() =>
      until(async () => {
        const found = await titleAt(server, last);
        return expected(last) ? found === "Side en" : found !== "Side en";
      }),
    );
    times.push(ms - QUIET_MS);
    parse.push((await timed(() => ids.forEach((id) => load(readFileSync(join(dir, fileOf(id)), "utf8"))))).ms);
  }
  git(dir, "checkout", "-q", "main");
  return {
    subject: `\`git checkout\` that changes ${CHANGED} files, until served`,
    against: "one js-yaml pass over those",
    ours: median(times),
    theirs: median(parse),
    unit: "ms",
    limit: { 10_000: 2, 100_000: 2 },
  };
}
