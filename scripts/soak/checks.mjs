/** What must hold whenever everybody rests: nothing lost, nothing corrupt, nothing stuck, nothing of a person's taken. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cms, run } from "./process.mjs";
import { pause } from "./random.mjs";
import { differences, removeCaches, shownBy } from "./restart.mjs";
import { superviseServer } from "./server.mjs";

const WRITE_MS = 45_000;
/** Twice the time between two rounds of the service's upkeep. */
const RESTORE_MS = 10_000;
const HISTORY_BYTES = 1 << 30;
const TOKEN = /tok-[a-z0-9]+-\d+-end/g;

/**
 * @param isLast also compares with a restart and a fresh clone, and looks at every object
 */
export async function checkAll({ root, server, writers, ledger, report, token, url }, isLast) {
  report.checks++;
  await server.ensureUp();
  await checkWrites();
  await checkObjects();
  await checkHistory();
  await checkRecords();
  await checkTree();
  if (isLast) await checkClone();
  if (isLast) await checkRestart();
  report.moves = 0;

  /** Undisturbed, a write must go through. */
  async function checkWrites() {
    const deadline = Date.now() + WRITE_MS;
    for (;;) {
      const value = ledger.token("probe");
      const answer = await writers.ask("POST", "articles/", { title_en: `Probe ${value}` });
      if (answer?.body) return ledger.acknowledge(value, "POST articles/");
      if (Date.now() > deadline) {
        report.stuck.push(
          `No write went through within ${WRITE_MS / 1000} s: ${JSON.stringify(answer)} ${server.log().slice(-1_500)}`,
        );
        return;
      }
      await pause(200);
    }
  }

  /** What a `git gc` that was killed removes a moment later, in a child of its own, the service links back within seconds. */
  async function checkObjects() {
    const deadline = Date.now() + RESTORE_MS;
    let found = await missingObjects();
    while (found !== undefined && Date.now() < deadline) {
      await pause(500);
      found = await missingObjects();
    }
    if (found !== undefined) report.corrupt.push(found);
  }

  async function missingObjects() {
    const how = isLast ? ["--strict"] : ["--connectivity-only"];
    // The graph of a gc that was killed may name commits that a later prune has removed: it is only a cache of git's.
    const noGraph = ["-c", "core.commitGraph=false"];
    const { code, out, err } = await run("git", [...noGraph, "fsck", "--no-dangling", "--no-progress", ...how], {
      cwd: root,
    });
    const said = `${out}${err}`.split("\n").filter((line) => /missing|broken|corrupt|error|bad/i.test(line));
    return code !== 0 || said.length > 0 ? `git fsck: ${said.slice(0, 5).join("; ") || code}` : undefined;
  }

  /** Every acknowledged text is reachable from the branch, or kept where the service says it keeps late saves. */
  async function checkHistory() {
    const since = report.checkedCommit ? [`${report.checkedCommit}..HEAD`] : ["HEAD"];
    const { out } = await run("git", ["log", "-p", "--no-color", "--no-ext-diff", ...since], {
      cwd: root,
      limit: HISTORY_BYTES,
    });
    const reachable = new Set(out.match(TOKEN));
    const missing = [...ledger.pending].filter(([value]) => !reachable.has(value));
    const kept = missing.length > 0 ? keptTokens() : new Set();
    for (const [value, what] of missing) {
      if (kept.has(value)) report.keptSaves++;
      else report.lost.push(`${value} (${what}) is not reachable from HEAD${await whatBecameOf(value)}`);
    }
    report.found += ledger.pending.size - missing.length;
    ledger.pending.clear();
    report.checkedCommit = (await run("git", ["rev-parse", "HEAD"], { cwd: root })).out.trim();
  }

  /** The commit that had it, and what the branch's reflog says of the time: who took it off the branch. */
  async function whatBecameOf(value) {
    const inReflog = ["log", "--reflog", "--format=%H %cd %cn", "--date=iso", `-S${value}`, "--max-count=1"];
    const commit = (await run("git", inReflog, { cwd: root })).out.trim();
    const { out } = await run("git", ["reflog", "show", "--date=iso", "main"], { cwd: root });
    const lines = out.split("\n");
    const at = lines.findIndex((line) => commit.startsWith(line.split(" ", 1)[0]));
    return `; commit ${commit || "none"}\n${lines.slice(Math.max(0, at - 12), at + 4).join("\n")}`;
  }

  function keptTokens() {
    const dir = join(root, ".git/cms/conflicts");
    try {
      return new Set(readdirSync(dir).flatMap((name) => readFileSync(join(dir, name), "utf8").match(TOKEN) ?? []));
    } catch {
      // Nothing was ever kept.
      return new Set();
    }
  }

  /** Every page an editor owns has a value it may have; after branches have moved, any it ever had. */
  async function checkRecords() {
    for (const [id, record] of ledger.records) {
      const response = await fetch(`${url}/api/cms/pages/${id}/`, { headers: { authorization: `Token ${token}` } });
      const hasMoved = report.moves > 0;
      if (response.status === 404) {
        if (!record.mayBeGone && !hasMoved) report.lost.push(`Page ${id} is gone`);
        ledger.records.delete(id);
        continue;
      }
      const { description } = await response.json();
      if (!record.mayExist && !hasMoved) report.lost.push(`Page ${id} was deleted, and is there`);
      const possible = hasMoved ? record.seen : record.values;
      if (!possible.has(description) && !record.mayBeGone) {
        report.lost.push(`Page ${id} has ${description}, none of ${[...possible].slice(-5).join(", ")}`);
      }
      const seen = new Set([description, ...(record.draft ?? [])]);
      // What was found counts from here on: a merge may have brought back what one side had deleted.
      Object.assign(record, { values: new Set([description]), seen, mayExist: true, mayBeGone: false });
      for (const value of record.draft ?? []) record.values.add(value);
    }
  }

  /** The developer has committed everything: git must agree with the service that nothing is left. */
  async function checkTree() {
    const { out } = await run("git", ["status", "--porcelain"], { cwd: root });
    if (out !== "") {
      const changed = await run("git", ["diff", "HEAD", "--raw", "--abbrev=40", "--patch"], { cwd: root });
      report.corrupt.push(
        `git status is not clean: ${out.slice(0, 400)}${changed.out.slice(0, 2_000)}${server.log().slice(-2_000)}`,
      );
    }
    if (report.moves > 0) await removeOrphanDrafts();
    const checked = await cms(root, ["check"]);
    if (checked.code !== 0) {
      const lines = (checked.out + checked.err).split("\n");
      const said = lines.filter((line) => !line.includes(": warning: ")).join("\n");
      report.corrupt.push(`cms check: ${said.slice(0, 600)}${await textsOf(said)}`);
    }
    const health = await (await fetch(`${url}/healthz`)).json();
    if (health.status !== "ok") report.corrupt.push(`/healthz: ${JSON.stringify(health)}`);
    const { out: foreign } = await run(
      "git",
      ["log", "--author=edith", "--format=%h %s", "--max-count=5", "--", "content/pages/by-hand-*"],
      { cwd: root },
    );
    if (foreign !== "") report.corrupt.push(`Commits of an editor hold a developer's files: ${foreign}`);
  }

  /** The files that `cms check` found invalid, and the commits that changed them last. */
  async function textsOf(said) {
    const paths = new Set(said.match(/^content\/\S+?\.yaml(?=:)/gm));
    const texts = [...paths].slice(0, 3).map(async (path) => {
      const text = readFileSync(join(root, path), "utf8");
      const { out } = await run("git", ["log", "-3", "--format=%h %cd %an: %s", "-p", "--", path], { cwd: root });
      return `\n--- ${path}\n${text.slice(0, 2_000)}\n--- its history\n${out.slice(0, 4_000)}`;
    });
    return (await Promise.all(texts)).join("");
  }

  /** A merge of a branch that deleted a page with one that saved its draft leaves the draft: git knows files alone. */
  async function removeOrphanDrafts() {
    const { out } = await cms(root, ["check"]);
    const orphans = out
      .split("\n")
      .flatMap((line) => /^(\S+\.draft\.\w+\.yaml): error: This draft stands alone/.exec(line)?.[1] ?? []);
    if (orphans.length === 0) return;
    await run("git", ["rm", "-q", "--", ...orphans], { cwd: root });
    await run("git", ["commit", "-q", "-m", "Drafts of pages that a merge removed"], { cwd: root });
  }

  /** A fresh clone, with the same accounts, serves what the running server serves. */
  async function checkClone() {
    const clone = join(root, "../clone");
    rmSync(clone, { recursive: true, force: true });
    const here = await shownBy(url, token);
    await run("git", ["clone", "-q", root, clone]);
    mkdirSync(join(clone, ".git/cms"), { mode: 0o700 });
    copyFileSync(join(root, ".git/cms/accounts.json"), join(clone, ".git/cms/accounts.json"));
    const other = await superviseServer(clone, report);
    try {
      await other.startCold();
      report.corrupt.push(...differences(here, await shownBy(other.url, token), "In a fresh clone"));
      await other.stop();
    } finally {
      await other.kill();
    }
    rmSync(clone, { recursive: true, force: true });
  }

  async function checkRestart() {
    const before = await shownBy(url, token);
    await server.stop();
    removeCaches(root);
    await server.startCold();
    report.corrupt.push(...differences(before, await shownBy(url, token), "After a restart without caches"));
  }
}
