/**
 * Changes to media items. Slow work (decoding, encoding, hashing) runs before the transaction, and again if the files
 * of the items have changed meanwhile. Derivatives that are not committed are written and removed after the commit.
 */
import { messageOf, unavailable } from "../../errors.ts";
import { sameJson } from "../../model/input/json.ts";
import { derivativeFiles, type Media } from "../../model/media/media.ts";
import type { Id } from "../../model/page/page.ts";
import { mediaIndex, type MediaIndex } from "../../store/content/indexes/media-index.ts";
import { dropFiles, keepFile } from "../../store/content/media-disk.ts";
import { MEDIA_DIR, toJson, type FoundMedia } from "../../store/records/media/media-files.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import type { Content } from "../../store/repo.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";

/** A transaction on the library. Paths are below `media/`. */
export interface MediaTx {
  readonly ctx: Context;
  readonly tx: Tx;
  /** The derivatives of the items that HEAD has; all others exist on disk only. */
  readonly committed: ReadonlySet<string>;
  readonly afterCommit: PostCommitFiles;
  /** The paths in use, where many items are added in one transaction; absent: those of the content. */
  readonly paths?: UsedMediaPaths;
}

/** The paths that a new item or derivative cannot have. */
export type UsedMediaPaths = Pick<MediaIndex, "isUsed" | "ownerOf" | "ownerOfFolder">;

export const usedPaths = ({ tx, paths }: Pick<MediaTx, "tx" | "paths">): UsedMediaPaths => paths ?? mediaIndex(tx);

interface PostCommitFiles {
  readonly write: Map<string, Uint8Array>;
  readonly remove: Set<string>;
}

const emptyFileOps = (): PostCommitFiles => ({ write: new Map(), remove: new Set() });

/** How often a change is prepared again when its items keep changing. */
const ATTEMPTS = 10;

/**
 * Prepares a change of items, then applies it in one transaction if their files have not changed since.
 *
 * @param select the items, from a reader
 * @param prepare the slow part; may run several times
 * @throws CmsError `unavailable` when the items keep changing
 */
export async function changeItems<S extends readonly Media[], P, R>(
  ctx: Context,
  by: Author,
  select: (reader: Pick<Tx, "get" | "find" | "all">) => S,
  prepare: (items: S) => Promise<P>,
  apply: (library: MediaTx, items: S, prepared: P) => R,
): Promise<Written<R>> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    select(ctx.store.current); // what the account does not see is not found
    const items = select((ctx.store.narrowing?.whole ?? ctx.store).current);
    const prepared = await prepare(items);
    const committed = await committedDerivatives(ctx, items);
    const { value: applied, snapshot } = await ctx.store.transact(by, (tx) => {
      const now = select(tx);
      if (!sameFiles(now, items)) return null;
      const afterCommit = emptyFileOps(); // the store may run this function more than once
      return { result: apply({ ctx, tx, committed, afterCommit }, now, prepared), afterCommit };
    });
    if (!applied) continue;
    await applyFileOps(ctx, applied.afterCommit);
    return { value: applied.result, snapshot };
  }
  throw unavailable("The media items kept changing while they were processed. Try again.", "write");
}

/** Selects one item. The returned function throws CmsError `not_found`. */
export const oneItem =
  (id: Id) =>
  (reader: Pick<Tx, "get">): readonly [Media] => [reader.get(MEDIA, id)];

/** Whether the files of items are the same; their texts may differ. */
const sameFiles = (a: readonly Media[], b: readonly Media[]): boolean => sameJson(a.map(filesOf), b.map(filesOf));
const filesOf = ({ id, file, facts, derivatives, renditions_config }: Media): object => ({
  id,
  file,
  facts,
  derivatives,
  renditions_config,
});

/** Which derivatives of some items are committed. */
export async function committedDerivatives({ store }: Context, items: readonly Media[]): Promise<ReadonlySet<string>> {
  const files = items.flatMap(derivativeFiles);
  if (files.length === 0) return new Set();
  const { head } = await store.repo.state();
  const paths = files.map((file) => `${MEDIA_DIR}/${file}`);
  const found = await store.repo.committed(head, paths);
  return new Set(files.filter((_, at) => found.get(paths[at] ?? "")));
}

/** Adds a file to the commit. @param found its type, so that the store need not examine it */
export const addFile = ({ tx }: MediaTx, file: string, content: Content, found: FoundMedia): void =>
  tx.attach(`${MEDIA_DIR}/${file}`, content, toJson(found));

export const removeFile = ({ tx }: MediaTx, file: string): void => tx.attach(`${MEDIA_DIR}/${file}`, null);

/** Runs after the commit, so an error is only logged: missing files are generated when they are requested. */
async function applyFileOps({ store, env }: Context, { write, remove }: PostCommitFiles): Promise<void> {
  const { root } = store.repo;
  try {
    await dropFiles(root, [...remove]);
    for (const [file, bytes] of write) await keepFile(root, file, bytes);
  } catch (error) {
    env.log.warn(`Not all renditions could be written to disk: ${messageOf(error)}`);
  }
}
