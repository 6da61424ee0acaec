/** Who wrote what a review proposes, by the history of the files. */
import type { Lang } from "../../model/language/locale.ts";
import { isPublic } from "../../model/page/lifecycle.ts";
import { EMPTY_PAGE, textOf, withText, type Page } from "../../model/page/page.ts";
import type { ReleaseItem } from "../../model/page/release.ts";
import { hashOfDraft } from "../../model/review/going-live.ts";
import { ACTION_KEY, readMessage } from "../../model/text/trailers.ts";
import { findPage, kindOf } from "../../store/content/indexes/pages-by-model.ts";
import { instantOf, msOf, type Instant } from "../../model/time/instant.ts";
import { draftLang } from "../../store/records/draft-files.ts";
import { CONTENT, type Part } from "../../store/records/record-type.ts";
import type { LogEntry, Oid, Path, Repo } from "../../store/repo.ts";
import { pageAt, pageRevisions } from "../../store/revisions/page-history.ts";
import type { Context } from "../context.ts";

/** The trailer `Cms-Action` of a commit that approves a review, and may edit its drafts. */
export const APPROVE = "approve-review";

/** Actions that change the file of a draft and none of its words. */
const WORDLESS: readonly string[] = ["schedule", "unschedule", "delete", APPROVE];

/**
 * The addresses of those who wrote a draft since there was none, and, where the language is not public, what it shows below.
 * Who edited a draft as they approved it is not among them: two people have read it then.
 */
export async function authorsOfItem(ctx: Context, { page: id, language }: ReleaseItem): Promise<readonly string[]> {
  const { current } = ctx.store;
  const page = language === null ? undefined : findPage(current, id);
  if (!page) return [];
  const draft = page.drafts[language!];
  const { base, files } = current.table(kindOf(page)).byId.get(id)!;
  const part = draft && [...files.keys()].find((each: Part) => draftLang(each, ctx.locales) === language);
  const wrote = [
    ...(draft ? await changesOfDraft(ctx, `${base}${part}`, draft.created_at) : []),
    ...(isPublic(page, language!, ctx.env.now()) ? [] : await changesOfText(ctx, page, language!)),
  ].filter(({ message }) => !WORDLESS.includes(actionOf(message)));
  return [...new Set(wrote.map(({ author }) => author.email.toLowerCase()))].sort();
}

const actionOf = (message: string): string => readMessage(message).trailers.get(ACTION_KEY)?.join() ?? "";

type DraftChange = Pick<LogEntry, "author" | "message">;

/** The commits that changed what a language shows without its draft; those, too, that cannot be read. */
async function changesOfText({ store, history, locales, env }: Context, page: Page, lang: Lang) {
  const revisions = await pageRevisions(store, history, store.current, page.id);
  // Whether the default language lends its texts is said by the page as it is now.
  const { published_at } = textOf(page, locales.default);
  const hashOf = (then: Page): string => hashOfDraft(withText(then, locales.default, { published_at }), lang, locales);
  const pages: (Page | undefined)[] = [];
  for (const revision of revisions)
    pages.push(await pageAt(store, revision, store.current, locales).catch(() => undefined));
  const isSeen = locales.codes.some((code) => isPublic(page, code, env.now()));
  return revisions.filter((_, at) => {
    const [is, was] = [pages[at], pages[at + 1]];
    if (!is || (!was && at + 1 < pages.length)) return true;
    // What all languages share was approved, or needed no approval, where another one is public.
    return hashOf(is) !== hashOf(was ?? (isSeen ? { ...is, translations: {} } : EMPTY_PAGE));
  });
}

/** The commits that changed a draft, also where its page had another place then. The index of the history has no drafts. */
async function changesOfDraft({ store }: Context, path: Path, since: Instant): Promise<readonly DraftChange[]> {
  const { repo, current } = store;
  if (current.commit === null) return [];
  // Commits have whole seconds.
  const until = await repo.commitBefore(current.commit, instantOf(msOf(since) - 1000));
  const recent = await changesUntil(repo, current.commit, { path, since, until: until ?? null });
  // A file of others may name a moment after it was written: then all of the history is read.
  const all = recent ?? (await changesUntil(repo, current.commit, { path, since, until: null }));
  return all ?? [];
}

interface DraftSearch {
  readonly path: Path;
  readonly since: Instant;
  readonly until: Oid | null;
}

/** @returns undefined where the draft is not known to have begun after `until` */
async function changesUntil(repo: Repo, from: Oid, { path, since, until }: DraftSearch) {
  const paths = new Set([path]);
  const found: DraftChange[] = [];
  for await (const { author, message, parents, changed, at } of repo.log(from, until, [CONTENT])) {
    const own = [...paths].flatMap((each) => changed.get(each) ?? []);
    if (own.length === 0) continue;
    const former = [...changed].filter(
      ([, { before, after }]) =>
        after === null && own.some((change) => change.before === null && change.after === before),
    );
    for (const [earlier] of former) paths.add(earlier);
    // A merge has what others wrote; to remove a draft, as publishing does, is not to write it.
    if (parents.length < 2 && own.some(({ after }) => after !== null)) found.push({ author, message });
    const isAdded = former.length === 0 && own.some(({ before }) => before === null);
    if (isAdded && msOf(at) <= msOf(since) + 1000) return found;
  }
  return until === null ? found : undefined;
}
