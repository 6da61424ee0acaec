import type { ComponentChildren } from "preact";
import { FieldNotes } from "../fields/field-messages.tsx";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Notices, openDialogs } from "./notices.tsx";

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Called by Escape; absent: the dialog must be answered. */
  readonly onClose?: () => void;
  readonly isWide?: boolean;
  /** At an edge of the screen, and closed by a press beside it. */
  readonly look?: "drawer" | "sheet";
}

/** A modal dialog, which keeps the focus until it is closed. */
export function Dialog({ title, children, onClose, isWide = false, look }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // At once: keys that are typed before the next frame would not reach the dialog.
  useLayoutEffect(() => {
    const before = focused();
    element.current?.showModal();
    openDialogs.value = [...openDialogs.value, id];
    // A dialog that is removed while it is open leaves the focus on nothing; elements that still move would lose it again.
    return () => {
      openDialogs.value = openDialogs.value.filter((each) => each !== id);
      queueMicrotask(() => {
        if (document.activeElement === document.body && before?.isConnected) before.focus();
      });
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      class={look ?? (isWide ? "wide" : "")}
      onClick={({ target }) => look && target === element.current && onClose?.()}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={id}>{title}</h2>
      <FieldNotes.Provider value={undefined}>{children}</FieldNotes.Provider>
      <Notices dialog={id} />
    </dialog>
  );
}

/** The element that has the focus, also in a shadow root. */
function focused(): HTMLElement | null {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  return found instanceof HTMLElement ? found : null;
}
