import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

const MEMORY = "/dev/shm";
/** In bytes. The sites of all tests that run at once take less than a tenth of it. */
const FREE_MIN = 4 * 1024 ** 3;

/**
 * A file system in memory where there is one, since most tests write repositories and wait for the disk.
 *
 * A killed process leaves the same files on both, and power cuts are simulated (test/store/git/guards/power-cut-fs.ts).
 */
function temporaryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= FREE_MIN && runsPrograms(MEMORY) ? MEMORY : undefined;
  } catch {
    return undefined;
  }
}

/** Hooks and filters of git are programs in the repositories; containers often mount the folder without that right. */
function runsPrograms(parent: string): boolean {
  const folder = mkdtempSync(join(parent, "cms-test-"));
  try {
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    execFileSync(program);
    return true;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const TMPDIR = process.env.TMPDIR ?? temporaryFolder();

const SHARED = "actions|admin|hooks|http|import|media|model|plugins|render|schema|security|store|views";
/** Tests within those folders that change their process, or measure what it does. */
const APART = [
  "test/admin/{value-words,site-path}.test.ts",
  "test/admin/telling.test.ts",
  "test/http/routes/declared-records.test.ts",
  "test/http/socket/{stall,stall-routes,write-cost}.test.ts",
  "test/store/content/shared-reads.test.ts",
];

/** Kills and other processes at moments that differ each time: what fails once must not be hidden by a second try. */
const RACES =
  "test/cli/{sync/beside-writers,sync/sync-kill,serve/containers,serve/full-disk,import/import-markdown,import/import-wordpress}.test.ts";

/** Installs and builds the front ends of `examples/`. */
const EXAMPLES = "test/examples.test.ts";

export default defineConfig({
  test: {
    environment: "node",
    setupFiles: ["test/support/property-seed.ts"],
    projects: [
      // Importing `src` takes most of these longer than their tests do: files that share a process import it once.
      {
        extends: true,
        test: {
          name: "shared",
          include: [`test/@(${SHARED})/**/*.test.ts`],
          exclude: [...configDefaults.exclude, ...APART],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "apart",
          include: ["test/*.test.ts", `test/!(${SHARED}|browser|cli)/**/*.test.ts`, RACES, ...APART],
          exclude: [...configDefaults.exclude, EXAMPLES],
        },
      },
      // Commands and servers that wait for each other, for git and for packages, beside other work on two cores. The
      // reporter names the tests that were tried again. None with random values may be: it would get others.
      {
        extends: true,
        test: {
          name: "processes",
          include: ["test/cli/**/*.test.ts", EXAMPLES],
          exclude: [...configDefaults.exclude, RACES],
          retry: 1,
        },
      },
      // Minutes of keys and clicks each, in the same way.
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          retry: 2,
          // Importing the driver of the browser takes seconds.
          isolate: false,
          // A screen waits for the server, and both for everything else that runs on two cores.
          expect: { poll: { timeout: 45_000 } },
        },
      },
    ],
    env: TMPDIR === undefined ? {} : { TMPDIR },
    // Real processes and real repositories on a busy machine; a test that hangs is still told by its name.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Left to itself vitest keeps one of two cores idle, and many of these tests wait for processes or the network.
    maxWorkers: 3,
    // A CommonJS package is imported as Node does, so that tests and the service see the same exports.
    deps: { interopDefault: false },
    reporters: ["default", "./test/ci-reporter.mjs"],
  },
});
