/**
 * A run of `cms build`: opens the site, builds it until its content stays the same, and compares the output where that is asked.
 *
 * Little is loaded before the workers start, so that they open the site at the same time as this process.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takeFrom } from "./build-cache.ts";
import type { BuildOptions } from "./input.ts";
import type { BuildHost } from "./open-site.ts";
import type { Report } from "./report.ts";
import { STATE_FILE } from "./state/state-file.ts";
import { isLarge, openWorkerPool } from "./workers/processes.ts";

interface Run extends BuildHost {
  /** The compiled worker. */
  readonly worker: URL;
  /** Called after each page that is made again, to compare. */
  comparing(done: number, of: number): void;
  /** Called when the site is open. */
  opened(): void;
}

interface Outcome {
  readonly report: Report;
  /** Paths of files that differ from those of a full build; none where they were not compared. */
  readonly different: readonly string[];
}

/** How often the build of a service whose content changes meanwhile is repeated. */
const ROUNDS = 5;

export async function runBuild(root: string, options: BuildOptions, run: Run): Promise<Outcome> {
  const began = performance.now();
  const { out, html, json, full, server, content, publishDue, cache } = options;
  if (server === undefined && cache !== undefined) await takeFrom(cache, root);
  const pool = openWorkerPool(root, options.jobs, run.worker);
  try {
    const order = { out, html, json, now: run.env.now() };
    const isUnchangedTree = server === undefined && !publishDue && content === undefined;
    if (isUnchangedTree && (full || !existsSync(join(out, STATE_FILE))) && isLarge(root)) pool.begin(order);
    const [{ openSite }, { build }] = await Promise.all([import("./open-site.ts"), import("./build.ts")]);
    const site = await openSite(root, options, run, { order, pool });
    try {
      run.opened();
      let report = await build(await site.input(), options);
      // Pages may have changed while others were fetched; only the difference is built again.
      let isCurrent = await site.isCurrent();
      for (let round = 1; round < ROUNDS && !isCurrent; round++) {
        report = await build(await site.input(), { ...options, full: false });
        isCurrent = await site.isCurrent();
      }
      if (!isCurrent) {
        const moved = `${server} changed during the whole build: pages may be of different moments. Build again.`;
        report = { ...report, warnings: [...report.warnings, moved] };
      }
      const again = { ...options, full: true, progress: run.comparing };
      const different = options.verify
        ? await differences(async (dir) => build(await site.input(), { ...again, out: dir }), out, report)
        : [];
      // The time that the user waits, with making renditions and reading the content.
      return { report: { ...report, took: Math.round(performance.now() - began) }, different };
    } finally {
      await site.close();
    }
  } finally {
    pool.close();
  }
}

/** Paths of files that differ from those of a full build into a temporary folder. */
async function differences(
  buildInto: (dir: string) => Promise<unknown>,
  out: string,
  { unknown }: Report,
): Promise<string[]> {
  const { outputDifferences } = await import("./output/verify.ts");
  const dir = await mkdtemp(join(tmpdir(), "cms-verify-"));
  try {
    await buildInto(dir);
    return await outputDifferences(out, dir, unknown);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
