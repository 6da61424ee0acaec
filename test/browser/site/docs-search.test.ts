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

it.skipIf(!CHROMIUM)(withChromium("finds a page and leads to it"), { timeout: 240_000 }, async () => {
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
  const results = page.locator("cms-search a");
  await results.filter({ hasText: "Settings" }).waitFor();
  await input.fill("front matter hugo");
  await results
    .locator("mark", { hasText: /^(front|matter|hugo)$/i })
    .first()
    .waitFor();
  expect(await findings(page)).toEqual([]);
  await results.filter({ hasText: "Content" }).first().click();
  await page.waitForURL(`${host}/content/`);
  await input.fill("nothingofthiskind");
  await page.getByText("Nothing found").waitFor();
  expect(failures).toEqual([]);
});
