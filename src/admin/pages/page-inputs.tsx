/** Controls of the fields that every page has. */
import { Labelled, Messages } from "../fields/field-messages.tsx";
import type { PageState } from "./page-state.ts";

interface InputProps {
  readonly page: PageState;
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

const valueOf = ({ page, name }: InputProps): string => String(page.values.value[name] ?? "");

export const TextInput = (props: InputProps) => (
  <Labelled path={props.name} label={props.label} hint={props.hint}>
    {(control) => (
      <input
        {...control}
        value={valueOf(props)}
        onInput={({ currentTarget }) => props.page.set(props.name, currentTarget.value || null)}
      />
    )}
  </Labelled>
);

export const LongInput = (props: InputProps) => (
  <Labelled path={props.name} label={props.label} hint={props.hint}>
    {(control) => (
      <textarea
        {...control}
        rows={3}
        value={valueOf(props)}
        onInput={({ currentTarget }) => props.page.set(props.name, currentTarget.value || null)}
      />
    )}
  </Labelled>
);

export const FlagInput = ({ page, name, label }: InputProps) => (
  <div class="field">
    <label class="flag">
      <input
        type="checkbox"
        checked={page.values.value[name] === true}
        onChange={({ currentTarget }) => page.set(name, currentTarget.checked)}
      />
      {label}
    </label>
    <Messages path={name} />
  </div>
);
