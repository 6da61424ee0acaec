/** What a page refers to, and the page without references to what is deleted (decisions.md 62). */
import { isObject, own, type Json, type JsonObject } from "./json.ts";
import { readLink } from "./link.ts";
import { GLOBAL_FIELDS, type FieldRow, type Id, type Page } from "./page.ts";
import { PARENT_FIELD } from "./page-model.ts";
import { readValue } from "./page-input.ts";

/** Ids of records that are deleted. */
export interface Gone {
  readonly media?: ReadonlySet<Id>;
  readonly tags?: ReadonlySet<Id>;
  readonly pages?: ReadonlySet<Id>;
}

/**
 * The page with null, or a shorter list, in the place of references to what is gone, in its drafts too; the very same
 * page when it has none. Links in its data keep their id: they show no URL.
 *
 * @param parentField what the page's model calls its parent
 */
export function withoutReferences(page: Page, gone: Gone, parentField: string = PARENT_FIELD): Page {
  const { media, tags, pages } = gone;
  const isClean =
    (page.og_image === null || !media?.has(page.og_image)) &&
    (page.highlight_image === null || !media?.has(page.highlight_image)) &&
    (page.parent_page === null || !pages?.has(page.parent_page)) &&
    !page.tags.some((tag) => tags?.has(tag));
  const drafts = Object.entries(page.drafts).map(
    ([lang, draft]) => [lang, { ...draft, payload: draftWithout(draft.payload, gone, parentField) }] as const,
  );
  if (isClean && drafts.every(([lang, { payload }]) => payload === page.drafts[lang]!.payload)) return page;
  return {
    ...page,
    og_image: page.og_image !== null && media?.has(page.og_image) ? null : page.og_image,
    highlight_image: page.highlight_image !== null && media?.has(page.highlight_image) ? null : page.highlight_image,
    parent_page: page.parent_page !== null && pages?.has(page.parent_page) ? null : page.parent_page,
    tags: tags ? page.tags.filter((tag) => !tags.has(tag)) : page.tags,
    drafts: Object.fromEntries(drafts),
  };
}

/** The kinds of target a page can refer to, by the name in the table of its fields. */
const TARGETS: Readonly<Partial<Record<NonNullable<FieldRow["target"]>, keyof Gone>>> = {
  Media: "media",
  Tag: "tags",
  Page: "pages",
};

/** A draft is kept as it was sent, so its references are read as input is. */
function draftWithout(payload: JsonObject, gone: Gone, parentField: string): JsonObject {
  const changes: Record<string, Json> = {};
  for (const row of GLOBAL_FIELDS) {
    const target = row.target && TARGETS[row.target];
    const ids = target && gone[target];
    if (!ids) continue;
    for (const key of row.name === PARENT_FIELD ? new Set([row.name, parentField]) : [row.name]) {
      const value = own(payload, key);
      const read = value === undefined ? undefined : readValue(row, value);
      if (!read || "error" in read) continue;
      if (typeof read.value === "number" && ids.has(read.value)) changes[key] = null;
      if (!Array.isArray(read.value)) continue;
      const kept = read.value.filter((id: Json) => typeof id !== "number" || !ids.has(id));
      if (kept.length < read.value.length) changes[key] = kept;
    }
  }
  return Object.keys(changes).length > 0 ? { ...payload, ...changes } : payload;
}

/** Ids of all pages that typed links in some JSON lead to. Walks without recursion, so that depth does no harm. */
export function linkTargetsIn(value: Json): ReadonlySet<Id> {
  const found = new Set<Id>();
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const link = isObject(next) && own(next, "link_type") === "RE" ? readLink(next) : undefined;
    if (link?.link_type === "RE" && link.url_node !== null) found.add(link.url_node);
    for (const inner of Object.values(next) as Json[]) open.push(inner);
  }
  return found;
}
