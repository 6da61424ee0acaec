import { text } from "../i18n.ts";
import type { TextKey } from "../texts/en.ts";

const MODELS: Readonly<Record<string, TextKey>> = {
  page: "pages",
  article: "articles",
  tag: "tags",
  content: "blocks",
  menu: "menus",
  media: "media",
  mediafolder: "folders",
  metatype: "types",
  metainstance: "instances",
  user: "accounts",
  token: "tokens",
};

/** What records of a model are called, by the name that permissions and rules have for it. */
export const modelName = (model: string): string => (MODELS[model] ? text(MODELS[model]) : model);
