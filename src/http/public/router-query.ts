/** The parameters of the public routers. */
import { findLang, type Lang } from "../../model/language/locale.ts";
import { text } from "../../schema/json-schema.ts";
import type { Call } from "../app/route.ts";
import type { Parameter } from "../openapi/operation.ts";
import { FIELDS } from "../openapi/parameters.ts";

export const ROUTER_QUERY: readonly Parameter[] = [
  {
    name: "included_translations",
    description: "Languages whose texts are added, separated by commas, or `all`.",
    schema: text("all"),
  },
  FIELDS,
];

/** `all`, or codes separated by commas; unknown ones add nothing. */
export function includedTranslations(call: Call): readonly Lang[] {
  const asked = call.url.searchParams.get("included_translations") ?? "";
  const { locales } = call.ctx;
  if (asked.trim().toLowerCase() === "all") return locales.codes;
  const named = asked.split(",").flatMap((code) => findLang(locales, code) ?? []);
  return locales.codes.filter((lang) => named.includes(lang));
}
