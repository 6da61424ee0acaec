/** References in a page: removing those to deleted records (decisions.md 62), and finding links. */
import { isObject, own, type Json, type JsonObject } from "./json.ts";
import { readLink } from "./link.ts";
import { GLOBAL_FIELDS, type Id, type Page } from "./page.ts";
import type { FieldRow } from "./field.ts";
import { PARENT_FIELD } from "./page-model.ts";
import { readValue } from "./field.ts";

/** Ids of records that are deleted. */
export interface DeletedRecords {
  readonly media?: ReadonlySet<Id>;
  readonly tags?: ReadonlySet<Id>;
  readonly pages?: ReadonlySet<Id>;
}

/**
 * The page and its drafts without references to deleted records; the same object when there are none. Links in
 * `template_data` keep their id, and are shown without a URL.
 *
 * @param parentField the name of `parent_page` in the page's model
 */
export function withoutReferences(page: Page, deleted: DeletedRecords, parentField: string = PARENT_FIELD): Page {
  const { media, tags, pages } = deleted;
  const isClean =
    (page.og_image === null || !media?.has(page.og_image)) &&
    (page.highlight_image === null || !media?.has(page.highlight_image)) &&
    (page.parent_page === null || !pages?.has(page.parent_page)) &&
    !page.tags.some((tag) => tags?.has(tag));
  const drafts = Object.entries(page.drafts).map(
    ([lang, draft]) => [lang, { ...draft, payload: draftWithout(draft.payload, deleted, parentField) }] as const,
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

/** `FieldRow.target` -> the ids of deleted records of that kind. */
const TARGETS: Readonly<Partial<Record<NonNullable<FieldRow["target"]>, keyof DeletedRecords>>> = {
  Media: "media",
  Tag: "tags",
  Page: "pages",
};

/** A draft is stored as it was sent, so its references are parsed like input. */
function draftWithout(payload: JsonObject, deleted: DeletedRecords, parentField: string): JsonObject {
  const changes: Record<string, Json> = {};
  for (const row of GLOBAL_FIELDS) {
    const target = row.target && TARGETS[row.target];
    const ids = target && deleted[target];
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

/**
 * Ids of all pages that typed links in a JSON value lead to. Not recursive, so that depth cannot overflow the stack.
 */
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
