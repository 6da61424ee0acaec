/** Look-ups over releases. */
import { notFound } from "../../../errors.ts";
import type { Id } from "../../../model/input/id.ts";
import type { Instant } from "../../../model/time/instant.ts";
import { isDueRelease, stateOf, type Release } from "../../../model/page/release.ts";
import type { Reader } from "../../records/record-type.ts";
import { RELEASES } from "../../records/releases.ts";
import type { Entry, Snapshot } from "../../snapshot.ts";
import { countBy } from "./counts.ts";

export const findRelease = (reader: Reader, name: string): Release | undefined =>
  reader.all(RELEASES).find((release) => release.name === name);

/** @throws CmsError `not_found` */
export function getRelease(reader: Reader, name: string): Release {
  const release = findRelease(reader, name);
  if (!release) throw notFound(RELEASES.name);
  return release;
}

const MOMENTS = countBy<Id, Entry, Instant>((_id, { record }) => {
  const { publish_at, published_at } = record as Release;
  return publish_at !== null && published_at === null ? [publish_at] : [];
});

const momentsIn = (content: Snapshot) => content.table(RELEASES).byId.index(MOMENTS);

/** The first moment after the given one at which a release goes live. */
export const releaseMomentAfter = (content: Snapshot, after: Instant): Instant | undefined =>
  momentsIn(content).keyAfter(after);

/** How many releases are due, and the first of their moments. */
export function dueReleaseCount(
  content: Snapshot,
  now: Instant,
): { readonly due: number; readonly oldest: Instant | undefined } {
  const moments = momentsIn(content);
  const first = moments.keyAfter("" as Instant);
  let due = 0;
  for (let at = first; at !== undefined && at <= now; at = moments.keyAfter(at)) due += moments.get(at) ?? 0;
  return { due, oldest: due > 0 ? first : undefined };
}

/** The releases that are due, in the order in which they go live. */
export const dueReleases = (content: Snapshot, now: Instant): readonly Release[] =>
  dueReleaseCount(content, now).due === 0
    ? []
    : content
        .all(RELEASES)
        .filter((release) => isDueRelease(release, now))
        .sort((a, b) =>
          a.publish_at! < b.publish_at! ? -1 : a.publish_at! > b.publish_at! ? 1 : a.name < b.name ? -1 : 1,
        );

/** The releases that have not gone live, by name. */
export const unpublishedReleases = (reader: Reader): readonly Release[] =>
  reader
    .all(RELEASES)
    .filter((release) => stateOf(release) !== "published")
    .sort((a, b) => (a.name < b.name ? -1 : 1));
