/** The instances of a type as a table, whose columns are the first fields of the type. */
import { get } from "../api.ts";
import { showDay, text } from "../i18n.ts";
import { isRecord, type Values } from "../json.ts";
import { RecordList } from "../records/record-list.tsx";
import { hrefOf } from "../router.ts";
import { may } from "../session.ts";
import { ShownValue } from "./shown-value.tsx";
import type { MetaTypePayload } from "../../library/payloads.ts";
import { useLoaded } from "../ui/loaded.ts";

const COLUMNS_MAX = 4;

export function InstanceList({ type: id }: { type: number }) {
  const type = useLoaded(() => get<MetaTypePayload>(`meta-types/${id}/`));
  if (!type) return null;
  return (
    <RecordList
      title={type.name}
      more={
        <>
          <a href={hrefOf("types")}>{text("types")}</a>
          {may("change_metatype") && <a href={hrefOf(`types/${id}`)}>{text("editFields")}</a>}
        </>
      }
      hint={type.description}
      add={may("add_metainstance") && [`types/${id}/instances/new`, text("newInstance")]}
      path={`meta-instances/?fltr=meta_type=${id}`}
      searchLabel={text("searchInstances")}
      screenOf={(instance) => `types/${id}/instances/${String(instance.id)}`}
      columns={[
        { name: text("identifier"), show: (instance) => String(instance.identifier || `#${String(instance.id)}`) },
        ...type.schema.slice(0, COLUMNS_MAX).map((definition) => ({
          name: definition.label,
          show: ({ data }: Values) => (
            <ShownValue definition={definition} value={isRecord(data) ? data[definition.name] : undefined} />
          ),
        })),
        { name: text("changed"), show: ({ updated_at: at }) => showDay(String(at)) },
      ]}
    />
  );
}
