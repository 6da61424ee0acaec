/** What a reference may name as its target (decisions.md 32). */

export const BUILT_IN_MODELS = [
  "cms.Page", "cms.Article", "cms.Tag", "cms.Media", "cms.MediaFolder", "cms.Menu", "cms.Content", "cms.MetaType", "cms.MetaInstance",
  "auth.User",
] as const;

export type BuiltInModel = (typeof BUILT_IN_MODELS)[number];

/** Names of custom page models begin so. */
export const PAGES_APP = "pages.";

/** A built-in model's name as it is spelled, whatever case it was written in. */
export const findBuiltIn = (name: string): BuiltInModel | undefined =>
  BUILT_IN_MODELS.find((model) => model.toLowerCase() === name.toLowerCase());

/**
 * The same where the site's page models are not known yet, as while its files are being read: `pages.<Name>` is taken
 * at its word, and `cms check` says where there is none of that name.
 */
export const spelledModel = (name: string): string | undefined =>
  findBuiltIn(name) ?? (/^pages\.[^\s.]+$/i.test(name) ? PAGES_APP + name.slice(PAGES_APP.length) : undefined);
