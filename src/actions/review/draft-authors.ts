/** Who wrote what a review proposes, by the history of the files. */
import type { ReleaseItem } from "../../model/page/release.ts";
import { ACTION_KEY, readMessage } from "../../model/text/trailers.ts";
import { findPage, kindOf } from "../../store/content/indexes/pages-by-model.ts";
import { instantOf, msOf, type Instant } from "../../model/time/instant.ts";
import { draftLang } from "../../store/records/draft-files.ts";
import { CONTENT, type Part } from "../../store/records/record-type.ts";
import type { LogEntry, Path } from "../../store/repo.ts";
import type { Context } from "../context.ts";

/** The trailer `Cms-Action` of a commit that approves a review, and may edit its drafts. */
export const APPROVE = "approve-review";

/** Actions that change the file of a draft and none of its words. */
const WORDLESS: readonly string[] = ["schedule", "unschedule", "delete", APPROVE];

/**
 * The addresses of those who wrote a draft since there was none; of a page without one, of all who wrote in it. Who edited
 * a draft as they approved it is not among them: two people have read it then.
 */
export async function authorsOfItem(ctx: Context, { page: id, language }: ReleaseItem): Promise<readonly string[]> {
  const { current } = ctx.store;
  const page = language === null ? undefined : findPage(current, id);
  if (!page) return [];
  const draft = page.drafts[language!];
  const { base, files } = current.table(kindOf(page)).byId.get(id)!;
  const isWanted = (part: Part): boolean => draftLang(part, ctx.locales) === (draft ? language : undefined);
  const path = base + [...files.keys()].find(isWanted);
  const changes = draft ? await changesOfDraft(ctx, path, draft.created_at) : await ctx.history.changesOf(path);
  const wrote = changes.filter(({ message }) => !WORDLESS.includes(actionOf(message)));
  return [...new Set(wrote.map(({ author }) => author.email.toLowerCase()))].sort();
}

const actionOf = (message: string): string => readMessage(message).trailers.get(ACTION_KEY)?.join() ?? "";

type DraftChange = Pick<LogEntry, "author" | "message">;

/** The commits that changed a draft, also where its page had another place then. The index of the history has no drafts. */
async function changesOfDraft({ store }: Context, path: Path, since: Instant): Promise<readonly DraftChange[]> {
  const { repo, current } = store;
  if (current.commit === null) return [];
  // Commits have whole seconds.
  const until = await repo.commitBefore(current.commit, instantOf(msOf(since) - 1000));
  const paths = new Set([path]);
  const found: DraftChange[] = [];
  for await (const { author, message, parents, changed } of repo.log(current.commit, until ?? null, [CONTENT])) {
    const own = [...paths].flatMap((each) => changed.get(each) ?? []);
    if (own.length === 0) continue;
    for (const [from, { before, after }] of changed)
      if (after === null && own.some((change) => change.before === null && change.after === before)) paths.add(from);
    // A merge has what others wrote; to remove a draft, as publishing does, is not to write it.
    if (parents.length < 2 && own.some(({ after }) => after !== null)) found.push({ author, message });
  }
  return found;
}
