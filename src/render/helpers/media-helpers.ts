/** Template helpers for images: `srcset`, `media_picture`, `media_srcset_url`. */
import nunjucks from "nunjucks";
import { pictureHtml, renditionUrl, srcsetOf } from "../../views/media/picture-html.ts";
import { runQuery, type TemplateThis } from "../template-view.ts";
import type { TemplateEnvironment } from "../templates.ts";

/** nunjucks passes named arguments as a last argument, an object with this key. */
const NAMED = "__keywords";
const ATTRIBUTE = /^[a-z][a-z0-9:_-]*$/i;
const FORMATS = ["avif", "webp"];

export function addMediaHelpers(environment: TemplateEnvironment): void {
  environment.addGlobal("media", function (this: TemplateThis, id: unknown) {
    return typeof id === "number" ? runQuery(this, "media", id) : null;
  });
  environment.addFilter("srcset", function (this: TemplateThis, media: unknown, format: unknown = "webp") {
    return srcsetOf(payloadOf(this, media), String(format));
  });
  environment.addGlobal("media_srcset_url", function (this: TemplateThis, media: unknown, name: unknown) {
    return renditionUrl(payloadOf(this, media), String(name));
  });
  environment.addGlobal("media_picture", function (this: TemplateThis, media: unknown, ...rest: unknown[]) {
    const { alt, sizes, formats = FORMATS, fallback = "original", ...attributes } = namedOf(rest);
    const html = pictureHtml(payloadOf(this, media), {
      alt: alt === undefined || alt === null ? null : String(alt),
      ...(sizes !== undefined && sizes !== null && sizes !== "" && { sizes: String(sizes) }),
      formats: Array.isArray(formats) ? formats.map(String) : String(formats).split(","),
      fallback: String(fallback),
      attributes: Object.entries(attributes).flatMap(([name, value]) => attributeOf(name, value)),
    });
    return new nunjucks.runtime.SafeString(html); // all values in it are escaped
  });
}

/** The payload of an item that a template passes as a payload or by its id. */
const payloadOf = (self: TemplateThis, media: unknown): unknown =>
  typeof media === "number" ? runQuery(self, "media", media) : media;

function namedOf(rest: readonly unknown[]): { readonly [name: string]: unknown } {
  const last = rest.at(-1);
  if (typeof last !== "object" || last === null || !Object.hasOwn(last, NAMED)) return {};
  return Object.fromEntries(Object.entries(last).filter(([name]) => name !== NAMED));
}

/** null and false omit an attribute; true gives it an empty value. Event handlers are dropped. */
function attributeOf(name: string, value: unknown): (readonly [string, string])[] {
  if (value === undefined || value === null || value === false || !ATTRIBUTE.test(name) || /^on/i.test(name)) return [];
  return [[name.toLowerCase(), value === true ? "" : String(value)]];
}
