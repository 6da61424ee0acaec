/** Settings of VS Code for the YAML files of a site: which JSON Schema checks and completes which files. */
import { UNDATED } from "../../model/time/instant.ts";
import { fileSchemas, yamlSchemas } from "../../schema/files.ts";
import type { SiteShape } from "../../schema/site-shape.ts";

/**
 * The text of `.vscode/settings.json` of a new site: one schema for the instances of each meta type, and one for those of
 * all others. `cms schemas --mapping` prints the same for the types that a site has later.
 *
 * @param codes of the languages
 * @param types keys of the meta types
 */
export function editorSettings(codes: SiteShape["codes"], types: readonly string[]): string {
  const blank = {
    id: 1,
    name: "",
    description: "",
    schema: [],
    created_at: UNDATED,
    updated_at: UNDATED,
    typeName: "",
  };
  const site = {
    codes,
    models: [],
    types: types.map((key) => ({ ...blank, key })),
    blocks: [],
    computed: [],
    hasTimeZone: false,
  };
  return `${JSON.stringify({ "yaml.schemas": yamlSchemas(fileSchemas(site)) }, null, 2)}\n`;
}
