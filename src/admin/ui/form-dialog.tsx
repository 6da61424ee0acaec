/** A dialog with a form that is submitted by one button. */
import type { ComponentChildren } from "preact";
import { text } from "../i18n.ts";
import { Dialog } from "./dialog.tsx";

interface FormDialogProps {
  readonly title: string;
  /** Of the button that submits. */
  readonly verb: string;
  readonly onClose: () => void;
  readonly onSubmit: (form: FormData) => void;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

export const FormDialog = ({ title, verb, onClose, onSubmit, isWide = false, children }: FormDialogProps) => (
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
        <button type="button" onClick={onClose}>
          {text("cancel")}
        </button>
      </div>
    </form>
  </Dialog>
);

/** A moment in the zone of the browser, which is named. @param name of the control in the form */
export const MomentInput = ({ name, label }: { name: string; label: string }) => (
  <label>
    {label} ({Intl.DateTimeFormat().resolvedOptions().timeZone})
    <input name={name} type="datetime-local" required />
  </label>
);

/** @returns ISO 8601 in UTC of a `MomentInput` */
export const momentIn = (form: FormData, name: string): string => new Date(String(form.get(name))).toISOString();
