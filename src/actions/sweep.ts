/**
 * Due drafts: put live in any of three ways, each drafted change exactly once.
 *
 * Whether a draft is due is asked again inside the transaction, so readers, the sweep and the command may race: the
 * first applies it, the others find nothing to do.
 */
import { messageOf, CmsError } from "../errors.ts";
import { dueLanguages, isDue } from "../model/draft.ts";
import type { Lang } from "../model/locale.ts";
import { nameOf, type Id, type Page } from "../model/page.ts";
import { findPage } from "../store/page-kinds.ts";
import { pageIndex } from "../store/page-index.ts";
import type { Author, Written } from "../store/store.ts";
import type { Context } from "./context.ts";
import { publishIn } from "./pages.ts";

export interface DueDraft {
  readonly page: Page;
  readonly lang: Lang;
}

/** Every draft due up to now, however late, in any language and any state of its page. */
export function dueDrafts(ctx: Context): DueDraft[] {
  const now = ctx.env.now();
  return pageIndex(ctx.store.current).scheduled.flatMap((page) =>
    dueLanguages(page, ctx.locales.codes, now).map((lang) => ({ page, lang })),
  );
}

export interface Sweep {
  readonly published: readonly DueDraft[];
  /** Drafts that no longer fit their page; they stay. */
  readonly failed: readonly (DueDraft & { readonly reason: string })[];
}

/**
 * Puts every due draft live, one commit each. One that fails is logged and left, the rest goes on (decisions.md 11).
 *
 * @throws CmsError `unavailable` when nothing can be written at all
 */
export async function sweepDue(ctx: Context, by: Author, comment: string): Promise<Sweep> {
  const published: DueDraft[] = [];
  const failed: Sweep["failed"][number][] = [];
  await Promise.all(
    dueDrafts(ctx).map(async (due) => {
      try {
        if ((await publishDue(ctx, by, due.page.id, due.lang, comment)).value) published.push(due);
      } catch (error) {
        if (!(error instanceof CmsError) || error.code === "unavailable") throw error;
        const reason = reasonOf(error);
        ctx.env.log.error(`The draft of page ${due.page.id} "${nameOf(due.page, ctx.locales)}" in ${due.lang} is due but cannot be published: ${reason}`);
        failed.push({ ...due, reason });
      }
    }),
  );
  return { published, failed };
}

/**
 * Puts one draft live if it is due when its turn comes.
 *
 * @returns whether this call did it
 */
export function publishDue(ctx: Context, by: Author, id: Id, lang: Lang, comment: string): Promise<Written<boolean>> {
  return ctx.store.transact(by, (tx) => {
    const page = findPage(tx, id);
    if (!page || !isDue(page.drafts[lang], tx.now)) return false;
    publishIn(ctx, tx, page, lang, comment, "publish-due");
    return true;
  });
}

const reasonOf = (error: CmsError): string =>
  Object.keys(error.fields).length > 0 ? JSON.stringify(error.fields) : messageOf(error);
