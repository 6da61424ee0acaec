/** Takes back a release that was published, in one commit. */
import { CmsError, notFound, unavailable } from "../../errors.ts";
import { stateOf, type Release } from "../../model/page/release.ts";
import { findPage, kindOf } from "../../store/content/indexes/pages-by-model.ts";
import { getRelease } from "../../store/content/indexes/releases.ts";
import { mainPart } from "../../store/records/record-type.ts";
import { RELEASES } from "../../store/records/releases.ts";
import { editFile } from "../../store/codec/codec.ts";
import { oidOf } from "../../store/git/objects/object.ts";
import { REGULAR_MODE, type MergedFile, type Oid, type Path } from "../../store/repo.ts";
import type { SyncConflict } from "../../store/sync/conflicts/sync-conflict.ts";
import { planRevert, type RevertedCommit } from "../../store/sync/revert-plan.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { commitMessage } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import { isPublicationOf, releaseTrailers } from "./release-publication.ts";

export interface ReleaseReversal {
  readonly release: Release;
  /** What was changed since in another way: it stands, and what the release had replaced is in a draft where one can have it. */
  readonly conflicts: readonly SyncConflict[];
}

/** How often the plan is made again because the repository changed: first beside git, and then while git waits. */
const ATTEMPTS = 5;
const ATTEMPTS_BESIDE_GIT = 2;

/**
 * Takes back what the publication of a release changed, drafts included. The release is open again, without a schedule.
 *
 * @throws CmsError `conflict` for a release that is not published, or whose publication this clone does not have, and where
 *   a file to be changed has a change that is not committed
 */
export async function revertRelease(ctx: Context, by: Author, name: string): Promise<Written<ReleaseReversal>> {
  const { store } = ctx;
  if (store.isReadOnly) throw new CmsError("unavailable", "The service runs read-only: nothing can be written.");
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const content = store.current;
    const release = getRelease(content, name);
    askForItems(ctx, release);
    const published = await publicationOf(ctx, content, release);
    const isExclusive = attempt > ATTEMPTS_BESIDE_GIT;
    // Writes wait, so that the plan is one of the newest content.
    const reverted = await store.inTurn(async (merge) => {
      if (store.current !== content || content.commit === null) return undefined;
      const { changes, conflicts, settled } = await plan(ctx, content, release, published);
      const message = commitMessage(
        `Take back release "${name}"`,
        [...settled, ...conflicts.map(describeConflict)].join("\n"),
        releaseTrailers("revert-release", release),
      );
      const author = { name: by.name, email: by.email };
      const commit = { author, at: ctx.env.now(), message };
      return (await merge({ base: content.commit, other: null, commit, changes })).made ? { conflicts } : undefined;
    }, isExclusive);
    const { current } = store;
    if (reverted) return { value: { release: current.get(RELEASES, release.id), ...reverted }, snapshot: current };
    if (store.current === content) await store.refresh();
  }
  throw unavailable("The repository changed again and again while the release was taken back. Try again.", "write");
}

/** It is a merge, which is not judged as a write by what it changes: that is what the release has published. */
function askForItems({ store, locales }: Context, { id, items }: Release): void {
  store.narrowing?.ask(RELEASES, id, "edit");
  for (const { page: pageId, language, action } of items) {
    const page = findPage(store.current, pageId);
    if (page && action === "trash") store.narrowing?.ask(kindOf(page), pageId, "trash");
    else if (page) store.narrowing?.ask(kindOf(page), pageId, "publish", language ?? locales.default);
    else if (store.narrowing) throw notFound("Page");
  }
}

async function plan(ctx: Context, content: Snapshot, release: Release, published: RevertedCommit & { path: Path }) {
  const { store, locales, env } = ctx;
  const own = new Set([...content.pathsOf(RELEASES, release.id), published.path]);
  const context = { repo: store.repo, kinds: store.kinds, locales, env };
  try {
    const planned = await planRevert(context, published, content, own);
    return { ...planned, changes: new Map([...planned.changes, await reopened(ctx, content, release)]) };
  } catch (error) {
    if (error instanceof CmsError && error.code === "not_found") throw unknownPublication(release);
    throw error;
  }
}

/** The file of the release, neither published nor scheduled. */
async function reopened(ctx: Context, content: Snapshot, release: Release): Promise<readonly [Path, MergedFile]> {
  const entry = content.table(RELEASES).byId.get(release.id)!;
  const part = mainPart(entry.files.keys()) ?? ".yaml";
  const path = entry.base + part;
  const oid = (await ctx.store.repo.committed(content.commit, [path])).get(path);
  if (!oid) throw new CmsError("conflict", `${path} is not committed: commit it first.`);
  const before = await ctx.store.repo.blob(oid);
  const after = RELEASES.toFiles({ ...release, publish_at: null, published_at: null }, part, ctx.locales).get(part)!;
  const bytes = editFile(path, before, after, RELEASES.order(part));
  return [path, { mode: REGULAR_MODE, oid: oidOf("blob", bytes), bytes }];
}

/** The commit that published a release, and the one before it. */
async function publicationOf(
  { history, store }: Context,
  content: Snapshot,
  release: Release,
): Promise<RevertedCommit & { path: Path }> {
  if (stateOf(release) !== "published")
    throw new CmsError("conflict", `The release "${release.name}" is not published: there is nothing to take back.`);
  const [file] = content.pathsOf(RELEASES, release.id);
  const changes = file === undefined ? [] : await history.changesOf(file);
  const found = changes.find(({ message }) => isPublicationOf(release, message));
  const parent = found && (await parentOf(store.repo, found.commit));
  if (!found || parent === undefined) throw unknownPublication(release);
  return { commit: found.commit, parent, path: found.path };
}

async function parentOf(repo: Context["store"]["repo"], commit: Oid): Promise<Oid | undefined> {
  const newest = await repo.log(commit, null, [])[Symbol.asyncIterator]().next();
  return newest.done ? undefined : newest.value.parents[0];
}

const unknownPublication = ({ name }: Release): CmsError =>
  new CmsError("conflict", `The history that this clone has does not include the publication of "${name}".`);

const describeConflict = (conflict: SyncConflict): string =>
  conflict.kind === "field"
    ? `${conflict.path}: ${conflict.value.field} was changed since`
    : `${conflict.path} was changed since`;
