/** Work on items that takes longer than a transaction may: done on what is there, and done again when that has moved. */
import { CmsError } from "../errors.ts";
import { sameJson } from "../model/json.ts";
import { atPath, madeFiles, type Media } from "../model/media.ts";
import { folderOf, joinPath, markedName } from "../model/media-name.ts";
import type { Id } from "../model/page.ts";
import { MEDIA_DIR, toJson } from "../store/kinds/media-files.ts";
import { MEDIA } from "../store/kinds/media.ts";
import { isThere, mediaPath } from "../store/media-disk.ts";
import { mediaIndex } from "../store/media-index.ts";
import { prepareFile } from "../store/prepared.ts";
import type { PreparedFile } from "../store/repo.ts";
import type { Author, Written } from "../store/store.ts";
import type { Tx } from "../store/transaction.ts";
import type { Context } from "./context.ts";
import { attachMade, committedFiles, nothingYet, removeMade, tidyUp, type Afterwards } from "./media-making.ts";
import { clearReferences } from "./references.ts";

const ATTEMPTS = 10;

/** What is known of some items before the transaction that changes them. */
export interface Prepared<P> {
  /** Of the pictures made of them, those that are in git. */
  readonly committed: ReadonlySet<string>;
  readonly value: P;
}

/**
 * Prepares, then works on the items in one transaction, if they are still as they were when it was prepared.
 *
 * @param select the items it is about, of a reader
 * @param prepare the slow part; may be asked again
 * @throws CmsError `unavailable` when they change again and again
 */
export async function changeItems<P, R>(
  ctx: Context,
  by: Author,
  select: (reader: Pick<Tx, "get" | "find" | "all">) => readonly Media[],
  prepare: (items: readonly Media[]) => Promise<P>,
  work: (tx: Tx, items: readonly Media[], prepared: Prepared<P>, after: Afterwards) => R,
): Promise<Written<R>> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const items = select(ctx.store.current);
    const prepared = await prepare(items);
    const committed = await committedFiles(ctx, items);
    const { value: outcome, snapshot } = await ctx.store.transact(by, (tx) => {
      const now = select(tx);
      if (!sameFiles(now, items)) return null;
      const after = nothingYet(); // the work may run more than once
      return { result: work(tx, now, { committed, value: prepared }, after), after };
    });
    if (!outcome) continue;
    await tidyUp(ctx, outcome.after);
    return { value: outcome.result, snapshot };
  }
  throw new CmsError("unavailable", "This changed again and again while it was being worked on. Try again.", { retryAfter: 1 });
}

/** Whether the files are the same; what people wrote about them may differ. */
const sameFiles = (a: readonly Media[], b: readonly Media[]): boolean => sameJson(a.map(filesOf), b.map(filesOf));
const filesOf = ({ id, file, facts, made, renditions_config }: Media) => ({ id, file, facts, made, renditions_config });

export const oneItem = (id: Id) => (reader: Pick<Tx, "get">): readonly Media[] => [reader.get(MEDIA, id)];

/** Takes items out of the library with everything made of them, and out of the pages that show them. */
export function removeItems(tx: Tx, items: readonly Media[], { committed }: Prepared<unknown>, after: Afterwards): void {
  for (const media of items) {
    if (media.facts) tx.attach(`${MEDIA_DIR}/${media.file}`, null);
    for (const file of madeFiles(media)) removeMade(tx, file, committed, after);
    tx.remove(MEDIA, media.id);
  }
  clearReferences(tx, { media: new Set(items.map(({ id }) => id)) });
}

/** The pictures of some items that are in git and on disk, ready to be stored elsewhere. */
export async function prepareMade(ctx: Context, items: readonly Media[]): Promise<ReadonlyMap<string, PreparedFile>> {
  const { root } = ctx.store.repo;
  const prepared = new Map<string, PreparedFile>();
  for (const file of await committedFiles(ctx, items)) {
    if (await isThere(root, file)) prepared.set(file, await prepareFile(mediaPath(root, file)));
  }
  return prepared;
}

/**
 * Moves an item's file and what was made of it; its former address leads to the new one (decisions.md 64). Pictures that git does not keep are dropped: they are made again at
 * their new place when they are asked for.
 *
 * @param rename where a picture goes, by its path before
 */
export function moveItem(
  ctx: Context,
  tx: Tx,
  media: Media,
  file: string,
  rename: (made: string) => string,
  { committed, value }: Prepared<ReadonlyMap<string, PreparedFile>>,
  after: Afterwards,
): Media {
  const { facts, made } = media;
  if (facts) {
    const { oid, size, mime_type, image, trouble } = facts;
    tx.attach(`${MEDIA_DIR}/${file}`, { file: mediaPath(ctx.store.repo.root, media.file), oid, size }, toJson({ mime: mime_type, image, trouble }));
    tx.attach(`${MEDIA_DIR}/${media.file}`, null);
  }
  for (const before of madeFiles(media)) {
    const to = rename(before);
    if (to === before) continue;
    const content = value.get(before);
    if (content) attachMade(tx, to, content);
    removeMade(tx, before, committed, after);
  }
  return tx.put(MEDIA, {
    ...atPath(media, file),
    made: made && {
      ...made,
      thumbnail: made.thumbnail && rename(made.thumbnail),
      renditions: made.renditions.map((each) => ({ ...each, file: rename(each.file) })),
    },
  });
}

/** A path in a directory that nothing has yet: the name, or the name with a mark (contract.md 12.3). */
export function freePath(ctx: Context, tx: Tx, dir: string, name: string): string {
  const index = mediaIndex(tx);
  for (let path = joinPath(dir, name); ; path = joinPath(dir, markedName(name, tx.uuid().replaceAll("-", "").slice(-7)))) {
    if (!index.isUsed(path) && !isReserved(ctx, path)) return path;
  }
}

/** Whether a path is, or is on the way to, a folder whose files are made here. */
export function isReserved({ config }: Context, path: string): boolean {
  const wanted = path.toLowerCase();
  return [config.MEDIA.RENDITIONS.FOLDER, config.MEDIA.THUMBNAIL.FOLDER].some((folder) => {
    for (let at = folder.toLowerCase(); at !== ""; at = folderOf(at)) if (at === wanted) return true;
    return folder !== "" && wanted.startsWith(`${folder.toLowerCase()}/`);
  });
}
