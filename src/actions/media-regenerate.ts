/** Thumbnails and renditions of many items, one after the other: what went well, what was fine, what failed and why. */
import { CmsError, messageOf, notFound } from "../errors.ts";
import { madeFiles, madeOf, rasterOf, type Media } from "../model/media.ts";
import { typeByName } from "../model/media-type.ts";
import type { Id } from "../model/page.ts";
import { MEDIA } from "../store/kinds/media.ts";
import { isThere } from "../store/media-disk.ts";
import type { Author } from "../store/store.ts";
import type { Context } from "./context.ts";
import { supplyMade } from "./media-making.ts";
import { regenerateRenditions } from "./media.ts";

export interface Regenerated {
  readonly id: Id;
  /** Path below `media/`; "" for an id nothing has. */
  readonly file: string;
  /** `kept`: nothing was missing. `gone`: it was removed from the library while others were worked on. */
  readonly outcome: "made" | "kept" | "gone" | "failed";
  /** Of a failure, as a sentence. */
  readonly reason?: string;
}

export interface Selection {
  /** Empty: every image of the library. */
  readonly ids: readonly Id[];
  /** Only what was never made, or is not on disk. */
  readonly missing: boolean;
}

/** The items a selection means, to say how many there are before the work begins. */
export function selectImages({ store }: Context, { ids }: Selection): readonly Id[] {
  return ids.length > 0 ? [...new Set(ids)] : store.current.all(MEDIA).filter(isPicture).map(({ id }) => id);
}

/** Works on one item after the other and tells each as it is done; a failure does not end it. */
export async function* regenerateAll(ctx: Context, by: Author, selection: Selection): AsyncGenerator<Regenerated> {
  const { current } = ctx.store;
  for (const id of selectImages(ctx, selection)) yield await regenerateOne(ctx, by, id, current.find(MEDIA, id), selection.missing);
}

/** How often an item is begun anew because another process has changed it meanwhile. */
const ATTEMPTS = 3;

/** @param listed the item as it was when the work began; undefined for an id nothing had */
async function regenerateOne(ctx: Context, by: Author, id: Id, listed: Media | undefined, onlyMissing: boolean): Promise<Regenerated> {
  for (let attempt = 1; ; attempt++) {
    const media = ctx.store.current.find(MEDIA, id);
    const file = (media ?? listed)?.file ?? "";
    if (!media && listed) return { id, file, outcome: "gone" };
    try {
      if (!media) throw notFound(MEDIA.name);
      return { id, file, outcome: (await regenerate(ctx, by, media, onlyMissing)) ? "made" : "kept" };
    } catch (error) {
      if (!(error instanceof CmsError)) throw error;
      // A server that writes beside this command may have removed or replaced the file since it was looked at.
      await ctx.store.refresh();
      const now = ctx.store.current.find(MEDIA, id);
      const isSame = now?.file === media?.file && now?.facts?.oid === media?.facts?.oid;
      if (isSame || attempt === ATTEMPTS) return { id, file, outcome: "failed", reason: messageOf(error) };
    }
  }
}

async function regenerate(ctx: Context, by: Author, media: Media, onlyMissing: boolean): Promise<boolean> {
  const reason = hindrance(media);
  if (reason) throw new CmsError("conflict", reason);
  if (!rasterOf(media)) return false;
  if (!onlyMissing || !madeOf(media)) {
    await regenerateRenditions(ctx, by, media.id);
    return true;
  }
  const missing = await missingFiles(ctx, media);
  for (const file of missing) if (!(await supplyMade(ctx, file))) throw new CmsError("conflict", `media/${file} could not be made.`);
  return missing.length > 0;
}

/**
 * Makes what is recorded and not on disk, as after a clone of a site that keeps its renditions out of git, so that
 * visitors need not wait for it. It gives way to what they ask for meanwhile.
 */
export async function supplyMissing(ctx: Context, signal: AbortSignal): Promise<void> {
  try {
    for (const media of ctx.store.current.all(MEDIA)) {
      if (!madeOf(media) || !rasterOf(media)) continue;
      for (const file of await missingFiles(ctx, media)) {
        if (signal.aborted) return;
        await supplyMade(ctx, file);
      }
    }
  } catch (error) {
    if (!signal.aborted) ctx.env.log.warn(`Not all renditions could be made: ${messageOf(error)}`);
  }
}

async function missingFiles({ store }: Context, media: Media): Promise<string[]> {
  const missing: string[] = [];
  for (const file of madeFiles(media)) if (!(await isThere(store.repo.root, file))) missing.push(file);
  return missing;
}

/** Why nothing can be made of an item that should have pictures; undefined when nothing hinders. */
function hindrance({ file, facts }: Media): string | undefined {
  if (!facts) return `There is no file media/${file}.`;
  if (facts.trouble === "pointer") return `media/${file} is the pointer Git LFS leaves in the place of the file: run \`git lfs pull\`.`;
  return facts.trouble === "broken" ? `media/${file} cannot be read: it is damaged, or has too many pixels.` : undefined;
}

/** Something pictures are made of, or would be if it were whole. Drawings (SVG) get none. */
const isPicture = (media: Media): boolean => rasterOf(media) !== null || typeByName(media.file).raster !== undefined;
