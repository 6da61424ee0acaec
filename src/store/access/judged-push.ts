/**
 * A push judged as a write is: by what is different afterwards, and by the roles of the content before it.
 *
 * What the service sees to in a write of its own is seen to here: nobody speaks for others in comments and decisions, and
 * files that are no records, as templates and settings, which are code, are for superusers and accounts without roles.
 */
import { CmsError } from "../../errors.ts";
import { sameUsername } from "../../model/account/account.ts";
import type { Principal } from "../../model/access/may.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { Id } from "../../model/page/page.ts";
import type { CommentThread } from "../../model/review/thread.ts";
import type { Review } from "../../model/review/review.ts";
import { sameJson } from "../../model/input/json.ts";
import { changedRecords } from "../content/changes.ts";
import { placeOf } from "../content/load.ts";
import { REVIEWS } from "../records/people/reviews.ts";
import { THREADS } from "../records/people/threads.ts";
import type { AnyKind, Entity } from "../records/record-type.ts";
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
export function refusalsOf(
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
  found.push(...forgedRows(principal.username, before, after));
  try {
    if (!principal.is_superuser) judgeChange(principal, { before, after, roles }, locales);
  } catch (error) {
    if (!(error instanceof CmsError)) throw error;
    found.push(error.message);
  }
  return found;
}

/** Comments and decisions that are added, changed or removed in the name of others. */
function forgedRows(username: string, before: Snapshot, after: Snapshot): readonly string[] {
  const changes = changedRecords(before, after);
  const rowsOf = (kind: AnyKind, record: Entity | undefined): ReadonlyMap<Id, { readonly by: string }> => {
    if (kind === THREADS) return byId((record as CommentThread | undefined)?.comments ?? [], ({ by }) => by);
    return byId((record as Review | undefined)?.decisions ?? [], (decision) => decision.username);
  };
  return [THREADS, REVIEWS].flatMap((kind) =>
    [...(changes.get(kind) ?? [])].flatMap(([id, change]) => {
      const [was, is] = [rowsOf(kind, change.before), rowsOf(kind, change.after)];
      const others = [...new Set([...was.keys(), ...is.keys()])]
        .filter((row) => !sameJson(was.get(row), is.get(row)))
        .map((row) => (was.get(row) ?? is.get(row))!.by)
        .filter((by) => !sameUsername(by, username));
      return others.length > 0
        ? [`${kind.name} ${id} has a row of ${others[0]}, which only ${others[0]} may write.`]
        : [];
    }),
  );
}

const byId = <T extends { readonly id: Id }>(rows: readonly T[], by: (row: T) => string) =>
  new Map(rows.map((row) => [row.id, { ...row, by: by(row) }]));
