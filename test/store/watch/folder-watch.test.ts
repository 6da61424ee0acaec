/** Folder notifications: whatever happened to folders before, a change in one that is there now is told. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { watchFolders } from "../../../src/store/watch/folder-watch.ts";

interface Watched {
  readonly root: string;
  readonly told: Set<string>;
  readonly errors: unknown[];
  stop(): void;
}

function watched(): Watched {
  const root = mkdtempSync(join(tmpdir(), "git-cms-watch-"));
  const told = new Set<string>();
  const errors: unknown[] = [];
  const stop = watchFolders(root, {
    isOfInterest: (path) => !path.split("/").includes("hidden"),
    onChange: (path) => told.add(path),
    onError: (error) => errors.push(error),
  });
  return { root, told, errors, stop };
}

const remove = ({ root, stop }: Watched): void => {
  stop();
  rmSync(root, { recursive: true, force: true });
};

/** Writes files into a folder until one is told: a folder that is not watched lets the test run into its time limit. */
async function isTold({ root, told }: Watched, folder: string): Promise<void> {
  for (let count = 0; ; count++) {
    const path = `${folder}f${count}`;
    writeFileSync(join(root, path), "");
    for (let turn = 0; turn < 50; turn++) {
      if (told.has(path)) return;
      await setImmediate();
    }
  }
}

const foldersOf = (root: string): string[] => [
  "",
  ...readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${join(entry.parentPath, entry.name).slice(root.length + 1)}/`),
];

const NAMES = fc.constantFrom("a", "b", "a/c", "a/c/d", "b/c");
const STEP = fc.oneof(
  fc.record({ kind: fc.constant("make" as const), at: NAMES }),
  fc.record({ kind: fc.constant("remove" as const), at: NAMES }),
  fc.record({ kind: fc.constant("replace" as const), at: NAMES }),
  fc.record({ kind: fc.constant("move" as const), at: NAMES, to: NAMES }),
  fc.record({ kind: fc.constant("wait" as const), at: NAMES }),
);

it("after any folders were made, removed, replaced and moved, changes in each are told", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 12 }), async (steps) => {
      const site = watched();
      try {
        for (const step of steps) {
          const path = join(site.root, step.at);
          if (step.kind === "wait") await setImmediate();
          if (step.kind === "remove" || step.kind === "replace") rmSync(path, { recursive: true, force: true });
          if (step.kind === "make" || step.kind === "replace") mkdirSync(path, { recursive: true });
          if (step.kind === "move") moveIfPossible(path, join(site.root, step.to));
        }
        for (const folder of foldersOf(site.root)) await isTold(site, folder);
        expect(site.errors).toEqual([]);
      } finally {
        remove(site);
      }
    }),
    { numRuns: 40 },
  );
});

/** Not into itself, over a folder with content, or from or to where nothing is. */
function moveIfPossible(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // the step does nothing
  }
}

it("tells nothing of what is not of interest, does not follow links, and is silent once stopped", async () => {
  const site = watched();
  onTestFinished(() => remove(site));
  const elsewhere = mkdtempSync(join(tmpdir(), "git-cms-watch-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
  mkdirSync(join(site.root, "hidden"));
  symlinkSync(elsewhere, join(site.root, "link"));
  await isTold(site, "");
  writeFileSync(join(site.root, "hidden/file"), "");
  writeFileSync(join(elsewhere, "file"), "");
  await isTold(site, "");
  expect([...site.told].filter((path) => /hidden|link\//.test(path))).toEqual([]);
  site.stop();
  site.told.clear();
  writeFileSync(join(site.root, "late"), "");
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  expect([...site.told]).toEqual([]);
});
