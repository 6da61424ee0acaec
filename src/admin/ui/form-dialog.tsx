/** A dialog with a form that is submitted by one button. */
import type { ComponentChildren } from "preact";
import { Labelled } from "../fields/field-messages.tsx";
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
  /** Whether the button removes something. */
  readonly isDanger?: boolean;
  /** Buttons beside it. */
  readonly others?: ComponentChildren;
  readonly children: ComponentChildren;
}

export const FormDialog = ({ verb, onSubmit, isDanger, others, children, ...dialog }: FormDialogProps) => (
  <Dialog {...dialog}>
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog may stand in another form, which is not sent by it.
        event.stopPropagation();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      {children}
      <div class={dialog.isWide ? "actions bottom" : "actions"}>
        <button class={isDanger ? "danger" : "primary"}>{verb}</button>
        {others}
        <button type="button" onClick={dialog.onClose}>
          {text("cancel")}
        </button>
      </div>
    </form>
  </Dialog>
);

interface CommentDialogProps extends Pick<FormDialogProps, "title" | "onClose"> {
  /** What it is about, above the comment. */
  readonly children?: ComponentChildren;
  readonly hint?: string;
  readonly initial?: string;
  readonly isRequired?: boolean;
  readonly onChoose: (comment: string) => void;
}

/** Publishes with a comment. */
export const CommentDialog = ({ hint, initial, isRequired, onChoose, children, ...props }: CommentDialogProps) => (
  <FormDialog {...props} verb={text("publish")} onSubmit={(form) => onChoose(String(form.get("comment")))}>
    {children}
    <Labelled path="comment" label={text("comment")} hint={hint}>
      {(control) => (
        <textarea {...control} name="comment" rows={3} defaultValue={initial} required={isRequired === true} />
      )}
    </Labelled>
  </FormDialog>
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
