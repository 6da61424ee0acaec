/** The search of the site of the documentation, built as `npm run docs` builds it, from a host of files. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { emptyFolder } from "../../cli/process.ts";
import { CHROMIUM, launchBrowser, withChromium } from "../../support/browser.ts";
import { serveFiles } from "../../support/static-host.ts";
import { findings } from "../editor-site.ts";

const BUILD = fileURLToPath(new URL("../../../scripts/docs-site.mjs", import.meta.url));

it.skipIf(!CHROMIUM)(withChromium("finds a section and leads to it"), { timeout: 240_000 }, async () => {
  const out = emptyFolder();
  await promisify(execFile)(process.execPath, [BUILD, "--out", out]);
  const host = await serveFiles(out);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  const failures: string[] = [];
  page.on("pageerror", ({ message }) => failures.push(message));
  await page.goto(`${host}/getting-started/`);
  const input = page.getByRole("searchbox");
  await input.fill("TIME_ZONE");
  await input.press("Enter");
  await page.getByText(/^\d+ found\.$/).waitFor();
  expect(new URL(page.url()).search).toBe("?q=TIME_ZONE");
  expect(await page.locator("#found mark").first().textContent()).toBe("TIME_ZONE");
  // Typing searches on, and the address can be sent to another.
  await input.fill("front matter hugo");
  await page.locator("#found a").first().waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe("front matter hugo");
  expect(await findings(page)).toEqual([]);
  const link = page.locator("#found a", { hasText: "Markdown" }).first();
  await link.click();
  await page.waitForURL(`${host}/content/#markdown`);
  await page.locator("h3#markdown").waitFor();
  await page.goto(`${host}/find/?q=nothingofthiskind`);
  await page.getByText("Nothing was found.").waitFor();
  expect(failures).toEqual([]);
});
