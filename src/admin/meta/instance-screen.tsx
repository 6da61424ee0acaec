/** An instance of a type: a form made of the fields of the type. */
import { get } from "../api.ts";
import { loadBlockTypes } from "../fields/blocks/block-types.ts";
import { DataForm } from "../fields/data-form.tsx";
import { emptyData } from "../fields/empty-data.ts";
import { storedData } from "../fields/stored-form.ts";
import { text } from "../i18n.ts";
import { isRecord } from "../json.ts";
import { RecordFields } from "../records/record-fields.tsx";
import { RecordScreen } from "../records/record-screen.tsx";
import type { RecordPlace } from "../records/record-state.ts";
import { may } from "../session.ts";
import type { MetaTypePayload } from "../../library/payloads.ts";
import { useLoaded } from "../ui/loaded.ts";

interface InstanceScreenProps {
  readonly type: number;
  readonly id: number | undefined;
}

export function InstanceScreen({ type: typeId, id }: InstanceScreenProps) {
  const type = useLoaded(async () => {
    const [found] = await Promise.all([get<MetaTypePayload>(`meta-types/${typeId}/`), loadBlockTypes()]);
    return found;
  });
  if (!type) return null;
  return (
    <RecordScreen
      place={placeOf(type, id)}
      title={({ payload: { value } }) =>
        id === undefined
          ? text("newInstanceOf", { name: type.name })
          : String(value.identifier || `${type.name} #${id}`)
      }
      list={{ path: `types/${typeId}/instances`, name: type.name }}
      mayChange={may(id === undefined ? "add_metainstance" : "change_metainstance")}
      mayDelete={may("delete_metainstance")}
    >
      {(record) => (
        <>
          <RecordFields
            record={record}
            definitions={[
              {
                name: "identifier",
                label: text("identifier"),
                hint: text("instanceIdentifierHint"),
                isNeverNull: true,
              },
            ]}
          />
          <DataForm
            definitions={type.schema}
            path="data"
            data={isRecord(record.values.value.data) ? record.values.value.data : {}}
            onChange={(data) => record.set("data", data)}
          />
        </>
      )}
    </RecordScreen>
  );
}

/** Values of fields that the type no longer declares are not sent: the server refuses them. */
const placeOf = ({ id: type, schema }: MetaTypePayload, id: number | undefined): RecordPlace => ({
  path: "meta-instances",
  id,
  blank: { meta_type: type, identifier: "", data: emptyData(schema) },
  values: ({ identifier = "", data = {} }) => ({
    meta_type: type,
    identifier,
    data: isRecord(data) ? storedData(schema, data) : {},
  }),
});
