/** The line at the bottom of a record: the verb that fits now, another one beside it, and a menu of the rest. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { text } from "../i18n.ts";
import { DropMenu } from "./drop-menu.tsx";
import { VerbButton } from "./verb-button.tsx";
import { isNarrow } from "./viewport.ts";

export interface Verb {
  readonly name: string;
  readonly run: () => unknown;
  /** Whether there is nothing to do. */
  readonly isOff?: boolean;
  /** Why it is off, where that is not plain. */
  readonly reason?: string | undefined;
  /** Whether it removes something. */
  readonly isDanger?: boolean;
}

interface VerbLineProps {
  readonly main: Verb | undefined;
  readonly second?: Verb | undefined;
  readonly others: readonly Verb[];
  /** Whether the typed values are saved, in words; may be empty. */
  readonly state: string;
  /** The dialogs of the verbs. */
  readonly children?: ComponentChildren;
}

/** So few are buttons themselves where there is room. */
const FEW = 2;

export function VerbLine({ main, second, others, state, children }: VerbLineProps) {
  const bar = useRef<HTMLDivElement>(null);
  // What has the focus, and carets, are kept clear of the line, which is over the bottom of the screen.
  useEffect(() => {
    const element = bar.current!;
    const { style } = document.documentElement;
    const resized = new ResizeObserver(() => (style.scrollPaddingBottom = `${element.offsetHeight + 8}px`));
    resized.observe(element);
    return () => {
      resized.disconnect();
      style.scrollPaddingBottom = "";
    };
  }, []);
  const isRunning = useRef(false);
  /** Another press before a verb is done does nothing. */
  const press = async (run: Verb["run"]): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      await run();
    } finally {
      isRunning.current = false;
    }
  };
  const draw = ({ name, run, isOff = false, reason, isDanger = false }: Verb, look?: string) => (
    <VerbButton
      key={name}
      class={isDanger ? "danger" : look}
      isOff={isOff}
      reason={reason}
      onPress={() => void press(run)}
    >
      {name}
    </VerbButton>
  );
  // A phone has room for one.
  const rest = isNarrow.value && second ? [second, ...others] : others;
  const buttons = rest.map((verb) => draw(verb));
  return (
    <div class="actions bottom" ref={bar}>
      {main && draw(main, "primary")}
      {!isNarrow.value && second && draw(second)}
      {rest.length > FEW || (isNarrow.value && rest.length > 0) ? (
        <DropMenu name={text("more")} look="up">
          {buttons}
        </DropMenu>
      ) : (
        buttons
      )}
      <span class="state" role="status">
        {state}
      </span>
      {children}
    </div>
  );
}
