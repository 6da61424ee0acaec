/** Writes to the configured redirects. */
import { CmsError, invalid, refuseInvalid } from "../../errors.ts";
import { requireObject } from "../../model/input/input-errors.ts";
import type { Json } from "../../model/input/json.ts";
import { named, record, refusedKeys } from "../../model/input/known-keys.ts";
import type { Lang } from "../../model/language/locale.ts";
import { nameOf } from "../../model/page/page.ts";
import { replacedPage } from "../../store/content/indexes/page-index.ts";
import {
  circlesIn,
  LEADS_BACK,
  langPath,
  readRedirect,
  REDIRECTS,
  REDIRECTS_ID,
  type Redirect,
} from "../../store/records/redirects.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";

const KEYS = record(named("from", "to", "status", "language"));

/** Adds a redirect after all others. @throws CmsError `invalid`, also where there is one from the same address */
export function addRedirect(ctx: Context, by: Author, body: unknown): Promise<Written<Redirect>> {
  requireObject(body);
  refuseInvalid(refusedKeys(ctx.unknownFields, KEYS, body));
  const redirect = readRedirect(body as Json, ctx.locales);
  if ("errors" in redirect) throw invalid(redirect.errors);
  return ctx.store.transact(by, (tx) => {
    const rows = rowsIn(tx);
    if (rows.some(isFrom(redirect.from, redirect.language)))
      throw invalid({ from: ["There is a redirect from this address already."] });
    const page = replacedPage(tx, redirect, ctx.locales);
    if (page)
      throw invalid({
        from: [
          `This is the address of the page "${nameOf(page, ctx.locales)}" (${page.id}), which the redirect would replace: move or unpublish the page first.`,
        ],
      });
    if (circlesIn([...rows, redirect], ctx.locales).includes(rows.length)) throw invalid({ to: [LEADS_BACK] });
    put(tx, [...rows, redirect]);
    tx.describe(`Redirect ${redirect.from} to ${redirect.to}`, { "Cms-Action": "add-redirect" });
    return redirect;
  });
}

/** @param from a path of the site @throws CmsError `not_found` */
export function removeRedirect(ctx: Context, by: Author, from: string, lang?: Lang): Promise<Written<void>> {
  const { locales } = ctx;
  const source = langPath(from, lang ?? locales.default, locales);
  const language = source.lang === locales.default ? lang : source.lang;
  return ctx.store.transact(by, (tx) => {
    const rows = rowsIn(tx);
    const at = rows.findIndex(isFrom(source.permalink, language));
    if (at < 0) throw new CmsError("not_found", "There is no redirect from this address.");
    if (rows.length === 1) tx.remove(REDIRECTS, REDIRECTS_ID);
    else put(tx, rows.toSpliced(at, 1));
    tx.describe(`Remove the redirect from ${source.permalink}`, { "Cms-Action": "remove-redirect" });
  });
}

const isFrom =
  (from: string, language: Lang | undefined) =>
  (row: Redirect): boolean =>
    row.from === from && row.language === language;

const rowsIn = (tx: Tx): readonly Redirect[] => tx.find(REDIRECTS, REDIRECTS_ID)?.rows ?? [];

const put = (tx: Tx, rows: readonly Redirect[]): void => void tx.put(REDIRECTS, { id: REDIRECTS_ID, rows });
