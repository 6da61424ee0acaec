/** The types of sections that pages are built of: what editors are offered, and the fields of each. */
import { useEffect } from "preact/hooks";
import { BLOCK_ICONS } from "../../model/records/block-icons.ts";
import { refreshBlockTypes } from "../fields/blocks/block-types.ts";
import { text } from "../i18n.ts";
import { isList, type Values } from "../json.ts";
import { RecordFields } from "../records/record-fields.tsx";
import { RecordList } from "../records/record-list.tsx";
import { RecordScreen } from "../records/record-screen.tsx";
import type { RecordPlace, RecordState } from "../records/record-state.ts";
import { isSuperuser } from "../session.ts";
import { Icon } from "../ui/icon.tsx";
import { notifyFailure } from "../ui/notices.tsx";
import { canSave, DeclaredFields, sentFields, useFieldSource, type FieldSource } from "./declared-fields.tsx";
import { nameOf } from "./field-settings.ts";

const screenOf = ({ name }: Values): string => `section-types/${String(name)}`;

export function SectionTypeList() {
  return (
    <RecordList
      title={text("sectionTypes")}
      hint={text("sectionTypesHint")}
      // No type can have this name.
      add={isSuperuser() && ["section-types/_new", text("newSectionType")]}
      path="block-types"
      searchLabel={text("searchSectionTypes")}
      screenOf={screenOf}
      columns={[
        { name: text("name"), show: ({ label }) => String(label) },
        { name: text("key"), show: ({ name }) => <code>{String(name)}</code> },
        { name: text("sectionCategory"), show: ({ category }) => String(category) },
        { name: text("fields"), show: ({ schema }) => (isList(schema) ? schema.length : 0) },
      ]}
    />
  );
}

/** `name` never changes: it is the type of each stored section. */
const EDITABLE = ["label", "category", "description", "icon", "template", "preview", "schema"];

const placeOf = (name: string | undefined, source: FieldSource): RecordPlace => ({
  path: "block-types",
  id: name,
  idOf: ({ name: own }) => String(own),
  blank: {
    ...{ label: "", name: "", category: "", description: "", icon: BLOCK_ICONS[0]!, template: "", preview: "" },
    schema: [],
  },
  values: (payload) => Object.fromEntries(EDITABLE.map((key) => [key, payload[key] ?? null])),
  sent: (values) => sentFields(values, source),
});

/** @param name undefined for a new one */
export function SectionTypeScreen({ name }: { name: string | undefined }) {
  const source = useFieldSource();
  // Pages that are opened next have the sections as they are then.
  useEffect(() => () => void refreshBlockTypes().catch(notifyFailure), []);
  return (
    <RecordScreen
      place={placeOf(name, source)}
      title={({ payload }) => String(payload.value.label ?? text("newSectionType"))}
      list={{ path: "section-types", name: text("sectionTypes") }}
      screenOf={screenOf}
      mayChange={isSuperuser()}
      mayDelete={isSuperuser()}
      confirmSave={() => Promise.resolve(canSave(source))}
    >
      {(record) => <SectionTypeForm record={record} source={source} />}
    </RecordScreen>
  );
}

/** As `nameOf`, with the sign that names of types have between words. */
const typeNameOf = (label: string): string => nameOf(label).replaceAll("_", "-");

function SectionTypeForm({ record, source }: { readonly record: RecordState; readonly source: FieldSource }) {
  const values = record.values.value;
  const isNew = record.id === undefined;
  const change = (next: Values): void => {
    const follows = isNew && values.name === typeNameOf(String(values.label)) && next.name === values.name;
    if (follows) record.set("name", typeNameOf(String(next.label ?? "")));
  };
  const name = String(record.id ?? values.name ?? "");
  const plain = (key: string) => ({ name: key, isNeverNull: true }) as const;
  return (
    <>
      <RecordFields
        record={record}
        definitions={[
          { ...plain("label"), label: text("name"), required: true },
          ...(isNew ? [{ ...plain("name"), label: text("key"), required: true, hint: text("sectionKeyHint") }] : []),
          { ...plain("category"), label: text("sectionCategory"), hint: text("sectionCategoryHint") },
          { ...plain("description"), label: text("description"), hint: text("sectionDescriptionHint") },
        ]}
        onChange={change}
      />
      <IconChoice record={record} />
      <RecordFields
        record={record}
        definitions={[
          {
            ...plain("template"),
            label: text("template"),
            placeholder: name === "" ? "" : `blocks/${name}.html`,
            hint: text("sectionLayoutHint"),
          },
          { ...plain("preview"), label: text("sectionPreview"), hint: text("sectionPreviewHint") },
        ]}
      />
      <DeclaredFields record={record} source={source} />
    </>
  );
}

function IconChoice({ record }: { readonly record: RecordState }) {
  const names = text("iconNames").split(", ");
  return (
    <fieldset class="icons">
      <legend>{text("icon")}</legend>
      {BLOCK_ICONS.map((icon, at) => (
        <label key={icon} title={names[at]}>
          <input
            type="radio"
            name="icon"
            aria-label={names[at]}
            checked={record.values.value.icon === icon}
            onChange={() => record.set("icon", icon)}
          />
          <Icon name={icon} />
        </label>
      ))}
    </fieldset>
  );
}
