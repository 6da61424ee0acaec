/** The variants of an image: which renditions are asked for, by name, width and format. */
import {
  repeatedNames,
  VARIANT_FORMATS,
  VARIANT_NAME,
  VARIANT_WIDTH_MAX,
  type Variant,
} from "../../config/setting-types.ts";
import type { FieldErrors } from "../../errors.ts";
import { isObject, own, type Json } from "../input/json.ts";

const VARIANTS_MAX = 32;

/** The variants of an item: its own, or those of the settings where it has none (null or []); none while renditions are disabled. */
export const askedVariants = (
  own: readonly Variant[] | null,
  { ENABLE, VARIANTS }: { readonly ENABLE: boolean; readonly VARIANTS: readonly Variant[] },
): readonly Variant[] => (!ENABLE ? [] : own?.length ? own : VARIANTS);

/**
 * Reads variants from input; null and [] mean those of the settings: see `askedVariants`.
 *
 * @returns the variants, or the errors by index and key
 */
export function readVariants(
  value: Json,
): { readonly variants: readonly Variant[] | null } | { readonly errors: FieldErrors | readonly string[] } {
  if (value === null) return { variants: null };
  if (!Array.isArray(value)) return { errors: [`Expected a list of items but got type "${typeof value}".`] };
  if (value.length > VARIANTS_MAX) return { errors: [`Ensure this field has no more than ${VARIANTS_MAX} elements.`] };
  const errors: Record<string, FieldErrors> = {};
  const repeated = repeatedNames(value.map((item: Json) => (isObject(item) ? own(item, "name") : undefined)));
  const variants = (value as readonly Json[]).map((item, at): Variant => {
    const wrong: Record<string, readonly string[]> = {};
    const from = isObject(item) ? item : {};
    if (!isObject(item)) wrong.non_field_errors = ["Invalid data. Expected a dictionary."];
    const [name, width, format] = [own(from, "name"), own(from, "width"), own(from, "format")];
    if (typeof name !== "string" || !VARIANT_NAME.test(name))
      wrong.name = ["Letters, digits, - and _ are expected, 64 at most."];
    else if (repeated.includes(at)) wrong.name = ["Names must be unique."];
    if (typeof width !== "number" || !Number.isInteger(width) || width < 1 || width > VARIANT_WIDTH_MAX)
      wrong.width = [`A whole number of pixels from 1 to ${VARIANT_WIDTH_MAX} is expected.`];
    if (!VARIANT_FORMATS.some((each) => each === format))
      wrong.format = [`"${String(format)}" is not a valid choice: ${VARIANT_FORMATS.join(", ")}.`];
    if (Object.keys(wrong).length > 0) errors[at] = wrong;
    return { name, width, format } as Variant;
  });
  return Object.keys(errors).length > 0 ? { errors } : { variants };
}
