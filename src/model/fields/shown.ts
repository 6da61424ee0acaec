/** Which fields of a record are shown, by the values of others beside them. */
import { isList, own, sameJson, type Json, type JsonObject } from "../input/json.ts";
import { canonicalValue, type Spelled } from "./canonical.ts";

/** What of a definition says whether its field is shown. */
type Conditional = Spelled & { readonly name: string; readonly show_if?: JsonObject };

/**
 * Whether a field is shown: each field that `show_if` names is shown itself, and has the value, one of the values, or
 * the value among its own. A boolean that is absent counts as false.
 *
 * @param siblings the definitions of the same record, accepted by `conditionErrors`
 * @param values of the record, in any spelling that the fields accept
 */
export const isShown = ({ show_if }: Conditional, siblings: readonly Conditional[], values: JsonObject): boolean =>
  show_if === undefined ||
  Object.entries(show_if).every(([name, wanted]) => {
    const other = siblings.find((each) => each.name === name);
    if (!other || !isShown(other, siblings, values)) return false;
    const found = oneOrMore(own(values, name) ?? (other.kind === "boolean" ? false : null));
    const canonical = found.map((value) => canonicalValue(value, other));
    return oneOrMore(wanted).some((option) => canonical.some((each) => sameJson(each, canonicalValue(option, other))));
  });

/** The values of a condition, or of a field that takes several. */
export const oneOrMore = (value: Json): readonly Json[] => (isList(value) ? value : [value]);
