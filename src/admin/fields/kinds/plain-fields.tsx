/** Controls for values without parts: texts, numbers, flags, moments and choices. */
import { text } from "../../i18n.ts";
import { isList, type Json } from "../../json.ts";
import { Help, Messages, Labelled, LabelledParts } from "../field-messages.tsx";
import type { FieldDefinition } from "../definition.ts";
import type { FieldProps } from "../field.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { localMoment, momentOf } from "../moments.ts";

export const stringOf = (value: FieldProps["value"]): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

function hintOf({ hint, shown, max_length: max }: FieldDefinition, value: string): string | undefined {
  if (max !== undefined) return text("lengthHint", { length: value.length, max });
  return shown === undefined ? hint : text("shownHint", { length: [...value].length, max: shown });
}

/** Of kinds whose value is on one line with a format. */
const INPUT_TYPES: Readonly<Record<string, "email" | "url" | "tel">> = { email: "email", url: "url", phone: "tel" };

export function TextField({ definition, path, value, onChange }: FieldProps) {
  const { kind, label, required, multiline, placeholder, isNeverNull } = definition;
  const type = INPUT_TYPES[kind ?? ""];
  // An empty text is kept as null, which is no value: a draft with an empty field that is required is not published.
  const change = (typed: string): void => onChange(typed === "" && !isNeverNull ? null : typed);
  const hint = hintOf(definition, stringOf(value));
  if (kind === "text" || multiline)
    return <MarkdownField {...{ path, label, hint, isRequired: required, value: stringOf(value), onChange: change }} />;
  return (
    <Labelled path={path} label={label} hint={hint} isRequired={required}>
      {(control) =>
        kind === "html" || kind === "textarea" ? (
          <textarea
            {...control}
            class={kind === "html" ? "code" : undefined}
            rows={kind === "html" ? 8 : 3}
            value={stringOf(value)}
            placeholder={placeholder}
            onInput={(event) => change(event.currentTarget.value)}
          />
        ) : (
          <input
            {...control}
            // Preact has a type of attributes for each type of input.
            type={(type ?? "text") as "text"}
            value={stringOf(value)}
            placeholder={placeholder}
            onInput={(event) => change(event.currentTarget.value)}
          />
        )
      }
    </Labelled>
  );
}

export function NumberField({ definition, path, value, onChange }: FieldProps) {
  const { kind, label, hint, required, integer, minimum, maximum, placeholder } = definition;
  return (
    <Labelled path={path} label={label} hint={hint} isRequired={required}>
      {(control) => (
        <input
          {...control}
          type="number"
          class="short"
          step={kind === "integer" || integer ? 1 : "any"}
          min={minimum}
          max={maximum}
          placeholder={placeholder}
          value={stringOf(value)}
          onInput={({ currentTarget }) => onChange(currentTarget.value === "" ? null : currentTarget.valueAsNumber)}
        />
      )}
    </Labelled>
  );
}

export const FlagField = ({ definition: { label }, path, value, onChange }: FieldProps) => (
  <div class="field" data-field={path}>
    <label class="flag">
      <input
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
    <Help path={path} />
    <Messages path={path} />
  </div>
);

export const DateField = ({ definition: { label, required }, path, value, onChange }: FieldProps) => (
  <Labelled path={path} label={label} isRequired={required}>
    {(control) => (
      <input
        {...control}
        type="date"
        class="short"
        value={stringOf(value)}
        onInput={({ currentTarget }) => onChange(currentTarget.value || null)}
      />
    )}
  </Labelled>
);

export const TimeField = ({ definition: { label, required }, path, value, onChange }: FieldProps) => (
  <Labelled path={path} label={label} isRequired={required}>
    {(control) => (
      <input
        {...control}
        type="time"
        class="short"
        step={/^\d\d:\d\d:/.test(stringOf(value)) ? 1 : undefined}
        value={stringOf(value)}
        onInput={({ currentTarget }) => onChange(currentTarget.value || null)}
      />
    )}
  </Labelled>
);

/** In the zone of the browser, which is named; stored in UTC once it is changed. */
export const MomentField = ({ definition: { label, required }, path, value, onChange }: FieldProps) => (
  <Labelled
    path={path}
    label={label}
    isRequired={required}
    hint={text("zoneHint", { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
  >
    {(control) => (
      <input
        {...control}
        type="datetime-local"
        class="short"
        value={localMoment(stringOf(value))}
        onInput={({ currentTarget }) => onChange(momentOf(currentTarget.value))}
      />
    )}
  </Labelled>
);

export const SelectField = (props: FieldProps) =>
  props.definition.multiple ? <ChoicesField {...props} /> : <ChoiceField {...props} />;

/** A value that is no choice any more has a box, too, so that it can be taken out. */
function ChoicesField({ definition: { label, required, choices = [] }, path, value, onChange }: FieldProps) {
  const chosen = isList(value) ? value : typeof value === "string" ? [value] : [];
  const values = choices.map((choice): Json => choice.value);
  const rest = chosen.filter((each) => !values.includes(each));
  return (
    <LabelledParts path={path} label={label} isRequired={required}>
      <div class="choices">
        {[...values, ...rest].map((each, at) => (
          <label key={String(each)} class="flag">
            <input
              type="checkbox"
              checked={chosen.includes(each)}
              onChange={({ currentTarget: { checked } }) =>
                onChange([...values, ...rest].filter((one) => (one === each ? checked : chosen.includes(one))))
              }
            />
            {choices[at]?.label ?? String(each)}
          </label>
        ))}
      </div>
      {chosen.map((_, at) => (
        <Messages key={at} path={`${path}.${at}`} />
      ))}
    </LabelledParts>
  );
}

const ChoiceField = ({ definition, path, value, onChange }: FieldProps) => (
  <Labelled path={path} label={definition.label} isRequired={definition.required}>
    {(control) => (
      <select
        {...control}
        value={stringOf(value)}
        onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
      >
        {(!definition.required || stringOf(value) === "") && (
          <option value="">{definition.placeholder ?? text("noChoice")}</option>
        )}
        {(definition.choices ?? []).map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);
