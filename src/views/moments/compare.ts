/** What differs between two contents: records with their fields, and the public paths whose payload is another one. */
import { isObject, sameJson, type Json, type JsonObject } from "../../model/input/json.ts";
import type { Id } from "../../model/page/page.ts";
import { changedRecords } from "../../store/content/changes.ts";
import type { AnyKind, Entity } from "../../store/records/record-type.ts";
import { recordName } from "../records/record-name.ts";
import type { Path } from "../../store/repo.ts";
import { pace } from "../../time-slices.ts";
import { ManifestEntries, type SnapshotView, type Url } from "../manifest/page-hashes.ts";

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
  /** The changed fields of a changed record. */
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
export async function compareAll(from: SnapshotView, to: SnapshotView, kinds: readonly AnyKind[]): Promise<Comparison> {
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
        name: recordName(after ?? before!, to.locales.default),
        change: before && after ? "changed" : after ? "added" : "removed",
        fields: before && after ? fieldChanges(asJson(before), asJson(after)) : [],
      });
    }
  }
  return { records, urls: await urlDifferences(await urlsOf(from), await urlsOf(to)) };
}

const asJson = (record: Entity): JsonObject => JSON.parse(JSON.stringify(record)) as JsonObject;

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
  const entries = new ManifestEntries();
  for (const _ of entries.advance(view)) await pace();
  return entries.urls();
}

/** By path. */
async function urlDifferences(from: readonly Url[], to: readonly Url[]): Promise<readonly UrlDifference[]> {
  const found: UrlDifference[] = [];
  const add = ({ path, language_code }: Url, change: UrlDifference["change"]): unknown =>
    found.push({ path, language_code, change });
  const left = new Map<string, Url>();
  for (const url of from) {
    await pace();
    left.set(url.path, url);
  }
  for (const url of to) {
    await pace();
    const old = left.get(url.path);
    left.delete(url.path);
    if (old?.hash !== url.hash) add(url, old ? "changed" : "added");
  }
  for (const url of left.values()) add(url, "removed");
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
