/** What differs between two contents: records with their fields, and the public paths whose payload is another one. */
import { isObject, sameJson, type Json, type JsonObject } from "../model/json.ts";
import type { Id } from "../model/page.ts";
import { changedRecords } from "../store/content/changes.ts";
import type { AnyKind, Entity } from "../store/content/record-type.ts";
import type { Path } from "../store/repo.ts";
import { openPace } from "../time-slices.ts";
import { ManifestEntries, type SnapshotView, type Url } from "./manifest-entries.ts";

export interface FieldChange {
  /** Keys joined by dots. */
  readonly field: string;
  /** null: there was none. */
  readonly before: Json;
  readonly after: Json;
}

export interface RecordDifference {
  readonly model: string;
  readonly id: Id;
  /** The main file, before a removal or after any other change. */
  readonly path: Path | null;
  readonly name: string;
  readonly change: "added" | "removed" | "changed";
  /** Of a changed record. */
  readonly fields: readonly FieldChange[];
}

export interface UrlDifference {
  readonly path: string;
  readonly language_code: string;
  readonly change: "added" | "removed" | "changed";
}

export interface Comparison {
  readonly records: readonly RecordDifference[];
  readonly urls: readonly UrlDifference[];
}

/**
 * Works in slices, between which requests are served.
 *
 * @param kinds those whose records are compared
 */
export async function compare(from: SnapshotView, to: SnapshotView, kinds: readonly AnyKind[]): Promise<Comparison> {
  const pace = openPace();
  const records: RecordDifference[] = [];
  const changed = changedRecords(from.content, to.content);
  for (const kind of kinds.filter(({ opaque }) => !opaque)) {
    for (const [id, { before, after }] of [...(changed.get(kind) ?? [])].sort(([a], [b]) => a - b)) {
      await pace();
      const content = after ? to.content : from.content;
      records.push({
        model: kind.name,
        id,
        path: content.pathsOf(kind, id)[0] ?? null,
        name: nameIn(after ?? before!, to.locales.default),
        change: before && after ? "changed" : after ? "added" : "removed",
        fields: before && after ? fieldChanges(asJson(before), asJson(after)) : [],
      });
    }
  }
  return { records, urls: urlDifferences(await urlsOf(from), await urlsOf(to)) };
}

const asJson = (record: Entity): JsonObject => JSON.parse(JSON.stringify(record)) as JsonObject;

/** What a person calls a record. */
function nameIn(record: Entity, lang: string): string {
  const { translations, title, name, key, identifier } = record as unknown as Readonly<Record<string, unknown>>;
  const texts = isObject(translations) ? Object.values({ first: translations[lang], ...translations }) : [];
  const titles = texts.flatMap((text) => (isObject(text) ? [text.title, text.name] : []));
  const found = [...titles, title, name, key, identifier].find((each) => typeof each === "string" && each !== "");
  return typeof found === "string" ? found : `${record.id}`;
}

/** The innermost values that differ; lists are compared as a whole. */
export function fieldChanges(before: JsonObject, after: JsonObject, prefix = ""): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key): FieldChange[] => {
    const [old = null, next = null] = [before[key], after[key]];
    if (sameJson(old, next)) return [];
    const field = prefix + key;
    if (isObject(old) && isObject(next)) return fieldChanges(old as JsonObject, next as JsonObject, `${field}.`);
    return [{ field, before: old, after: next }];
  });
}

async function urlsOf(view: SnapshotView): Promise<readonly Url[]> {
  const pace = openPace();
  const entries = new ManifestEntries();
  for (const _ of entries.advance(view)) await pace();
  return entries.urls();
}

function urlDifferences(from: readonly Url[], to: readonly Url[]): UrlDifference[] {
  const before = new Map(from.map((url) => [url.path, url]));
  const after = new Map(to.map((url) => [url.path, url]));
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((path): UrlDifference[] => {
    const [old, next] = [before.get(path), after.get(path)];
    if (old?.hash === next?.hash) return [];
    const change = old && next ? "changed" : next ? "added" : "removed";
    return [{ path, language_code: (next ?? old)!.language_code, change }];
  });
}
