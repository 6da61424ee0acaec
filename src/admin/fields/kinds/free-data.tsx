/** A form for a JSON value of any shape: each field gets the control that its present value asks for. */
import { useCallback, useState } from "preact/hooks";
import { isList, isRecord, type Json, type Values } from "../../json.ts";
import { ItemList } from "../../ui/lists/item-list.tsx";
import { labelOf } from "../field-labels.ts";
import { FlagField, NumberField, TextField } from "./plain-fields.tsx";

interface FieldProps<T extends Json> {
  readonly name: string;
  /** Where the value is in the record: names and indexes joined by dots. */
  readonly path: string;
  readonly value: T;
  readonly onChange: (value: Json) => void;
}

/** In characters: a longer text gets several lines. */
const LINE_MAX = 80;

export function FreeField(props: FieldProps<Json>) {
  const { name, path, value, onChange } = props;
  // The control is chosen once: another one would take the focus while a text grows.
  const [isLong] = useState(() => typeof value === "string" && (value.length > LINE_MAX || value.includes("\n")));
  if (isList(value)) return <ListField {...props} value={value} />;
  if (isRecord(value)) return <RecordField {...props} value={value} />;
  const plain = { definition: { name, label: labelOf(name) }, path, value };
  if (typeof value === "boolean") return <FlagField {...plain} onChange={onChange} />;
  if (typeof value === "number") return <NumberField {...plain} onChange={(next) => next !== null && onChange(next)} />;
  const definition = { ...plain.definition, kind: isLong ? "text" : "string", isNeverNull: true } as const;
  return <TextField {...plain} definition={definition} onChange={onChange} />;
}

/** A record of another kind, such as a picture, is shown by name; it is chosen elsewhere. */
function RecordField({ name, path, value, onChange }: FieldProps<Values>) {
  if ("id" in value && "model" in value)
    return (
      <p class="reference">
        {labelOf(name)}: <strong>{String(value.title ?? value.id)}</strong>
      </p>
    );
  return (
    <fieldset>
      <legend>{labelOf(name)}</legend>
      {Object.entries(value).map(([key, item]) => (
        <FreeField
          key={key}
          name={key}
          path={`${path}.${key}`}
          value={item}
          onChange={(next) => onChange({ ...value, [key]: next })}
        />
      ))}
    </fieldset>
  );
}

function ListField({ name, path, value, onChange }: FieldProps<readonly Json[]>) {
  const shown = labelOf(name);
  const drawItem = useCallback(
    (item: Json, at: number, change: (item: Json) => void) => (
      <FreeField name={`${shown} ${at + 1}`} path={`${path}.${at}`} value={item} onChange={change} />
    ),
    [shown, path],
  );
  return (
    <ItemList name={shown} items={value} empty={() => emptyLike(value.at(-1) ?? "")} onChange={onChange}>
      {drawItem}
    </ItemList>
  );
}

/** A value of the same shape without content, for a new item of a list. */
function emptyLike(value: Json): Json {
  if (typeof value === "string") return "";
  if (typeof value === "number") return 0;
  if (typeof value === "boolean") return false;
  if (isList(value)) return [];
  if (!isRecord(value) || ("id" in value && "model" in value)) return null;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, emptyLike(item)]));
}
