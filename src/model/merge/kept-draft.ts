/** Our side of the conflicts on a page, kept as the pending draft of a language. */
import type { Instant } from "../time/instant.ts";
import { isObject, mergeJson, own, sameJson, type Json, type JsonObject } from "../input/json.ts";
import { langSuffix, type Lang } from "../language/locale.ts";
import { PAGE_FIELDS, type PageFieldRow } from "../page/page.ts";
import type { FieldConflict, ValuePath } from "./conflict.ts";
import { valueAt, withValueAt } from "./path.ts";

export interface DraftToKeep {
  /** The data of the pending draft's file; null without one. */
  readonly draft: JsonObject | null;
  /** The language of the draft. Fields without a language are kept in the draft of the default language. */
  readonly language: Lang;
  /** Conflicts in the page's main file, of this language or without one. */
  readonly conflicts: readonly FieldConflict[];
  /** The merged data of the page's main file. */
  readonly page: JsonObject;
  readonly now: Instant;
}

/**
 * The data of the draft's file with our values. What the draft has already stays, since an editor meant it to replace the
 * live value of either side; so does its schedule.
 *
 * @returns the given draft if there is nothing to add
 */
export function keepAsDraft({ draft, language, conflicts, page, now }: DraftToKeep): JsonObject | null {
  const before = draft && own(draft, "payload");
  const stored = isObject(before) ? before : {};
  let payload = stored;
  const all = conflicts.flatMap(fieldsIn);
  for (const row of new Set(all.flatMap(({ path }) => rowOf(path) ?? []))) {
    if (row.name === "permalink" && !isManual(all, page, language)) continue;
    const patch = patchOf(row, all, page, language);
    payload = row.translated ? withText(payload, language, row.name, patch) : withValue(payload, [row.name], patch);
  }
  if (sameJson(payload, stored)) return draft;
  const created = (draft && own(draft, "created_at")) ?? now;
  return { language, ...draft, created_at: created, updated_at: now, payload };
}

/**
 * Whether a draft can hold our value. It cannot hold `published_at`, and what is no field of a page: `deleted_at`,
 * aliases.
 */
export const isDraftable = (conflict: FieldConflict): boolean =>
  fieldsIn(conflict).some(({ path }) => rowOf(path) !== undefined);

/** A conflict about a whole language, which the remote removed, as those of its fields. */
function fieldsIn(conflict: FieldConflict): FieldConflict[] {
  const { path, ours } = conflict;
  if (path.length !== 2 || path[0] !== TRANSLATIONS) return [conflict];
  return Object.entries(isObject(ours) ? ours : {}).map(([name, value]) => ({
    ...conflict,
    path: [...path, name],
    field: name,
    ours: value,
  }));
}

const TRANSLATIONS = "translations";

/** The page field that a path leads to or into; undefined for one that no draft has. */
function rowOf([top, , inner]: ValuePath): PageFieldRow | undefined {
  const name = top === TRANSLATIONS ? inner : top;
  return PAGE_FIELDS.find(
    (row) => row.name === name && Boolean(row.translated) === (top === TRANSLATIONS) && name !== "published_at",
  );
}

/** An automatic permalink follows from the title when the draft is published. */
function isManual(conflicts: readonly FieldConflict[], page: JsonObject, language: Lang): boolean {
  const path = [TRANSLATIONS, language, "autopermalink"];
  const contested = conflicts.find((conflict) => conflict.path.join("\n") === path.join("\n"));
  return (contested ? contested.ours : valueAt(page, path)) === false;
}

/** The change of the merged page that makes our values of a field live: lists as a whole, since a draft replaces them. */
function patchOf(row: PageFieldRow, conflicts: readonly FieldConflict[], page: JsonObject, language: Lang): Json {
  const above = row.translated ? [TRANSLATIONS, language, row.name] : [row.name];
  const inside = conflicts
    .filter(({ path }) => rowOf(path) === row)
    .map(({ path, ours }) => ({ path: path.slice(above.length), ours }));
  const asOurs = inside.reduce((value, { path, ours }) => withValueAt(value, path, ours), valueAt(page, above));
  let patch: Json | undefined;
  for (const { path } of inside) {
    const list = path.findIndex((step) => typeof step === "number");
    const place = list < 0 ? path : path.slice(0, list);
    patch = withValueAt(patch, place, valueAt(asOurs, place) ?? (place.length === 0 ? row.default : null));
  }
  return patch ?? row.default;
}

/** With a value in the form in which the draft has it already: `title_it`, under `translations`, or `title`. */
function withText(payload: JsonObject, language: Lang, name: string, patch: Json): JsonObject {
  const suffix = `_${langSuffix(language)}`;
  const suffixed = Object.keys(payload).find(
    (key) => key.startsWith(name) && key.slice(name.length).toLowerCase() === suffix,
  );
  const translated = [TRANSLATIONS, language, name];
  const places = [...(suffixed === undefined ? [] : [[suffixed]]), translated, [name]];
  return withValue(payload, places.find((place) => valueAt(payload, place) !== undefined) ?? translated, patch);
}

/** The draft's own value stays; an object gets the keys that it lacks. */
function withValue(payload: JsonObject, place: ValuePath, patch: Json): JsonObject {
  const present = valueAt(payload, place);
  const next = present === undefined ? patch : mergeJson(patch, present);
  return withValueAt(payload, place, next) as JsonObject; // place is not empty
}
