/** The groups of a list: one for each tag, author or year of the pages that it finds. */
import { keptBy } from "../../memo.ts";
import { groupSlugs } from "../../model/address/list-address.ts";
import type { Byline, Id, Page } from "../../model/page/page.ts";
import type { ListGroups } from "../../model/page/paginate.ts";
import { recordValueOf } from "../../model/records/record.ts";
import { TAG } from "../../model/records/tag.ts";
import { dayAt, siteClock } from "../../model/time/clock-answers.ts";
import type { Instant } from "../../model/time/instant.ts";
import { declaredTypeOf } from "../../store/records/declared.ts";
import type { View } from "../view.ts";

interface GroupName {
  /** The id of the tag or of the author's account, or the year. */
  readonly key: number;
  readonly title: string;
}

export interface ListGroup extends GroupName {
  readonly slug: string;
  /** In the order of the list, at least one. */
  readonly ids: readonly Id[];
}

/** Tags and authors by title, years from the last one on. */
export function listGroups(view: View, each: ListGroups, found: readonly Page[]): readonly ListGroup[] {
  const byKey = new Map<number, Id[]>();
  for (const page of found) for (const key of keysOf(view, each, page)) keptBy(byKey, key, () => []).push(page.id);
  const names = each === "tags" ? tagNames(view) : each === "authors" ? authorNames(found) : yearNames(byKey.keys());
  const slugs = groupSlugs(names);
  const { compare } = new Intl.Collator(view.lang, { numeric: true });
  return names
    .flatMap((name) => {
      const ids = byKey.get(name.key);
      return ids ? [{ ...name, slug: slugs.get(name.key)!, ids }] : [];
    })
    .sort((a, b) => (each === "year" ? b.key - a.key : compare(a.title, b.title) || a.key - b.key));
}

function keysOf({ lang, now, locales }: View, each: ListGroups, page: Page): Iterable<number> {
  if (each === "tags") return new Set(page.tags);
  if (each === "authors") return page.author ? [page.author.id] : [];
  const published = page.translations[lang]?.published_at;
  return published ? [Number(dayAt(published, siteClock(now, locales.timeZone).zone).slice(0, 4))] : [];
}

/** Those without an article too, so that a slug does not change once they have one. */
const tagNames = ({ content, lang, locales }: View): readonly GroupName[] =>
  content.all(declaredTypeOf(TAG)).map((tag) => ({
    key: tag.id,
    title: String(recordValueOf(tag, TAG.fields[0], lang, locales.default) ?? tag.id),
  }));

/** Articles have copies of names: the last one created has that of today. */
function authorNames(articles: readonly Page[]): readonly GroupName[] {
  const newest = new Map<number, { readonly author: Byline; readonly created: Instant }>();
  for (const { author, date_created: created } of articles)
    if (author && (newest.get(author.id)?.created ?? "") <= created) newest.set(author.id, { author, created });
  return Array.from(newest.values(), ({ author: { id, username, first_name, last_name } }) => ({
    key: id,
    title: `${first_name} ${last_name}`.trim() || username,
  }));
}

const yearNames = (years: Iterable<number>): readonly GroupName[] =>
  Array.from(years, (year) => ({ key: year, title: String(year).padStart(4, "0") }));
