/** JSON Schemas as functions. */
import { createRequire } from "node:module";
import type { ValidateFunction } from "ajv/dist/2020.js";
import type { JsonSchema } from "./definition.ts";

/** Loaded with the first schema: most commands, and sites without types, compile none. */
const require = createRequire(import.meta.url);

/** Keywords of ours that say what a reference points at; to a validator they are remarks. */
export const VOCABULARY = ["x-model", "x-multiple"];

/**
 * Compiles a schema that this program made. The result stops at the first error.
 *
 * Inherited members of the data do not count, so `{}` has no `constructor`.
 */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  const { Ajv2020 } = require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  const addFormats = require("ajv-formats") as typeof import("ajv-formats");
  // An instance of its own each time, since an instance keeps all it ever compiled. Its form needs no check: it is ours.
  // To optimise the code of 500 fields would take seconds, and make it no faster.
  const ajv = new Ajv2020({ strict: true, ownProperties: true, meta: false, validateSchema: false, code: { optimize: false } });
  addFormats.default(ajv, ["date", "date-time"]);
  ajv.addVocabulary(VOCABULARY);
  return ajv.compile(schema);
}
