/** Files without an `id`: it is derived from their path, so moving such a file makes it another record. */
import { own, type JsonObject } from "../../model/input/json.ts";
import type { Fix } from "../../model/text/problem.ts";
import type { AnyKind, Base, Part } from "../records/record-type.ts";
import { derivedId } from "../records/fields.ts";

/** Whether a main file has no id although its kind has ids in files (others identify records by name). */
export function lacksId(kind: AnyKind, main: Part, data: JsonObject): boolean {
  const [top = []] = kind.order(main);
  return top.includes("id") && (own(data, "id") ?? null) === null;
}

/** Names the derived id: writing exactly this one into the file keeps links and revisions. */
export const derivedIdWarning = (base: Base): string =>
  'There is no "id": it is derived from the path, so moving or renaming the file makes it another record, and links ' +
  `to it break. Add "id: ${derivedId(base)}" to keep it.`;

/** With the derived id in the file. */
export const addId =
  (base: Base): Fix =>
  (data) => ({ ...data, id: derivedId(base) });
