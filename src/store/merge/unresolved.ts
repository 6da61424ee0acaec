/** Conflicts that a merge left in a file: values of both sides in one text, between markers. */
import { isList, isObject, type Json } from "../../model/json.ts";
import { showValue } from "../../model/merge/conflict.ts";
import { markedParts, OURS_LABEL } from "../../model/merge/marked-text.ts";
import { FileError, locate, type FileContent, type KeyPath } from "../codec/codec.ts";
import type { Path } from "../repo.ts";

/**
 * Refuses a file with markers, so that the last version without them is served.
 *
 * @throws FileError that names each field with both values
 */
export function refuseConflicts(path: Path, bytes: Uint8Array, { data, body }: FileContent): void {
  // Nearly every file ends here.
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(OURS_LABEL) < 0) return;
  const found = [...textsIn(data, []), ...(body === undefined ? [] : [[["body"], body] as const])].flatMap(
    ([place, text]) => markedParts(text).map((parts) => ({ place, ...parts })),
  );
  const [first] = found;
  if (!first) return;
  const fields = found.map(
    ({ place, ours, theirs }) => `${place.join(".")} is ${showValue(ours)} in ours and ${showValue(theirs)} in theirs`,
  );
  const position = locate(new TextDecoder().decode(bytes), first.place);
  throw new FileError(
    path,
    `has a merge conflict: ${fields.join("; ")}. Keep one of the two, and remove the markers.`,
    position,
  );
}

function* textsIn(value: Json, above: KeyPath): Generator<readonly [place: KeyPath, text: string]> {
  if (typeof value === "string") yield [above, value];
  else if (isList(value)) for (const [at, item] of value.entries()) yield* textsIn(item, [...above, at]);
  else if (isObject(value)) for (const [key, inner] of Object.entries(value)) yield* textsIn(inner, [...above, key]);
}
