/** Settings of VS Code for the YAML files of a site: which JSON Schema checks and completes which files. */
import { fileSchemas, yamlSchemas } from "../schema/files.ts";
import type { SiteShape } from "../schema/site-shape.ts";

/**
 * The text of `.vscode/settings.json` of a new site: one schema for the instances of all meta types.
 * `cms schemas --mapping` prints it with one for each.
 *
 * @param codes of the languages
 */
export function editorSettings(codes: SiteShape["codes"]): string {
  const schemas = fileSchemas({ codes, models: [], types: [], computed: [] });
  return `${JSON.stringify({ "yaml.schemas": yamlSchemas(schemas) }, null, 2)}\n`;
}
