/**
 * The functions used of the `yaml` package, loaded at the first write: parsing does not need it, and most commands only read.
 */
import { createRequire } from "node:module";
import type * as Yaml from "yaml";
import type { Json } from "../../../model/input/json.ts";

const require = createRequire(import.meta.url);
let loaded: typeof Yaml | undefined;
const yaml = (): typeof Yaml => (loaded ??= require("yaml") as typeof Yaml);

export const isCollection = ((node: unknown) => yaml().isCollection(node)) as typeof Yaml.isCollection;
export const isMap = ((node: unknown) => yaml().isMap(node)) as typeof Yaml.isMap;
export const isNode = ((node: unknown) => yaml().isNode(node)) as typeof Yaml.isNode;
export const isScalar = ((node: unknown) => yaml().isScalar(node)) as typeof Yaml.isScalar;
export const parseDocument = ((...args: Parameters<typeof Yaml.parseDocument>) =>
  yaml().parseDocument(...args)) as typeof Yaml.parseDocument;
export const visit = ((...args: Parameters<typeof Yaml.visit>) => yaml().visit(...args)) as typeof Yaml.visit;

export const newDocument = (
  data: Json,
  options: Yaml.DocumentOptions & Yaml.SchemaOptions & Yaml.ParseOptions & Yaml.CreateNodeOptions,
): Yaml.Document => new (yaml().Document)(data, options);
