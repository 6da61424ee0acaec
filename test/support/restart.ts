/** A site opened again without caches, as after a restart and in a fresh clone: it must be the same, value by value. */
import { expect } from "vitest";
import { examineWith } from "../../src/actions/media/examine.ts";
import type { Cms } from "../../src/cms.ts";
import { INLINE_CODEC } from "../../src/store/codec/file-codec.ts";
import { CONTENT } from "../../src/store/records/record-type.ts";
import { openHistory } from "../../src/store/history/history.ts";
import type { Repo } from "../../src/store/repo.ts";
import { openStore } from "../../src/store/write/store.ts";
import type { MemorySite } from "../site.ts";

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
    // The facts of files are in the items of the library; those of derivatives are read by nothing.
    for (const kind of kinds.filter(({ opaque }) => !opaque))
      expect(again.current.all(kind)).toEqual(store.current.all(kind));
  } finally {
    await again.close();
  }
}

/** Opens the repository of a site again, and a clone of it unless files have edits that are not committed. */
export async function expectSameAfterRestart({ cms, repo }: MemorySite): Promise<void> {
  await cms.store.refresh();
  await expectSameContent(cms, repo);
  const { commit } = cms.store.current;
  if (commit === null) return;
  const files = await repo.files([CONTENT, "media"]);
  const committed = await repo.tree(commit, [CONTENT, "media"]);
  const isClean = files.size === committed.size && [...files].every(([path, { oid }]) => committed.get(path) === oid);
  if (isClean) await expectSameContent(cms, repo.cloneAt(commit, {}));
}
