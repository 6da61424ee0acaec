/** When a post is or was published, and when it was written and changed. */
import type { Offsets } from "../../model/front-matter/foreign-moment.ts";
import { instantOf, msOf, type Instant } from "../../model/time/instant.ts";
import { localInstant, type TimeZone } from "../../model/time/time-zone.ts";
import type { WordPressItem } from "./wxr.ts";

const UTC: TimeZone = { name: "UTC", offsetAt: () => 0 };

/**
 * A moment that WordPress states twice: in UTC, and as clocks show it in the zone of the site. Drafts have zeros for the first.
 *
 * @param zone of the old site, for moments without the one in UTC
 */
function moment(gmt: string, local: string, zone: TimeZone = UTC): Instant | undefined {
  return isZero(gmt) ? (isZero(local) ? undefined : localInstant(local, zone)) : localInstant(gmt, UTC);
}

const isZero = (text: string): boolean => text === "" || text.startsWith("0000-");

export interface Moments {
  readonly written: Instant | undefined;
  readonly changed: Instant | undefined;
  /** Absent for everything that is not public, or will be by itself. */
  readonly published: Instant | undefined;
}

/** The statuses of posts that are public now, or will be at their date. */
const PUBLIC: ReadonlySet<string> = new Set(["publish", "future"]);

export const wasPublic = ({ status, isProtected }: WordPressItem): boolean => PUBLIC.has(status) && !isProtected;

/** Whether a part of a text stands in a shortcode of a plugin for members, by its name. */
export const isGated = ({ content }: WordPressItem): boolean =>
  content.includes("[/") &&
  /\[\/[\w-]*(?:restrict|member|private|protect|logged|login|hide|hidden|password|visib|access|paid|premium|subscri)/i.test(
    content,
  );

export function momentsOf(item: WordPressItem, zone: TimeZone | undefined): Moments {
  const written = moment(item.dateGmt, item.date, zone);
  const changed = moment(item.modifiedGmt, item.modified, zone);
  return { written, changed, published: wasPublic(item) ? (written ?? changed ?? EPOCH) : undefined };
}

/** The zone of the old site, as the two forms of each moment show it. */
export function offsetsOfItem(
  { date, dateGmt, modified, modifiedGmt }: WordPressItem,
  zone: TimeZone | undefined,
): Offsets {
  const pairs: readonly (readonly [string, string])[] = [
    [dateGmt, date],
    [modifiedGmt, modified],
  ];
  return Object.fromEntries(
    pairs.flatMap(([gmt, local]) => {
      const [at, shown] = [moment(gmt, local, zone), isZero(local) ? undefined : localInstant(local, UTC)];
      return at && shown ? [[at, (msOf(shown) - msOf(at)) / 60_000] as const] : [];
    }),
  );
}

/** A published post without any date was published all the same. */
const EPOCH = instantOf(0);
