/** A form for a JSON value of any shape: each field gets the control that its present value asks for. */
import { useCallback, useState } from "preact/hooks";
import { isList, isRecord, type Json, type Values } from "../json.ts";
import { ItemList } from "../ui/item-list.tsx";
import { labelOf } from "./field-labels.ts";
import { MarkdownField } from "./markdown-field.tsx";
import { SourceText } from "./source-text.tsx";

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
  const { value } = props;
  if (typeof value === "string") return <TextField {...props} value={value} />;
  if (typeof value === "number") return <NumberField {...props} value={value} />;
  if (typeof value === "boolean") return <FlagField {...props} value={value} />;
  if (isList(value)) return <ListField {...props} value={value} />;
  if (isRecord(value)) return <RecordField {...props} value={value} />;
  return <TextField {...props} value="" />;
}

/** The control is chosen once: another one would take the focus while a text grows. */
function TextField({ name, path, value, onChange }: FieldProps<string>) {
  const [isLong] = useState(() => value.length > LINE_MAX || value.includes("\n"));
  const label = labelOf(name);
  if (isLong) return <MarkdownField path={path} label={label} value={value} onChange={onChange} />;
  return (
    <>
      <label data-field={path}>
        {label}
        <input value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
      </label>
      <SourceText path={path} />
    </>
  );
}

const NumberField = ({ name, path, value, onChange }: FieldProps<number>) => (
  <label data-field={path}>
    {labelOf(name)}
    <input
      type="number"
      step="any"
      value={value}
      onInput={({ currentTarget }) => currentTarget.value !== "" && onChange(currentTarget.valueAsNumber)}
    />
  </label>
);

const FlagField = ({ name, path, value, onChange }: FieldProps<boolean>) => (
  <label class="flag" data-field={path}>
    <input type="checkbox" checked={value} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    {labelOf(name)}
  </label>
);

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
