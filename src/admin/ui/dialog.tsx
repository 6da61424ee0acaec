import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Called by Escape; absent: the dialog must be answered. */
  readonly onClose?: () => void;
  readonly isWide?: boolean;
}

/** A modal dialog, which keeps the focus until it is closed. */
export function Dialog({ title, children, onClose, isWide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      class={isWide ? "wide" : ""}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
