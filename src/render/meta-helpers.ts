/** What templates ask of meta types, and of the values they hold. */
import nunjucks from "nunjucks";
import { richText } from "./rich-text.ts";
import { asks, type TemplateThis } from "./template-view.ts";
import type { TemplateEnvironment } from "./templates.ts";

export function addMetaHelpers(environment: TemplateEnvironment): void {
  environment.addFilter("html", (html: unknown) => new nunjucks.runtime.SafeString(richText(String(html ?? ""))));
  // A type that is not there has no instances.
  environment.addGlobal("instances", function (this: TemplateThis, key: unknown) {
    return typeof key === "string" ? asks(this, "instances", key) : [];
  });
}
