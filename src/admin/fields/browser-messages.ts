import { inWords } from "../api.ts";

/** The pattern of a control that needs more than spaces. */
export const NOT_BLANK = ".*\\S.*";

/** What the API would say of what a form is not sent with: browsers say it in a language of their own. */
export function tellInWords(): void {
  const isControl = (target: EventTarget | null) => target instanceof HTMLElement && "setCustomValidity" in target;
  addEventListener(
    "invalid",
    ({ target }) => {
      if (!isControl(target)) return;
      const control = target as HTMLInputElement;
      const { badInput, valueMissing, patternMismatch } = control.validity;
      if (badInput) control.setCustomValidity(inWords("Invalid datetime."));
      else if (valueMissing || patternMismatch) control.setCustomValidity(inWords("This field is required."));
    },
    true,
  );
  addEventListener(
    "input",
    ({ target }) => isControl(target) && (target as HTMLInputElement).setCustomValidity(""),
    true,
  );
}
