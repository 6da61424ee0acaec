/** How many clicks somebody needs who has never seen the editor: from its first screen to what visitors see. */
import { join } from "node:path";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { cms, emptyFolder } from "../cli/process.ts";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { withoutRenditions } from "../support/without-renditions.ts";
import { openEditorOf } from "./editor-site.ts";

interface Hand {
  readonly page: Page;
  readonly dialog: Locator;
  readonly preview: FrameLocator;
  /** Opens a page by its title. */
  open(title: string): Promise<void>;
  click(what: Locator): Promise<void>;
  /** Selects words of an element that has a text alone. */
  drag(over: Locator, words: string): Promise<void>;
  /** Clicks a button by its name, whose first letters suffice. */
  press(name: string): Promise<void>;
  /** Types where the focus is, once it is in a text. */
  type(words: string): Promise<void>;
}

interface Task {
  readonly name: string;
  /** In Keystatic the same took as many: counted on a site with the same pages, without signing in. */
  readonly keystatic: number;
  readonly most: number;
  do(hand: Hand): Promise<void>;
  /** The page of the site that shows it, and a text there. */
  readonly path: string;
  readonly shown: string;
}

const TASKS: readonly Task[] = [
  {
    name: "a sentence of the home page",
    keystatic: 6,
    most: 3,
    async do({ preview, open, click, press, type }) {
      await open("Halden Joinery");
      await click(preview.getByText("by the same six people", { exact: false }).first());
      await type("[really] ");
      await press("Publish");
    },
    path: "",
    shown: "[really]",
  },
  {
    name: "that sentence as it was",
    // It has no history.
    keystatic: Infinity,
    most: 2,
    async do({ page, click, press }) {
      const changes = page.getByRole("region", { name: "Latest changes" });
      await click(changes.getByRole("link", { name: /^Publish/ }).first());
      await press("Undo this change");
    },
    path: "",
    shown: "drawn, built and fitted by the same six people",
  },
  {
    name: "a section with a picture",
    keystatic: 9,
    most: 6,
    async do({ page, dialog, open, click, press, type }) {
      await open("About us");
      await press("Add a section");
      await click(dialog.getByRole("button", { name: /^Picture with text/ }));
      await click(dialog.getByRole("list", { name: "Media" }).getByRole("button").first());
      await type("The new saw");
      await click(page.getByRole("textbox", { name: "Body" }).last());
      await type("It came by boat.");
      await press("Publish");
    },
    path: "about/",
    shown: "The new saw",
  },
  {
    name: "a page below another",
    keystatic: 4,
    most: 2,
    async do({ page, press, type }) {
      await press("New page below “About us”");
      await type("Apprentices");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Apprentices" }).waitFor();
      await press("Publish");
    },
    path: "about/apprentices/",
    shown: "Apprentices",
  },
  {
    name: "words as a link to a page",
    keystatic: 7,
    most: 5,
    async do({ page, dialog, preview, open, click, drag, press, type }) {
      await open("About us");
      const sentence = preview.getByText("From three forests").first();
      // The form scrolls once no second click can follow, which would hit something else.
      await sentence.dblclick({ position: { x: 15, y: 12 }, delay: 50 });
      await expect.poll(() => page.evaluate(SELECTED)).toBe("From");
      await expect.poll(() => page.evaluate<number>("scrollY")).toBeGreaterThan(0);
      await drag(sentence, "three forests");
      await expect.poll(() => page.evaluate(SELECTED)).toBe("three forests");
      await press("Link");
      // The search stays where it is while less is found.
      const search = dialog.getByRole("searchbox");
      const found = dialog.getByRole("list").getByRole("button");
      await search.fill("");
      await expect.poll(() => found.count()).toBeGreaterThan(3);
      const place = await search.boundingBox();
      await type("Cont");
      await expect.poll(() => found.count()).toBe(1);
      expect(await search.boundingBox()).toEqual(place);
      await click(dialog.getByRole("button", { name: "Contact" }));
      await page.getByText("Kept, not published").waitFor();
      await press("Publish");
    },
    path: "about/",
    shown: 'href="/contact/">three forests</a>',
  },
];

/** Whether a text has the focus, in which the words go: of the form, or of the preview where it is typed in place. */
const IS_IN_TEXT = `[document, ...Array.from(frames, (frame) => frame.document)].some(({ activeElement }) =>
  activeElement?.matches("input, textarea, .markdown-text, [contenteditable]"))`;

/** The words that are selected in a text of the form. */
const SELECTED = `(({ shadowRoot, value, selectionStart, selectionEnd }) =>
  shadowRoot ? String(shadowRoot.getSelection()) : value?.slice(selectionStart, selectionEnd))(document.activeElement)`;

it.skipIf(!CHROMIUM)(withChromium("five tasks take fewer clicks than in Keystatic"), { timeout: 180_000 }, async () => {
  const dir = join(emptyFolder(), "site");
  expect(await cms(["init", dir, "--starter", "business", "--quiet"], { timeoutMs: 100_000 })).toMatchObject({
    code: 0,
  });
  withoutRenditions(dir);
  const { page, server, failures } = await openEditorOf(dir, "");
  for (const { name, keystatic, most, path, shown, ...task } of TASKS) {
    let clicks = 0;
    const click = async (what: Locator): Promise<void> => {
      clicks++;
      await what.click();
    };
    await task.do({
      page,
      dialog: page.getByRole("dialog"),
      preview: page.frameLocator("iframe"),
      click,
      async drag(over, words) {
        clicks++;
        const ends = await over.evaluate((element, selected) => {
          const range = element.ownerDocument.createRange();
          const start = element.textContent!.indexOf(selected);
          range.setStart(element.firstChild!, start);
          range.setEnd(element.firstChild!, start + selected.length);
          const { left, right, top, height } = range.getBoundingClientRect();
          const around = element.getBoundingClientRect();
          return [left, right].map((x) => ({ x: x - around.left, y: top + height / 2 - around.top }));
        }, words);
        await over.hover({ position: ends[0] });
        await page.mouse.down();
        await over.hover({ position: ends[1] });
        await page.mouse.up();
      },
      async open(title) {
        // What the preview asks for itself follows what it hears from the editor: from then on it knows the fields.
        const hears = page.waitForResponse((response) => {
          const isFetch = response.request().resourceType() === "fetch";
          return isFetch && response.frame() !== page.mainFrame();
        });
        await click(page.getByRole("region", { name: "Pages", exact: true }).getByRole("link", { name: title }));
        await hears;
      },
      press: (label) => click(page.getByRole("button", { name: new RegExp(`^${label}`) }).last()),
      type: async (words) => {
        await expect.poll(() => page.evaluate(IS_IN_TEXT), { message: `${name}: ${words}` }).toBe(true);
        await page.keyboard.type(words);
      },
    });
    await page
      .getByRole("status")
      .getByText(/^(Published|Restored)/)
      .first()
      .waitFor();
    expect((await server.ask("GET", path)).body, name).toContain(shown);
    expect(clicks, name).toBeLessThanOrEqual(most);
    expect(clicks, name).toBeLessThan(keystatic);
    await page.goto(`${server.url}admin/`);
  }
  // The pages that were changed last are there to go on with.
  const own = page.getByRole("region", { name: "Changed by me" }).getByRole("link");
  await own.first().waitFor();
  expect(await own.allTextContents()).toEqual(["About us", "Apprentices", "Halden Joinery"]);
  // A new item that begins with a picture asks for it, and goes on with its next field.
  await own.last().click();
  await page.getByRole("button", { name: /^Gallery/ }).click();
  // What is opened is seen: to its end, or from its start where it is higher than the screen.
  const opened = `(({ top, bottom }) => Math.abs(top) < 1 || (top > 0 && bottom < innerHeight))
    (document.querySelector(".block.open").getBoundingClientRect())`;
  await expect.poll(() => page.evaluate(opened)).toBe(true);
  await page.getByRole("button", { name: "Add to Pictures" }).click();
  await page.getByRole("dialog").getByRole("list", { name: "Media" }).getByRole("button").first().click();
  const field = (): Promise<string> => page.evaluate("document.activeElement?.closest('[data-field]')?.dataset.field");
  await expect.poll(field).toMatch(/\.pictures\.\d+\.caption$/);
  expect(failures).toEqual([]);
});
