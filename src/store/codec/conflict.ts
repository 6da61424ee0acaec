/**
 * Conflicts that a merge left in a file.
 *
 * Each has a comment, which is no part of any value: so a text that has the markers of a merge is a text like any other.
 */
import { EVENT_ID } from "js-yaml";
import { isList, isObject, type Json } from "../../model/input/json.ts";
import { showValue } from "../../model/merge/conflict.ts";
import { markedParts, OURS_LABEL } from "../../model/merge/marked-text.ts";
import { FileError, positionAt, type Position } from "./file-error.ts";
import { eventsOf, locate, yamlPartOf, type KeyPath } from "./yaml/locate.ts";

/** The beginning of the comments. */
export const CONFLICT_COMMENT = "# merge conflict: ";
/** The end of a comment about a text that has both values, between markers. */
export const BOTH_TEXTS = "has the texts of both sides: keep one, and remove the markers and this line";

/** A comment of a merge. */
export interface ConflictComment extends Position {
  /** What it says after `CONFLICT_COMMENT`. */
  readonly text: string;
}

/** The comments of merges in a YAML text, or in the front matter of a Markdown file. The same words in a value are none. */
export function conflictComments(text: string): ConflictComment[] {
  const yaml = yamlPartOf(text);
  const found: ConflictComment[] = [];
  let scalars: readonly (readonly [from: number, to: number])[] | undefined;
  for (let at = yaml.indexOf(CONFLICT_COMMENT); at >= 0; at = yaml.indexOf(CONFLICT_COMMENT, at + 1)) {
    if (yaml.slice(yaml.lastIndexOf("\n", at) + 1, at).trim() !== "") continue;
    scalars ??= eventsOf(yaml).flatMap((event) =>
      event.type === EVENT_ID.SCALAR ? [[event.valueStart, event.valueEnd] as const] : [],
    );
    if (scalars.some(([from, to]) => from <= at && at < to)) continue;
    const end = /\r?\n|$/.exec(yaml.slice(at))!.index;
    found.push({ ...positionAt(yaml, at), text: yaml.slice(at + CONFLICT_COMMENT.length, at + end) });
  }
  return found;
}

/**
 * Refuses a file with the texts of both sides, so that the last version without them is served.
 *
 * @throws FileError that names each field with both values
 */
export function refuseConflicts(
  path: string,
  bytes: Uint8Array,
  { data, body }: { readonly data: Json; readonly body?: string },
): void {
  // Nearly every file ends here.
  const has = (text: string): boolean => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(text);
  if (!has(OURS_LABEL) || !has(CONFLICT_COMMENT)) return;
  const text = new TextDecoder().decode(bytes);
  if (!conflictComments(text).some((comment) => comment.text.endsWith(BOTH_TEXTS))) return;
  const found = [...textsIn(data, []), ...(body === undefined ? [] : [[["body"], body] as const])].flatMap(
    ([place, value]) => markedParts(value).map((parts) => ({ place, ...parts })),
  );
  const [first] = found;
  if (!first) return;
  const fields = found.map(
    ({ place, ours, theirs }) => `${place.join(".")} is ${showValue(ours)} in ours and ${showValue(theirs)} in theirs`,
  );
  throw new FileError(
    path,
    `has a merge conflict: ${fields.join("; ")}. Keep one of the two, and remove the markers and the comment.`,
    locate(text, first.place),
  );
}

function* textsIn(value: Json, above: KeyPath): Generator<readonly [place: KeyPath, text: string]> {
  if (typeof value === "string") yield [above, value];
  else if (isList(value)) for (const [at, item] of value.entries()) yield* textsIn(item, [...above, at]);
  else if (isObject(value)) for (const [key, inner] of Object.entries(value)) yield* textsIn(inner, [...above, key]);
}
