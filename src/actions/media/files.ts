/** Changes to items whose slow part runs before the transaction, and again if the items have changed meanwhile. */
import { CmsError } from "../../errors.ts";
import { sameJson } from "../../model/json.ts";
import { atPath, derivativeFiles, type Media } from "../../model/media.ts";
import { folderOf, joinPath, markedName } from "../../model/media-name.ts";
import type { Id } from "../../model/page.ts";
import { MEDIA_DIR, toJson } from "../../store/content/records/media-files.ts";
import { MEDIA } from "../../store/content/records/media.ts";
import { isThere, mediaPath } from "../../store/content/media-disk.ts";
import { mediaIndex } from "../../store/content/indexes/media-index.ts";
import { prepareFile } from "../../store/write/file-content.ts";
import type { PreparedFile } from "../../store/repo.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import {
  attachDerivative,
  committedFiles,
  emptyFileOps,
  removeDerivative,
  applyFileOps,
  type PostCommitFiles,
} from "./derivatives.ts";
import { clearReferences } from "../references.ts";

const ATTEMPTS = 10;

/** What is prepared for some items before the transaction that changes them. */
export interface Prepared<P> {
  /** Their derivatives that are committed. */
  readonly committed: ReadonlySet<string>;
  readonly value: P;
}

/**
 * Prepares a change of items, then applies it in one transaction if their files have not changed since.
 *
 * @param select the items, from a reader
 * @param prepare the slow part; may run several times
 * @throws CmsError `unavailable` when the items keep changing
 */
export async function changeItems<P, R>(
  ctx: Context,
  by: Author,
  select: (reader: Pick<Tx, "get" | "find" | "all">) => readonly Media[],
  prepare: (items: readonly Media[]) => Promise<P>,
  work: (tx: Tx, items: readonly Media[], prepared: Prepared<P>, fileOps: PostCommitFiles) => R,
): Promise<Written<R>> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const items = select(ctx.store.current);
    const prepared = await prepare(items);
    const committed = await committedFiles(ctx, items);
    const { value: outcome, snapshot } = await ctx.store.transact(by, (tx) => {
      const now = select(tx);
      if (!sameFiles(now, items)) return null;
      const fileOps = emptyFileOps(); // the work may run more than once
      return { result: work(tx, now, { committed, value: prepared }, fileOps), fileOps };
    });
    if (!outcome) continue;
    await applyFileOps(ctx, outcome.fileOps);
    return { value: outcome.result, snapshot };
  }
  throw new CmsError("unavailable", "This changed again and again while it was being worked on. Try again.", {
    retryAfter: 1,
  });
}

/** Whether the files of items are the same; their texts may differ. */
const sameFiles = (a: readonly Media[], b: readonly Media[]): boolean => sameJson(a.map(filesOf), b.map(filesOf));
const filesOf = ({ id, file, facts, derivatives, renditions_config }: Media) => ({
  id,
  file,
  facts,
  derivatives,
  renditions_config,
});

export const oneItem =
  (id: Id) =>
  (reader: Pick<Tx, "get">): readonly Media[] => [reader.get(MEDIA, id)];

/** Deletes items with their derivatives, and removes references to them from pages. */
export function removeItems(
  tx: Tx,
  items: readonly Media[],
  { committed }: Prepared<unknown>,
  fileOps: PostCommitFiles,
): void {
  for (const media of items) {
    if (media.facts) tx.attach(`${MEDIA_DIR}/${media.file}`, null);
    for (const file of derivativeFiles(media)) removeDerivative(tx, file, committed, fileOps);
    tx.remove(MEDIA, media.id);
  }
  clearReferences(tx, { media: new Set(items.map(({ id }) => id)) });
}

/** The derivatives of some items that are committed and on disk, prepared for storing at another path. */
export async function prepareDerivatives(
  ctx: Context,
  items: readonly Media[],
): Promise<ReadonlyMap<string, PreparedFile>> {
  const { root } = ctx.store.repo;
  const prepared = new Map<string, PreparedFile>();
  for (const file of await committedFiles(ctx, items)) {
    if (await isThere(root, file)) prepared.set(file, await prepareFile(mediaPath(root, file)));
  }
  return prepared;
}

/**
 * Moves the file of an item and its derivatives; the former address redirects to the new one (decisions.md 64).
 * Derivatives that are not committed are removed: they are generated again when they are requested.
 *
 * @param rename path of a derivative -> its new path
 */
export function moveItem(
  ctx: Context,
  tx: Tx,
  media: Media,
  file: string,
  rename: (derivatives: string) => string,
  { committed, value }: Prepared<ReadonlyMap<string, PreparedFile>>,
  fileOps: PostCommitFiles,
): Media {
  const { facts, derivatives } = media;
  if (facts) {
    const { oid, size, mime_type, image, trouble } = facts;
    tx.attach(
      `${MEDIA_DIR}/${file}`,
      { file: mediaPath(ctx.store.repo.root, media.file), oid, size },
      toJson({ mime: mime_type, image, trouble }),
    );
    tx.attach(`${MEDIA_DIR}/${media.file}`, null);
  }
  for (const before of derivativeFiles(media)) {
    const to = rename(before);
    if (to === before) continue;
    const content = value.get(before);
    if (content) attachDerivative(tx, to, content);
    removeDerivative(tx, before, committed, fileOps);
  }
  return tx.put(MEDIA, {
    ...atPath(media, file),
    derivatives: derivatives && {
      ...derivatives,
      thumbnail: derivatives.thumbnail && rename(derivatives.thumbnail),
      renditions: derivatives.renditions.map((each) => ({ ...each, file: rename(each.file) })),
    },
  });
}

/** An unused path in a directory: the name, or the name with a random mark (contract.md 12.3). */
export function freePath(ctx: Context, tx: Tx, dir: string, name: string): string {
  const index = mediaIndex(tx);
  for (
    let path = joinPath(dir, name);
    ;
    path = joinPath(dir, markedName(name, tx.uuid().replaceAll("-", "").slice(-7)))
  ) {
    if (!index.isUsed(path) && !isReserved(ctx, path)) return path;
  }
}

/** Whether a path is in, or is a parent of, a folder for derivatives. */
export function isReserved({ config }: Context, path: string): boolean {
  const wanted = path.toLowerCase();
  return [config.MEDIA.RENDITIONS.FOLDER, config.MEDIA.THUMBNAIL.FOLDER].some((folder) => {
    for (let at = folder.toLowerCase(); at !== ""; at = folderOf(at)) if (at === wanted) return true;
    return folder !== "" && wanted.startsWith(`${folder.toLowerCase()}/`);
  });
}
