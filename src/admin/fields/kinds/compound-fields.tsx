/** Controls of two parts: colors and places. */
import { text } from "../../i18n.ts";
import { isRecord, type Json } from "../../json.ts";
import type { FieldProps } from "../field.ts";
import { Labelled, LabelledParts } from "../field-messages.tsx";
import { NumberField, stringOf } from "./plain-fields.tsx";

/** The picker of the browser has no empty value, so that the color can be typed and cleared beside it. */
export const ColorField = ({ definition: { label, required, placeholder }, path, value, onChange }: FieldProps) => (
  <Labelled path={path} label={label} isRequired={required}>
    {(control) => (
      <div class="parts">
        <input
          {...control}
          class="short"
          value={stringOf(value)}
          placeholder={placeholder ?? "#rrggbb"}
          onInput={({ currentTarget }) => onChange(currentTarget.value || null)}
        />
        <input
          type="color"
          aria-label={text("chooseFor", { name: label })}
          value={/^#[\da-f]{6}$/i.test(stringOf(value)) ? stringOf(value) : "#ffffff"}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
    )}
  </Labelled>
);

/** A place is absent once both of its numbers are. */
export function LocationField({ definition: { label, required }, path, value, onChange }: FieldProps) {
  const place = isRecord(value) ? value : {};
  const part = (name: "latitude" | "longitude", maximum: number) => (
    <NumberField
      definition={{ name, label: text(name), required, minimum: -maximum, maximum }}
      path={`${path}.${name}`}
      value={place[name]}
      onChange={(degrees) => {
        const next: { [part: string]: Json } = { ...place, [name]: degrees };
        onChange(typeof next.latitude === "number" || typeof next.longitude === "number" ? next : null);
      }}
    />
  );
  return (
    <LabelledParts path={path} label={label} isRequired={required}>
      <div class="parts">
        {part("latitude", 90)}
        {part("longitude", 180)}
      </div>
    </LabelledParts>
  );
}
