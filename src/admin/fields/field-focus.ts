/** Moving the focus to the control of a field that is named elsewhere, such as in the preview. */

/**
 * Where a field has no control of its own, the nearest field around it has the focus.
 *
 * @param path names and indexes joined by dots
 */
export function focusField(form: ParentNode, path: string): void {
  const names = path.split(".");
  for (let length = names.length; length > 0; length--) {
    const field = form.querySelector(`[data-field="${CSS.escape(names.slice(0, length).join("."))}"]`);
    if (!field) continue;
    // A closed section has its fields once it is open.
    const closed = field.querySelector<HTMLElement>(":scope > .block-head[aria-expanded='false']");
    if (closed) {
      closed.click();
      if (length < names.length) return void requestAnimationFrame(() => focusField(form, path));
    }
    for (let folded = field.closest("details:not([open])"); folded; folded = field.closest("details:not([open])"))
      folded.setAttribute("open", "");
    field.scrollIntoView({ block: "center" });
    controlOf(field)?.focus({ preventScroll: true });
    return;
  }
}

/** Moves the focus to the first field that one of the paths names, or that is part of what it names. */
export function focusFirst(form: ParentNode, paths: readonly string[]): void {
  const fields = [...form.querySelectorAll<HTMLElement>("[data-field]")].map(({ dataset }) => dataset.field!);
  const first =
    fields.find((field) => paths.includes(field)) ??
    fields.find((field) => paths.some((path) => path !== "" && field.startsWith(`${path}.`))) ??
    paths[0];
  if (first) focusField(form, first);
}

/** The editor of Markdown has its control in a shadow root. */
function controlOf(field: Element): HTMLElement | null {
  const markdown = field.querySelector(".markdown-text")?.shadowRoot?.querySelector<HTMLElement>(".cm-content");
  return markdown ?? field.querySelector<HTMLElement>("input, textarea, select, button");
}
