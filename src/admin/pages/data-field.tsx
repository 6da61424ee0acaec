/** A form for a JSON value of any shape: each field gets the control that its present value asks for. */
import { useId } from "preact/hooks";
import { text } from "../i18n.ts";
import type { Json } from "../json.ts";

interface FieldProps<T extends Json> {
  readonly name: string;
  readonly value: T;
  readonly onChange: (value: Json) => void;
}

/** In characters: a longer text gets several lines. */
const LINE_MAX = 80;

export function DataField({ name, value, onChange }: FieldProps<Json>) {
  if (typeof value === "string") return <TextField name={name} value={value} onChange={onChange} />;
  if (typeof value === "number") return <NumberField name={name} value={value} onChange={onChange} />;
  if (typeof value === "boolean") return <FlagField name={name} value={value} onChange={onChange} />;
  if (isList(value)) return <ListField name={name} value={value} onChange={onChange} />;
  if (isRecord(value)) return <RecordField name={name} value={value} onChange={onChange} />;
  return <TextField name={name} value="" onChange={onChange} />;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isRecord = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !isList(value);

/** A name of a field as a label: `lead_text` as `Lead text`. */
export const labelOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

function TextField({ name, value, onChange }: FieldProps<string>) {
  const isLong = value.length > LINE_MAX || value.includes("\n");
  return (
    <label>
      {labelOf(name)}
      {isLong ? (
        <textarea
          value={value}
          rows={Math.min(24, Math.max(3, Math.ceil(value.length / LINE_MAX) + value.split("\n").length - 1))}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <input value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
      )}
    </label>
  );
}

const NumberField = ({ name, value, onChange }: FieldProps<number>) => (
  <label>
    {labelOf(name)}
    <input
      type="number"
      step="any"
      value={value}
      onInput={({ currentTarget }) => currentTarget.value !== "" && onChange(currentTarget.valueAsNumber)}
    />
  </label>
);

const FlagField = ({ name, value, onChange }: FieldProps<boolean>) => (
  <label class="flag">
    <input type="checkbox" checked={value} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    {labelOf(name)}
  </label>
);

/** A record of another kind, such as a picture, is shown by name; it is chosen elsewhere. */
function RecordField({ name, value, onChange }: FieldProps<{ readonly [key: string]: Json }>) {
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
        <DataField key={key} name={key} value={item} onChange={(next) => onChange({ ...value, [key]: next })} />
      ))}
    </fieldset>
  );
}

function ListField({ name, value, onChange }: FieldProps<readonly Json[]>) {
  const id = useId();
  const shown = labelOf(name);
  const without = (at: number): Json[] => value.filter((_, index) => index !== at);
  const moveUp = (at: number): void => {
    const rest = without(at);
    rest.splice(at - 1, 0, value[at]!);
    onChange(rest);
  };
  return (
    <fieldset aria-labelledby={id}>
      <legend id={id}>{shown}</legend>
      <ol class="items">
        {value.map((item, at) => (
          <li key={at}>
            <DataField
              name={`${shown} ${at + 1}`}
              value={item}
              onChange={(next) => onChange(value.map((each, index) => (index === at ? next : each)))}
            />
            <div class="item-actions">
              {at > 0 && (
                <button
                  class="quiet"
                  aria-label={text("moveUp", { number: at + 1, name: shown })}
                  onClick={() => moveUp(at)}
                >
                  ↑
                </button>
              )}
              <button
                class="quiet"
                aria-label={text("removeItem", { number: at + 1, name: shown })}
                onClick={() => onChange(without(at))}
              >
                ×
              </button>
            </div>
          </li>
        ))}
      </ol>
      <button onClick={() => onChange([...value, emptyLike(value.at(-1) ?? "")])}>
        {text("addItem", { name: shown })}
      </button>
    </fieldset>
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
