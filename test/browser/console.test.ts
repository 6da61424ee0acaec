/** What a normal visit of the editor leaves in the console of the browser: nothing. */
import { expect, it } from "vitest";
import { addAccount, exampleSite, PASSWORD } from "./editor-site.ts";
import { serve } from "../cli/process.ts";
import { CHROMIUM, launchBrowser, withChromium } from "../support/browser.ts";

const SCREENS = [
  "",
  "pages",
  "articles",
  "media",
  "menus",
  "tags",
  "blocks",
  "types",
  "redirects",
  "releases",
  "accounts",
  "settings",
];

it.skipIf(!CHROMIUM)(
  withChromium(
    "signing in and visiting every screen leaves no message in the console; messages are in the reader's language, with focus",
  ),
  { timeout: 180_000 },
  async () => {
    const { dir } = await exampleSite();
    await addAccount(dir, "ada", "--superuser");
    const server = await serve(dir);
    const browser = await launchBrowser();
    const page = await browser.newPage({ locale: "it-IT" });
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    page.on("response", (answer) => answer.status() >= 400 && said.push(`${answer.status()} ${answer.url()}`));
    await page.goto(`${server.url}admin/`);
    await page.getByRole("textbox", { name: "Nome utente" }).fill("ada");
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("navigation").waitFor();
    for (const screen of SCREENS) {
      await page.goto(`${server.url}admin/${screen}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
    }
    await page.goto(`${server.url}admin/pages`);
    await page.getByRole("treegrid").getByRole("link").first().click();
    await page.frameLocator("iframe").locator("body").waitFor();
    await page.waitForLoadState("networkidle");
    expect(said).toEqual([]);

    // What the server refuses is said at the field, which has the focus.
    const title = page.getByRole("textbox", { name: "Titolo", exact: true });
    await title.fill("x".repeat(300));
    await page.getByRole("button", { name: "Pubblica", exact: true }).click();
    await page.getByRole("alert").getByText("Al massimo 200 caratteri.").waitFor();
    expect(await title.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    await page.getByRole("status").getByText("Titolo (English): Al massimo 200 caratteri.").waitFor();
    await browser.close();
    expect(await server.stop()).toBe(0);
  },
);
