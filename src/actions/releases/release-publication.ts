/** Publishes releases: one now, or those that are due. Each is one commit, or none. */
import { CmsError, type ErrorNode, invalid, reasonOf } from "../../errors.ts";
import type { Id } from "../../model/input/id.ts";
import type { Instant } from "../../model/time/instant.ts";
import { isDueRelease, refuseEmpty, stateOf, type Release } from "../../model/page/release.ts";
import { ACTION_KEY, trailersOf } from "../../model/text/trailers.ts";
import { dueReleases, getRelease } from "../../store/content/indexes/releases.ts";
import { RELEASES } from "../../store/records/releases.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Trailers, Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import { applyItems, type FailedItem } from "./release-items.ts";

/** The trailer `Cms-Action` of the commit that publishes a release. */
const PUBLISH_RELEASE = "publish-release";

const RELEASE_KEY = "Cms-Release";

export const releaseTrailers = (action: string, { id }: Release): Trailers => ({
  [ACTION_KEY]: action,
  [RELEASE_KEY]: id,
});

/** Whether a commit with this message published the release. */
export const isPublicationOf = ({ id }: Release, message: string): boolean =>
  trailersOf(message, PUBLISH_RELEASE).get(RELEASE_KEY)?.join() === String(id);

/**
 * Publishes a release now.
 *
 * @throws CmsError `invalid` with the errors of items by position; `conflict` for a release that is published already.
 *   Then nothing changes
 */
export function publishRelease(ctx: Context, by: Author, name: string, comment = ""): Promise<Written<Release>> {
  return ctx.store.transact(by, (tx) => {
    const release = getRelease(tx, name);
    if (stateOf(release) === "published")
      throw new CmsError("conflict", `The release "${name}" is published. Take it back before you publish it again.`);
    return publishReleaseIn(ctx, tx, release, comment);
  });
}

/**
 * Applies a release in a transaction, as its publication does.
 *
 * @returns the release as it is stored then
 * @throws CmsError `invalid` for one without items, as one whose pages were all deleted
 */
export function publishReleaseIn(ctx: Context, tx: Tx, release: Release, comment = ""): Release {
  refuseEmpty(release);
  const published = tx.put(RELEASES, { ...release, publish_at: null, published_at: tx.now });
  applyItems(ctx, tx, release, (failed) => {
    if (failed.length > 0) throw invalid({ items: errorsByPosition(release, failed) });
    tx.describe(
      `Publish release "${release.name}"`,
      releaseTrailers(PUBLISH_RELEASE, release),
      comment === "" ? release.comment : comment,
    );
  });
  return published;
}

const errorsByPosition = ({ items }: Release, failed: readonly FailedItem[]): readonly ErrorNode[] =>
  items.map((item) => failed.find((each) => each.item === item)?.errors ?? {});

interface DueReleases {
  readonly published: readonly Release[];
  readonly failed: readonly FailedRelease[];
}

export interface FailedRelease {
  readonly release: Release;
  readonly reason: string;
}

/**
 * Publishes the releases that are due, in the order of their moments. One that fails is logged and stays scheduled; the
 * others go live all the same.
 *
 * @param before called before each release with its moment
 * @throws CmsError `unavailable` when nothing can be written at all
 */
export async function publishDueReleases(
  ctx: Context,
  by: Author,
  comment: string,
  before: (moment: Instant) => Promise<void> = async () => undefined,
): Promise<DueReleases> {
  const published: Release[] = [];
  const failed: FailedRelease[] = [];
  for (const release of dueReleases(ctx.store.current, ctx.env.now())) {
    await before(release.publish_at!);
    try {
      if ((await publishIfDue(ctx, by, release.id, comment)).value) published.push(release);
    } catch (error) {
      if (!(error instanceof CmsError) || error.code === "unavailable") throw error;
      const reason = reasonOf(error);
      ctx.env.log.error(`The release "${release.name}" is due but cannot be published: ${reason}`);
      failed.push({ release, reason });
    }
  }
  return { published, failed };
}

/** @returns whether this call published it: several may try at the same moment */
function publishIfDue(ctx: Context, by: Author, id: Id, comment: string): Promise<Written<boolean>> {
  return ctx.store.transact(by, (tx) => {
    const release = tx.find(RELEASES, id);
    if (!release || !isDueRelease(release, tx.now)) return false;
    publishReleaseIn(ctx, tx, release, comment);
    return true;
  });
}
