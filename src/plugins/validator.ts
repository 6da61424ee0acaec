/** Compiles the JSON Schemas of plugins' field kinds, once, when the site is opened. */
import { createRequire } from "node:module";
import type { ValidateFunction } from "ajv/dist/2020.js";
import type { JsonSchema } from "../model/fields/definition.ts";

/** Ajv is loaded with the first schema: most sites have no plugins. */
const require = createRequire(import.meta.url);

/**
 * Inherited members of the data are not properties, so `{}` has no `constructor`.
 *
 * @throws Error for a schema that is not valid
 */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  const { Ajv2020 } = require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  const addFormats = require("ajv-formats") as typeof import("ajv-formats");
  const ajv = new Ajv2020({ strict: true, ownProperties: true });
  addFormats.default(ajv);
  return ajv.compile(schema);
}
