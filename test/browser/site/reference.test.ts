/** The reference page of the API in a browser, under its own policy and without any other file. */
import { expect, it, onTestFinished } from "vitest";
import { serve, site } from "../../cli/process.ts";
import { CHROMIUM, launchBrowser, withChromium } from "../../support/browser.ts";

it.skipIf(!CHROMIUM)(
  withChromium("finds operations, opens what an address names, and loads nothing else"),
  { timeout: 60_000 },
  async () => {
    const server = await serve(site().dir, []);
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    const complaints: string[] = [];
    const loaded: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto(`${server.url}api/cms/docs/`);
    const operation = page.locator("#post_pages_id_publish");
    await page.getByText(`SITE=${new URL(server.url).origin}`).waitFor();
    expect(await page.getByRole("heading", { name: "Sync and hooks" }).count()).toBe(1);
    await page.getByRole("searchbox").fill("pages publish post");
    await page.getByText(/^\d+ found$/).waitFor();
    expect(await operation.isVisible()).toBe(true);
    expect(await page.locator("#get_languages").isVisible()).toBe(false);
    await operation.locator("summary").first().click();
    expect(await operation.getByText("$SITE/api/cms/pages/12/publish/").isVisible()).toBe(true);
    await page.goto(`${server.url}api/cms/docs/#schema-PageInput`);
    await page.locator("#schema-PageInput[open]").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect([complaints, [...new Set(loaded)]]).toEqual([[], ["/api/cms/docs/"]]);
  },
);
