/** Regenerates thumbnails and renditions: of one item, or of many with an outcome for each. */
import { CmsError, messageOf, notFound } from "../../errors.ts";
import { derivativeFiles, currentDerivatives, rasterOf, type Media } from "../../model/media/media.ts";
import { typeByName } from "../../model/media/media-type.ts";
import type { Id } from "../../model/page/page.ts";
import { liveMedia } from "../../store/content/indexes/media-index.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import { isThere } from "../../store/content/media-disk.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import { SERVICE, type Context } from "../context.ts";
import { encodeDerivatives, ensureDerivative, placeDerivatives, type EncodedDerivatives } from "./derivatives.ts";
import { changeItems, oneItem } from "./transaction.ts";

/** Regenerates an item's thumbnail and renditions for the current settings and its own variants. */
export const regenerateRenditions = (ctx: Context, by: Author, id: Id): Promise<Written<Media>> =>
  changeItems(
    ctx,
    by,
    oneItem(id),
    ([media]) => encodeDerivatives(ctx, media),
    (library, [media], encoded) => {
      library.tx.describe(`Regenerate renditions of ${media.file}`, {
        "Cms-Action": "regenerate-renditions",
        "Cms-Media": id,
      });
      return library.tx.put(MEDIA, { ...media, derivatives: placeDerivatives(library, media, encoded) });
    },
  );

export interface Regenerated {
  readonly id: Id;
  /** Path below `media/`; "" for an unknown id. */
  readonly file: string;
  /** `kept`: nothing was missing. `gone`: the item was deleted while others were processed. */
  readonly outcome: "made" | "kept" | "gone" | "failed";
  /** The message of a failure. */
  readonly reason?: string;
}

interface Selection {
  /** Empty: every image of the library that is not in the trash. */
  readonly ids: readonly Id[];
  /** Only derivatives that were never generated, or are not on disk. */
  readonly missing: boolean;
}

/** The ids of a selection, to report their number before the work begins. */
export function selectImages({ store }: Context, { ids }: Selection): readonly Id[] {
  return ids.length > 0
    ? [...new Set(ids)]
    : liveMedia(store.current)
        .filter(isPicture)
        .map(({ id }) => id);
}

/** The pictures that have no derivatives though they could: files added or replaced by hand. In the order of the library. */
export const picturesWithout = (content: Snapshot): readonly Media[] =>
  liveMedia(content).filter((media) => rasterOf(media) && !currentDerivatives(media) && !blockingProblem(media));

/** Pictures whose derivatives share a commit: those of all are in memory at once. */
const BATCH = 12;

/** Processes some items at a time, in one commit, and yields each outcome; continues after a failure. */
export async function* regenerateAll(ctx: Context, by: Author, selection: Selection): AsyncGenerator<Regenerated> {
  const { current } = ctx.store;
  const all = selectImages(ctx, selection);
  for (let at = 0; at < all.length; at += BATCH) {
    const batch = all.slice(at, at + BATCH);
    const made = await regenerateTogether(ctx, by, batch, selection.missing);
    for (const id of batch) {
      const file = made.get(id);
      if (file !== undefined) yield { id, file, outcome: "made" };
      else yield await regenerateOne(ctx, by, id, current.find(MEDIA, id), selection.missing);
    }
  }
}

/** @returns the files of the items that were made, by id; the others are tried alone, which tells what is wrong with which */
async function regenerateTogether(
  ctx: Context,
  by: Author,
  ids: readonly Id[],
  onlyMissing: boolean,
): Promise<ReadonlyMap<Id, string>> {
  const select = (reader: Pick<Tx, "find">): readonly Media[] =>
    ids.flatMap((id) => {
      const media = reader.find(MEDIA, id);
      const isExcluded =
        !media || !rasterOf(media) || blockingProblem(media) || (onlyMissing && currentDerivatives(media));
      return isExcluded ? [] : [media];
    });
  if (select(ctx.store.current).length < 2) return new Map();
  try {
    const { value } = await changeItems(ctx, by, select, encodeEach(ctx), (library, items, encoded) => {
      const made = items.flatMap((media) => {
        const each = encoded.get(media.id);
        if (each) library.tx.put(MEDIA, { ...media, derivatives: placeDerivatives(library, media, each) });
        return each ? [media] : [];
      });
      library.tx.describe(`Regenerate renditions of ${made.length} pictures`, {
        "Cms-Action": "regenerate-renditions",
      });
      return new Map(made.map(({ id, file }) => [id, file]));
    });
    return value;
  } catch (error) {
    if (!(error instanceof CmsError)) throw error;
    return new Map();
  }
}

/** Leaves out what cannot be encoded. */
const encodeEach =
  (ctx: Context) =>
  async (items: readonly Media[]): Promise<ReadonlyMap<Id, EncodedDerivatives>> => {
    const encoded = new Map<Id, EncodedDerivatives>();
    for (const media of items) {
      try {
        encoded.set(media.id, await encodeDerivatives(ctx, media));
      } catch (error) {
        if (!(error instanceof CmsError)) throw error;
      }
    }
    return encoded;
  };

/** How often an item is tried while another process changes it. */
const ATTEMPTS = 3;

/** @param listed the item when the work began; undefined for an unknown id */
async function regenerateOne(
  ctx: Context,
  by: Author,
  id: Id,
  listed: Media | undefined,
  onlyMissing: boolean,
): Promise<Regenerated> {
  for (let attempt = 1; ; attempt++) {
    const media = ctx.store.current.find(MEDIA, id);
    const file = (media ?? listed)?.file ?? "";
    if (!media && listed) return { id, file, outcome: "gone" };
    try {
      if (!media) throw notFound(MEDIA.name);
      return { id, file, outcome: (await regenerate(ctx, by, media, onlyMissing)) ? "made" : "kept" };
    } catch (error) {
      if (!(error instanceof CmsError)) throw error;
      // A server running beside this command may have removed or replaced the file.
      await ctx.store.refresh();
      const now = ctx.store.current.find(MEDIA, id);
      const isSame = now?.file === media?.file && now?.facts?.oid === media?.facts?.oid;
      if (isSame || attempt === ATTEMPTS) return { id, file, outcome: "failed", reason: messageOf(error) };
    }
  }
}

async function regenerate(ctx: Context, by: Author, media: Media, onlyMissing: boolean): Promise<boolean> {
  const reason = blockingProblem(media);
  if (reason) throw new CmsError("conflict", reason);
  if (!rasterOf(media)) return false;
  if (!onlyMissing || !currentDerivatives(media)) {
    await regenerateRenditions(ctx, by, media.id);
    return true;
  }
  const missing = await missingFiles(ctx, media);
  for (const file of missing)
    if (!(await ensureDerivative(ctx, file))) throw new CmsError("conflict", `media/${file} could not be made.`);
  return missing.length > 0;
}

/**
 * Makes the derivatives of pictures added by hand, at once and whenever such pictures come.
 *
 * @param each called after each picture with what became of it; a picture that fails is tried again with other bytes
 */
export function makeForAdded(ctx: Context, signal: AbortSignal, each: (outcome: Regenerated) => void): Promise<void> {
  const tried = new Set<string>();
  let seen: unknown;
  let running: Promise<void> | undefined;
  const bytesOf = ({ id, facts }: Media): string => `${id} ${facts?.oid}`;
  const untried = (): readonly Media[] =>
    picturesWithout(ctx.store.current).filter((media) => !tried.has(bytesOf(media)));
  const run = async (): Promise<void> => {
    for (let found = untried(); found.length > 0 && !signal.aborted; found = untried()) {
      const batch = found.slice(0, BATCH);
      for (const media of batch) tried.add(bytesOf(media));
      const ids = batch.map(({ id }) => id);
      for await (const outcome of regenerateAll(ctx, SERVICE, { ids, missing: true })) each(outcome);
    }
  };
  const look = (): Promise<void> => {
    const media = ctx.store.current.table(MEDIA);
    if (media === seen || running || signal.aborted) return running ?? Promise.resolve();
    seen = media;
    running = run()
      .catch((error: unknown) => {
        if (!signal.aborted) ctx.env.log.warn(`Not all renditions could be made: ${messageOf(error)}`);
      })
      .finally(() => (running = undefined));
    return running;
  };
  signal.addEventListener(
    "abort",
    ctx.store.onChange(() => void look()),
  );
  return look();
}

/** @param done files that were made so far @param of all that were missing when the work began */
type Made = (done: number, of: number) => void;

/**
 * Generates all derivatives that are recorded and not on disk, as after a clone of a site that does not commit them, so
 * that visitors need not wait. Requests in between are served first.
 */
export async function ensureMissingDerivatives(
  ctx: Context,
  signal: AbortSignal,
  made: Made = () => undefined,
): Promise<void> {
  try {
    const missing: string[] = [];
    for (const media of liveMedia(ctx.store.current))
      if (currentDerivatives(media) && rasterOf(media)) missing.push(...(await missingFiles(ctx, media)));
    for (const [done, file] of missing.entries()) {
      if (signal.aborted) return;
      made(done, missing.length);
      await ensureDerivative(ctx, file);
    }
    made(missing.length, missing.length);
  } catch (error) {
    if (!signal.aborted) ctx.env.log.warn(`Not all renditions could be made: ${messageOf(error)}`);
  }
}

async function missingFiles({ store }: Context, media: Media): Promise<string[]> {
  const missing: string[] = [];
  for (const file of derivativeFiles(media)) if (!(await isThere(store.repo.root, file))) missing.push(file);
  return missing;
}

/** Why an image cannot have derivatives; undefined when it can. */
function blockingProblem({ file, facts }: Media): string | undefined {
  if (!facts) return `There is no file media/${file}.`;
  if (facts.trouble === "pointer") return `media/${file} is a Git LFS pointer, not the file: run \`git lfs pull\`.`;
  return facts.trouble === "broken"
    ? `media/${file} cannot be read: it is damaged, or has too many pixels.`
    : undefined;
}

/** Whether an item has derivatives, or would have with an intact file. SVG images have none. */
const isPicture = (media: Media): boolean => rasterOf(media) !== null || typeByName(media.file).raster !== undefined;
