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

    // A verb that is pressed twice is done once.
    const title = page.getByRole("textbox", { name: "Titolo", exact: true });
    await title.fill("Il faro");
    await page.getByText("Modifiche da pubblicare").waitFor();
    await page.getByRole("button", { name: "Pubblica", exact: true }).dblclick();
    await page.getByRole("status").getByText("Pubblicata", { exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(said).toEqual([]);

    // What the server refuses is said at the field, which has the focus.
    await title.fill("x".repeat(300));
    await page.getByRole("button", { name: "Pubblica", exact: true }).click();
    await page.getByRole("alert").getByText("Al massimo 200 caratteri.").waitFor();
    expect(await title.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    await page.getByRole("status").getByText("Titolo (English): Al massimo 200 caratteri.").waitFor();

    // So is the value of one of several languages.
    await page.goto(`${server.url}admin/tags/new`);
    const tag = page.getByRole("textbox", { name: "Nome (Italiano)" });
    await tag.fill("x".repeat(300));
    await page.getByRole("button", { name: "Salva" }).click();
    await page.getByRole("alert").getByText("Al massimo 200 caratteri.").waitFor();
    expect(await tag.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    await tag.fill("Il mare");
    await page.getByRole("alert").waitFor({ state: "detached" });

    // Entries of a menu, too, also one that is not chosen; and what the browser itself refuses.
    await page.goto(`${server.url}admin/menus/main`);
    const linked = page.getByRole("region", { name: "Voce" }).locator("strong");
    await linked.getByText("About us").waitFor();
    await page.getByRole("button", { name: "Italiano" }).click();
    await linked.getByText("Chi siamo").waitFor();
    await page.getByRole("button", { name: "Aggiungi una voce" }).click();
    const address = page.getByRole("textbox", { name: "Indirizzo" });
    await address.fill("http://");
    await page.getByRole("treeitem").last().click();
    await page.getByRole("button", { name: "Salva il menu" }).click();
    await page.getByRole("alert").getByText("Inserisci un percorso di questo sito").waitFor();
    await expect.poll(() => address.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    await page.getByRole("button", { name: "Nuovo menu" }).click();
    const name = page.getByRole("textbox", { name: "Nome di un nuovo menu" });
    const refused = (): Promise<string> =>
      name.evaluate((each) => (each as unknown as { validationMessage: string }).validationMessage);
    expect(await refused()).toBe("Questo campo è obbligatorio.");
    await name.fill("x");
    expect(await refused()).toBe("");
    await name.fill("  ");
    await page.keyboard.press("Enter");
    expect(await refused()).toBe("Questo campo è obbligatorio.");
    await browser.close();
    expect(await server.stop()).toBe(0);
  },
);
