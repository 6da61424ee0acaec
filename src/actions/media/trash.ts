/** The trash of the library: an item in it keeps its file and all references, and is shown to editors alone. */
import { CmsError } from "../../errors.ts";
import type { Media } from "../../model/media/media.ts";
import type { Id } from "../../model/page/page.ts";
import { loadUses, mediaUses, type UseLink } from "../../store/content/indexes/record-uses.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Context } from "../context.ts";

/**
 * Moves an item to the trash. One that is there already keeps its `deleted_at`.
 *
 * @param isConfirmed also when it is used
 * @throws CmsError `conflict` with the records that use the item, unless it is confirmed
 */
export async function trashMedia(ctx: Context, by: Author, id: Id, isConfirmed: boolean): Promise<Written<Media>> {
  const media = ctx.store.current.get(MEDIA, id);
  if (media.deleted_at === null && !isConfirmed) await refuseUsed(ctx, [media]);
  return ctx.store.transact(by, (tx) => {
    const before = tx.get(MEDIA, id);
    tx.describe(`Move media ${before.file} to trash`, { "Cms-Action": "trash-media", "Cms-Media": id });
    return tx.put(MEDIA, { ...before, deleted_at: before.deleted_at ?? tx.now });
  });
}

/** Takes an item out of the trash: its addresses and references are as they were. */
export const restoreMedia = (ctx: Context, by: Author, id: Id): Promise<Written<Media>> =>
  ctx.store.transact(by, (tx) => {
    const before = tx.get(MEDIA, id);
    tx.describe(`Restore media ${before.file}`, { "Cms-Action": "restore-media", "Cms-Media": id });
    return tx.put(MEDIA, { ...before, deleted_at: null });
  });

/** @throws CmsError `conflict` with the records that use one of the items */
export async function refuseUsed({ store, config }: Context, items: readonly Media[]): Promise<void> {
  const { current } = store;
  await loadUses(current, config.MEDIA.URL);
  const uses = items.flatMap((media) => mediaUses(current, media, config.MEDIA.URL));
  const links = [...new Map(uses.map((link): [string, UseLink] => [`${link.model} ${link.id}`, link])).values()];
  if (links.length === 0) return;
  const [what, records] = [items.length === 1 ? "The file is" : "Files are", links.length === 1 ? "record" : "records"];
  throw new CmsError("conflict", `${what} used by ${links.length} ${records}: confirm with confirm=true.`, {
    fields: { links: links.map(({ model, name, id }) => ({ model, name, id })) },
  });
}
