/** What a change of a page would do to addresses: that of the page and those of the pages below it. */
import type { Lang } from "../../model/language/locale.ts";
import { nameOf, textOf, type Id, type Page } from "../../model/page/page.ts";
import { applyChange } from "../../model/page/page-input.ts";
import { getPage, PAGE_KINDS } from "../../store/content/indexes/pages-by-model.ts";
import { openTransaction } from "../../store/write/transaction.ts";
import { pace } from "../../time-slices.ts";
import type { Context } from "../context.ts";
import { readClientChange, saveLive } from "./page-saving.ts";

export interface AddressChange {
  readonly page: Id;
  readonly title: string;
  readonly language: Lang;
  /** null: there was none. */
  readonly from: string | null;
  readonly to: string | null;
  /** Whether the former address would redirect to the new one. */
  readonly redirects: boolean;
}

/**
 * Saves a change of the live page in a transaction that is never committed.
 *
 * @param body as for a PATCH of the page
 * @returns in every language, the page itself first
 * @throws CmsError `invalid` as the PATCH would: an address that is taken, a parent below the page
 */
export async function addressChanges(ctx: Context, id: Id, body: unknown, lang: Lang): Promise<AddressChange[]> {
  const base = ctx.store.current;
  const before = getPage(base, id);
  const change = readClientChange(ctx, body, lang, before);
  const { tx, deferred, touched } = openTransaction(base, ctx.env, ctx.env.now());
  saveLive(ctx, tx, applyChange(before, change, "merge"), before, { change });
  for (const piece of deferred) {
    await pace();
    piece();
  }
  const { records } = touched();
  const changed = PAGE_KINDS.flatMap((kind) => [...(records.get(kind)?.values() ?? [])] as Page[]);
  return changed.flatMap((page) => changesOf(ctx, getPage(base, page.id), page)).sort(firstIs(id));
}

const changesOf = (ctx: Context, before: Page, after: Page): AddressChange[] =>
  ctx.locales.codes.flatMap((language) => {
    const [from, to] = [textOf(before, language).permalink, textOf(after, language).permalink];
    if (from === to) return [];
    const redirects = after.aliases.some((alias) => alias.language === language && alias.from === from);
    return [{ page: after.id, title: nameOf(after, ctx.locales), language, from, to, redirects }];
  });

const firstIs =
  (id: Id) =>
  (a: AddressChange, b: AddressChange): number =>
    Number(b.page === id) - Number(a.page === id);
