/** Creates the home page of a site without one (setting `RENDER.AUTO_CREATE_HOMEPAGE`). */
import { textOf, withText, type Page } from "../../model/page/page.ts";
import type { Lang } from "../../model/language/locale.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import type { Written } from "../../store/write/store.ts";
import { SERVICE, type Context } from "../context.ts";
import { blankPage, saveLive } from "./page-saving.ts";

/**
 * Creates the home page, public in every language, unless a page has `/` in this language.
 *
 * @returns whether it was created
 */
export function ensureHomepage(ctx: Context, lang: Lang): Promise<Written<boolean>> {
  return ctx.store.transact(SERVICE, (tx) => {
    if (pageIndex(tx).byPermalink(lang, "/")) return false;
    const free = ctx.locales.codes.filter((code) => !pageIndex(tx).byPermalink(code, "/"));
    const page = free.reduce<Page>(
      (made, code) =>
        withText(made, code, {
          title: textOf(made, code).title ?? "Home",
          permalink: "/",
          autopermalink: false,
          published_at: tx.now,
        }),
      blankPage(tx),
    );
    saveLive(ctx, tx, page, undefined);
    tx.describe("Create the home page", { "Cms-Action": "create", "Cms-Page": page.id });
    return true;
  });
}
