/** A site opened again without caches, as after a restart and in a fresh clone: it must be the same, value by value. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { examineWith } from "../../src/actions/media/examine.ts";
import type { Cms } from "../../src/cms.ts";
import { openGitRepo } from "../../src/store/git/repo.ts";
import { INLINE_CODEC } from "../../src/store/codec/file-codec.ts";
import { CONTENT } from "../../src/store/records/record-type.ts";
import { openHistory } from "../../src/store/history/history.ts";
import type { Repo } from "../../src/store/repo.ts";
import { openStore } from "../../src/store/write/store.ts";
import type { MemorySite } from "../site.ts";
import { GIT_ENV, quietEnv } from "../store/git/git-site.ts";

type Opened = Pick<Cms, "store" | "locales" | "env" | "images">;

/** @param repo the same repository, opened again or cloned */
export async function expectSameContent({ store, locales, env, images }: Opened, repo: Repo): Promise<void> {
  const history = openHistory(repo, [CONTENT], null, INLINE_CODEC);
  const { kinds } = store;
  const examine = examineWith(repo, images);
  const options = { repo, kinds, locales, env, history, examine, codec: INLINE_CODEC, cacheDir: null };
  const again = await openStore({ ...options, readOnly: true });
  try {
    expect(again.current.problems).toEqual(store.current.problems);
    expect(again.current.owners).toEqual(store.current.owners);
    // The facts of files are in the items of the library; those of derivatives are read by nothing.
    for (const kind of kinds.filter(({ opaque }) => !opaque))
      expect(again.current.all(kind)).toEqual(store.current.all(kind));
  } finally {
    await again.close();
  }
}

/** Opens the repository of a site again, and a clone of it unless files have edits that are not committed. */
export async function expectSameAfterRestart({ cms, repo }: Pick<MemorySite, "cms" | "repo">): Promise<void> {
  await cms.store.refresh();
  await expectSameContent(cms, repo);
  const { commit } = cms.store.current;
  if (commit !== null && (await isClean(repo, commit))) await expectSameContent(cms, repo.cloneAt(commit, {}));
}

/** The same of a repository on disk, whose clones are those of `git clone`. */
export async function expectSameOnDisk(cms: Opened, root: string): Promise<void> {
  await cms.store.refresh();
  const folder = mkdtempSync(join(tmpdir(), "cms-restart-"));
  const clone = join(folder, "clone");
  try {
    await expectSameIn(cms, root);
    const { commit } = cms.store.current;
    if (commit === null || !(await isClean(cms.store.repo, commit))) return;
    execFileSync("git", ["clone", "--quiet", `file://${root}`, clone], { env: GIT_ENV });
    await expectSameIn(cms, clone);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function expectSameIn(cms: Opened, root: string): Promise<void> {
  const repo = await openGitRepo(root, { env: quietEnv(), use: "read" });
  try {
    await expectSameContent(cms, repo);
  } finally {
    await repo.close();
  }
}

/** Whether the working tree has the content of the commit. */
async function isClean(repo: Repo, commit: string): Promise<boolean> {
  const files = await repo.files([CONTENT, "media"]);
  const committed = await repo.tree(commit, [CONTENT, "media"]);
  return files.size === committed.size && [...files].every(([path, { oid }]) => committed.get(path) === oid);
}
