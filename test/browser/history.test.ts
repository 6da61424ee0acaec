/** The history of a page in the editor, used by roles and names alone. */
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";

it.skipIf(!CHROMIUM)(
  withChromium("a revision is compared word by word, shown as it was, and restored"),
  { timeout: 120_000 },
  async () => {
    const files = { "templates/defaults/pages/default.html": "<body><h1>{{ page.title }}</h1></body>" };
    const { page, server, git, failures } = await openEditor(files, "pages/12");
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("About the tower");
    await page.getByRole("textbox", { name: "Description" }).fill("Built long ago.");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("status").getByText("Published").waitFor();

    await page.getByRole("link", { name: "History" }).click();
    const newest = page.getByRole("region", { name: /^Revision of/ });
    await newest.getByRole("insertion").getByText(" the tower").waitFor();
    await newest.getByRole("definition").getByText("Built long ago.").waitFor();
    expect(await findings(page)).toEqual([]);

    const revisions = page.getByRole("list", { name: "Revisions" }).getByRole("button");
    expect(await revisions.count()).toBe(2);
    await revisions.nth(1).click();
    await newest.getByText("The page as it was").click();
    await page.frameLocator("iframe").getByRole("heading", { name: "About", exact: true }).waitFor();
    await newest.getByRole("combobox", { name: "Show the differences" }).selectOption("What changed since then");
    await newest.getByRole("insertion").getByText(" the tower").waitFor();
    expect(await findings(page)).toEqual([]);

    page.once("dialog", (dialog) => void dialog.accept());
    await newest.getByRole("button", { name: "Restore this revision" }).click();
    await page.getByRole("heading", { name: "About", exact: true, level: 1 }).first().waitFor();
    expect(git("log", "-1", "--format=%an: %s")).toMatch(/^ada: Revert "About the tower" to [0-9a-f]{10}\n$/);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
