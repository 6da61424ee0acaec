/**
 * Records that claim one id or one permalink after a merge: each side created or renamed one without knowing of the other.
 */
import type { Id } from "../input/id.ts";
import { compareCreated } from "../time/instant.ts";
import { isObject, own, type JsonObject } from "../input/json.ts";
import type { Lang } from "../language/locale.ts";
import { numberedPermalink } from "../address/generated-permalink.ts";
import { sanitizePermalink } from "../address/permalink.ts";
import type { Side } from "./conflict.ts";
import { valueAt, withValueAt } from "./path.ts";

export interface Claimant {
  readonly path: string;
  /** The side that created the record, or gave it the permalink. */
  readonly side: Side;
  /** The data of its main file. */
  readonly data: JsonObject;
}

/** The claimants with the one first that keeps what they claim: the oldest, then the remote's, then by path. */
const bySeniority = (claimants: readonly Claimant[]): Claimant[] =>
  claimants.toSorted(
    (a, b) =>
      compareCreated(createdOf(a), createdOf(b)) ||
      Number(a.side === "ours") - Number(b.side === "ours") ||
      (a.path < b.path ? -1 : 1),
  );

function createdOf({ data }: Claimant): string {
  const moment = ["date_created", "created_at", "created", "creation_date"].map((key) => own(data, key)).find(Boolean);
  return typeof moment === "string" ? moment : "";
}

/**
 * Settles which of several records keeps an id.
 *
 * @param newId a free id for the record at a path, another one with each call
 * @returns by path, the data of the others, each with a new id
 */
export function settleId(claimants: readonly Claimant[], newId: (path: string) => Id): Map<string, JsonObject> {
  const [, ...others] = bySeniority(claimants);
  return new Map(others.map(({ path, data }) => [path, { ...data, id: newId(path) }]));
}

/**
 * Settles which of several pages keeps a permalink of one language.
 *
 * @param isTaken whether a page has the permalink or had it, the claimants' included
 * @returns by path, the data of the others, each with the permalink that ends in `-2`, `-3` and so on
 */
export function settlePermalink(
  claimants: readonly Claimant[],
  language: Lang,
  isTaken: (permalink: string) => boolean,
): Map<string, JsonObject> {
  const [, ...others] = bySeniority(claimants);
  const settled = new Map<string, JsonObject>();
  const given = new Set<string>();
  for (const { path, data } of others) {
    const place = ["translations", language, "permalink"];
    const permalink = valueAt(data, place);
    if (typeof permalink !== "string") continue;
    const free = numberedPermalink(sanitizePermalink(permalink), (each) => given.has(each) || isTaken(each));
    given.add(free);
    const changed = withValueAt(data, place, free);
    if (isObject(changed)) settled.set(path, changed);
  }
  return settled;
}
