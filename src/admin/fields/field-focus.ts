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
    for (let closed = field.closest("details:not([open])"); closed; closed = field.closest("details:not([open])"))
      closed.setAttribute("open", "");
    field.scrollIntoView({ block: "center" });
    controlOf(field)?.focus({ preventScroll: true });
    return;
  }
}

/** The editor of Markdown has its control in a shadow root. */
function controlOf(field: Element): HTMLElement | null {
  const markdown = field.querySelector(".markdown-text")?.shadowRoot?.querySelector<HTMLElement>(".cm-content");
  return markdown ?? field.querySelector<HTMLElement>("input, textarea, select, button");
}
