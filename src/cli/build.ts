/** `cms build`: the static site. */
import { existsSync } from "node:fs";
import { rm, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import type { Command } from "commander";
import type { BuildOptions } from "../build/input.ts";
import type { Report } from "../build/report.ts";
import { STATE_FILE } from "../build/state/state-file.ts";
import { silentLog, stderrLog, systemEnv } from "../env.ts";
import type { WorkerOrder } from "../build/workers/processes.ts";
import type { SiteSettings } from "./build-site.ts";
import { tuneForBuild } from "./engine.ts";
import { openProgress, type Progress } from "./progress.ts";
import {
  paint,
  processIo,
  run,
  say,
  siteRoot,
  UsageError,
  withSiteOptions,
  type Io,
  type SiteOptions,
} from "./command.ts";

interface Flags extends SiteOptions {
  readonly out: string;
  readonly full?: boolean;
  readonly publishDue?: boolean;
  readonly server?: string;
  readonly token?: string;
  /** False with `--no-payloads`. */
  readonly payloads: boolean;
  readonly dataOnly?: boolean;
  readonly redirects?: string;
  readonly cache?: string;
  readonly jobs?: string;
  readonly verify?: boolean;
  /** Whether a report is printed; false with `--no-json`, which means the payloads. */
  readonly json?: boolean;
}

export function registerBuild(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("build"))
    .description("build the static site: render what changed, remove stale files, keep the rest")
    .option("--out <dir>", "the output folder, relative to the site", "dist")
    .option("--full", "render every page")
    .option("--publish-due", "publish due drafts first")
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

function processes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError(`--jobs takes a number from 1 on, not "${text}".`);
  return Number(text);
}

/** How often a service is followed that changes while it is read. */
const ROUNDS = 5;

async function buildSite(io: Io, flags: Flags): Promise<number> {
  const began = performance.now();
  if (flags.redirects !== undefined && flags.redirects !== "nginx")
    throw new UsageError(`--redirects takes nginx, not "${flags.redirects}".`);
  if (flags.server !== undefined && !isAddress(flags.server))
    throw new UsageError(`--server takes the address of a service, not "${flags.server}".`);
  const jobs = processes(flags.jobs);
  const root = siteRoot(flags);
  const out = resolve(root, flags.out);
  if (!isOwnFolder(root, out))
    throw new UsageError(`--out must not be the site's folder, nor one that holds it or its content: ${out}.`);
  const wanted = {
    html: !flags.dataOnly,
    json: (flags.payloads && flags.json !== false) || flags.dataOnly === true,
    nginx: flags.redirects === "nginx",
  };
  tuneForBuild();
  const env = systemEnv(flags.quiet ? silentLog : stderrLog);
  const cache = flags.cache === undefined ? undefined : resolve(root, flags.cache);
  if (flags.server === undefined && cache !== undefined) await (await import("./build-cache.ts")).takeFrom(cache, root);
  const { isLarge, openWorkerPool } = await import("../build/workers/processes.ts");
  const pool = openWorkerPool(root, jobs, new URL("./build-worker.js", import.meta.url));
  try {
    const order: WorkerOrder = { out, wanted, now: env.now() };
    // They have the same to load as this process, so they start before it goes on.
    if (isTreeAsItIs(flags) && (flags.full === true || !existsSync(join(out, STATE_FILE))) && isLarge(root))
      pool.begin(order);
    return await buildWith(io, flags, root, { env, cache, order, pool, began });
  } finally {
    pool.close();
  }
}

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const isTreeAsItIs = ({ server, publishDue }: Flags): boolean => server === undefined && publishDue !== true;

async function buildWith(
  io: Io,
  flags: Flags,
  root: string,
  given: Pick<SiteSettings, "env" | "cache" | "order" | "pool"> & { readonly began: number },
): Promise<number> {
  const {
    order: { out, wanted },
    pool,
    began,
  } = given;
  const making = openBar(io, flags, "Making renditions");
  const progress = openBar(io, flags, "Making pages");
  const options: BuildOptions = { ...wanted, out, full: flags.full === true, progress: progress.step };
  const [{ openSite }, { build }] = await Promise.all([import("./build-site.ts"), import("../build/build.ts")]);
  const site = await openSite(root, {
    ...given,
    publishDue: flags.publishDue === true,
    server: flags.server,
    token: flags.token ?? io.env.CMS_TOKEN,
    data: flags.dataOnly === true,
    making: making.step,
  }).finally(making.end);
  try {
    let report = await build(await site.input(), options);
    // Pages may have changed while others were fetched; what is built now is only the difference.
    for (let round = 1; round < ROUNDS && !(await site.isCurrent()); round++)
      report = await build(await site.input(), { ...options, full: false });
    progress.end();
    const checking = openBar(io, flags, "Making pages again, to compare");
    const different = flags.verify
      ? await verify(
          async (dir) =>
            void (await build(await site.input(), { ...options, out: dir, full: true, progress: checking.step })),
          out,
          report,
        )
      : [];
    checking.end();
    // What a build is waited for, renditions and reading the content included.
    tell(io, flags, { ...report, took: Math.round(performance.now() - began) }, different);
    return report.failures.length + different.length > 0 ? 1 : 0;
  } finally {
    progress.end();
    pool.close();
    await site.close();
  }
}

/** Paths that are not the same when everything is built from nothing. */
async function verify(buildInto: (dir: string) => Promise<void>, out: string, { unknown }: Report): Promise<string[]> {
  const { differences } = await import("../build/output/verify.ts");
  const dir = await mkdtemp(join(tmpdir(), "cms-verify-"));
  try {
    await buildInto(dir);
    return await differences(out, dir, unknown);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Drawn often enough to look alive, seldom enough to cost nothing. */
const EVERY_MS = 80;

function openBar(
  io: Io,
  flags: Flags,
  what: string,
): { step(done: number, of: number, label?: string): void; end(): void } {
  let bar: Progress | undefined;
  let shownAt = -EVERY_MS;
  return {
    step(done, of, label = "pages") {
      bar ??= openProgress(io, flags, what, of);
      const now = performance.now();
      if (now - shownAt < EVERY_MS && done < of) return;
      shownAt = now;
      bar.show(done, label);
    },
    end() {
      bar?.clear();
      bar = undefined;
    },
  };
}

/** `328 ms`, `24.3 s` */
const timeOf = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

function tell(io: Io, flags: Flags, report: Report, different: readonly string[]): void {
  if (flags.json) io.stdout.write(`${JSON.stringify({ ...report, ...(flags.verify && { different }) }, null, 2)}\n`);
  for (const { path, language, template, line, message } of report.failures) {
    const where = [language, template && (line === null ? template : `${template}:${line}`)].filter(Boolean).join(", ");
    io.stderr.write(`${paint(io, io.stderr, "red", "error:")} ${path}${where && ` (${where})`}: ${message}\n`);
  }
  for (const path of different)
    io.stderr.write(`${paint(io, io.stderr, "red", "error:")} ${path} is not what a full build makes.\n`);
  for (const warning of report.warnings) say(io, flags, `${paint(io, io.stderr, "yellow", "warning:")} ${warning}`);
  if (report.unknown.length > 0) say(io, flags, `Left alone, since no build made them: ${shortList(report.unknown)}`);
  const counts = [
    `${report.rendered} rendered`,
    `${report.kept} kept`,
    `${report.removed} files removed`,
    `${report.media} media files`,
  ];
  const verdict = flags.verify && different.length === 0 ? " Verified: a full build makes the same." : "";
  say(
    io,
    flags,
    `Built ${report.pages} pages into ${flags.out} in ${timeOf(report.took)}: ${counts.join(", ")}.${verdict}`,
  );
}

const shortList = (paths: readonly string[]): string =>
  paths.length <= 5 ? paths.join(", ") : `${paths.slice(0, 5).join(", ")} and ${paths.length - 5} more`;

/** A build removes files: never in what the site itself is made of. */
const isOwnFolder = (root: string, out: string): boolean =>
  !`${root}${sep}`.startsWith(`${out}${sep}`) &&
  !["content", "media", "templates", ".git"].some((name) => `${out}${sep}`.startsWith(join(root, name) + sep));
