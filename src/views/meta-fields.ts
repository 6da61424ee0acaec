/** Meta types and instances as their own payloads and those of others show them alike. */
import { showInstant } from "../model/instant.ts";
import type { MetaInstance, MetaType } from "../model/meta.ts";
import { resolveData, type Resolver } from "../model/schema.ts";
import { typeOf } from "../store/meta-index.ts";
import type { Payload, View } from "./view.ts";

/** contract.md 10.2. A type is compiled whenever it is saved. */
export const typeFields = (type: MetaType): Payload => ({
  id: type.id,
  key: type.key,
  name: type.name,
  description: type.description,
  schema: type.schema,
  created_at: showInstant(type.created_at),
  updated_at: showInstant(type.updated_at),
  compiled_at: showInstant(type.updated_at),
});

/** contract.md 10.6. An instance whose type is gone shows its data as it is stored. */
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
