/** References in a page: removing those to deleted records, and finding links. */
import { isObject, own, valuesIn, type Json, type JsonObject } from "../input/json.ts";
import { readLink } from "../address/link.ts";
import type { BuiltInModel } from "./model-names.ts";
import { GLOBAL_FIELDS, globalsOf, type Id, type Page } from "../page/page.ts";
import { PARENT_FIELD } from "../page/page-model.ts";
import { readValue } from "../input/field.ts";

/** Ids of deleted records by model; pages of all models are under `cms.Page`. */
export type DeletedRecords = { readonly [model in BuiltInModel]?: ReadonlySet<Id> };

/**
 * The page and its drafts without references to deleted records; the same object when there are none. Links in
 * `template_data` keep their id, and are shown without a URL.
 *
 * @param parentField the name of `parent_page` in the page's model
 */
export function withoutReferences(page: Page, deleted: DeletedRecords, parentField: string = PARENT_FIELD): Page {
  const changes = globalsOf(page).flatMap(([{ name, target }, value]): [string, Json][] => {
    const kept = withoutIds(value, target && deleted[target]);
    return kept === undefined ? [] : [[name, kept]];
  });
  const drafts = Object.entries(page.drafts).map(
    ([lang, draft]) => [lang, { ...draft, payload: draftWithout(draft.payload, deleted, parentField) }] as const,
  );
  if (changes.length === 0 && drafts.every(([lang, { payload }]) => payload === page.drafts[lang]?.payload))
    return page;
  return { ...page, ...Object.fromEntries(changes), drafts: Object.fromEntries(drafts) };
}

/** What is left of an id or a list of ids; undefined when nothing has to change. */
function withoutIds(value: unknown, ids: ReadonlySet<Id> | undefined): Json | undefined {
  if (!ids) return undefined;
  if (!Array.isArray(value)) return typeof value === "number" && ids.has(value) ? null : undefined;
  const kept = (value as readonly Json[]).filter((id) => typeof id !== "number" || !ids.has(id));
  return kept.length < value.length ? kept : undefined;
}

/** A draft is stored as it was sent, so its references are parsed like input. */
function draftWithout(payload: JsonObject, deleted: DeletedRecords, parentField: string): JsonObject {
  const changes: Record<string, Json> = {};
  for (const row of GLOBAL_FIELDS) {
    const ids = row.target && deleted[row.target];
    if (!ids) continue;
    for (const key of row.name === PARENT_FIELD ? new Set([row.name, parentField]) : [row.name]) {
      const value = own(payload, key);
      const read = value === undefined ? undefined : readValue(row, value);
      const kept = read && "value" in read ? withoutIds(read.value, ids) : undefined;
      if (kept !== undefined) changes[key] = kept;
    }
  }
  return Object.keys(changes).length > 0 ? { ...payload, ...changes } : payload;
}

/** Ids of all pages that typed links in a JSON value lead to. */
export function linkTargetsIn(value: Json): ReadonlySet<Id> {
  const found = new Set<Id>();
  for (const each of valuesIn(value)) {
    const link = isObject(each) && own(each, "link_type") === "RE" ? readLink(each) : undefined;
    if (link?.link_type === "RE" && link.url_node !== null) found.add(link.url_node);
  }
  return found;
}
