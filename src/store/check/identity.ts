/** Files that leave out their `id`: it is derived from their path, so moving such a file makes it another record. */
import { own, type JsonObject } from "../../model/json.ts";
import type { AnyKind, Base, Part } from "../content/record-type.ts";
import { derivedId } from "../content/records/fields.ts";

/** Whether a main file could say its id and does not. Kinds whose records are known by their name alone have none. */
export function lacksId(kind: AnyKind, main: Part, data: JsonObject): boolean {
  const [top = []] = kind.order(main);
  return top.includes("id") && (own(data, "id") ?? null) === null;
}

/** The derived id is named, since writing exactly that one into the file keeps every link and revision. */
export const derivedIdWarning = (base: Base): string =>
  'There is no "id": it is derived from the path, so moving or renaming the file makes it another record, and links ' +
  `to it break. Add "id: ${derivedId(base)}" to keep it.`;
