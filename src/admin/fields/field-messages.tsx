/** A control with its label, hint and the server's messages, tied together for screen readers. */
import { createContext, type ComponentChildren, type ComponentType } from "preact";
import { useContext, useEffect, useId, useRef } from "preact/hooks";
import type { FieldErrors } from "../api.ts";
import { focusFirst } from "./field-focus.ts";
import { useTextLanguage, type LanguageAttributes } from "./text-language.ts";
import { SourceText } from "./source-text.tsx";

/** Messages of the last save by the path of the field: names and numbers joined by dots. */
export const FieldMessages = createContext<FieldErrors>({});

/** Shows messages at the fields of a form, and leads to the first of these. */
export function Refusals({ errors, children }: { readonly errors: FieldErrors; readonly children: ComponentChildren }) {
  const form = useRef<HTMLDivElement>(null);
  const shown = useRef<FieldErrors>({});
  useEffect(() => {
    // One that was mended is gone: who types is not led elsewhere.
    const isNew = Object.entries(errors).some(([path, messages]) => shown.current[path] !== messages);
    shown.current = errors;
    if (isNew) focusFirst(form.current!, Object.keys(errors));
  }, [errors]);
  return (
    <FieldMessages.Provider value={errors}>
      <div ref={form} class="refusals">
        {children}
      </div>
    </FieldMessages.Provider>
  );
}

/** What people say of the field at a path, below its control; absent: nothing is said of fields here. */
export const FieldNotes = createContext<ComponentType<{ readonly path: string }> | undefined>(undefined);

/** What the definition of a field tells of it, for the control at its path. */
export const FieldHelp = createContext<{ readonly path: string; readonly help: string } | undefined>(undefined);

const useHelp = (path: string): string | undefined => {
  const told = useContext(FieldHelp);
  return told?.path === path ? told.help : undefined;
};

/** The help of a field whose control has parts, below its name. */
export function Help({ path }: { readonly path: string }) {
  const help = useHelp(path);
  return help === undefined ? null : <p class="help">{help}</p>;
}

interface PartsProps {
  readonly path: string;
  readonly label: string;
  readonly isRequired: boolean | undefined;
  readonly children: ComponentChildren;
}

/** The frame of a control that has several parts. */
export const LabelledParts = ({ path, label, isRequired, children }: PartsProps) => (
  <fieldset data-field={path}>
    <legend>
      {label}
      {isRequired && <span aria-hidden="true"> *</span>}
    </legend>
    <Help path={path} />
    {children}
    <Messages path={path} />
  </fieldset>
);

/** Attributes of the control. */
export interface ControlAttributes extends LanguageAttributes {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
  readonly "aria-required": boolean | undefined;
}

interface LabelledProps {
  readonly path: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isRequired?: boolean | undefined;
  readonly children: (control: ControlAttributes) => ComponentChildren;
}

export function Labelled({ path, label, hint, isRequired, children }: LabelledProps) {
  const id = useId();
  const help = useHelp(path);
  const isInvalid = path in useContext(FieldMessages);
  const Notes = useContext(FieldNotes);
  const control = {
    id,
    ...useTextLanguage(),
    "aria-describedby": help !== undefined || hint !== undefined || isInvalid ? `${id}-told` : undefined,
    "aria-invalid": isInvalid,
    "aria-required": isRequired || undefined,
  };
  return (
    <div class="field" data-field={path}>
      <label for={id}>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      <SourceText path={path} />
      {children(control)}
      <div id={`${id}-told`} class="told">
        {help !== undefined && <small>{help}</small>}
        {hint !== undefined && <small>{hint}</small>}
        <Messages path={path} />
      </div>
      {Notes && <Notes path={path} />}
    </div>
  );
}

/** What the server said of one field. */
export function Messages({ path }: { path: string }) {
  const messages = useContext(FieldMessages)[path] ?? [];
  return (
    <>
      {messages.map((message) => (
        <small key={message} class="error" role="alert">
          {message}
        </small>
      ))}
    </>
  );
}
