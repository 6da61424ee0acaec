/** Settings of VS Code for the YAML files of a site: which JSON Schema checks and completes which files. */

/** Where `cms schemas` writes, relative to the site. */
export const SCHEMAS_FOLDER = ".cms/schemas";

/** Files by the name of their schema; what `!` begins is left out. */
const FILES: Readonly<Record<string, string | readonly string[]>> = {
  settings: "cms.config.yaml",
  page: ["content/pages/**/*.yaml", "!content/pages/**/*.draft.*.yaml"],
  article: ["content/articles/**/*.yaml", "!content/articles/**/*.draft.*.yaml"],
  draft: ["content/**/*.draft.*.yaml"],
  tag: "content/tags/*.yaml",
  menu: "content/menus/*.yaml",
  content: "content/contents/**/*.yaml",
  "page-model": "content/page-models/*.yaml",
  "meta-type": "content/meta-types/*.yaml",
  media: ["content/media/**/*.yaml", "!content/media/**/_folder.yaml"],
  "media-folder": "content/media/**/_folder.yaml",
  redirects: "content/redirects.yaml",
};

/** The text of `.vscode/settings.json`. */
export function editorSettings(): string {
  const schemas = Object.entries(FILES).map(([name, files]) => [`./${SCHEMAS_FOLDER}/${name}.json`, files] as const);
  return `${JSON.stringify({ "yaml.schemas": Object.fromEntries(schemas) }, null, 2)}\n`;
}
