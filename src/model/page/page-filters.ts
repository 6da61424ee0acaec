/**
 * The filters of page lists: one row per filter, each a predicate of a page, a
 * language and a moment.
 *
 * Drafts of any language count, `published_at` only of the requested one; `deleted_at` applies to all.
 */
import { refuseInvalid } from "../../errors.ts";
import { isDue } from "./draft.ts";
import type { Instant } from "../time/instant.ts";
import { isPublic, statusOf, type Status } from "./lifecycle.ts";
import type { Lang } from "../language/locale.ts";
import { textOf, type Draft, type Page } from "./page.ts";

export type PagePredicate = (page: Page, lang: Lang, now: Instant) => boolean;

export const PAGE_FILTERS = {
  public: isPublic,
  alive: (page) => page.deleted_at === null,
  trashed: (page) => page.deleted_at !== null,
  draft: (page) => draftsOf(page).length > 0,
  /** Includes pages in the trash, which keep their schedule. */
  scheduled: (page, lang, now) =>
    draftsOf(page).some((draft) => draft.scheduled_for !== null) || isPlanned(page, lang, now),
  due_for_publish: (page, _lang, now) => draftsOf(page).some((draft) => isDue(draft, now)),
  first_publish_pending: (page, lang, now) => page.deleted_at === null && isPlanned(page, lang, now),
  /** `false` is the complement, so it includes the trash. */
  is_public: isPublic,
} satisfies { readonly [name: string]: PagePredicate };

/** `with_lifecycle` adds `computed_status`, for ordering and value lists; it and `status` are the same. */
export const STATUS_FIELDS = { status: statusOf, computed_status: statusOf };

export type PageFilter = keyof typeof PAGE_FILTERS;

export const STATUSES: readonly Status[] = ["PUB", "DRF", "PLA", "TRS"];

/** Conditions on pages; all must hold. */
export type PageConditions = { readonly [name in PageFilter]?: boolean } & {
  readonly status?: Status;
  /** An empty list matches nothing. */
  readonly status__in?: readonly Status[];
};

/**
 * The pages that meet every condition, in their order:
 * `filterPages(pages, { status: "PUB", draft: true }, lang, now)`.
 *
 * @throws CmsError `invalid` for an unknown filter, an unknown status label, or a value of the wrong type
 */
export function filterPages(pages: readonly Page[], conditions: PageConditions, lang: Lang, now: Instant): Page[] {
  const asked = Object.entries(conditions).filter(([, value]) => value !== undefined);
  refuseInvalid(Object.fromEntries(asked.flatMap(([name, value]) => conditionErrors(name, value))));
  const predicates = asked.map(([name, value]) => predicateOf(name, value));
  return pages.filter((page) => predicates.every((holds) => holds(page, lang, now)));
}

const draftsOf = (page: Page): Draft[] => Object.values(page.drafts);

function isPlanned(page: Page, lang: Lang, now: Instant): boolean {
  const publishedAt = textOf(page, lang).published_at;
  return publishedAt !== null && publishedAt > now;
}

const isStatus = (value: unknown): value is Status => STATUSES.some((status) => status === value);
const isFilter = (name: string): name is PageFilter => Object.hasOwn(PAGE_FILTERS, name);

function conditionErrors(name: string, value: unknown): [string, string[]][] {
  const labels = name === "status" ? [value] : name === "status__in" && Array.isArray(value) ? value : undefined;
  if (labels) {
    const unknown = labels.filter((label) => !isStatus(label));
    return unknown.length > 0
      ? [[name, unknown.map((label) => `"${String(label)}" is not a status: ${STATUSES.join(", ")}.`)]]
      : [];
  }
  if (name === "status__in") return [[name, ["Expected a list of statuses."]]];
  if (!isFilter(name)) return [[name, ["There is no such filter."]]];
  return typeof value === "boolean" ? [] : [[name, ["Must be true or false."]]];
}

function predicateOf(name: string, value: unknown): PagePredicate {
  if (isFilter(name)) return (page, lang, now) => PAGE_FILTERS[name](page, lang, now) === value;
  const labels = new Set<unknown>(Array.isArray(value) ? value : [value]);
  return (page, lang, now) => labels.has(STATUS_FIELDS.status(page, lang, now));
}
