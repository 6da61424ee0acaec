/** A dialog with a form that is submitted by one button. */
import type { ComponentChildren } from "preact";
import { localMoment } from "../fields/moments.ts";
import { text } from "../i18n.ts";
import { Dialog } from "./dialog.tsx";

interface FormDialogProps {
  readonly title: string;
  /** The text of the button that submits. */
  readonly verb: string;
  readonly onClose: () => void;
  readonly onSubmit: (form: FormData) => void;
  readonly isWide?: boolean;
  /** Buttons beside it. */
  readonly others?: ComponentChildren;
  readonly children: ComponentChildren;
}

export const FormDialog = ({ title, verb, onClose, onSubmit, isWide = false, others, children }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose} isWide={isWide}>
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      {children}
      <div class="actions">
        <button class="primary">{verb}</button>
        {others}
        <button type="button" onClick={onClose}>
          {text("cancel")}
        </button>
      </div>
    </form>
  </Dialog>
);

interface MomentInputProps {
  /** The name of the control in the form. */
  readonly name: string;
  readonly label: string;
  /** ISO 8601 with a zone. */
  readonly initial?: string | null;
  /** Called with what the control has. */
  readonly onInput?: (local: string) => void;
}

/** A moment in the zone of the browser, which is named. */
export const MomentInput = ({ name, label, initial, onInput }: MomentInputProps) => (
  <label>
    {label} ({Intl.DateTimeFormat().resolvedOptions().timeZone})
    <input
      name={name}
      type="datetime-local"
      required
      defaultValue={initial ? localMoment(initial) : ""}
      onInput={({ currentTarget }) => onInput?.(currentTarget.value)}
    />
  </label>
);

/** @returns ISO 8601 in UTC of a `MomentInput` */
export const momentIn = (form: FormData, name: string): string => new Date(String(form.get(name))).toISOString();
