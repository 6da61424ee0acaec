/** `cms sync`: exchanges commits with a remote, and merges by field. */
import type { Command } from "commander";
import { systemEnv } from "../../env.ts";
import type { Remote } from "../../store/sync/remote.ts";
import type { SyncConflict } from "../../store/sync/conflicts/sync-conflict.ts";
import type { SyncReport } from "../../store/sync/synchronise.ts";
import { run, siteRoot, withSiteOptions, type SiteOptions } from "../command.ts";
import { setUpMergeIfMissing } from "../merge/merge-setup.ts";
import { openSteps, type Steps } from "../progress.ts";
import { remoteOptions } from "../sync-options.ts";
import { processIo, say, type Io } from "../terminal.ts";

interface Flags extends SiteOptions {
  readonly remote?: string;
  readonly branch?: string;
  /** undefined without `--push` and `--no-push`. */
  readonly push?: boolean;
  readonly acceptDeletions?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function registerSync(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("sync"))
    .description("fetch from a remote, merge by field, and push")
    .option("--remote <name>", "the remote (default: SYNC.REMOTE, else the one the branch follows, else origin)")
    .option(
      "--branch <name>",
      "the remote's branch (default: SYNC.BRANCH, else the one the branch follows, else that of the same name)",
    )
    .option("--push", "push, also where SYNC.PUSH is false")
    .option("--no-push", "do not push")
    .option("--accept-deletions", "merge also if more than half of all pages are removed")
    .option("--dry-run", "fetch, and print what would be merged and pushed")
    .option("--json", "print the outcome as JSON")
    .action(run(io, (flags: Flags) => sync(io, flags)));
}

async function sync(io: Io, flags: Flags): Promise<void> {
  const root = siteRoot(flags);
  const [{ KINDS }, { loadConfig, settingsFiles }, { openGitRepo }, { openRemote }, { synchronise }] =
    await Promise.all([
      import("../../store/records/kinds.ts"),
      import("../../config.ts"),
      import("../../store/git/repo.ts"),
      import("../../store/sync/remote.ts"),
      import("../../store/sync/synchronise.ts"),
    ]);
  const env = systemEnv();
  const config = await loadConfig(root);
  const { locales } = config;
  const repo = await openGitRepo(root, { env, use: flags.dryRun ? "read" : "write" });
  const steps = openSteps(io, flags);
  try {
    if (!flags.dryRun) await setUpMergeIfMissing(root, repo, env.log);
    const opened = await openRemote(root, (await repo.state()).branch ?? "", remoteOptions(config, flags));
    const remote = withSteps(opened, steps);
    const report = await synchronise({ repo, kinds: KINDS, locales, env, settings: settingsFiles }, remote, {
      pushes: flags.push ?? config.SYNC.PUSH,
      acceptsDeletions: flags.acceptDeletions ?? false,
      isDryRun: flags.dryRun ?? false,
      needsLfsFiles: true,
      merge: (merge) => repo.merge(merge),
      inTurn: (work, isExclusive) => {
        const run = () => work((merge) => repo.merge(merge));
        return isExclusive ? repo.exclusively(run) : run();
      },
    }).finally(steps.end);
    if (flags.json)
      io.stdout.write(`${JSON.stringify({ dry_run: flags.dryRun ?? false, ...payload(report) }, null, 2)}\n`);
    else tell(io, flags, report);
  } finally {
    await repo.close();
  }
}

const withSteps = (remote: Remote, steps: Steps): Remote => ({
  ...remote,
  fetch: async () => {
    steps.begin(`Fetching ${remote.name}/${remote.branch}`);
    const fetched = await remote.fetch();
    steps.begin("Merging");
    return fetched;
  },
  push: (commit) => {
    steps.begin(`Pushing to ${remote.name}/${remote.pushBranch}`);
    return remote.push(commit);
  },
});

const payload = ({ remote, outcome, commit, pulled, pushed, isRewritten, conflicts }: SyncReport) => ({
  ...{ remote, outcome, commit, pulled, pushed, rewritten: isRewritten },
  conflicts: conflicts.map(shown),
});

function shown(conflict: SyncConflict) {
  const { kind, path } = conflict;
  if (conflict.kind === "deleted") return { kind, path, deleted_by: conflict.by };
  if (conflict.kind === "file") return { kind, path };
  const { field, language = null, ours = null, theirs = null } = conflict.value;
  return { kind, path, field, language, ours, theirs, draft: conflict.isDrafted };
}

function tell(io: Io, flags: Flags, { remote, outcome, pulled, pushed, isRewritten, conflicts }: SyncReport): void {
  const done = flags.dryRun ? "[dry-run] would have " : "";
  if (isRewritten) say(io, flags, `${remote} was rewritten since the last sync (a forced push).`);
  const verb = { unchanged: "", forwarded: "taken", merged: "merged" }[outcome];
  const parts = [
    ...(verb ? [`${verb} ${counted(pulled, "commit")} of ${remote}`] : []),
    ...(pushed > 0 ? [`pushed ${counted(pushed, "commit")}`] : []),
  ];
  const text = parts.length > 0 ? done + parts.join(", ") : `Nothing to exchange with ${remote}`;
  io.stdout.write(`${text.charAt(0).toUpperCase()}${text.slice(1)}.\n`);
  for (const conflict of conflicts) io.stdout.write(`  ${sentence(conflict)}\n`);
}

function sentence(conflict: SyncConflict): string {
  const { path } = conflict;
  if (conflict.kind === "deleted") {
    const [by, other] = conflict.by === "ours" ? ["here", "on the remote"] : ["on the remote", "here"];
    return `${path}: removed ${by}, changed ${other}. It stays.`;
  }
  if (conflict.kind === "file")
    return `${path}: changed on both sides, and cannot be merged. The remote's file stands.`;
  const { field, language } = conflict.value;
  const kept = conflict.isDrafted ? "Ours is kept as a draft." : "Ours is in the conflict list.";
  return `${path}: both sides changed ${field}${language ? ` (${language})` : ""}. The remote's value stands. ${kept}`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
