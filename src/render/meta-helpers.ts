/** What templates ask of meta types, and of the values they hold. */
import nunjucks from "nunjucks";
import type { JsonObject } from "../model/json.ts";
import { localisedData } from "../model/schema.ts";
import { findTypeByKey, instancesOf } from "../store/meta-index.ts";
import { instancePayload } from "../views/meta.ts";
import type { Payload, View } from "../views/view.ts";
import { richText } from "./rich-text.ts";
import { viewOf, type TemplateThis } from "./template-view.ts";
import type { TemplateEnvironment } from "./templates.ts";

export function addMetaHelpers(environment: TemplateEnvironment): void {
  environment.addFilter("html", (html: unknown) => new nunjucks.runtime.SafeString(richText(String(html ?? ""))));
  environment.addGlobal("instances", function (this: TemplateThis, key: unknown) {
    return instancesByKey(viewOf(this), key);
  });
}

/**
 * The instances of a type in order of creation, as their payloads, but with one value where a field is translated: that
 * of the view's language, else of the default one.
 *
 * @param key of the type; one that is not there has no instances
 */
function instancesByKey(view: View, key: unknown): Payload[] {
  const type = typeof key === "string" ? findTypeByKey(view.content, key) : undefined;
  if (!type) return [];
  return instancesOf(view.content, type).map((instance) => {
    const payload = instancePayload(view, instance);
    return { ...payload, data: localisedData(type.schema, payload.data as JsonObject, view.lang, view.locales.default) };
  });
}
