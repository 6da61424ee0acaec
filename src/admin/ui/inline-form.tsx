import { NOT_BLANK } from "../fields/browser-messages.ts";
import { attempt } from "./notices.tsx";

interface InlineFormProps {
  /** The label of the field. */
  readonly label: string;
  /** The text of the button. */
  readonly verb: string;
  /** Whether the button is the main one of the screen. */
  readonly isPrimary?: boolean;
  /** Called with the text without spaces around it. What it throws is told. */
  readonly onSubmit: (value: string) => Promise<void>;
}

/** A form of one field and its button, on one line: what has a name is created at once. */
export function InlineForm({ label, verb, isPrimary = false, onSubmit }: InlineFormProps) {
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    await attempt(async () => {
      await onSubmit(String(new FormData(form).get("value")).trim());
      form.reset();
    });
  };
  return (
    <form class="inline" onSubmit={(event) => void submit(event)}>
      <input name="value" aria-label={label} placeholder={label} required pattern={NOT_BLANK} />
      <button class={isPrimary ? "primary" : undefined}>{verb}</button>
    </form>
  );
}
