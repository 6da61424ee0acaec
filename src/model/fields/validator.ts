/** JSON Schemas as functions. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema } from "./definition.ts";

/** Keywords of ours that say what a reference points at; to a validator they are remarks. */
export const VOCABULARY = ["x-model", "x-multiple"];

/**
 * Compiles a schema that this program made. The result stops at the first error.
 *
 * Inherited members of the data do not count, so `{}` has no `constructor`.
 */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  // An instance of its own each time, since an instance keeps all it ever compiled. Its form needs no check: it is ours.
  const ajv = new Ajv2020({ strict: true, ownProperties: true, meta: false, validateSchema: false });
  addFormats.default(ajv, ["date", "date-time"]);
  ajv.addVocabulary(VOCABULARY);
  return ajv.compile(schema);
}
