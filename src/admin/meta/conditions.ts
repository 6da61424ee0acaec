/** `show_if` as rows of a form, and back. Several values of a field are separated by commas. */
import { isList, isRecord, type Json, type Values } from "../json.ts";

export const conditionRows = (condition: Json): readonly Values[] =>
  isRecord(condition)
    ? Object.entries(condition).map(([field, wanted]) => ({
        field,
        values: (isList(wanted) ? wanted : [wanted]).map(String).join(", "),
      }))
    : [];

/** null without a row that has a value. */
export function conditionOf(rows: readonly Values[]): Json {
  const found = rows.flatMap(({ field, values }): [string, Json][] => {
    const wanted = String(values ?? "")
      .split(",")
      .map((value) => value.trim())
      .filter((value) => value !== "");
    return wanted.length === 0 ? [] : [[String(field), wanted.length === 1 ? wanted[0]! : wanted]];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}
