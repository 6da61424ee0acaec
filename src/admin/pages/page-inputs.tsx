/** Controls of the fields that every page has. */
import { Labelled, Messages } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import type { PageState } from "./page-state.ts";

interface InputProps {
  readonly page: PageState;
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** In characters: what search engines show of a longer text is cut. */
  readonly shown?: number;
}

const hintOf = (props: InputProps): string | undefined => {
  const { hint, shown } = props;
  if (shown === undefined) return hint;
  const counted = text("shownHint", { length: [...valueOf(props)].length, max: shown });
  return hint === undefined ? counted : `${hint} ${counted}`;
};

/** Fields whose empty value is a text. */
const NEVER_NULL: readonly string[] = ["robots"];

const valueOf = ({ page, name }: InputProps): string => String(page.values.value[name] ?? "");

export const TextInput = (props: InputProps) => (
  <Labelled path={props.name} label={props.label} hint={hintOf(props)}>
    {(control) => (
      <input
        {...control}
        value={valueOf(props)}
        onInput={({ currentTarget }) =>
          props.page.set(props.name, currentTarget.value || (NEVER_NULL.includes(props.name) ? "" : null))
        }
      />
    )}
  </Labelled>
);

export const LongInput = (props: InputProps) => (
  <Labelled path={props.name} label={props.label} hint={hintOf(props)}>
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
  <div class="field" data-field={name}>
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
