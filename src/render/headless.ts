/** Whether the service or another program renders the pages of a site. */
import type { Config } from "../config.ts";
import type { Templates } from "./templates.ts";

/** The template of the page for paths that lead nowhere, and the name of its file in a build. */
export const NOT_FOUND = "404.html";

/** The setting RENDER.HEADLESS; by default a site is headless while it has no template of a page below `templates/`. */
export const isHeadless = ({ RENDER }: Config, templates: Pick<Templates, "list">): boolean =>
  RENDER.HEADLESS ?? !templates.list().some((name) => name !== NOT_FOUND);

/**
 * Whether pages may name templates that are no files: those of the program that renders them. Requests below the roots of
 * API.ALIASES may, so files of a site with such roots are not judged either.
 */
export const acceptsAnyTemplate = (config: Config, templates: Pick<Templates, "list">): boolean =>
  config.API.ALIASES.length > 0 || isHeadless(config, templates);

/**
 * The template that a page is rendered with: its own, or the site's default where its own is one of another program.
 *
 * @returns undefined where another program renders the page and there is no default: the page has no HTML here
 */
export function renderedTemplate(config: Config, templates: Templates, template: string): string | undefined {
  if (templates.isCompiled(template) || templates.has(template) || !acceptsAnyTemplate(config, templates))
    return template;
  const { DEFAULT_TEMPLATE } = config.RENDER.PAGE;
  return templates.has(DEFAULT_TEMPLATE) ? DEFAULT_TEMPLATE : undefined;
}
