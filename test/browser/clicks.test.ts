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
    name: "a link to a page in a text",
    keystatic: 7,
    most: 4,
    async do({ page, preview, open, click, press, type }) {
      await open("About us");
      await click(preview.getByText("From three forests").first());
      await type("");
      await press("Link");
      await type("Cont");
      await page.keyboard.press("Enter");
      await page.getByText("Kept, not published").waitFor();
      await press("Publish");
    },
    path: "about/",
    shown: 'href="/contact/">Contact</a>',
  },
];

/** Whether a text has the focus, in which the words go: of the form, or of the preview where it is typed in place. */
const IS_IN_TEXT = `[document, ...Array.from(frames, (frame) => frame.document)].some(({ activeElement }) =>
  activeElement?.matches("input, textarea, .markdown-text, [contenteditable]"))`;

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
  await page.getByRole("button", { name: "Add to Pictures" }).click();
  await page.getByRole("dialog").getByRole("list", { name: "Media" }).getByRole("button").first().click();
  const field = (): Promise<string> => page.evaluate("document.activeElement?.closest('[data-field]')?.dataset.field");
  await expect.poll(field).toMatch(/\.pictures\.\d+\.caption$/);
  expect(failures).toEqual([]);
});
