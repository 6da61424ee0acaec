/** Compiles JSON Schemas to validators. */
import { createRequire } from "node:module";
import type { ValidateFunction } from "ajv/dist/2020.js";
import type { JsonSchema } from "./definition.ts";

/** Ajv is loaded with the first schema: most commands, and sites without types, need none. */
const require = createRequire(import.meta.url);

/** Our own keywords, for the targets of references; annotations for a validator. */
export const VOCABULARY = ["x-model", "x-multiple"];

/**
 * Compiles a schema that this program generated. The validator stops at the first error.
 *
 * Inherited members of the data are not properties, so `{}` has no `constructor`.
 */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  const { Ajv2020 } = require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  const addFormats = require("ajv-formats") as typeof import("ajv-formats");
  // A new instance each time, since an instance keeps everything it compiled. Generated schemas need no validation.
  // Optimising the code for 500 fields takes seconds and does not make it faster.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: true, ownProperties: true, meta: false, validateSchema: false, code });
  addFormats.default(ajv, ["date", "date-time"]);
  ajv.addVocabulary(VOCABULARY);
  return ajv.compile(schema);
}
