/** What must hold once all clones have the same commit. */
import { cms, mustRun, run } from "../soak/process.mjs";
import { differences } from "../soak/restart.mjs";
import { fatesIn, HISTORY, readHistory } from "./written-values.mjs";

const LIMIT = 1_000_000_000;

/** Adds to `lost` and `corrupt` of the report. */
export async function checkAll({ network, ledger, report, count }) {
  const { servers, developer, remote, git } = network;
  const trees = await Promise.all(
    [developer, ...servers.map(({ root }) => root)].map((root) => git(root, "rev-parse", "HEAD^{tree}")),
  );
  if (new Set(trees).size > 1) report.corrupt.push("The trees differ.");

  const texts = await mustRun("git", ["grep", "-h", "-e", "value ", "HEAD", "--", "content"], {
    cwd: developer,
    limit: LIMIT,
  });
  const history = readHistory(await mustRun("git", HISTORY, { cwd: developer, limit: LIMIT }));
  const fateOf = fatesIn(history, ledger.writes);
  // Nobody makes two pages with one id here.
  for (const [page, ids] of history.newIds) {
    const doubled = `A merge took page ${page} for two pages, and gave it the id ${ids.join(", ")}.`;
    if (!report.corrupt.includes(doubled)) report.corrupt.push(doubled);
  }
  const lose = (value, what) => {
    const loss = `${value} of page, language and field ${ledger.writes.get(value).field} ${what}`;
    if (report.lost.includes(loss)) return;
    report.lost.push(loss);
    console.error(loss);
  };
  const missing = [...ledger.writes.keys()].filter((value) => !texts.includes(value));
  const fates = new Map(missing.map((value) => [value, fateOf(value)]));
  for (const [value, fate] of fates)
    if (fate === "unwritten" && ledger.acknowledged.has(value)) lose(value, "was acknowledged and is in no commit.");
  for (const server of servers) {
    const listed = await server.ask("GET", "api/cms/conflicts/");
    if (listed?.status !== 200) report.stuck.push(`No list of conflicts at ${server.root}: ${listed?.status}`);
    const conflicts = JSON.stringify(listed?.body ?? "");
    for (const [value, fate] of fates)
      if (fate === "kept" && !conflicts.includes(value)) {
        lose(value, "is neither in the tree nor in the conflicts.");
        console.error(await git(developer, "log", "--format=%h %p %aI %an: %B", `-S${value}`, "HEAD", "--", "content"));
      }
  }
  await checkShown();
  count("Checks");

  const checked = await cms(developer, ["check", "--json"], { limit: 10_000_000 });
  if (checked.code !== 0) report.corrupt.push(`cms check: ${checked.out.slice(0, 2_000)}${checked.err.slice(0, 500)}`);
  for (const root of [developer, remote, ...servers.map((server) => server.root)]) {
    const { code, out, err } = await run("git", ["fsck", "--full", "--strict", "--no-dangling"], { cwd: root });
    if (code !== 0) report.corrupt.push(`git fsck of ${root}: ${out}${err}`);
    const status = root === remote ? "" : await git(root, "status", "--porcelain");
    if (status.trim() !== "") report.corrupt.push(`git status of ${root}: ${status}`);
  }

  /** All servers show the same, a restart without caches included, as does one on a fresh clone. */
  async function checkShown() {
    const [first, ...others] = servers;
    const shown = await first.shown();
    await first.restartWithoutCaches();
    report.corrupt.push(...differences(shown, await first.shown(), `At ${first.root} after a restart without caches`));
    for (const server of others) report.corrupt.push(...differences(shown, await server.shown(), `At ${server.root}`));
    report.corrupt.push(...differences(shown, await network.shownByFreshClone(), "In a fresh clone"));
  }
}
