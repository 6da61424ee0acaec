/**
 * What a change of the content comes to, as the actions that are asked for. Every write is judged by them, and every push:
 * whichever way a change is made, they say what is different afterwards.
 */
import { derived } from "../../memo.ts";
import { CmsError } from "../../errors.ts";
import { recordActions, type Asked } from "../../model/access/asked.ts";
import { pageActions } from "../../model/access/asked-of-page.ts";
import { may, type AccessContent, type Principal, type Target } from "../../model/access/role-rights.ts";
import type { Action } from "../../model/access/rule.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import type { Id, Page } from "../../model/page/page.ts";
import { stateOf, type Release, type ReleaseItem } from "../../model/page/release.ts";
import type { Review } from "../../model/review/review.ts";
import type { CommentThread } from "../../model/review/thread.ts";
import { changedRecords, type ContentRecordChange } from "../content/changes.ts";
import { findPage, kindOf } from "../content/indexes/pages-by-model.ts";
import type { StoredMediaFile } from "../records/media/media-files.ts";
import { REVIEWS } from "../records/people/reviews.ts";
import { THREADS } from "../records/people/threads.ts";
import type { AnyKind } from "../records/record-type.ts";
import { RELEASES } from "../records/releases.ts";
import { filesKey, type Snapshot } from "../snapshot.ts";
import { accessContentOf, accessTargetsOf, isPageKind } from "./targets.ts";

/** An action, and the record that it is done to: where it was, and where it is if that is elsewhere. */
export interface AskedOfRecord extends Asked {
  readonly targets: readonly Target[];
}

/** All that is asked for to make the one content of the other. */
export function askedBetween(before: Snapshot, after: Snapshot, locales: Locales): readonly AskedOfRecord[] {
  const found: AskedOfRecord[] = [];
  for (const [kind, changes] of changedRecords(before, after)) {
    if (kind.opaque) found.push(...askedOfFiles(changes));
    else
      for (const [id, change] of changes)
        if (isWritten(kind, id, before, after) || isMoved(kind, change))
          found.push(...askedOfRecord(kind, change, { before, after, locales }));
  }
  return found;
}

interface JudgedChange {
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** The content whose roles and sections decide; by default the one before. */
  readonly roles?: Snapshot;
}

/**
 * Refuses a change that an account may not make, by the roles before it.
 *
 * @throws CmsError `forbidden` with the reason
 */
export function judgeChange(
  principal: Principal,
  { before, after, roles = before }: JudgedChange,
  locales: Locales,
): void {
  const content = accessContentOf(roles, locales);
  refuseOtherSections(content, accessContentOf(after, locales));
  for (const { targets, action, ...where } of askedBetween(before, after, locales))
    refuseUnless(
      principal,
      action,
      targets.map((target) => ({ ...target, ...where })),
      content,
    );
}

/** Rules name sections by their addresses: to give one to another page would change the roles. */
function refuseOtherSections(before: AccessContent, after: AccessContent): void {
  const rules = [...before.roles.values()].flatMap((role) => role.rules);
  for (const { below } of rules) {
    const [was, is] = below === undefined ? [] : [before.section(below), after.section(below)];
    if (was !== undefined && is !== undefined && was !== is)
      throw new CmsError(
        "forbidden",
        `Roles name page ${was} by ${below}: only superusers may give it to another page.`,
      );
  }
}

/**
 * Refuses what an account may not do to a record at one of the places where it is.
 *
 * @throws CmsError `forbidden` with the reason, which names no record that the account does not see
 */
export function refuseUnless(
  principal: Principal,
  action: Action,
  targets: readonly Target[],
  content: AccessContent,
): void {
  for (const target of targets) {
    const verdict = may(principal, action, target, content);
    if (verdict.isAllowed) continue;
    const isSeen = targets.some((each) => may(principal, "view", each, content).isAllowed);
    const unseen = "You may not change all that this concerns: a part of it is not shown to you.";
    throw new CmsError("forbidden", isSeen ? verdict.reason : unseen);
  }
}

/** Records also differ because of others, as pages whose files leave their permalinks out: nobody wrote those. */
function isWritten(kind: AnyKind, id: Id, before: Snapshot, after: Snapshot): boolean {
  const [old, next] = [before, after].map((content) => content.table(kind).byId.get(id));
  return old?.base !== next?.base || filesKey(old?.files ?? []) !== filesKey(next?.files ?? []);
}

/**
 * A page whose file leaves its parent to its place gets another one when a file is put beside its folder, and one whose file
 * leaves out its permalink moves with the page above it.
 */
function isMoved(kind: AnyKind, change: ContentRecordChange): boolean {
  if (!isPageKind(kind)) return false;
  const [before, after] = [change.before, change.after] as readonly (Page | undefined)[];
  const permalinks = (page: Page | undefined): readonly (string | null)[] =>
    Object.values(page?.translations ?? {}).map(({ permalink }) => permalink);
  return before?.parent_page !== after?.parent_page || permalinks(before).join("\n") !== permalinks(after).join("\n");
}

interface Change {
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly locales: Locales;
}

function askedOfRecord(kind: AnyKind, change: ContentRecordChange, content: Change): readonly AskedOfRecord[] {
  const { before, after, locales } = content;
  const targets = targetsOf(kind, change, content);
  const on = (asked: readonly Asked[]): readonly AskedOfRecord[] => asked.map((each) => ({ ...each, targets }));
  if (isPageKind(kind)) {
    const isAwaited = (page: Page, lang: Lang): boolean => awaitedIn(before).has(`${page.id} ${lang}`);
    return on(pageActions(change.before as Page | undefined, change.after as Page | undefined, { locales, isAwaited }));
  }
  if (kind === THREADS) {
    const { page, language } = (change.after ?? change.before) as CommentThread;
    return findPage(after, page) ? on([{ action: "comment", language }]) : [];
  }
  if (kind === REVIEWS) return askedOfReview(change, after, locales);
  const own = on(recordActions(targets[0]!.model, change.before, change.after, locales.codes));
  return kind === RELEASES ? [...own, ...askedOfRelease(change, after, locales)] : own;
}

function targetsOf(kind: AnyKind, change: ContentRecordChange, { before, after }: Change): readonly Target[] {
  const [from] = change.before ? accessTargetsOf(before, kind, change.before) : [];
  const [to] = change.after ? accessTargetsOf(after, kind, change.after) : [];
  const isSame = from && to && from.model === to.model && from.path?.join() === to.path?.join();
  return [from, isSame ? undefined : to].filter((target) => target !== undefined);
}

/** Whoever changes what a release does at its moment publishes what is in it. */
function askedOfRelease(change: ContentRecordChange, content: Snapshot, locales: Locales): readonly AskedOfRecord[] {
  const releases = [change.before, change.after] as readonly (Release | undefined)[];
  const items = releases.flatMap((release) => (release && stateOf(release) === "scheduled" ? release.items : []));
  return items.flatMap((item) => askedOfItem(item, "publish", content, locales));
}

/** A proposal is asked for at each of its pages; a decision on one takes the right to publish what it is about. */
function askedOfReview({ before, after }: ContentRecordChange, content: Snapshot, locales: Locales) {
  const [was, is] = [before, after] as readonly (Review | undefined)[];
  const isDecided = (is?.decisions.length ?? 0) > (was?.decisions.length ?? 0);
  const items = isDecided ? is!.items : [...(was?.items ?? []), ...(is?.items ?? [])];
  return items.flatMap((item) => askedOfItem(item, isDecided ? "publish" : "propose", content, locales));
}

/** What is done to the page of an item; nothing where the page does not exist, or does no more. */
function askedOfItem(
  { page: id, language, action: does }: ReleaseItem,
  action: Action,
  content: Snapshot,
  locales: Locales,
): readonly AskedOfRecord[] {
  const page = findPage(content, id);
  if (!page) return [];
  const targets = accessTargetsOf(content, kindOf(page), page);
  if (does !== "trash") return [{ action, language: language ?? locales.default, targets }];
  return [{ action: action === "publish" ? "trash" : action, targets }];
}

/** The pages and languages that scheduled releases publish. */
const awaitedIn = derived(
  (content: Snapshot): ReadonlySet<string> =>
    new Set(
      content
        .all(RELEASES)
        .filter((release) => stateOf(release) === "scheduled")
        .flatMap(({ items }) => items.filter(({ action }) => action === "publish"))
        .map(({ page, language }) => `${page} ${language}`),
    ),
);

/** A file under another name is the same file: it is moved. */
function askedOfFiles(changes: ReadonlyMap<Id, ContentRecordChange>): readonly AskedOfRecord[] {
  const all = [...changes.values()] as { before?: StoredMediaFile; after?: StoredMediaFile }[];
  const added = new Set(all.flatMap(({ before, after }) => (after && !before ? [after.facts.oid] : [])));
  const removed = new Set(all.flatMap(({ before, after }) => (before && !after ? [before.facts.oid] : [])));
  return all.flatMap(({ before, after }): AskedOfRecord[] => {
    const targets = [{ model: "media" }];
    if (!after) return before && added.has(before.facts.oid) ? [] : [{ action: "delete", targets }];
    if (!before && !removed.has(after.facts.oid)) return [{ action: "create", targets }];
    if (before?.facts.oid === after.facts.oid) return [];
    return (["edit", "publish"] as const).map((action) => ({ action, field: "file", targets }));
  });
}
