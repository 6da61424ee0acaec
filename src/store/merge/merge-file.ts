/** Three-way merge of record files, by field. */
import { CmsError } from "../../errors.ts";
import { own, sameJson, type Json, type JsonObject } from "../../model/input/json.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { FieldConflict, MergeConflict, Side } from "../../model/merge/conflict.ts";
import {
  DEFAULT_RULES,
  MEDIA_RULES,
  PAGE_RULES,
  RELEASE_RULES,
  REVIEW_RULES,
  THREAD_RULES,
  type MergeRules,
} from "../../model/merge/rules.ts";
import { mergeText, textOfSide } from "../../model/merge/text.ts";
import { mergeValues } from "../../model/merge/values.ts";
import { ARTICLE_MODEL } from "../../model/page/page.ts";
import { decodeFile, editFile, FileError, type FileContent } from "../codec/codec.ts";
import { mainPart, type AnyKind } from "../records/record-type.ts";
import { pace } from "../../time-slices.ts";
import type { Path } from "../repo.ts";

/** The file to merge. Kind and locales refine the merge: order of added keys, and the check that the result loads. */
export interface MergePlace {
  readonly path: Path;
  readonly kind?: AnyKind;
  readonly locales?: Locales;
}

/** The bytes of each side as git stores them; null where the file does not exist. */
export interface FileSides {
  readonly base: Uint8Array | null;
  readonly ours: Uint8Array | null;
  readonly theirs: Uint8Array | null;
}

export type FileMerge =
  | {
      readonly outcome: "merged";
      /** Our bytes with what the remote changed; those of one side if the other did nothing. null: removed. */
      readonly bytes: Uint8Array | null;
      readonly conflicts: readonly MergeConflict[];
      /** The data of the result; absent if the bytes are those of one side. */
      readonly content?: FileContent;
    }
  | {
      /** A side does not parse, or the merged data exceeds the limits of a file: the file was not merged. */
      readonly outcome: "unreadable";
      readonly side: Side | "merged";
      readonly problem: FileError;
    };

/**
 * Merges a content file (`.yaml`, `.yml`, `.md`). Never throws for what the sides contain.
 *
 * If both sides added the file (base is null), their data is merged as if the base were empty: the caller decides before
 * whether the two are one record. A base that does not parse counts as empty too.
 */
export function mergeRecordFile(place: MergePlace, sides: FileSides): FileMerge {
  const steps = mergeSteps(place, sides);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** As `mergeRecordFile`. Yields between the steps, each of which takes a tenth of a second for a file of 1 MB. */
export async function mergeRecordFileInSteps(place: MergePlace, sides: FileSides): Promise<FileMerge> {
  const steps = mergeSteps(place, sides);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pace();
  }
}

function* mergeSteps(place: MergePlace, { base, ours, theirs }: FileSides): Generator<undefined, FileMerge, void> {
  if (sameBytes(ours, theirs) || sameBytes(base, theirs)) return { outcome: "merged", bytes: ours, conflicts: [] };
  if (sameBytes(base, ours)) return { outcome: "merged", bytes: theirs, conflicts: [] };
  if (ours === null || theirs === null) {
    const by = ours === null ? "ours" : "theirs";
    return { outcome: "merged", bytes: ours ?? theirs, conflicts: [{ kind: "deleted", by }] };
  }
  const left = read(place.path, ours);
  yield;
  const right = read(place.path, theirs);
  yield;
  if (left instanceof FileError) return { outcome: "unreadable", side: "ours", problem: left };
  if (right instanceof FileError) return { outcome: "unreadable", side: "theirs", problem: right };
  const from = base === null ? NOTHING : read(place.path, base);
  yield;
  const merged = mergeContents(place, from instanceof FileError ? NOTHING : from, left, right);
  yield;
  if (!loads(place, merged.content) && loads(place, right))
    return { outcome: "merged", bytes: theirs, conflicts: [wholeRecord(left, right)], content: right };
  yield;
  try {
    const bytes = yield* writeSteps(place, { base, ours, theirs }, merged.content);
    return { outcome: "merged", bytes, conflicts: merged.conflicts, content: merged.content };
  } catch (error) {
    if (error instanceof FileError) return { outcome: "unreadable", side: "merged", problem: error };
    throw error;
  }
}

const sameBytes = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === b || (a !== null && b !== null && Buffer.compare(a, b) === 0);

const NOTHING: FileContent = { data: {} };

function read(path: Path, bytes: Uint8Array): FileContent | FileError {
  try {
    return decodeFile(path, bytes);
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
}

interface MergedContent {
  readonly content: FileContent;
  readonly conflicts: readonly FieldConflict[];
}

function mergeContents(place: MergePlace, base: FileContent, ours: FileContent, theirs: FileContent): MergedContent {
  const { value, conflicts } = mergeValues(base.data, ours.data, theirs.data, rulesFor(place.path));
  const data = value as JsonObject; // both sides are mappings
  const language = draftLanguage(place.path, data);
  const found = conflicts.map((conflict) => (language === undefined ? conflict : { ...conflict, language }));
  if (ours.body === undefined || theirs.body === undefined) return { content: { data }, conflicts: found };
  const body = mergeValues(base.body, ours.body, theirs.body);
  const ofBody = body.conflicts.map((conflict) => bodyConflict(place, data, conflict));
  return { content: { data, body: String(body.value) }, conflicts: [...found, ...ofBody] };
}

function rulesFor(path: Path): MergeRules {
  if (/^content\/(?:pages|articles)\//.test(path)) return PAGE_RULES;
  if (path.startsWith("content/releases/")) return RELEASE_RULES;
  if (path.startsWith("content/reviews/")) return REVIEW_RULES;
  if (path.startsWith("content/threads/")) return THREAD_RULES;
  return path.startsWith("content/media/") ? MEDIA_RULES : DEFAULT_RULES;
}

/** The language of a draft, whose fields are all of this one; undefined for any other file. */
function draftLanguage(path: Path, data: JsonObject): string | undefined {
  const [, code] = /\.draft\.([A-Za-z0-9-]+)\.ya?ml$/.exec(path) ?? [];
  const stated = own(data, "language");
  return code !== undefined && typeof stated === "string" ? stated : code;
}

/** The body of a Markdown file is a field of the default language (see records/pages.ts). */
function bodyConflict({ path, locales }: MergePlace, data: JsonObject, conflict: FieldConflict): FieldConflict {
  if (!locales) return { ...conflict, path: ["body"], field: "body" };
  const isArticle = path.startsWith("content/articles/") || own(data, "model") === ARTICLE_MODEL;
  const names = isArticle ? ["content"] : ["template_data", "body"];
  const withoutEnds = (value: Json | undefined): Json | undefined =>
    isArticle && typeof value === "string" ? value.replace(/^\n|\n$/g, "") : value;
  return {
    kind: "field",
    path: ["translations", locales.default, ...names],
    language: locales.default,
    field: names.join("."),
    base: withoutEnds(conflict.base),
    ours: withoutEnds(conflict.ours),
    theirs: withoutEnds(conflict.theirs),
  };
}

/** Values that load one by one need not load together: two redirects, one from each side, may lead in a circle. */
function loads({ path, kind, locales }: MergePlace, content: FileContent): boolean {
  const place = kind?.split(path);
  if (!kind || !place || !locales || mainPart([place.part]) === undefined) return true;
  try {
    kind.fromFiles(place.base, new Map([[place.part, content]]), locales);
    return true;
  } catch (error) {
    if (error instanceof CmsError) return false;
    throw error;
  }
}

const wholeRecord = (ours: FileContent, theirs: FileContent): FieldConflict => ({
  kind: "field",
  path: [],
  field: "",
  base: undefined,
  ours: ours.data,
  theirs: theirs.data,
});

/**
 * A merge of the two texts by line has the comments and the layout of both sides: with the merged data it is the result,
 * else it is edited, or our text if it does not parse.
 */
function* writeSteps(
  { path, kind }: MergePlace,
  { base, ours, theirs }: Texts,
  content: FileContent,
): Generator<undefined, Uint8Array, void> {
  const order = kind?.order(kind.split(path)?.part ?? "") ?? [];
  let start = ours;
  for (const candidate of base ? mergedLines(base, ours, theirs) : []) {
    yield;
    const current = read(path, candidate);
    yield;
    if (current instanceof FileError) continue;
    if (sameJson(current, content)) return candidate;
    start = candidate;
  }
  yield;
  return editFile(path, start, content, order);
}

interface Texts {
  readonly base: Uint8Array | null;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}

/** The texts merged by line. Where lines clash, they are the remote's unless ours have a comment, then ours. */
function* mergedLines(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): Generator<Uint8Array> {
  const [o, a, b] = [base, ours, theirs].map((bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  const parts = mergeText(o, a ?? "", b ?? "");
  const withTheirs = parts.map((part) =>
    "lines" in part || part.ours.some((line) => line.includes("#")) ? part : { lines: part.theirs },
  );
  for (const each of [withTheirs, parts]) yield new TextEncoder().encode(textOfSide(each, "ours"));
}
