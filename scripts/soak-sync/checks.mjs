/** What must hold once all clones have the same commit. */
import { cms, run } from "../soak/process.mjs";

/** Adds to `lost` and `corrupt` of the report. */
export async function checkAll({ network, ledger, report, count }) {
  const { servers, developer, remote, git } = network;
  const trees = await Promise.all(
    [developer, ...servers.map(({ root }) => root)].map((root) => git(root, "rev-parse", "HEAD^{tree}")),
  );
  if (new Set(trees).size > 1) report.corrupt.push("The trees differ.");

  const texts = (await git(developer, "grep", "--no-color", "-h", "-e", "value ", "HEAD", "--", "content")) + "\n";
  for (const server of servers) {
    const listed = await server.ask("GET", "api/cms/conflicts/");
    if (listed?.status !== 200) report.stuck.push(`No list of conflicts at ${server.root}: ${listed?.status}`);
    const conflicts = JSON.stringify(listed?.body ?? "");
    for (const { key, value, mayBeGone } of ledger.expected()) {
      if (mayBeGone || texts.includes(value) || conflicts.includes(value)) continue;
      const loss = `Page, language and field ${key} had "${value}": neither in the tree nor in the conflicts.`;
      if (report.lost.includes(loss)) continue;
      report.lost.push(loss);
      console.error(loss);
    }
  }
  count("Checks");

  const checked = await cms(developer, ["check", "--json"], { limit: 10_000_000 });
  if (checked.code !== 0) report.corrupt.push(`cms check: ${checked.out.slice(0, 2_000)}${checked.err.slice(0, 500)}`);
  for (const root of [developer, remote, ...servers.map((server) => server.root)]) {
    const { code, out, err } = await run("git", ["fsck", "--full", "--strict", "--no-dangling"], { cwd: root });
    if (code !== 0) report.corrupt.push(`git fsck of ${root}: ${out}${err}`);
    const status = root === remote ? "" : await git(root, "status", "--porcelain");
    if (status.trim() !== "") report.corrupt.push(`git status of ${root}: ${status}`);
  }
}
