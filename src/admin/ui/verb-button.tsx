import type { ComponentChildren } from "preact";

interface VerbButtonProps {
  /** Whether there is nothing to do. */
  readonly isOff?: boolean;
  /** Why it is off. */
  readonly reason?: string | undefined;
  readonly onPress: () => void;
  readonly class?: string;
  /** The label of a button that shows a sign. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A button that may be off after it was pressed: unlike one with `disabled`, it then keeps the focus. */
export const VerbButton = ({ isOff = false, reason, onPress, class: look, label, children }: VerbButtonProps) => (
  <button
    type="button"
    class={look}
    aria-label={label}
    title={reason ?? label}
    aria-description={reason}
    aria-disabled={isOff}
    onClick={() => !isOff && onPress()}
  >
    {children}
  </button>
);
