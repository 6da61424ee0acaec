/** The screen of a page: what leads from it, its one line of verbs, and its settings beside the text. */
import { expect, it } from "vitest";
import { PAGE } from "../../cli/process.ts";
import { CHROMIUM, withChromium } from "../../support/browser.ts";
import { findings, openEditor } from "../editor-site.ts";

const RELEASE = "items: [{ page: 21, language: en, action: publish }]\n";

it.skipIf(!CHROMIUM)(
  withChromium("a page is seen, its address copied, a link made for others, and a page begun below it"),
  { timeout: 240_000 },
  async () => {
    const { page, server, failures } = await openEditor(
      {
        "content/pages/tower.yaml": PAGE(21, "Tower"),
        "content/pages/pier.yaml": PAGE(22, "Pier"),
        "content/releases/spring.yaml": RELEASE,
      },
      "pages/21",
    );
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = (): Promise<string> => page.evaluate("navigator.clipboard.readText()");
    const told = (text: string) => page.getByRole("status").getByText(text, { exact: true }).first().waitFor();
    const main = page.getByRole("main");
    const view = page.getByRole("button", { name: "View page" });
    await view.waitFor();
    expect(await main.locator(".primary").allInnerTexts()).toEqual(["View page"]);
    await main.getByRole("button", { name: "Copy address" }).click();
    await told("The address is in the clipboard.");
    expect(await copied()).toBe(`${server.url}tower/`);

    // The link shows the page as it will be after the release, to who has no account.
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("The tall tower");
    expect(await main.locator(".primary").allInnerTexts()).toEqual(["Publish"]);
    await page.keyboard.press("Control+s");
    await page.getByText("Pending draft").waitFor();
    await main.getByRole("button", { name: "Preview link" }).click();
    const dialog = page.getByRole("dialog", { name: "Preview link" });
    await dialog.getByRole("combobox").selectOption("Release: spring");
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Copy the link" }).click();
    await told("The link is in the clipboard.");
    expect(await (await fetch(await copied(), { redirect: "follow" })).text()).toContain("The tall tower");
    expect(await (await fetch(`${server.url}tower/`)).text()).not.toContain("The tall tower");

    await main.getByRole("button", { name: "New page below" }).click();
    const below = page.getByRole("dialog", { name: /^New page below “/ });
    await below.getByRole("textbox", { name: "Title" }).fill("Stairs");
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Stairs" }).waitFor();
    await main.getByText("/tower/stairs/").first().waitFor();
    expect(await view.count()).toBe(0);

    // Of a page that nothing is planned for there is nothing to show.
    expect(await main.getByRole("button", { name: "Preview link" }).count()).toBe(0);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium(
    "the settings are beside the text, as they were left; on a phone they are a sheet that opens where something is refused",
  ),
  { timeout: 240_000 },
  async () => {
    const { page, server, failures } = await openEditor({ "content/pages/tower.yaml": PAGE(21, "Tower") }, "pages/21");
    await page.setViewportSize({ width: 1680, height: 900 });
    const panel = page.getByRole("complementary", { name: "Page settings" });
    const button = page.getByRole("button", { name: "Page settings" });
    const boxOf = async (locator: typeof panel) => (await locator.boundingBox())!;
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    await title.waitFor();
    await page.reload();
    await panel.waitFor();
    const preview = page.getByRole("region", { name: "Preview" });
    const [text, shown, settings] = [await boxOf(title), await boxOf(preview), await boxOf(panel)];
    expect(text.x + text.width).toBeLessThanOrEqual(shown.x);
    expect(shown.x + shown.width).toBeLessThanOrEqual(settings.x);
    expect(await findings(page)).toEqual([]);

    await panel.getByRole("button", { name: "Close" }).click();
    await panel.waitFor({ state: "detached" });
    expect(await button.getAttribute("aria-expanded")).toBe("false");
    await page.reload();
    await title.waitFor();
    expect(await panel.count()).toBe(0);
    await button.click();
    await panel.getByText("Place and layout").click();
    await panel.getByRole("combobox", { name: "Layout" }).waitFor();

    await page.setViewportSize({ width: 1024, height: 800 });
    await preview.waitFor({ state: "hidden" });
    const beside = await boxOf(panel);
    expect(beside.x).toBeGreaterThanOrEqual((await boxOf(title)).x + (await boxOf(title)).width);

    await page.setViewportSize({ width: 390, height: 800 });
    await panel.waitFor({ state: "detached" });
    await button.click();
    const sheet = page.getByRole("dialog", { name: "Page settings" });
    await sheet.getByText("Search engines and social networks").click();
    expect(await findings(page)).toEqual([]);
    await sheet.getByRole("checkbox", { name: "Address follows the title" }).uncheck();
    await sheet.getByRole("textbox", { name: "Address", exact: true }).fill("/it/tower");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    expect(await button.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    await page.getByText("Kept, not published").waitFor();
    await page.keyboard.press("Control+s");
    await sheet.getByRole("alert").first().waitFor();
    expect(await page.evaluate("document.activeElement.labels[0].textContent")).toBe("Address");
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
