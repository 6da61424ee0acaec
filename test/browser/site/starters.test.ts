/** The starters on a phone and on a desktop, in light and in dark, as a visitor sees them. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { cms, emptyFolder } from "../../cli/process.ts";
import { CHROMIUM, launchBrowser, withChromium } from "../../support/browser.ts";
import { serveFiles } from "../../support/static-host.ts";
import { findings } from "../editor-site.ts";
import { withoutRenditions } from "../../support/without-renditions.ts";

const SIZES = [
  { width: 360, height: 740, headerMax: 140 },
  { width: 1280, height: 800, headerMax: 140 },
];

it.skipIf(!CHROMIUM).each([
  ["lighthouse", "/visit-and-prices/"],
  ["business", "/services/kitchens/"],
  ["blog", "/the-pear-tree/"],
])(
  withChromium("%s fits, with a header of at most two rows, and axe finds nothing"),
  { timeout: 240_000 },
  async (starter, path) => {
    const dir = join(emptyFolder(), "site");
    expect(await cms(["init", dir, "--starter", starter], { timeoutMs: 100_000 })).toMatchObject({ code: 0 });
    withoutRenditions(dir);
    expect(await cms(["build", "--root", dir, "--quiet"], { timeoutMs: 100_000 })).toMatchObject({ code: 0 });
    const host = await serveFiles(join(dir, "dist"));
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    for (const { headerMax, ...viewport } of SIZES) {
      const page = await browser.newPage({ viewport });
      for (const at of ["/", path, "/it/"]) {
        await page.goto(host + at);
        expect([at, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([at, true]);
        const header = await page.locator("header.top").boundingBox();
        expect([at, header!.height < headerMax]).toEqual([at, true]);
        expect([at, await findings(page)]).toEqual([at, []]);
      }
      await page.close();
    }
    if (starter === "blog") await searchByKeyboard(await browser.newPage(), host);
  },
);

/** From the first key on, also without a connection, as somebody who does not see the page. */
async function searchByKeyboard(page: Page, host: string): Promise<void> {
  await page.goto(`${host}/`);
  const field = page.getByRole("searchbox", { name: "Search" });
  const told = page.locator("cms-search [role=status]");
  const focused = (): Promise<string> =>
    page.evaluate("document.querySelector('cms-search').shadowRoot.activeElement.textContent");
  await field.focus();
  await page.keyboard.type("flour water");
  await told.getByText("2 results").waitFor();
  expect(await findings(page)).toEqual([]);
  expect(await page.locator("cms-search mark").allTextContents()).toContain("flour");

  await page.context().setOffline(true);
  await field.fill("");
  await page.keyboard.type("railways viaduct");
  await told.getByText("1 result").waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toMatch(/^Nineteen kilometres on the old railway/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Escape");
  expect(await page.locator("cms-search a").count()).toBe(0);
  await field.fill("nothingofthiskind");
  await told.getByText("Nothing found").waitFor();
  await page.context().setOffline(false);

  await page.goto(`${host}/it/`);
  await page.getByRole("searchbox", { name: "Cerca" }).fill("farina");
  await page.locator("cms-search a").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${host}/it/pane-per-gente-distratta/`);
}
