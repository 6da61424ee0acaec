/** Unknown keys in files, which are mostly typing errors and have no effect. */
import { isObject, own, type JsonObject } from "../../model/input/json.ts";
import { findLang, type Locales } from "../../model/language/locale.ts";
import { mainPart, type AnyKind, type Part } from "../records/record-type.ts";

const FOREIGN = " CONTENT.FRONT_MATTER in cms.config.yaml reads front matter that another generator has.";

/**
 * Paths of unknown keys in a record's main file: at the top, and under `translations.<lang>`.
 *
 * A kind's key order is its list of keys; kinds without one are not checked.
 */
export function* unknownKeys(
  kind: AnyKind,
  parts: Iterable<Part>,
  data: JsonObject,
  locales: Locales,
): Generator<{ path: string[]; message: string }> {
  const main = mainPart(parts) ?? ".yaml";
  const [top = [], , texts = []] = kind.order(main);
  if (top.length === 0) return;
  for (const key of Object.keys(data)) {
    if (top.includes(key) || top.includes("*")) continue;
    const message = texts.includes(key)
      ? `Each language has this field: it belongs below translations.${locales.default}.${main === ".md" ? FOREIGN : ""}`
      : `No field has this name. There are: ${top.join(", ")}.`;
    yield { path: [key], message };
  }
  const translations = own(data, "translations");
  if (!isObject(translations) || !top.includes("translations")) return;
  for (const [code, values] of Object.entries(translations)) {
    if (findLang(locales, code) === undefined) {
      yield {
        path: ["translations", code],
        message: `The site has no such language. There are: ${locales.codes.join(", ")}.`,
      };
    } else if (isObject(values) && texts.length > 0) {
      for (const key of Object.keys(values)) {
        if (!texts.includes(key) && !texts.includes("*"))
          yield {
            path: ["translations", code, key],
            message: `No field has this name. There are: ${texts.join(", ")}.`,
          };
      }
    }
  }
}
