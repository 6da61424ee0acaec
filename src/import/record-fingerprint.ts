/** Fingerprints of records of the site, which tell whether one was edited since it was imported. */
import { isObject, objectOf, own, type JsonObject } from "../model/input/json.ts";
import type { Locales } from "../model/language/locale.ts";
import type { Media } from "../model/media/media.ts";
import { TAG } from "../model/records/tag.ts";
import type { Entity, Kind, Reader } from "../store/records/record-type.ts";
import { declaredTypeOf } from "../store/records/declared.ts";
import { CONTENTS } from "../store/records/contents.ts";
import { MEDIA_FOLDERS } from "../store/records/media/media-folders.ts";
import { MEDIA } from "../store/records/media/media.ts";
import { MENUS } from "../store/records/menus.ts";
import { META_INSTANCES } from "../store/records/meta-instances.ts";
import { META_TYPES } from "../store/records/meta-types.ts";
import { ARTICLES, PAGES } from "../store/records/pages.ts";
import type { Id } from "../model/input/id.ts";
import { fingerprint } from "./ledger.ts";

export const TAGS = declaredTypeOf(TAG);

/** The kinds that imports write with ids of their own, by their names in the ledger. */
const KINDS: ReadonlyMap<string, Kind<Entity>> = new Map(
  [PAGES, ARTICLES, TAGS, MEDIA, MEDIA_FOLDERS, MENUS, CONTENTS, META_TYPES, META_INSTANCES].map((kind) => [
    kind.name,
    kind as unknown as Kind<Entity>,
  ]),
);

/**
 * The fingerprint of a record; undefined where there is none.
 *
 * It leaves out what changes without an edit of the record: when it was changed, its place in lists, the addresses it
 * had, and those that follow from its title and its parent.
 *
 * @param name of its kind
 */
export function recordFingerprint(reader: Reader, name: string, id: Id, locales: Locales): string | undefined {
  const kind = KINDS.get(name);
  const record = kind && reader.find(kind, id);
  if (!kind || !record) return undefined;
  if (kind.name === MEDIA.name) {
    const { facts, translations } = record as Media;
    return fingerprint({ oid: facts?.oid ?? null, translations });
  }
  const files = [...kind.toFiles(record, ".yaml", locales)].map(([part, { data }]) => [part, lasting(data)]);
  return fingerprint(files);
}

const PASSING: ReadonlySet<string> = new Set(["date_updated_at", "updated_at", "last_modified", "ordering", "aliases"]);

function lasting(data: JsonObject): JsonObject {
  const translations = own(data, "translations");
  const kept = Object.entries(data).filter(([key]) => !PASSING.has(key) && key !== "translations");
  if (!isObject(translations)) return objectOf(kept);
  const texts = Object.entries(translations).map(
    ([lang, text]) => [lang, isObject(text) ? chosen(text) : text] as const,
  );
  return objectOf([
    ...kept,
    ["translations", objectOf(texts.filter(([, text]) => !isObject(text) || Object.keys(text).length > 0))],
  ]);
}

/** A text without its permalink if that is automatic: `autopermalink: false` is written, true is not. */
const chosen = (text: JsonObject): JsonObject =>
  own(text, "autopermalink") === false ? text : objectOf(Object.entries(text).filter(([key]) => key !== "permalink"));
