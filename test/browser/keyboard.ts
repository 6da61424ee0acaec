/** The keyboard as the only way to use a screen: where Tab does not lead, nothing can be used. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

export interface Keyboard {
  /** Moves the focus by Tab, or backwards, until it is on the control. @throws when no Tab leads there */
  to(control: Locator, key?: "Tab" | "Shift+Tab"): Promise<void>;
  /** Moves the focus to a button, link or summary, and presses it. @throws when the focus is lost by it */
  use(control: Locator, key?: "Tab" | "Shift+Tab"): Promise<void>;
  /** Moves the focus to a field and replaces what is in it. */
  fill(field: Locator, text: string, key?: "Tab" | "Shift+Tab"): Promise<void>;
  /** Runs a command of the palette. @throws when the focus is lost by it */
  command(search: string, name: RegExp): Promise<void>;
  /** @throws when the focus is lost by a key */
  press(...keys: string[]): Promise<void>;
}

/** More than any screen has. */
const STOPS_MAX = 200;

export function keyboardOf(page: Page): Keyboard {
  // From the body no key reaches a form, and a screen reader starts from the top.
  // `waitForFunction` would evaluate text in the page, which the page's policy refuses.
  const isKept = (): Promise<unknown> =>
    expect.poll(() => page.evaluate("document.activeElement !== document.body"), { timeout: 10_000 }).toBe(true);
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await isKept();
    }
  };
  const to: Keyboard["to"] = async (control, key = "Tab") => {
    await control.waitFor();
    for (let stops = 0; stops < STOPS_MAX; stops++) {
      if (await control.evaluate(hasFocus)) return;
      await page.keyboard.press(key);
    }
    throw new Error(`No ${key} leads to ${String(control)}`);
  };
  return {
    press,
    to,
    async use(control, key) {
      await to(control, key);
      await press("Enter");
    },
    async fill(field, text, key) {
      await to(field, key);
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(text);
    },
    async command(search, name) {
      await page.keyboard.press("Control+k");
      const palette = page.getByRole("dialog", { name: "Search", exact: true });
      await palette.waitFor().catch(async () => {
        const dialogs = await page.getByRole("dialog").allInnerTexts();
        const focus = String(await page.evaluate("document.activeElement?.outerHTML.slice(0, 200)"));
        throw new Error(`Control+k opens no palette: ${JSON.stringify({ url: page.url(), dialogs, focus })}`);
      });
      await page.keyboard.type(search);
      await palette.getByRole("option", { name, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await palette.waitFor({ state: "detached" });
      await isKept();
    },
  };
}

/** Also of a control in a shadow root. */
const hasFocus = (element: Element): boolean =>
  (element.getRootNode() as Document | ShadowRoot).activeElement === element;

interface Element {
  getRootNode(): unknown;
}
interface Document {
  readonly activeElement: Element | null;
}
type ShadowRoot = Document;
