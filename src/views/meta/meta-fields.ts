/** The parts of payloads of meta types and instances that are the same inside other payloads. */
import { showInstant } from "../../model/time/instant.ts";
import type { MetaInstance, MetaType } from "../../model/records/meta.ts";
import type { JsonObject } from "../../model/input/json.ts";
import { localisedData, resolveData, type Resolver } from "../../model/records/schema.ts";
import { typeOf } from "../../store/content/indexes/meta-index.ts";
import type { Payload, View } from "../view.ts";

/** `compiled_at` is `updated_at`: there is no separate compilation. */
export const typePayload = (type: MetaType): Payload => ({
  id: type.id,
  key: type.key,
  name: type.name,
  description: type.description,
  schema: type.schema,
  created_at: showInstant(type.created_at),
  updated_at: showInstant(type.updated_at),
  compiled_at: showInstant(type.updated_at),
});

/**
 * An instance as readers of the site see it, in its own place and where another record refers to it: each translated field
 * has its value in the language of the view, or else in the default language.
 */
export function localisedInstance(view: View, instance: MetaInstance, resolver: Resolver): Payload {
  const fields = instanceFields(view, instance, resolver);
  const type = typeOf(view.content, instance);
  if (!type) return fields;
  const { lang, locales } = view;
  return { ...fields, data: localisedData(type.schema, fields.data as JsonObject, lang, locales.default) };
}

/** The data of an instance without a type is served as it is stored. */
export function instanceFields(view: View, instance: MetaInstance, resolver: Resolver): Payload {
  const type = typeOf(view.content, instance);
  return {
    id: instance.id,
    meta_type: type?.id ?? instance.meta_type,
    identifier: instance.identifier,
    data: type ? resolveData(type.schema, instance.data, view.locales, resolver, { fill: true }) : instance.data,
    created_at: showInstant(instance.created_at),
    updated_at: showInstant(instance.updated_at),
  };
}
