/** Names of the models that a reference may target. */
import { modelOf, RECORDS, type DeclaredModel } from "./records.ts";

// oxfmt-ignore
const OTHERS = [
  "cms.Page", "cms.Article", "cms.Media", "cms.MediaFolder", "cms.Menu", "cms.Content", "cms.MetaType",
  "cms.MetaInstance", "auth.User",
] as const;

export type BuiltInModel = (typeof OTHERS)[number] | DeclaredModel;

export const BUILT_IN_MODELS: readonly BuiltInModel[] = [...OTHERS, ...RECORDS.map(modelOf)];

const LABELS: { readonly [model in BuiltInModel]?: string } = {
  "cms.Media": "media item",
  "cms.MediaFolder": "media folder",
  "cms.MetaType": "meta type",
  "cms.MetaInstance": "meta instance",
};

/** What messages call a record of a model: "media item", "tag". */
export const modelLabel = (model: BuiltInModel): string =>
  LABELS[model] ?? model.slice(model.indexOf(".") + 1).toLowerCase();

/** The prefix of custom page models. */
export const PAGES_APP = "pages.";

/** The built-in model with a name, ignoring case. */
export const findBuiltIn = (name: string): BuiltInModel | undefined =>
  BUILT_IN_MODELS.find((model) => model.toLowerCase() === name.toLowerCase());

/**
 * The canonical form of a model name while the site's page models are not loaded yet: any `pages.<Name>` is accepted,
 * and `cms check` reports those that do not exist.
 */
export const canonicalModelName = (name: string): string | undefined =>
  findBuiltIn(name) ?? (/^pages\.[^\s.]+$/i.test(name) ? PAGES_APP + name.slice(PAGES_APP.length) : undefined);
