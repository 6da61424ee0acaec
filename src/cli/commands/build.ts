/** `cms build`: the static site. */
import { existsSync } from "node:fs";
import { rm, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import type { Command } from "commander";
import type { BuildOptions } from "../../static-site/input.ts";
import { openPageLog } from "../../static-site/page-log.ts";
import type { Report } from "../../static-site/report.ts";
import { STATE_FILE } from "../../static-site/state/state-file.ts";
import type { WorkerOrder } from "../../static-site/workers/processes.ts";
import { silentLog, stderrLog, systemEnv, type Env } from "../../env.ts";
import { parseInstant } from "../../model/time/instant.ts";
import type { SiteSettings } from "../build/build-site.ts";
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
    .option("--redirects <host>", "also write redirects in the format of this host: nginx")
    .option("--cache <dir>", "folder that keeps parsed files or payloads between fresh clones")
    .option("--jobs <n>", "processes that render pages (default: one per processor, for more than 1,000 pages)")
    .option("--verify", "build everything a second time into a temporary folder, and compare")
    .action(run(io, (flags: Flags) => buildSite(io, flags)));
}

/** How often the build of a service whose content changes meanwhile is repeated. */
const ROUNDS = 5;

async function buildSite(io: Io, flags: Flags): Promise<number> {
  const began = performance.now();
  const { root, out, cache, jobs, wanted } = readFlags(flags);
  tuneForBuild();
  const log = openPageLog(flags.quiet ? silentLog : logAsCalled(io, stderrLog));
  const env = systemEnv(log);
  const content = otherContent(flags, env);
  if (flags.server === undefined && cache !== undefined)
    await (await import("../build/build-cache.ts")).takeFrom(cache, root);
  const { isLarge, openWorkerPool } = await import("../../static-site/workers/processes.ts");
  const pool = openWorkerPool(root, jobs, BUILD_WORKER);
  try {
    const order: WorkerOrder = { out, wanted, now: env.now() };
    const isUnchangedTree = flags.server === undefined && flags.publishDue !== true && content === undefined;
    // Workers start before this process loads the same modules and content as they do.
    if (isUnchangedTree && (flags.full === true || !existsSync(join(out, STATE_FILE))) && isLarge(root))
      pool.begin(order);
    const { report, different } = await buildWith(io, flags, root, { env, log, cache, order, pool, content });
    // The time that the user waits, with making renditions and reading the content.
    printReport(io, flags, { ...report, took: Math.round(performance.now() - began) }, different);
    return report.failures.length + different.length > 0 ? 1 : 0;
  } finally {
    pool.close();
  }
}

interface BuildFlags extends Pick<WorkerOrder, "out" | "wanted"> {
  readonly root: string;
  readonly cache: string | undefined;
  readonly jobs: number | undefined;
}

/** @throws UsageError */
function readFlags(flags: Flags): BuildFlags {
  if (flags.redirects !== undefined && flags.redirects !== "nginx")
    throw new UsageError(`--redirects takes nginx, not "${flags.redirects}".`);
  if (flags.server !== undefined && !isAddress(flags.server))
    throw new UsageError(`--server takes the address of a service, not "${flags.server}".`);
  if (flags.jobs !== undefined && !/^[1-9]\d{0,3}$/.test(flags.jobs))
    throw new UsageError(`--jobs takes a number from 1 on, not "${flags.jobs}".`);
  const root = siteRoot(flags);
  const out = resolve(root, flags.out);
  if (!isOwnFolder(root, out))
    throw new UsageError(`--out must not be the site's folder, nor one that holds it or its content: ${out}.`);
  return {
    root,
    out,
    cache: flags.cache === undefined ? undefined : resolve(root, flags.cache),
    jobs: flags.jobs === undefined ? undefined : Number(flags.jobs),
    wanted: {
      html: !flags.dataOnly,
      json: (flags.payloads && flags.json !== false) || flags.dataOnly === true,
      nginx: flags.redirects === "nginx",
    },
  };
}

/** @throws UsageError */
function otherContent({ at, asOf, server, publishDue }: Flags, env: Env): SiteSettings["content"] {
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

/** @returns also the paths of files that differ from those of a full build; none without --verify */
async function buildWith(
  io: Io,
  flags: Flags,
  root: string,
  given: Pick<SiteSettings, "env" | "log" | "cache" | "order" | "pool" | "content">,
): Promise<{ readonly report: Report; readonly different: readonly string[] }> {
  const { out, wanted } = given.order;
  const making = openBar(io, flags, "Making renditions");
  const progress = openBar(io, flags, "Making pages");
  const checking = openBar(io, flags, "Making pages again, to compare");
  const steps = openSteps(io, flags);
  const after =
    (step: typeof progress.step): typeof progress.step =>
    (...args) => {
      steps.end();
      step(...args);
    };
  const options: BuildOptions = { ...wanted, out, full: flags.full === true, progress: after(progress.step) };
  steps.begin(flags.server === undefined ? "Reading the content" : `Asking ${flags.server} for the content`);
  const [{ openSite }, { build }] = await Promise.all([
    import("../build/build-site.ts"),
    import("../../static-site/build.ts"),
  ]);
  const site = await openSite(root, {
    ...given,
    publishDue: flags.publishDue === true,
    server: flags.server,
    token: flags.token ?? io.env.CMS_TOKEN,
    data: flags.dataOnly === true,
    making: after(making.step),
  }).finally(() => {
    making.end();
    steps.end();
  });
  try {
    steps.begin("Comparing with the last build");
    let report = await build(await site.input(), options);
    // Pages may have changed while others were fetched; only the difference is built again.
    let isCurrent = await site.isCurrent();
    for (let round = 1; round < ROUNDS && !isCurrent; round++) {
      report = await build(await site.input(), { ...options, full: false });
      isCurrent = await site.isCurrent();
    }
    if (!isCurrent) {
      const moved = `${flags.server} changed during the whole build: pages may be of different moments. Build again.`;
      report = { ...report, warnings: [...report.warnings, moved] };
    }
    progress.end();
    if (!flags.verify) return { report, different: [] };
    const again = { ...options, full: true, progress: checking.step };
    const buildInto = async (dir: string): Promise<Report> => build(await site.input(), { ...again, out: dir });
    return { report, different: await verify(buildInto, out, report) };
  } finally {
    for (const shown of [progress, checking, steps]) shown.end();
    given.pool.close();
    await site.close();
  }
}

/** Paths of files that differ from those of a full build into a temporary folder. */
async function verify(
  buildInto: (dir: string) => Promise<Report>,
  out: string,
  { unknown }: Report,
): Promise<string[]> {
  const { outputDifferences: differences } = await import("../../static-site/output/verify.ts");
  const dir = await mkdtemp(join(tmpdir(), "cms-verify-"));
  try {
    await buildInto(dir);
    return await differences(out, dir, unknown);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

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
}

/** `328 ms`, `24.3 s` */
const timeOf = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

const shortList = (paths: readonly string[]): string =>
  paths.length <= 5 ? paths.join(", ") : `${paths.slice(0, 5).join(", ")} and ${paths.length - 5} more`;

/** A build removes files, so its output must not be in the folders of the site itself. */
const isOwnFolder = (root: string, out: string): boolean =>
  !`${root}${sep}`.startsWith(`${out}${sep}`) &&
  !["content", "media", "templates", ".git"].some((name) => `${out}${sep}`.startsWith(join(root, name) + sep));
