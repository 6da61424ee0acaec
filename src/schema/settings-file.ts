/** The schema of `cms.config.yaml`, from the table of settings. */
import { SETTINGS } from "../config.ts";
import { fileSchema } from "./file-schema.ts";
import type { Schema } from "./json-schema.ts";

interface Group {
  [key: string]: Group | Schema;
}

const isSetting = (value: Group | Schema): value is Schema => "description" in value;

export function settingsSchema(): Schema {
  const tree: Group = {};
  for (const { path, type, fallback, help } of SETTINGS) {
    const keys = path.split(".");
    const name = keys.pop()!;
    let group = tree;
    for (const key of keys) group = (group[key] ??= {}) as Group;
    group[name] = { description: help, default: fallback, ...type.schema };
  }
  const plugins = {
    description: "Paths of the plugins, .js, .mjs or .ts files below the site's root.",
    type: "array",
    items: { type: "string", pattern: "\\.(m?js|ts)$" },
  };
  const schema = groupSchema({ ...tree, plugins });
  return fileSchema("Settings", "The settings of a site: only what differs from its default needs a line.", schema);
}

const groupSchema = (group: Group): Schema => ({
  type: ["object", "null"],
  properties: Object.fromEntries(
    Object.entries(group).map(([key, value]) => [key, isSetting(value) ? value : groupSchema(value)]),
  ),
  additionalProperties: false,
});
