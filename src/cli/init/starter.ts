/** Files of every new site: settings, package.json, .gitignore. */
import { isObject } from "../../model/input/json.ts";
import type { Lang } from "../../model/language/locale.ts";
import { PROGRAM } from "../../version.ts";

/** @param languages code and name, in order @param isExample whether git ignores renditions (`EXAMPLE_GITIGNORE`) */
export const configText = (
  languages: readonly (readonly [Lang, string])[],
  defaultLanguage: Lang,
  isExample = false,
): string => `# The settings of this site. Only what differs from its default needs a line; docs/settings.md of git-cms lists the rest.
LANGUAGE_CODE: ${defaultLanguage}
LANGUAGES:
${languages.map(([code, name]) => `  ${code}: ${JSON.stringify(name)}`).join("\n")}
# Scheme and host in front of absolute URLs; without it the request's own are used.
# BASE_URL: https://www.example.org
${isExample ? EXAMPLE_SETTINGS : ""}`;

/** Agrees with `EXAMPLE_GITIGNORE`: what git ignores is not committed. */
const EXAMPLE_SETTINGS = `# The search of the site: cms-search in templates/defaults/base.html shows it.
SITE_SEARCH: true
# Renditions and thumbnails of pictures are made where they are asked for, and kept out of git.
MEDIA: { RENDITIONS: { COMMIT: false }, THUMBNAIL: { FOLDER: thumbnails } }
`;

const SCRIPTS = { serve: "cms serve", build: "cms build", check: "cms check" };

/**
 * The text of `package.json` with scripts and this program as a dependency. Scripts and dependencies that are there stay.
 *
 * @param before the text of the present one; undefined when there is none, or returned unchanged when it is no JSON object
 */
export function packageText(before: string | undefined, folder: string): string {
  const own = parsed(before ?? "{}");
  if (!own) return before ?? "";
  const fresh = { name: packageName(folder), private: true, type: "module" };
  const { scripts, dependencies, ...rest }: { readonly [key: string]: unknown } = before === undefined ? fresh : own;
  const isKnown = [dependencies, own.devDependencies].some((each) => isObject(each) && PROGRAM.name in each);
  if (isKnown && isObject(scripts) && Object.keys(SCRIPTS).every((name) => name in scripts)) return before ?? "";
  const next = {
    ...rest,
    scripts: { ...SCRIPTS, ...(isObject(scripts) && scripts) },
    dependencies: {
      ...(isObject(dependencies) && dependencies),
      ...(!isKnown && { [PROGRAM.name]: `^${PROGRAM.version}` }),
    },
  };
  const indent = /^[ \t]+(?=")/m.exec(before ?? "")?.[0] ?? "  ";
  return `${JSON.stringify(next, null, indent)}\n`;
}

/** The scripts of a `package.json` that run something else than the site's would; they stay. */
export function ownScripts(text: string): string[] {
  const scripts = parsed(text)?.scripts;
  if (!isObject(scripts)) return [];
  return Object.entries(SCRIPTS).flatMap(([name, command]) =>
    name in scripts && scripts[name] !== command ? [name] : [],
  );
}

function parsed(text: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const packageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "site";

export const GITIGNORE = "dist/\n.cms-cache/\n.cms/\nnode_modules/\n.env\n";
/** For a site with the example content, whose renditions are made on request. */
export const EXAMPLE_GITIGNORE = `${GITIGNORE}media/renditions/\nmedia/thumbnails/\n`;

/** For a site whose media library is in Git LFS. */
export const LFS_ATTRIBUTES = "media/** filter=lfs diff=lfs merge=lfs -text\n";

/** Names of languages in their own language; the fallback is the code. */
export function languageName(code: Lang): string {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}
