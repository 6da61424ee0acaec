/**
 * The focus is never lost: of an element that has it and is removed, it goes to what took its place.
 *
 * A browser gives it to the body, from which no key reaches a form and a screen reader reads the screen from its top.
 */

/** What can have the focus by Tab. */
const CONTROLS = [
  ...["a[href]", "summary", "iframe", '[tabindex="0"]'],
  ...["button", "input", "select", "textarea"].map((name) => `${name}:enabled`),
].join(",");

/** Where a removed element was: after a node that may be gone, too. */
interface Gap {
  readonly parent: Node;
  readonly before: Node | null;
}

/** Begins to keep the focus of the document, for as long as it is shown. */
export function keepFocus(): void {
  let last: Element | undefined;
  addEventListener("focusin", ({ target }) => (last = target instanceof Element ? target : undefined));
  // Some browsers tell this before a removal and others after it: a control that stays was left on purpose.
  addEventListener("focusout", ({ target }) =>
    queueMicrotask(() => {
      if (target === last && last?.isConnected && document.activeElement === document.body) last = undefined;
    }),
  );
  new MutationObserver((changes) => {
    if (!last || last.isConnected) return;
    const gap = gapOf(last, changes);
    // Dialogs and lists that know better where it belongs do it first.
    queueMicrotask(() => {
      if (gap && document.activeElement === document.body) nearestTo(gap)?.focus({ preventScroll: true });
    });
  }).observe(document.body, { childList: true, subtree: true });
}

/** @returns the place in the document that the element, or one around it, was removed from */
function gapOf(element: Element, changes: readonly MutationRecord[]): Gap | undefined {
  let inside: Node = element;
  for (const { target, removedNodes, previousSibling } of changes) {
    if (![...removedNodes].some((node) => node.contains(inside))) continue;
    if (target.isConnected) return { parent: target, before: previousSibling };
    inside = target;
  }
  return undefined;
}

/** The next control, else the one before, of the closest element that has any. */
function nearestTo({ parent, before }: Gap): HTMLElement | undefined {
  const screen = document.querySelector<HTMLElement>("main");
  let around: Node | null = parent;
  let at = before?.parentNode === parent ? before : null;
  // A screen that is replaced by another one starts at its top.
  while (around instanceof HTMLElement && !around.contains(screen)) {
    const found = controlAfter(around, at) ?? controlBefore(at);
    if (found) return found;
    at = around;
    around = around.parentNode;
  }
  return screen ?? undefined;
}

/** @param at a child; null: its start */
function controlAfter(around: Node, at: Node | null): HTMLElement | undefined {
  for (let next = at ? at.nextSibling : around.firstChild; next; next = next.nextSibling) {
    const [first] = controlsOf(next);
    if (first) return first;
  }
  return undefined;
}

function controlBefore(at: Node | null): HTMLElement | undefined {
  for (let previous = at; previous; previous = previous.previousSibling) {
    const found = controlsOf(previous).at(-1);
    if (found) return found;
  }
  return undefined;
}

/** Those that are shown, also the element itself. */
const controlsOf = (node: Node): HTMLElement[] =>
  node instanceof HTMLElement
    ? [node, ...node.querySelectorAll<HTMLElement>("*")].filter(
        (each) => each.matches(CONTROLS) && each.checkVisibility(),
      )
    : [];
