/** The outline of the section at work in the preview, which knows sections by the fields that templates mark. */

const MARK = "data-cms-field";
const LOOK = "3px solid #d2603a";

/** @param path of the section; undefined: none */
export function outlineSection(shown: Document, path: string | undefined, scrolls: boolean): void {
  for (const before of shown.querySelectorAll<HTMLElement>("[data-cms-outlined]")) {
    before.style.outline = "";
    before.removeAttribute("data-cms-outlined");
  }
  const section = path === undefined ? undefined : sectionAt(shown, path);
  if (!section) return;
  section.setAttribute("data-cms-outlined", "");
  section.style.outline = LOOK;
  section.style.outlineOffset = "-3px";
  if (scrolls) section.scrollIntoView({ block: "nearest" });
}

/** The largest element that has fields of the section alone. */
function sectionAt(shown: Document, path: string): HTMLElement | undefined {
  const isOwn = (element: Element): boolean => element.getAttribute(MARK)!.startsWith(`${path}.`);
  let section = [...shown.querySelectorAll<HTMLElement>(`[${MARK}]`)].find(isOwn);
  for (let around = section?.parentElement; around && !around.matches("main, body"); around = around.parentElement) {
    if (![...around.querySelectorAll(`[${MARK}]`)].every(isOwn)) break;
    section = around;
  }
  return section;
}
