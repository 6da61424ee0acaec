/** What `at` names: a tag, a branch or a commit as it is, or a moment, which stands for what the branch had then. */
import { CmsError } from "../../errors.ts";
import { parseInstant, showInstant, type Instant } from "../../model/time/instant.ts";
import type { Oid } from "../../store/repo.ts";
import type { SiteContext } from "../context.ts";

export interface Revision {
  readonly commit: Oid;
  /** The clock of the reader; undefined: the present one. */
  readonly now?: Instant;
}

/** Longer texts are no names of refs, which are files. */
const NAME_MAX = 250;

/**
 * @param text any text: it is only compared with the names that the repository has
 * @throws CmsError `not_found` with the reason
 */
export async function revisionOf({ store }: SiteContext, text: string): Promise<Revision> {
  const { repo } = store;
  const commit = text.length <= NAME_MAX ? await repo.resolveRevision(text) : undefined;
  if (commit !== undefined) return { commit };
  const now = parseInstant(text);
  const head = store.current.commit;
  const then = now === undefined || head === null ? undefined : await repo.commitBefore(head, now);
  if (now !== undefined && then !== undefined) return { commit: then, now };
  const reason =
    now === undefined
      ? `"${text.slice(0, NAME_MAX)}" is no tag, branch or moment, and no commit that a tag or branch leads to.`
      : `The branch has no commit of ${showInstant(now)} or before.`;
  const isShallow = await repo.isShallow();
  throw new CmsError("not_found", isShallow ? `${reason} ${SHALLOW}` : reason);
}

const SHALLOW =
  "This is a shallow clone, which has the newest commits only: `git fetch --unshallow` brings the others.";
