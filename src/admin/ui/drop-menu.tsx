/** A button that opens a menu of links or buttons below or above it. */
import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface DropMenuProps {
  readonly name: string;
  readonly icon?: string;
  /** Whether the screen that is shown is among its links. */
  readonly isCurrent?: boolean;
  /** A class of the frame. */
  readonly look?: string;
  readonly children: ComponentChildren;
}

export function DropMenu({ name, icon, isCurrent = false, look = "", children }: DropMenuProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  return (
    <div
      class={`drop ${look}`}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.preventDefault();
        setOpen(false);
        toggle.current?.focus();
      }}
    >
      <button
        type="button"
        ref={toggle}
        class={isCurrent ? "drop-toggle current" : "drop-toggle"}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {icon && <Icon name={icon} />}
        {name}
        <Icon name="down" />
      </button>
      {isOpen && (
        <div
          id={id}
          class="drop-menu"
          // A dialog that is closed gives the focus back to what is on the screen.
          onClick={({ target }) =>
            target instanceof Element && target.closest("a, button") && (toggle.current?.focus(), setOpen(false))
          }
        >
          {children}
        </div>
      )}
    </div>
  );
}
