/**
 * A git command, stopped after any one of its system calls, while the service writes.
 *
 * strace stops the command (SIGSTOP) after its n-th call on git's own files or on the content, for every n, which holds
 * open every window between two of its steps for a write. Checked each time: what was acknowledged is reachable from a
 * branch, the index and the working tree do not undo it, the other branch's text is on no other branch, and the person's
 * commit is unchanged.
 */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { openGitRepo } from "../../../../src/store/git/repo.ts";
import { CmsError } from "../../../../src/errors.ts";
import type { Store } from "../../../../src/store/write/store.ts";
import { GIT_ENV, gitSite, quietEnv, type GitSite } from "../git-site.ts";
import { contentOver, create, EDITH, handsOn, retitle } from "../../store-site.ts";

/** How many points of each command are tried, spread evenly; by hand, all: INTERLEAVING_POINTS=1000. */
const POINTS = Number(process.env.INTERLEAVING_POINTS ?? 2);
const HAS_STRACE = spawnSync("strace", ["-qq", "-e", "trace=openat", "true"]).status === 0;
const MOST_POINTS = 400;

interface Command {
  readonly name: string;
  readonly run: string;
  /** What the person does before; the site has a branch `other` with other text of page 2 and a page 4. */
  readonly prepare?: string;
  /** Whether it discards, by name, what was committed last. */
  readonly discards?: boolean;
}

const NOTE = "echo mine > notes.txt; git add notes.txt";
const COMMANDS: readonly Command[] = [
  { name: "commit", prepare: NOTE, run: "git commit -qm Mine" },
  { name: "commit -a", prepare: "echo mine > notes.txt", run: "git commit -qam Mine" },
  { name: "add", prepare: "echo mine > notes.txt", run: "git add notes.txt" },
  { name: "add -p", prepare: "echo mine > notes.txt", run: "yes | git add -p notes.txt" },
  { name: "switch", run: "git switch -q other" },
  { name: "reset", prepare: NOTE, run: "git reset -q" },
  { name: "reset --hard", prepare: NOTE, run: "git reset -q --hard" },
  { name: "reset --hard HEAD~1", run: "git reset -q --hard HEAD~1", discards: true },
  { name: "rebase", run: "git rebase -q other" },
  { name: "merge", run: "git merge -q --no-edit other" },
  {
    name: "merge --ff-only",
    prepare: "git switch -qc ahead other; git switch -q main; git reset -q --hard other~1",
    run: "git merge -q --ff-only ahead",
  },
  {
    name: "merge --abort",
    prepare: "echo mine > notes.txt; git commit -qam Mine; git merge -q theirs",
    run: "git merge --abort",
  },
  {
    name: "pull",
    prepare: "git clone -q . up.git; git -C up.git switch -q other; git remote add up ./up.git",
    run: "git pull -q --no-rebase --no-edit up other",
  },
  { name: "stash", prepare: "echo mine > notes.txt", run: "git stash -q" },
  { name: "stash pop", prepare: "echo mine > notes.txt; git stash -q", run: "git stash pop -q" },
  { name: "gc", run: "git gc -q" },
  { name: "gc --prune=now", run: "git gc -q --prune=now" },
  { name: "repack -ad", run: "git repack -adq" },
  { name: "pack-refs", run: "git pack-refs --all --prune" },
  { name: "worktree", run: "git worktree add -q ../$(basename $PWD)-tree other" },
];

const file = (id: number): string => `content/pages/p${id}.yaml`;
const page = (id: number, title: string): string =>
  `id: ${id}\ntranslations:\n  en:\n    title: ${title}\n    permalink: /p${id}\n`;
const CALLS = "openat,rename,unlink,link,rmdir,mkdir";

let site: GitSite | undefined;
let store: Store | undefined;
afterEach(async () => {
  await store?.close();
  store = undefined;
  site?.remove();
  site = undefined;
});

function shell(script: string, dir: string): void {
  spawnSync("sh", ["-c", script], { cwd: dir, env: GIT_ENV, stdio: "ignore" });
}

function makeSite({ prepare }: Command): GitSite {
  const made = gitSite({
    [file(1)]: page(1, "One"),
    [file(2)]: page(2, "Two"),
    [file(3)]: page(3, "Three"),
    "notes.txt": "0\n",
    ".gitignore": "up.git\n",
  });
  made.git("switch", "--quiet", "--create", "theirs");
  made.save("notes.txt", "theirs\n");
  made.git("commit", "--quiet", "--all", "--message=Theirs");
  made.git("switch", "--quiet", "--create", "other", "main");
  made.save("README", "other\n");
  made.git("add", "README");
  made.git("commit", "--quiet", "--message=Other, begun");
  made.save(file(2), page(2, "UNPUBLISHED"));
  made.save(file(4), page(4, "UNPUBLISHED"));
  made.git("add", "--all");
  made.git("commit", "--quiet", "--message=Other");
  made.git("switch", "--quiet", "main");
  made.save(file(3), page(3, "Third"));
  made.git("commit", "--quiet", "--all", "--message=Last");
  if (prepare) shell(prepare, made.dir);
  return made;
}

/** Paths as git passes them: relative to the top, or from the root. */
function watched(dir: string): string[] {
  const own = [
    ".git/HEAD",
    ".git/HEAD.lock",
    ".git/index",
    ".git/index.lock",
    ".git/ORIG_HEAD",
    ".git/MERGE_HEAD",
    ".git/logs/HEAD",
    ".git/packed-refs",
  ];
  const refs = ["main", "other", "ahead"].flatMap((name) => [
    `.git/refs/heads/${name}`,
    `.git/refs/heads/${name}.lock`,
  ]);
  const names = [
    ...own,
    ...refs,
    ".git/packed-refs.lock",
    ".git/refs/stash",
    file(1),
    file(2),
    file(3),
    file(4),
    "notes.txt",
  ];
  return names.flatMap((name) => ["-P", name, "-P", join(dir, name)]);
}

interface Outcome {
  readonly wasStopped: boolean;
  readonly acknowledged: readonly string[];
  readonly refused: number;
}

async function runStopped(command: Command, at: number): Promise<Outcome> {
  const made = (site = makeSite(command));
  const repo = await openGitRepo(made.dir, { env: quietEnv(), lockWaitMs: 30 });
  ({ store } = await contentOver({ repo, hands: handsOn(made) }));
  const current = store;
  const acknowledged: string[] = [];
  let refused = 0;
  const write = async (title: string): Promise<void> => {
    // One page that the other branch has, too, one that it has otherwise, one that is new.
    for (const work of [retitle(1, title), retitle(2, title), create(title)]) {
      try {
        await current.transact(EDITH, work);
        acknowledged.push(made.git("rev-parse", "HEAD").trim());
      } catch (error) {
        if (!(error instanceof CmsError)) throw error;
        refused++;
      }
    }
  };
  await write("Before");
  const beforehand = acknowledged.length;
  const args = [
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    ...watched(made.dir),
    "-e",
    `trace=${CALLS}`,
    "-e",
    `inject=${CALLS}:signal=SIGSTOP:when=${at}`,
  ];
  const child = spawn("strace", [...args, "sh", "-c", command.run], {
    cwd: made.dir,
    env: GIT_ENV,
    stdio: "ignore",
    detached: true,
  });
  let isOver = false;
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve())).finally(() => (isOver = true));
  const findStopped = stoppedFinder(child.pid!);
  let wasStopped = false;
  for (let tries = 0; !isOver && tries < 20_000; tries++) {
    const stopped = findStopped();
    if (stopped.length > 0 && !wasStopped) {
      wasStopped = true;
      await write("During");
    }
    for (const pid of stopped) goOn(pid);
    await pause(2);
  }
  await ended;
  await repo.maintain();
  await check(command, at, made, acknowledged, beforehand);
  shell(`rm -rf ${made.dir}-tree`, "/");
  await current.close();
  store = undefined;
  made.remove();
  site = undefined;
  return { wasStopped, acknowledged: acknowledged.slice(beforehand), refused };
}

/** A process that strace only looks at goes on at once: this often unchanged, it has been stopped. */
const SAMPLES = 8;

/** Finds the processes below one that a signal has stopped, as Linux tells: traced, and not switched to since. */
function stoppedFinder(parent: number): () => number[] {
  const seen = new Map<number, { readonly switches: string; readonly times: number }>();
  const visit = (pid: number, found: number[]): void => {
    try {
      for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
        .split(" ")
        .filter(Boolean)
        .map(Number)) {
        const status = readFileSync(`/proc/${child}/status`, "utf8");
        const switches = /^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1] ?? "";
        const before = seen.get(child);
        const times = /^State:\s+[tT]/m.test(status) && before?.switches === switches ? before.times + 1 : 0;
        seen.set(child, { switches, times });
        if (times >= SAMPLES) found.push(child);
        visit(child, found);
      }
    } catch {
      // It has ended.
    }
  };
  return () => {
    const found: number[] = [];
    visit(parent, found);
    return found;
  };
}

function goOn(pid: number): void {
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // It has ended.
  }
}

async function check(
  command: Command,
  at: number,
  made: GitSite,
  acknowledged: readonly string[],
  beforehand: number,
): Promise<void> {
  const where = `${command.name}, stopped after call ${at}`;
  const known = new Set(made.git("rev-list", "--branches").split("\n"));
  const lost = acknowledged.filter((id, n) => !known.has(id) && !(command.discards && n >= beforehand - 1));
  expect(lost, `${where}: lost`).toEqual([]);
  expect(made.git("fsck", "--full", "--no-dangling"), where).toBe("");
  // Only merging may bring the other branch's text to main.
  const isMerging = /merge|pull|rebase/.test(command.name);
  if (!isMerging) expect(made.git("log", "main", "-SUNPUBLISHED", "--format=%an %s"), where).toBe("");
  for (const line of made.git("log", "--branches", "--format=%cn|%s").split("\n").filter(Boolean)) {
    if (line.startsWith("git-cms|")) expect(line, where).not.toMatch(/Adopt/);
  }
  const inProgress = /merge|pull|rebase/.test(command.name) || command.discards;
  // Nothing of ours is staged or undone: at most the person's own notes differ.
  if (!inProgress) {
    const changed = made
      .git("status", "--porcelain")
      .split("\n")
      .filter((line) => line !== "" && !/notes\.txt|up\.git/.test(line));
    expect(changed, `${where}: status`).toEqual([]);
  }
}

it.skipIf(!HAS_STRACE).each(COMMANDS.map((command) => [command.name, command] as const))(
  "git %s",
  { timeout: 3_600_000 },
  async (_name, command) => {
    // How many calls there are, from a run that is not stopped.
    const made = makeSite(command);
    const counted = spawnSync(
      "strace",
      ["-f", "-qq", ...watched(made.dir), "-e", `trace=${CALLS}`, "sh", "-c", command.run],
      { cwd: made.dir, env: GIT_ENV },
    );
    shell(`rm -rf ${made.dir}-tree`, "/");
    made.remove();
    const calls = Math.min(
      MOST_POINTS,
      counted.stderr
        .toString()
        .split("\n")
        .filter((line) => line.includes("(")).length,
    );
    expect(calls).toBeGreaterThan(0);
    const points = Math.min(POINTS, calls);
    let held = 0;
    let acknowledged = 0;
    let refused = 0;
    const failures: string[] = [];
    for (let n = 0; n < points; n++) {
      try {
        const outcome = await runStopped(command, 1 + Math.floor((n * calls) / points));
        if (outcome.wasStopped) held++;
        acknowledged += outcome.acknowledged.length;
        refused += outcome.refused;
      } catch (error) {
        failures.push(String(error).split("\n").slice(0, 12).join(" "));
        await store?.close();
        store = undefined;
        site?.remove();
        site = undefined;
      }
    }
    if (process.env.INTERLEAVING_POINTS)
      console.log(`| ${command.name} | ${calls} | ${held} | ${acknowledged} | ${refused} | ${failures.length} |`);
    expect(failures).toEqual([]);
  },
);
