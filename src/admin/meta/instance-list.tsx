/** The instances of a type as a table, whose columns are the first fields of the type. */
import { get } from "../api.ts";
import { showDay, text, showMoment } from "../i18n.ts";
import { isRecord, type Values, isList, type Json } from "../json.ts";
import { RecordList } from "../records/record-list.tsx";
import { hrefOf } from "../router.ts";
import { may } from "../session.ts";
import type { MetaType } from "./meta-type.ts";
import { useLoaded } from "../ui/loaded.ts";
import { wordsOfHtml } from "../html-text.ts";
import type { FieldDefinition } from "../fields/definition.ts";
import { contentLanguage, defaultLanguage } from "../site.ts";
import { smallPicture } from "../media/small-picture.ts";

const COLUMNS_MAX = 4;

export function InstanceList({ type: id }: { type: number }) {
  const type = useLoaded(() => get<MetaType>(`meta-types/${id}/`));
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

/** In characters. */
const SHOWN_MAX = 80;
const short = (value: string): string => (value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}…` : value);

/** @param value as the API serves it, with references as records */
function ShownValue({ definition, value }: { definition: FieldDefinition; value: Json | undefined }) {
  const { kind = "string", translated, ...own } = definition;
  if (translated && isRecord(value)) {
    const shown = value[contentLanguage.value] || value[defaultLanguage.value] || null;
    return <ShownValue definition={{ ...own, kind }} value={shown} />;
  }
  if (value === null || value === undefined || value === "") return <span class="none">–</span>;
  if (kind === "boolean") return <>{text(value === true ? "yes" : "no")}</>;
  if (kind === "date") return <>{showDay(String(value))}</>;
  if (kind === "datetime") return <>{showMoment(String(value))}</>;
  if (kind === "select") {
    const labels = (isList(value) ? value : [value]).map(
      (each) => own.choices?.find((choice) => choice.value === each)?.label ?? String(each),
    );
    return labels.length === 0 ? <span class="none">–</span> : <>{short(labels.join(", "))}</>;
  }
  if (kind === "location" && isRecord(value)) return <>{[value.latitude, value.longitude].join(", ")}</>;
  if (isRecord(value) && smallPicture(value))
    return <img class="thumb" src={smallPicture(value)} alt={nameIn(value)} />;
  const shown = kind === "html" ? wordsOfHtml(String(value)) : nameIn(value);
  return shown === "" ? <span class="none">–</span> : <>{short(shown)}</>;
}

const NAMES = ["title", "name", "identifier", "permalink", "key", "username", "static"];

/** The name of a record; of values without a name, the first text in them. */
function nameIn(value: Json): string {
  if (isList(value)) return value.map(nameIn).filter(Boolean).join(", ");
  if (!isRecord(value)) return value === null || typeof value === "boolean" ? "" : String(value);
  const named = NAMES.map((name) => value[name]).find((each) => typeof each === "string" && each !== "");
  if (named !== undefined) return String(named);
  if (typeof value.id === "number") return `#${value.id}`;
  const parts = Object.entries(value).filter(([name]) => name !== "link_type" && name !== "url");
  return parts.map(([, part]) => nameIn(part)).find((each) => each !== "") ?? "";
}
