/** Buttons at the bottom of a screen, of which a narrow one has all but the first in a menu. */
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { text } from "../i18n.ts";

/** Wide screens show the buttons themselves; admin.css has the limit. */
export function MoreMenu({ children }: { readonly children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  return (
    <div
      class="more"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        setOpen(false);
        toggle.current?.focus();
      }}
    >
      <button ref={toggle} class="more-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {text("more")}
      </button>
      <div
        class={isOpen ? "menu open" : "menu"}
        // A dialog that is closed gives the focus back to what is on the screen.
        onClickCapture={() => isOpen && (toggle.current?.focus(), setOpen(false))}
      >
        {children}
      </div>
    </div>
  );
}

/** Keeps what has the focus, and carets, clear of a bar over the bottom of the screen. */
export function useKeptClear(): RefObject<HTMLDivElement | null> {
  const bar = useRef<HTMLDivElement>(null);
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
  return bar;
}
