import type { Entity } from "../../store/records/record-type.ts";
import { isObject } from "../../model/input/json.ts";
import type { Lang } from "../../model/language/locale.ts";

/** The name of a record for people: its title in the given or any language, else its name, key, identifier or id. */
export function recordName(record: Entity, lang: Lang): string {
  const { translations, title, name, key, identifier } = record as unknown as Readonly<Record<string, unknown>>;
  const texts = isObject(translations) ? Object.values({ first: translations[lang], ...translations }) : [];
  const titles = texts.flatMap((text) => (isObject(text) ? [text.title, text.name] : []));
  const found = [...titles, title, name, key, identifier].find((each) => typeof each === "string" && each !== "");
  return typeof found === "string" ? found : `${record.id}`;
}
