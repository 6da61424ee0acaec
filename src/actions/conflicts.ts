/** Deciding what a sync could not. */
import { CmsError, notFound, unavailable } from "../errors.ts";
import type { Side } from "../model/merge/conflict.ts";
import { valueAt, withValueAt } from "../model/merge/path.ts";
import { isObject, sameJson } from "../model/input/json.ts";
import { ACTION_KEY } from "../model/text/trailers.ts";
import { resolvedIn } from "../store/content/names/resolved-record.ts";
import { mainPart, type Entity } from "../store/records/record-type.ts";
import { openConflicts, type OpenConflict } from "../store/sync/conflicts/conflict-list.ts";
import { RESOLVE_CONFLICT, RESOLVED_KEY } from "../store/sync/merge-message.ts";
import type { Author } from "../store/write/store.ts";
import { commitMessage, type Trailers } from "../store/write/transaction.ts";
import type { Context } from "./context.ts";

/** For an account that does not see all content, those of the records that it sees. */
export async function listConflicts({ store, locales, history }: Context): Promise<OpenConflict[]> {
  const found = await openConflicts({ repo: store.repo, kinds: store.kinds, locales, history, current: store.current });
  return store.narrowing ? found.filter(({ kind, entry }) => kind && entry) : found;
}

/**
 * Makes the value of one side stand.
 *
 * @param permit gets the conflict, and throws to leave it open
 * @throws CmsError `not_found` for no such open conflict; `conflict` for one that is decided by publishing or discarding a
 *   draft, or by hand
 */
export async function resolveConflict(
  ctx: Context,
  by: Author,
  id: string,
  use: Side,
  permit: (conflict: OpenConflict) => void = () => undefined,
): Promise<void> {
  const conflict = (await listConflicts(ctx)).find(({ past }) => past.id === id);
  if (!conflict) throw notFound("Conflict");
  permit(conflict);
  const { past, entry } = conflict;
  if (past.draft !== undefined && entry) {
    throw new CmsError("conflict", `Our value is in the page's draft (${past.draft}): publish or discard the draft.`);
  }
  // A file that one side deleted is kept in the merge, so only the choice of that side changes something.
  const changes = past.kind === "deleted" ? past.by === use : use === "ours";
  if (changes) await change(ctx, by, conflict);
  else await record(ctx, by, conflict);
}

const trailersFor = (id: string): Trailers => ({ [ACTION_KEY]: RESOLVE_CONFLICT, [RESOLVED_KEY]: id });

/** The remote's version is live, so only ours, or a deletion, is a change. */
async function change(ctx: Context, by: Author, { past, path, kind, entry, ours }: OpenConflict): Promise<void> {
  const { store, locales } = ctx;
  const subject = `Resolve the conflict in ${path}`;
  const trailers = trailersFor(past.id);
  if (past.kind === "file" || !kind || !entry) {
    const ourPath = past.from?.ours ?? past.path;
    const oid = past.kind === "deleted" ? null : (await store.repo.committed(past.ours, [ourPath])).get(ourPath);
    const content = oid ? await store.repo.blob(oid) : null;
    await store.transact(by, (tx) => {
      tx.attach(path, content);
      tx.describe(subject, trailers);
    });
    return;
  }
  await store.transact(by, (tx) => {
    const { id } = entry.record;
    tx.describe(subject, trailers);
    if (past.kind === "deleted") return tx.remove(kind, id);
    const main = mainPart(entry.files.keys()) ?? ".yaml";
    const files = new Map(kind.toFiles(tx.get(kind, id), main, locales));
    const part = path.slice(entry.base.length);
    const content = files.get(part);
    const at = past.at ?? [];
    const data = withValueAt(content?.data, at, ours.value);
    const byHand = new CmsError("conflict", `${path} does not have the value there any more: edit it by hand.`);
    if (!content || !isObject(data)) throw byHand;
    files.set(part, { ...content, data });
    const record: Entity = kind.fromFiles(entry.base, files, locales);
    // A file may say the same in another form than the one it is written in.
    if (!sameJson(valueAt(kind.toFiles(record, main, locales).get(part)?.data, at), ours.value)) throw byHand;
    tx.put(kind, resolvedIn(store.current, locales, kind, entry.base, record));
  });
}

/** What is live stands: a commit without a difference says so to every clone. */
async function record(
  { store, env }: Context,
  { name, email }: Author,
  { past, path, kind, entry }: OpenConflict,
): Promise<void> {
  if (kind && entry) store.narrowing?.ask(kind, entry.record.id, "edit");
  const { repo } = store;
  if (store.isReadOnly) throw new CmsError("unavailable", "The service runs read-only: nothing can be written.");
  const message = commitMessage(`Resolve the conflict in ${path}`, "", trailersFor(past.id));
  const result = await store.inTurn(async () => {
    const { head } = await repo.state();
    const oid = (await repo.committed(head, [path])).get(path) ?? null;
    if ((await repo.oid(path)) !== oid) {
      throw new CmsError("conflict", `${path} has a change that is not committed: commit or discard it first.`);
    }
    const changes = new Map([[path, oid === null ? null : await repo.blob(oid)]]);
    return repo.commit({
      ...{ base: head, expect: new Map([[path, oid]]) },
      commits: [{ author: { name, email }, at: env.now(), message, changes }],
    });
  }, true);
  if (!result.made) throw unavailable("The repository changed meanwhile. Try again.", "write");
  await store.refresh();
}
