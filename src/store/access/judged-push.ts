/**
 * A push judged as a write is: by what is different afterwards, and by the roles of the content before it.
 *
 * What the service sees to in a write of its own is seen to here: nobody speaks for others in comments, or decides, and
 * files that are no records, as templates and settings, which are code, are for superusers and accounts without roles. A
 * superuser speaks for all, as the server does whose sync brings what was judged there.
 */
import { CmsError } from "../../errors.ts";
import { sameUsername } from "../../model/account/account.ts";
import type { Principal } from "../../model/access/role-rights.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { CommentThread } from "../../model/review/thread.ts";
import type { Review } from "../../model/review/review.ts";
import { sameJson } from "../../model/input/json.ts";
import { changedRecords } from "../content/changes.ts";
import { placeOf } from "../content/load.ts";
import { REVIEWS } from "../records/people/reviews.ts";
import { THREADS } from "../records/people/threads.ts";
import type { AnyKind } from "../records/record-type.ts";
import type { Path } from "../repo.ts";
import type { Snapshot } from "../snapshot.ts";
import { judgeChange } from "./asked-of-content.ts";
import { isJudged } from "./judged-store.ts";

export interface PushedChange {
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** All files that differ. */
  readonly paths: readonly Path[];
}

/** Why a push is refused; empty when it is not. @param roles the content whose roles decide */
export function pushRefusals(
  principal: Principal,
  { before, after, paths }: PushedChange,
  kinds: readonly AnyKind[],
  locales: Locales,
  roles: Snapshot = before,
): readonly string[] {
  const found: string[] = after.problems
    .filter(({ path, severity }) => paths.includes(path) && severity !== "warning")
    .map(({ path, message }) => `${path} does not load: ${message}`);
  for (const path of isJudged(principal) && !principal.is_superuser ? paths : [])
    if (!placeOf(kinds, path)) found.push(`${path} is no content: only superusers may change it.`);
  if (principal.is_superuser) return found;
  found.push(...forgedComments(principal.username, before, after), ...decidedByHand(principal.username, before, after));
  try {
    judgeChange(principal, { before, after, roles }, locales);
  } catch (error) {
    if (!(error instanceof CmsError)) throw error;
    found.push(error.message);
  }
  return found;
}

/** Comments that are added, changed or removed in the name of others. */
function forgedComments(username: string, before: Snapshot, after: Snapshot): readonly string[] {
  return recordsChanged<CommentThread>(THREADS, before, after).flatMap(([id, was, is]) => {
    const [old, next] = [was, is].map((thread) => new Map((thread?.comments ?? []).map((each) => [each.id, each])));
    const other = [...new Set([...old!.keys(), ...next!.keys()])]
      .filter((row) => !sameJson(old!.get(row), next!.get(row)))
      .map((row) => (old!.get(row) ?? next!.get(row))!.by)
      .find((by) => !sameUsername(by, username));
    return other === undefined ? [] : [`Thread ${id} has a comment of ${other}, which only ${other} may write.`];
  });
}

/** A push may propose and take back. Who wrote a draft, and so whose approval counts, is found out where decisions are made. */
function decidedByHand(username: string, before: Snapshot, after: Snapshot): readonly string[] {
  return recordsChanged<Review>(REVIEWS, before, after).flatMap(([id, was, is]) => {
    if (!is) return [];
    if (!was && !sameUsername(is.by, username)) return [`Review ${id} is proposed in the name of ${is.by}.`];
    const isSame =
      sameJson(is.decisions, was?.decisions ?? []) && (is.decisions.length === 0 || sameJson(is.items, was?.items));
    return isSame ? [] : [`Review ${id} is decided by hand: decide in the editor or by the API.`];
  });
}

const recordsChanged = <T>(kind: AnyKind, before: Snapshot, after: Snapshot) =>
  [...(changedRecords(before, after).get(kind) ?? [])].map(
    ([id, change]) => [id, change.before as T | undefined, change.after as T | undefined] as const,
  );
