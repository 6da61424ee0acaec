/** The fields of records as OpenAPI schemas, which follow from their tables of fields. */
import type { FieldRow } from "../model/field.ts";
import { ID_MAX } from "../model/id.ts";

/** What a record is called in the description of the API, and its writable fields. */
export interface RecordSchema {
  readonly name: string;
  readonly fields: readonly FieldRow[];
}

/** A record as it is written. Translated fields may be flat or under `translations`. */
export function schemaOf({ fields }: RecordSchema): object {
  const translated = fields.filter((row) => row.translated);
  return {
    type: "object",
    properties: {
      ...propertiesOf(fields),
      ...(translated.length > 0 && {
        translations: {
          type: "object",
          description: "By language code",
          additionalProperties: { type: "object", properties: propertiesOf(translated) },
        },
      }),
    },
  };
}

const propertiesOf = (fields: readonly FieldRow[]): object =>
  Object.fromEntries(fields.map((row) => [row.name, { ...valueSchema(row), ...(row.nullable && { nullable: true }) }]));

function valueSchema({ type, max, blank, target }: FieldRow): object {
  const id = { type: "integer", minimum: 1, maximum: ID_MAX };
  switch (type) {
    case "text":
      return {
        type: "string",
        ...(blank === false && { minLength: 1 }),
        ...(max !== undefined && { maxLength: max }),
      };
    case "boolean":
    case "object":
      return { type };
    case "integer":
      return { type, minimum: 0, maximum: ID_MAX };
    case "instant":
      return { type: "string", format: "date-time" };
    case "json":
      return {};
    case "reference":
      return { ...id, description: `Id of a ${target ?? "record"}` };
    case "account":
      return { ...id, description: "Id of an auth.User" };
    case "references":
      return { type: "array", items: id, description: `Ids of ${target ?? "records"}` };
  }
}
