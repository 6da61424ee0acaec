/** Controls for references: their values are ids. */
import { useCallback } from "preact/hooks";
import { text } from "../../i18n.ts";
import { isList, type Json } from "../../json.ts";
import { MEDIA_MODEL } from "../../records/known-records.ts";
import { RecordChoice } from "../../records/record-choice.tsx";
import { ItemList } from "../../ui/lists/item-list.tsx";
import type { FieldProps } from "../field.ts";
import { Help, Messages } from "../field-messages.tsx";

const idOf = (value: Json | undefined): number | null => (typeof value === "number" ? value : null);

export const ReferenceField = ({ definition, path, value, onChange }: FieldProps) => (
  <fieldset data-field={path}>
    <legend>
      {definition.label}
      {definition.required && <span aria-hidden="true"> *</span>}
    </legend>
    <Help path={path} />
    <RecordChoice
      model={definition.kind === "media" ? MEDIA_MODEL : (definition.target_model ?? "")}
      target={definition.target}
      name={definition.label}
      id={idOf(value)}
      onChoose={onChange}
    />
    <Messages path={path} />
  </fieldset>
);

export const MediaField = ReferenceField;

export function ReferencesField({ definition, path, value, onChange }: FieldProps) {
  const { label, target_model: model = "", target } = definition;
  const items = isList(value) ? value : [];
  const drawItem = useCallback(
    (item: Json, at: number, change: (item: Json) => void) => (
      <RecordChoice
        model={model}
        target={target}
        name={text("itemOf", { number: at + 1, name: label })}
        id={idOf(item)}
        onChoose={change}
      />
    ),
    [model, target, label],
  );
  return (
    <>
      <ItemList name={label} items={items} empty={(): Json => null} onChange={onChange}>
        {drawItem}
      </ItemList>
      <Help path={path} />
      <Messages path={path} />
    </>
  );
}
