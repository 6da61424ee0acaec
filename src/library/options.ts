/** What every call of the library takes beside ids and values, in the form that actions and views need. */
import { invalid } from "../errors.ts";
import { instantOf, parseInstant, type Instant } from "../model/time/instant.ts";
import { findLang, type Lang } from "../model/language/locale.ts";
import type { Id } from "../model/page/page.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { AnyKind } from "../store/records/record-type.ts";
import type { Signature } from "../store/repo.ts";
import type { Author } from "../store/write/store.ts";
import type { Surface, View } from "../views/view.ts";
import type { SiteContext } from "./context.ts";

export interface ReadOptions {
  /** Default: the site's default language. */
  readonly lang?: Lang;
  /** Scheme and host in front of the URLs of media, without a final slash; default: none. */
  readonly origin?: string;
}

export interface WriteOptions extends ReadOptions {
  /** The author of the commit. */
  readonly by: Signature;
  /**
   * A version of the record, as `version(id)` returns it: the write fails with `stale` when the record has another one.
   */
  readonly version?: string;
}

/** Search, filters, order and paging of a list. */
export interface ListOptions extends ReadOptions {
  /** Text to find in the main fields. */
  readonly search?: string;
  /** Conditions such as `status=PUB AND title__icontains=fog`; all must hold. */
  readonly filter?: string | readonly string[];
  /** Fields to sort by, `-` in front for descending. */
  readonly sort?: readonly string[];
}

export interface PagingOptions {
  /** From 1; beyond the last page it is the last one. */
  readonly page?: number;
  /** Records per page. */
  readonly items?: number;
}

/** @throws CmsError `invalid` for a language that is not configured */
export function langOf({ locales }: SiteContext, lang: Lang | undefined): Lang {
  if (lang === undefined) return locales.default;
  const found = findLang(locales, lang);
  if (found === undefined)
    throw invalid({ lang: [`"${lang}" is not among the languages of this site (${locales.codes.join(", ")}).`] });
  return found;
}

/** @param content default: the newest */
export function viewOf(
  ctx: SiteContext,
  surface: Surface,
  { lang, origin = "" }: ReadOptions = {},
  content: Snapshot = ctx.store.current,
): View & { readonly content: Snapshot } {
  const { config, locales, env } = ctx;
  return { content, config, locales, lang: langOf(ctx, lang), now: env.now(), surface, origin };
}

/** The author of a write to one record, with the version it expects. */
export const authorOf = ({ by, version }: WriteOptions, kind: AnyKind, id: Id): Author => ({
  name: by.name,
  email: by.email,
  ...(version !== undefined && { expects: { kind, id, versions: [version] } }),
});

/** @throws CmsError `invalid` for a text without a zone, or one that is no moment */
export function momentOf(at: Date | string, field: string): Instant {
  const found =
    at instanceof Date ? (Number.isNaN(at.getTime()) ? undefined : instantOf(at.getTime())) : parseInstant(at);
  if (found === undefined) throw invalid({ [field]: ["A moment with a zone is expected: 2027-01-01T08:00:00Z."] });
  return found;
}

/** The parameters of a list, as `readQuery` takes them. */
export function listParams({
  search,
  filter = [],
  sort = [],
  page,
  items,
}: ListOptions & PagingOptions = {}): URLSearchParams {
  const params = new URLSearchParams();
  if (search !== undefined) params.set("search", search);
  for (const each of typeof filter === "string" ? [filter] : filter) params.append("fltr", each);
  if (sort.length > 0) params.set("sort", sort.join(","));
  if (items !== undefined) params.set("items", String(items));
  if (page !== undefined) params.set("page", String(page));
  return params;
}
