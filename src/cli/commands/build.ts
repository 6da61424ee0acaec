/** `cms build`: the static site. */
import { join, resolve, sep } from "node:path";
import type { Command } from "commander";
import type { BuildOptions } from "../../static-site/input.ts";
import { openPageLog } from "../../static-site/page-log.ts";
import { changeText } from "../../static-site/next-change.ts";
import { REDIRECT_HOSTS, type RedirectHost } from "../../static-site/redirect-files.ts";
import type { Report } from "../../static-site/report.ts";
import { silentLog, stderrLog, systemEnv, type Env } from "../../env.ts";
import { parseInstant } from "../../model/time/instant.ts";
import { run, siteRoot, UsageError, withSiteOptions, type SiteOptions } from "../command.ts";
import { BUILD_WORKER, tuneForBuild } from "../build/engine.ts";
import { asCalled, logAsCalled } from "../program-name.ts";
import { openBar, openSteps } from "../progress.ts";
import { paint, processIo, say, type Io } from "../terminal.ts";

interface Flags extends SiteOptions {
  readonly out: string;
  readonly full?: boolean;
  readonly publishDue?: boolean;
  readonly at?: string;
  readonly asOf?: string;
  readonly server?: string;
  readonly token?: string;
  /** False with `--no-payloads`. */
  readonly payloads: boolean;
  readonly dataOnly?: boolean;
  readonly redirects?: string;
  readonly cache?: string;
  readonly jobs?: string;
  readonly verify?: boolean;
  /** True with `--json` (print a report), false with `--no-json` (write no payloads). */
  readonly json?: boolean;
}

export function registerBuild(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("build"))
    .description("build the static site: render what changed, remove stale files, keep the rest")
    .option("--out <dir>", "the output folder, relative to the site", "dist")
    .option("--full", "render every page")
    .option("--publish-due", "publish due drafts first")
    .option("--at <revision>", "build the content of a commit, tag, branch or moment")
    .option("--as-of <moment>", "build the site as it will be at a moment, or now with all drafts that are due")
    .option("--server <url>", "take the content from a running service")
    .option("--token <token>", "a staff token for --server (default: CMS_TOKEN)")
    .option("--json", "print a report as JSON")
    .option("--no-payloads", "write no index.json beside each page")
    .option("--no-json", "the same as --no-payloads")
    .option("--data-only", "write payloads, menus, instances, media and schemas, and no HTML")
    .option("--redirects <hosts>", `also write redirects in the form of these hosts: ${REDIRECT_HOSTS.join(", ")}`)
    .option("--cache <dir>", "folder that keeps parsed files or payloads between fresh clones")
    .option("--jobs <n>", "processes that render pages (default: one per processor, for more than 1,000 pages)")
    .option("--verify", "build everything a second time into a temporary folder, and compare")
    .action(run(io, (flags: Flags) => buildSite(io, flags)));
}

async function buildSite(io: Io, flags: Flags): Promise<number> {
  const log = openPageLog(flags.quiet ? silentLog : logAsCalled(io, stderrLog));
  const env = systemEnv(log);
  const root = siteRoot(flags);
  const given = readFlags(io, flags, root, env);
  tuneForBuild();
  const steps = openSteps(io, flags);
  const bars = ["Making renditions", "Making pages", "Making pages again, to compare"].map((what) =>
    openBar(io, flags, what),
  );
  const end = (): void => {
    for (const shown of [...bars, steps]) shown.end();
  };
  const [making, progress, comparing] = bars.map((bar): typeof bar.step => (...args) => {
    for (const other of [...bars, steps]) if (other !== bar) other.end();
    bar.step(...args);
  });
  try {
    steps.begin(flags.server === undefined ? "Reading the content" : `Asking ${flags.server} for the content`);
    const { runBuild } = await import("../../static-site/run.ts");
    const { report, different } = await runBuild(
      root,
      { ...given, progress: progress! },
      {
        ...{ env, log, worker: BUILD_WORKER, making: making!, comparing: comparing! },
        openCms: async (...args) => (await import("../../cms.ts")).openCms(...args),
        push: async (...args) => (await import("../build/push-published.ts")).pushPublished(...args),
        opened() {
          end();
          steps.begin("Comparing with the last build");
        },
      },
    );
    end();
    printReport(io, flags, report, different);
    return report.failures.length + different.length > 0 ? 1 : 0;
  } finally {
    end();
  }
}

/** @throws UsageError */
function readFlags(io: Io, flags: Flags, root: string, env: Env): BuildOptions {
  if (flags.server !== undefined && !isAddress(flags.server))
    throw new UsageError(`--server takes the address of a service, not "${flags.server}".`);
  if (flags.jobs !== undefined && !/^[1-9]\d{0,3}$/.test(flags.jobs))
    throw new UsageError(`--jobs takes a number from 1 on, not "${flags.jobs}".`);
  const out = resolve(root, flags.out);
  if (!isOwnFolder(root, out))
    throw new UsageError(`--out must not be the site's folder, nor one that holds it or its content: ${out}.`);
  return {
    out,
    full: flags.full === true,
    html: !flags.dataOnly,
    json: (flags.payloads && flags.json !== false) || flags.dataOnly === true,
    redirects: redirectHosts(flags.redirects),
    publishDue: flags.publishDue === true,
    content: otherContent(flags, env),
    server: flags.server,
    token: flags.token ?? io.env.CMS_TOKEN,
    cache: flags.cache === undefined ? undefined : resolve(root, flags.cache),
    jobs: flags.jobs === undefined ? undefined : Number(flags.jobs),
    verify: flags.verify === true,
  };
}

/** @throws UsageError */
function redirectHosts(flag = ""): readonly RedirectHost[] {
  const names = flag.split(",").map((name) => name.trim().toLowerCase());
  const unknown = names.find((name) => !["", "netlify", "cloudflare", ...REDIRECT_HOSTS].includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--redirects takes ${REDIRECT_HOSTS.join(", ")}, or several with commas, not "${unknown}".`);
  return REDIRECT_HOSTS.filter((host) => names.includes(host));
}

/** @throws UsageError */
function otherContent({ at, asOf, server, publishDue }: Flags, env: Env): BuildOptions["content"] {
  const name = at === undefined ? "--as-of" : "--at";
  if (at === undefined && asOf === undefined) return undefined;
  if (at !== undefined && asOf !== undefined) throw new UsageError("--at and --as-of name two contents: give one.");
  if (server !== undefined) throw new UsageError(`${name} builds from the site's folder, not from --server.`);
  if (publishDue) throw new UsageError(`${name} writes nothing, so it does not go with --publish-due.`);
  if (at !== undefined) return { at };
  const moment = asOf === "now" ? env.now() : parseInstant(asOf);
  if (moment === undefined)
    throw new UsageError(`--as-of takes "now" or a moment such as 2026-12-24T08:00:00Z, not "${asOf}".`);
  return { asOf: moment };
}

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

function printReport(io: Io, flags: Flags, report: Report, different: readonly string[]): void {
  if (flags.json) io.stdout.write(`${JSON.stringify({ ...report, ...(flags.verify && { different }) }, null, 2)}\n`);
  const fail = (line: string): void =>
    void io.stderr.write(`${paint(io, io.stderr, "red", "error:")} ${asCalled(io, line)}\n`);
  for (const { path, language, template, line, message } of report.failures) {
    const where = [language, template && (line === null ? template : `${template}:${line}`)].filter(Boolean).join(", ");
    fail(`${path}${where && ` (${where})`}: ${message}`);
  }
  for (const path of different) fail(`${path} is not what a full build makes.`);
  for (const warning of report.warnings) say(io, flags, `${paint(io, io.stderr, "yellow", "warning:")} ${warning}`);
  if (report.unknown.length > 0) say(io, flags, `Left alone, since no build made them: ${shortList(report.unknown)}`);
  const { rendered, kept, removed, media } = report;
  const counts = `${rendered} rendered, ${kept} kept, ${removed} files removed, ${media} media files`;
  const verdict = flags.verify && different.length === 0 ? " Verified: a full build makes the same." : "";
  say(io, flags, `Built ${report.pages} pages into ${flags.out} in ${timeOf(report.took)}: ${counts}.${verdict}`);
  if (report.next_change) say(io, flags, `Next change: ${changeText(report.next_change)}`);
}

/** `328 ms`, `24.3 s` */
const timeOf = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

const shortList = (paths: readonly string[]): string =>
  paths.length <= 5 ? paths.join(", ") : `${paths.slice(0, 5).join(", ")} and ${paths.length - 5} more`;

/** A build removes files, so its output must not be in the folders of the site itself. */
const isOwnFolder = (root: string, out: string): boolean =>
  !`${root}${sep}`.startsWith(`${out}${sep}`) &&
  !["content", "media", "templates", ".git"].some((name) => `${out}${sep}`.startsWith(join(root, name) + sep));
