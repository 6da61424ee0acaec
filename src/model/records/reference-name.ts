/**
 * References by name, as files may have them: `/bread`, `Sourdough`, `hero.jpg` where an id is expected. What a name
 * stands for depends on other records, so a record from a file has the name itself until all records are known
 * (`store/content/names/`).
 */
import type { Json } from "../input/json.ts";
import type { Id } from "../input/id.ts";

/** In characters; longer texts are not names. */
const REFERENCE_NAME_MAX = 1000;

/**
 * Called with each value of a record that may be a reference: an id, null, a name, or anything else that a file has there.
 *
 * @param model the model of the target
 * @param field name of the field that has the value, or the list with it
 * @returns the value to have instead; null removes an item of a list
 */
export type VisitReference = (model: string, value: Json, field: string) => Json;

/** Whether a value of a file names a record. A number in quotes is an id. */
export const isReferenceName = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length <= REFERENCE_NAME_MAX &&
  value.trim() !== "" &&
  !/^\s*\d{1,10}\s*$/.test(value) &&
  !/[\r\n]/.test(value);

/** A list of references with each item visited; the same list when none changes. */
function visitList<T extends Json>(
  list: readonly T[],
  model: string,
  field: string,
  visit: VisitReference,
): readonly T[] {
  const visited = list.flatMap((item): T[] => {
    const to = visit(model, item, field) as T;
    return to === null && item !== null ? [] : [to];
  });
  return visited.length === list.length && visited.every((item, at) => Object.is(item, list[at])) ? list : visited;
}

/** The value of a field with one reference, or with a list of them, visited. */
export const visitValue = (value: Json, model: string, field: string, visit: VisitReference): Json =>
  Array.isArray(value) ? visitList(value as readonly Json[], model, field, visit) : visit(model, value, field);

/** The form in which names are compared. */
export const foldName = (name: string): string => name.trim().normalize("NFC").toLowerCase();

/** A record's value that is a name until it is resolved, where its type has an id. */
export const unresolved = (name: string): Id => name as unknown as Id;
