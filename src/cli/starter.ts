/** Files of every new site: settings and .gitignore. */
import type { Lang } from "../model/locale.ts";

/** @param languages code and name, in order */
export const configText = (
  languages: readonly (readonly [Lang, string])[],
  defaultLanguage: Lang,
): string => `# The settings of this site. Only what differs from its default needs a line; docs/settings.md of git-cms lists the rest.
LANGUAGE_CODE: ${defaultLanguage}
LANGUAGES:
${languages.map(([code, name]) => `  ${code}: ${JSON.stringify(name)}`).join("\n")}
# Scheme and host in front of absolute URLs; without it the request's own are used.
# BASE_URL: https://www.example.org
`;

export const GITIGNORE = "dist/\nnode_modules/\n.env\n";
/** For a site with the example content, whose renditions are made on request. */
export const EXAMPLE_GITIGNORE = `${GITIGNORE}media/renditions/\nmedia/thumbnails/\n`;

/** Names of languages in their own language; the fallback is the code. */
export function languageName(code: Lang): string {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}
