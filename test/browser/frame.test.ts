/** The frame of every screen: the name of the site, the navigation on a desktop and a phone, the palette's button, the own account. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, goToSection, openEditor, PASSWORD, signIn } from "./editor-site.ts";

const HOME = `id: 30
date_created: 2026-01-02T00:00:00.000Z
translations:
  en: { title: The lighthouse of the island, permalink: /, published_at: 2026-01-02T00:00:00Z }
  it: { title: Il faro }
`;

/** Whether the bar is one line, and all of it is in the window. */
const isOneLine = (page: Page): Promise<boolean> =>
  page.evaluate(`(() => {
    const bar = document.querySelector(".bar");
    const shown = [...bar.querySelectorAll(":scope > *, nav > *")].map((each) => each.getBoundingClientRect());
    return bar.offsetHeight < 64 && shown.every(({ right, height }) => right <= innerWidth && height < 56);
  })()`);

it.skipIf(!CHROMIUM)(
  withChromium("the header has the name of the site and is one line; on a phone the navigation is a drawer"),
  { timeout: 120_000 },
  async () => {
    const { page, server, failures } = await openEditor({ "content/pages/home.yaml": HOME }, "");
    const content = page.getByRole("navigation").getByRole("button", { name: "Content" });
    await content.waitFor();
    for (const width of [1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await isOneLine(page)]).toEqual([width, true]);
    }
    await page.getByRole("banner").getByRole("link", { name: "The lighthouse of the island" }).waitFor();
    expect(await page.title()).toBe("Home – The lighthouse of the island");

    await content.focus();
    await page.keyboard.press("Enter");
    const pages = page.getByRole("navigation").getByRole("link", { name: "Pages" });
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await pages.waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Pages" }).waitFor();

    await page.getByRole("button", { name: /^Search/ }).click();
    await page.getByRole("dialog", { name: "Search", exact: true }).waitFor();
    await page.keyboard.press("Escape");

    await page.setViewportSize({ width: 390, height: 800 });
    const menu = page.getByRole("button", { name: "Menu" });
    await menu.waitFor(); // the navigation follows the width a moment later
    expect(await isOneLine(page)).toBe(true);
    await menu.click();
    const drawer = page.getByRole("dialog", { name: "Menu" });
    await drawer.getByRole("link", { name: "Settings" }).waitFor();
    expect(await drawer.getByRole("link", { name: "Pages" }).getAttribute("aria-current")).toBe("page");
    expect(await findings(page)).toEqual([]);
    // The focus stays in it, by Tab in both directions.
    for (const key of [...Array.from({ length: 30 }, () => "Tab"), ...Array.from({ length: 30 }, () => "Shift+Tab")]) {
      await page.keyboard.press(key);
      expect(await page.evaluate("document.activeElement.closest('main, header > a') === null")).toBe(true);
    }
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    expect(await menu.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    await menu.click();
    await drawer.getByRole("link", { name: "Media", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Media" }).waitFor();
    await drawer.waitFor({ state: "detached" });
    await menu.click();
    await page.mouse.click(380, 400);
    await drawer.waitFor({ state: "detached" });

    // In the other language, too.
    await page.setViewportSize({ width: 1024, height: 800 });
    await page.getByRole("button", { name: "ada" }).click();
    await page.getByRole("combobox", { name: "Language of the editor" }).selectOption("it");
    await page.getByRole("button", { name: "Amministrazione" }).waitFor();
    expect(await isOneLine(page)).toBe(true);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium("an account changes its own password with the present one, and stays signed in"),
  { timeout: 120_000 },
  async () => {
    const { page, server, failures } = await openEditor({}, "tags");
    const dialog = page.getByRole("dialog", { name: "Change password…" });
    const open = async (): Promise<void> => {
      await page.getByRole("button", { name: "ada" }).click();
      await page.getByRole("button", { name: "Change password…" }).click();
    };
    const fill = async (...values: readonly string[]): Promise<void> => {
      for (const [at, name] of ["Present password", "New password", "New password again"].entries())
        await dialog.getByLabel(name, { exact: true }).fill(values[at]!);
      await page.keyboard.press("Enter");
    };
    await open();
    expect(await findings(page)).toEqual([]);
    await fill("wrong", "another long password", "another long password");
    await dialog.getByText("This is not the present password.").waitFor();
    await fill(PASSWORD, "another long password", "another lone password");
    await dialog.getByText("The two are not the same.").waitFor();
    await fill(PASSWORD, "another long password", "another long password");
    await page.getByRole("status").getByText("The password is changed").waitFor();
    await goToSection(page, "Media");
    await page.getByRole("heading", { level: 1, name: "Media" }).waitFor();
    await page.getByRole("button", { name: "ada" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn(page, "another long password");
    await page.getByRole("button", { name: "ada" }).waitFor();
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
