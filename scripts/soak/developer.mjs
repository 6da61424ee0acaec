/**
 * A developer at the same working tree: edits by hand, commits, branches, merges, pulls and cleans with git's own
 * commands, and kills one of them now and then.
 *
 * Every text the developer saves has a token of its own, which must be in the history, in the working tree, or among
 * the copies the service keeps of saves it could not place.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun, run } from "./process.mjs";
import { pause, randomOf } from "./random.mjs";

const TRIES = 40;
const PAGES = 6;
const ACTIONS = {
  commitAll: 16,
  addAndCommit: 10,
  addPatch: 4,
  editOnly: 8,
  stash: 6,
  switchAndMerge: 7,
  conflictAndAbort: 4,
  pull: 7,
  pullRebase: 4,
  gc: 3,
  pruneNow: 6,
  repack: 4,
  packRefs: 5,
  worktree: 3,
  killed: 8,
  resetHard: 2,
  resetMixed: 3,
};
/** Commands that are killed in the middle. */
const KILLED = [
  ["gc", "-q", "--prune=now"],
  ["commit", "-q", "-a", "-m", "Killed"],
  ["repack", "-adq"],
  ["pack-refs", "--all"],
  ["status"],
];

const textOf = (n, title) =>
  `id: ${400_000_000 + n}\ndate_created: 2026-01-02T00:00:00.000Z\ntranslations:\n  en:\n    title: ${title}\n` +
  `    permalink: /by-hand-${n}\n    autopermalink: false\n    published_at: 2026-01-02T00:00:00.000Z\n`;

export async function openDeveloper({ root, colleague, ledger, report, seed }) {
  const random = randomOf(seed, "developer");
  let state = "running";
  let isBusy = false;
  const fileOf = (n) => join(root, `content/pages/by-hand-${n}.yaml`);

  for (let n = 0; n < PAGES; n++) {
    writeFileSync(fileOf(n), textOf(n, `By hand ${n}`));
  }
  await mustRun("git", ["add", "-A"], { cwd: root });
  await mustRun("git", ["commit", "-q", "-m", "Pages by hand"], { cwd: root });
  await mustRun("git", ["push", "-q"], { cwd: root });

  const count = (name, isDone) => {
    const row = (report.git[name] ??= { done: 0, refused: 0 });
    row[isDone ? "done" : "refused"]++;
  };

  /** A git command that is tried again while another process holds a lock, as a person would. */
  async function git(...args) {
    for (let tries = 1; ; tries++) {
      const done = await run("git", args, { cwd: root });
      if (done.hung) report.stuck.push(`git ${args.join(" ")} hung`);
      if (done.code === 0) return done;
      const isLocked = /\.lock': File exists|unable to (create|lock)|cannot lock ref|Unable to create/i.test(done.err);
      if (!isLocked || tries === TRIES) return done;
      report.locked++;
      await pause(random.between(5, 60));
    }
  }

  /** Saves a file as an editor does: whole, under another name first. On a full disk the former file stays. */
  function save(path, text) {
    const saved = join(root, "../saved");
    try {
      writeFileSync(saved, text);
      renameSync(saved, path);
    } catch (error) {
      if (error.code !== "ENOSPC") throw error;
      rmSync(saved, { force: true });
    }
  }

  /** Saves a text at the end of a page's file. */
  function edit(n, what) {
    const token = ledger.token("pat");
    const text = existsSync(fileOf(n)) ? readFileSync(fileOf(n), "utf8") : "";
    save(fileOf(n), `${text.replace(/^# tok-.*\n/gm, "")}# ${token}\n`);
    return { token, what, n };
  }

  /** Commits what was edited; what git refuses stays in the working tree for the next commit. */
  async function commitEdits(name, edits, ...args) {
    const done = await git("commit", "-q", "-m", "By hand", ...args);
    count(name, done.code === 0);
    if (done.code !== 0) return;
    for (const { token, what, n } of edits) {
      // A stash that could not be brought back, or a reset, has taken it out before the commit.
      const { out } = await git("show", `HEAD:content/pages/by-hand-${n}.yaml`);
      if (out.includes(token)) ledger.acknowledge(token, what);
    }
  }

  /**
   * Ends a merge or a rebase that was left unfinished. `--abort` is refused where a file was written meanwhile, and on a
   * full disk; without a second try, the next `commit -a` would commit git's conflict markers.
   */
  async function endMerge() {
    for (let tries = 0; tries < TRIES; tries++) {
      await git("merge", "--abort");
      const isEnded = (await git("rebase", "--abort")).code === 0;
      // On a full disk git begins a rebase that it can neither continue nor abort.
      if (!isEnded && existsSync(join(root, ".git/rebase-merge"))) await git("rebase", "--quit");
      const { code, out } = await git("ls-files", "--unmerged");
      if (code === 0 && out === "") return;
      if ((await resolveConflicts()).code === 0) return;
      await pause(100);
    }
    report.stuck.push("A merge can neither be aborted nor committed");
  }

  async function backToMain() {
    await endMerge();
    const { out } = await git("branch", "--show-current");
    if (out.trim() !== "main") await switchToMain();
  }

  /** Commits what is in the way, as a person would. */
  async function switchToMain() {
    for (let tries = 0; tries < TRIES; tries++) {
      if ((await git("switch", "-q", "main")).code === 0) return true;
      await removeLeftFiles();
      await git("commit", "-q", "-a", "-m", "Before switching back");
    }
    return false;
  }

  /**
   * On a full disk, a switch leaves files of the other branch empty or cut off, and untracked; each later switch is refused.
   * A file that `main` has is written again by the switch.
   */
  async function removeLeftFiles() {
    const { out } = await git("ls-files", "-z", "--others", "--exclude-standard");
    for (const path of out.split("\0").filter(Boolean)) {
      const isEmpty = statSync(join(root, path), { throwIfNoEntry: false })?.size === 0;
      if (isEmpty || (await git("cat-file", "-e", `main:${path}`)).code === 0)
        rmSync(join(root, path), { force: true });
    }
  }

  /** Until it is done: what was written while the branch was checked out is acknowledged, too. */
  async function mergeSide() {
    for (let tries = 0; tries < TRIES; tries++) {
      const merged = await git("merge", "-q", "--no-edit", "side");
      if (merged.code === 0 || (await resolveConflicts()).code === 0) return true;
      await endMerge();
      await git("commit", "-q", "-a", "-m", "Before merging");
      await pause(50);
    }
    return false;
  }

  /** Commits everything, so that the check of the working tree finds nothing of a person's. */
  async function commitRest() {
    for (let tries = 1; ; tries++) {
      await git("add", "-A");
      const done = await git("commit", "-q", "-m", "What was left by hand");
      // It fails, and prints nothing, while objects that a prune removed are not put back yet.
      const { code, out } = await git("status", "--porcelain");
      if (code === 0 && out === "") return;
      if (tries === TRIES)
        return void report.stuck.push(`What was left by hand cannot be committed: ${done.err}${out}`);
      await pause(100);
    }
  }

  /** Whether the branch `side` has commits that main has not. */
  async function isSideUnmerged() {
    const { code, out } = await git("rev-list", "-n", "1", "main..side");
    return code === 0 && out.trim() !== "";
  }

  async function unmergedPaths() {
    const { out } = await git("diff", "--name-only", "--diff-filter=U", "-z");
    return out.split("\0").filter(Boolean);
  }

  /** Ends a merge with conflicts in favour of this side: both sides stay in the history. */
  async function resolveConflicts() {
    const unmerged = await git("diff", "--name-only", "--diff-filter=U", "-z");
    if (unmerged.code !== 0) return unmerged;
    for (const path of unmerged.out.split("\0").filter(Boolean)) {
      const ours = await git("checkout", "--ours", "--", path);
      const kept = ours.code === 0 ? ours : await git("checkout", "--theirs", "--", path);
      // A deletion on one side may have no file to check out; a file with markers must not be committed.
      if (kept.code !== 0 && existsSync(join(root, path))) return kept;
    }
    await git("add", "-A");
    return git("commit", "-q", "--no-edit");
  }

  async function colleaguePushes() {
    const token = ledger.token("mate");
    const here = { cwd: colleague };
    await run("git", ["pull", "-q", "--no-rebase"], here);
    save(join(colleague, `content/pages/by-hand-${PAGES - 1}.yaml.note`), `${token}\n`);
    await run("git", ["add", "-A"], here);
    const committed = await run("git", ["commit", "-q", "-m", `From afar ${token}`], here);
    const pushed = await run("git", ["push", "-q"], here);
    const { out } = await run("git", ["rev-parse", "HEAD"], here);
    // On a full disk the commit fails, and the push has nothing to do.
    return committed.code === 0 && pushed.code === 0 ? { token, commit: out.trim() } : undefined;
  }

  async function pullWith(name, ...how) {
    const theirs = await colleaguePushes();
    report.moves++;
    const done = await git("pull", "-q", ...how);
    const merged = done.code === 0 || (await resolveConflicts()).code === 0;
    count(name, merged);
    if (!merged) await backToMain();
    // A pull that failed while it fetched has brought nothing, and a rebase that is aborted later leaves main as it was.
    else if (theirs && (await git("merge-base", "--is-ancestor", theirs.commit, "refs/heads/main")).code === 0)
      ledger.acknowledge(theirs.token, "git pull of a colleague's commit");
    await git("push", "-q");
  }

  const actions = {
    async commitAll() {
      await commitEdits("commit -a", [edit(random.between(0, PAGES - 1), "git commit -a")], "-a");
    },
    async addAndCommit() {
      const n = random.between(0, PAGES - 1);
      const edits = [edit(n, "git commit")];
      await git("add", fileOf(n));
      await pause(random.between(0, 100));
      await commitEdits("commit", edits);
    },
    async addPatch() {
      const n = random.between(0, PAGES - 1);
      const edits = [edit(n, "git add -p")];
      const done = await run("sh", ["-c", `yes | git add -p -- '${fileOf(n)}'`], { cwd: root });
      count("add -p", done.code === 0);
      await commitEdits("commit", edits);
    },
    async editOnly() {
      edit(random.between(0, PAGES - 1), "an edit that is not committed");
      await pause(random.between(0, 300));
    },
    async stash() {
      const n = random.between(0, PAGES - 1);
      const edits = [edit(n, "git stash")];
      const stashed = await git("stash", "push", "-q", "--", fileOf(n));
      await pause(random.between(0, 200));
      const popped = stashed.code === 0 ? await git("stash", "pop", "-q") : stashed;
      count("stash", popped.code === 0);
      if (stashed.code === 0 && popped.code !== 0) {
        // A stash made between the service's index and its commit has that change as well, and a later one conflicts with it.
        for (const path of await unmergedPaths()) {
          await git("checkout", path === `content/pages/by-hand-${n}.yaml` ? "--theirs" : "--ours", "--", path);
          await git("add", "--", path);
        }
        await git("stash", "drop", "-q");
      }
      await commitEdits("commit -a", edits, "-a");
    },
    async switchAndMerge() {
      report.moves++;
      // Refused, as long as something on it is not merged.
      await git("branch", "-d", "side");
      const switched = await git("switch", "-q", "-c", "side");
      count("switch", switched.code === 0);
      if (switched.code !== 0) return;
      await commitEdits("commit -a", [edit(random.between(0, PAGES - 1), "a commit on a branch")], "-a");
      await pause(random.between(0, 400));
      count("switch", await switchToMain());
      count("merge", await mergeSide());
    },
    async conflictAndAbort() {
      report.moves++;
      const n = random.between(0, PAGES - 1);
      await commitEdits("commit -a", [edit(n, "git merge --abort")], "-a");
      await git("branch", "-f", "other", "HEAD~1");
      const tree = await run("git", ["worktree", "add", "-q", "-f", join(root, "../other-tree"), "other"], {
        cwd: root,
      });
      if (tree.code === 0) {
        const other = { cwd: join(root, "../other-tree") };
        save(join(root, `../other-tree/content/pages/by-hand-${n}.yaml`), textOf(n, "Elsewhere"));
        await run("git", ["commit", "-q", "-a", "-m", "A change that conflicts"], other);
        const merged = await git("merge", "-q", "--no-edit", "other");
        await pause(random.between(0, 150));
        const aborted = merged.code === 0 ? merged : await git("merge", "--abort");
        count("merge --abort", aborted.code === 0);
        if (aborted.code !== 0) await resolveConflicts();
      }
      count("worktree", (await git("worktree", "remove", "--force", join(root, "../other-tree"))).code === 0);
    },
    async worktree() {
      const made = await git("worktree", "add", "-q", "--detach", join(root, "../look"), "HEAD");
      count("worktree", made.code === 0);
      await git("worktree", "remove", "--force", join(root, "../look"));
    },
    pull: () => pullWith("pull", "--no-rebase", "--no-edit"),
    pullRebase: async () => {
      // A rebase wants a clean tree, as it would of any person.
      await git("commit", "-q", "-a", "-m", "Before a rebase");
      await pullWith("pull --rebase", "--rebase");
    },
    gc: async () => count("gc", (await git("gc", "-q")).code === 0),
    pruneNow: async () => count("gc --prune=now", (await git("gc", "-q", "--prune=now")).code === 0),
    repack: async () => count("repack -ad", (await git("repack", "-adq")).code === 0),
    packRefs: async () => count("pack-refs", (await git("pack-refs", "--all")).code === 0),
    async resetMixed() {
      count("reset", (await git("reset", "-q")).code === 0);
    },
    async resetHard() {
      // Of HEAD: it discards what is not committed, and nothing that is.
      count("reset --hard HEAD", (await git("reset", "-q", "--hard", "HEAD")).code === 0);
    },
    async killed() {
      const args = random.pick(KILLED);
      edit(random.between(0, PAGES - 1), "a command that is killed");
      await run("git", args, { cwd: root, killAfterMs: random.between(1, 60) });
      count(`${args[0]}, killed`, true);
      removeLocksOfGit();
    },
  };

  /** As git tells a person to after a crash. A lock of the service is not touched: it names its owner as JSON. */
  function removeLocksOfGit() {
    const git = join(root, ".git");
    const left = ["", "logs", "refs"].flatMap((folder) =>
      readdirSync(join(git, folder), { recursive: folder !== "" })
        .filter((name) => name.endsWith(".lock") || name === "gc.pid")
        .map((name) => join(git, folder, name)),
    );
    for (const path of left) {
      try {
        if (!readFileSync(path, "latin1").startsWith("{")) rmSync(path);
      } catch {
        // It is gone meanwhile.
      }
    }
  }

  async function work() {
    while (state !== "stopped") {
      if (state === "paused") {
        await pause(20);
        continue;
      }
      isBusy = true;
      const name = random.weighted(ACTIONS);
      await actions[name]();
      await backToMain();
      isBusy = false;
      await pause(random.between(50, 600));
    }
  }

  const ended = work();
  return {
    async pause() {
      state = "paused";
      while (isBusy) await pause(10);
    },
    resume: () => (state = "running"),
    async stop() {
      state = "stopped";
      await ended;
    },
    /** Commits whatever lies in the working tree, so that a checkpoint can ask for a clean one. */
    async tidy() {
      for (let tries = 0; tries < TRIES && (await git("branch", "--show-current")).out.trim() !== "main"; tries++) {
        await backToMain();
        await pause(100);
      }
      if ((await git("branch", "--show-current")).out.trim() !== "main")
        report.stuck.push("The branch `main` cannot be switched to");
      if ((await isSideUnmerged()) && !(await mergeSide())) report.stuck.push("The branch `side` cannot be merged");
      await git("stash", "drop", "-q");
      await commitRest();
    },
    git,
  };
}
