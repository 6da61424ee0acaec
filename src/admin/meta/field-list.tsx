/** The fields of a type, or of a group or list in it: added, put in order, and set one by one. */
import { useContext, useState } from "preact/hooks";
import { DataForm } from "../fields/data-form.tsx";
import { FieldMessages, Messages } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import { isList, isRecord, type Json, type Values } from "../json.ts";
import { ItemList } from "../ui/lists/item-list.tsx";
import { ConditionList } from "./condition-list.tsx";
import { hasChildren, kindName, labelIn, nameOf, settingsOf, type Choice } from "./field-settings.ts";

interface FieldListProps {
  readonly name: string;
  /** As errors have it: `schema`, `schema.2.children`. */
  readonly path: string;
  readonly fields: Json | undefined;
  readonly models: readonly Choice[];
  readonly onChange: (fields: readonly Json[]) => void;
}

const NEW_FIELD: Values = { label: "", name: "", kind: "string" };

export const FieldList = ({ name, path, fields, models, onChange }: FieldListProps) => (
  <>
    <ItemList name={name} items={isList(fields) ? fields : []} empty={(): Json => NEW_FIELD} onChange={onChange}>
      {(field, at, change) => (
        <FieldSettings
          path={`${path}.${at}`}
          field={isRecord(field) ? field : {}}
          others={isList(fields) ? plainFieldsBeside(fields.filter(isRecord), at) : []}
          models={models}
          onChange={change}
        />
      )}
    </ItemList>
    <Messages path={path} />
  </>
);

/** Those whose values may decide whether another one is shown. */
const plainFieldsBeside = (fields: readonly Values[], at: number): readonly Choice[] =>
  fields
    .filter((each, place) => place !== at && each.name && !each.translated && !COMPOUND.has(String(each.kind)))
    .map((each) => ({ value: String(each.name), label: labelIn(each) }));
const COMPOUND: ReadonlySet<string> = new Set(["group", "list", "media", "ref", "queryset", "permalink"]);

interface FieldSettingsProps {
  readonly path: string;
  readonly field: Values;
  readonly others: readonly Choice[];
  readonly models: readonly Choice[];
  readonly onChange: (field: Values) => void;
}

function FieldSettings({ path, field, others, models, onChange }: FieldSettingsProps) {
  // The name of a stored field stays when its label is changed: values are found by it.
  const [isNew] = useState(() => !field.name);
  const [isOpen, setOpen] = useState(isNew);
  const messages = useContext(FieldMessages);
  const isWrong = Object.keys(messages).some((each) => each === path || each.startsWith(`${path}.`));
  const kind = String(field.kind ?? "string");
  const change = (next: Values): void => {
    const follows = isNew && (!field.name || field.name === nameOf(String(field.label ?? "")));
    onChange(follows && next.name === field.name ? { ...next, name: nameOf(String(next.label ?? "")) } : next);
  };
  return (
    <details
      class="field-settings"
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {labelIn(field)} <span class="address">{kindName(kind)}</span>
        {field.required === true && <span class="badge">{text("fieldRequired")}</span>}
        {field.translated === true && <span class="badge">{text("fieldTranslated")}</span>}
      </summary>
      <Messages path={path} />
      <DataForm
        definitions={settingsOf(kind, models, String(field.target_model ?? ""))}
        path={path}
        data={{ ...field, kind }}
        onChange={change}
      />
      <ConditionList
        path={`${path}.show_if`}
        condition={field.show_if}
        others={others}
        onChange={(condition) => onChange({ ...field, show_if: condition })}
      />
      {hasChildren(kind) && (
        <FieldList
          name={text("fieldsOf", { name: labelIn(field) })}
          path={`${path}.children`}
          fields={field.children}
          models={models}
          onChange={(children) => onChange({ ...field, children })}
        />
      )}
    </details>
  );
}
