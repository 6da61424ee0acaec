/** The fields of a page that are the same in its own payload and inside other payloads. */
import { showInstant, type Instant } from "../model/instant.ts";
import type { Resolver } from "../model/fields/definition.ts";
import { isObject, type Json } from "../model/json.ts";
import {
  fallbackText,
  GLOBAL_FIELDS,
  TEXT_FIELDS,
  type GlobalValue,
  type Id,
  type Page,
  type PageFieldRow,
  type PageGlobals,
  type PageText,
} from "../model/page.ts";
import { PARENT_FIELD } from "../model/page-model.ts";
import { resolveData } from "../model/schema.ts";
import { modelOf, RECORDS } from "../model/records.ts";
import { findPageModel } from "../store/content/records/page-models.ts";
import { templateOf } from "../store/content/indexes/page-models.ts";
import { nestedMedia } from "./media.ts";
import { nestedResolver } from "./resolver.ts";
import { nestedRecordOf } from "./record.ts";
import type { View } from "./view.ts";

/** All translated fields except the permalink, which has no fallback and is added separately. */
const SHOWN_TEXTS = TEXT_FIELDS.filter(({ name }) => name !== "permalink");
/** The parent is added separately, since payloads nest it in several ways. */
const SHOWN_GLOBALS = GLOBAL_FIELDS.filter(({ name }) => name !== PARENT_FIELD);

/** The flat fields of a page and of a nested parent: the active language, with fallback to the default one. */
export function flatFields(view: View, page: Page): { [key: string]: unknown } {
  const { lang, locales } = view;
  // Assigned to one object: spreading several objects took half the time of a payload.
  const fields: { [key: string]: unknown } = { id: page.id };
  for (const row of SHOWN_GLOBALS) {
    if (row.only === undefined || row.only === page.model)
      fields[row.name] = shownGlobal(view, row, page[row.name as keyof PageGlobals]);
  }
  fields.template = templateOf(view.content, view.config, page);
  fields.deleted_at = showInstant(page.deleted_at);
  fields.date_created = showInstant(page.date_created);
  fields.date_updated_at = showInstant(page.date_updated_at);
  for (const { name, type, only } of SHOWN_TEXTS) {
    if (only !== undefined && only !== page.model) continue;
    const value = fallbackText(page, lang, locales.default, name as keyof PageText);
    fields[name] =
      type === "instant"
        ? showInstant(value as Instant | null)
        : name === "template_data"
          ? dataIn(view, page, value as Json, nestedResolver)
          : value;
  }
  return fields;
}

/** A value as payloads show it. Of a list of references, those to records that do not exist are omitted. */
function shownGlobal(view: View, { type, target }: PageFieldRow, value: GlobalValue[1]): unknown {
  if (type === "instant") return showInstant(value as Instant | null);
  if (target === undefined) return value;
  const show = SHOWN_TARGETS.get(target) ?? ((at: View, id: Id) => nestedResolver(at).reference(target, id));
  return Array.isArray(value)
    ? (value as readonly Id[]).map((id) => show(view, id)).filter((shown) => shown !== null)
    : value === null
      ? null
      : show(view, value as Id);
}

/** Records that are shown in place of their id; null for one that does not exist (contract.md 11.1). */
const SHOWN_TARGETS: ReadonlyMap<string, (view: View, id: Id) => unknown> = new Map([
  ["cms.Media", nestedMedia],
  ...RECORDS.map((of) => [modelOf(of), (view: View, id: Id) => nestedRecordOf(view, of, id)] as const),
]);

/** `template_data`, with references and links resolved for a custom page model (contract.md 13.2). */
export function dataIn(view: View, page: Page, data: Json, resolverFor: (view: View) => Resolver): unknown {
  const model = findPageModel(view.content, page.model);
  return model && isObject(data) ? resolveData(model.schema, data, view.locales, resolverFor(view)) : data;
}
