/** The editor of a site below a path, behind a proxy that passes only that path on, with the path removed. */
import { appendFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { serve } from "../../cli/process.ts";
import { CHROMIUM, launchBrowser, withChromium } from "../../support/browser.ts";
import { addAccount, exampleSite, findings, signIn } from "../editor-site.ts";

const BELOW = "/museum/cms";

it.skipIf(!CHROMIUM)(
  withChromium("the editor works below a path: pictures, preview, publishing, the bar and the page that is shown"),
  { timeout: 240_000 },
  async () => {
    const { dir, git } = await exampleSite();
    appendFileSync(`${dir}/cms.config.yaml`, `BASE_PATH: ${BELOW}\n`);
    git("-c", "user.name=Pat", "-c", "user.email=pat@example.org", "commit", "--quiet", "--all", "--message=Path");
    await addAccount(dir, "ada", "--superuser");
    const server = await serve(dir);
    const proxied = await proxyTo(new URL(server.url));
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const failed: string[] = [];
    const loaded: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
      loaded.push(new URL(response.url()).pathname);
    });
    page.on("pageerror", ({ message }) => failed.push(message));

    await page.goto(`${proxied}/admin`);
    await signIn(page);
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await page.getByRole("link", { name: "Media", exact: true }).click();
    await page.getByRole("list", { name: "Media" }).locator("img").first().waitFor();
    await page.goto(`${proxied}/admin/pages/1122794970`);
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    const shown = page.frameLocator(".preview iframe");
    await shown.getByRole("heading", { level: 1, name: "House rules" }).waitFor();
    await title.fill("Rules of the house");
    await shown.getByRole("heading", { level: 1, name: "Rules of the house" }).waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("status").getByText("Published", { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    const [site] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("button", { name: "View page" }).click(),
    ]);
    await site.getByRole("heading", { level: 1, name: "Rules of the house" }).waitFor();
    expect(new URL(site.url()).pathname).toBe(`${BELOW}/rules-of-the-house/`);
    await site.getByRole("link", { name: "Edit this page" }).click();
    await site.getByRole("textbox", { name: "Title", exact: true }).waitFor();
    expect(failed.filter((each) => !/^401 .*\/users\/current\/$/.test(each))).toEqual([]);
    expect(loaded.filter((path) => !path.startsWith(`${BELOW}/`))).toEqual([]);
    expect(loaded.filter((path) => path.startsWith(`${BELOW}/media/`))).not.toEqual([]);
  },
);

/** @returns the address below which it answers */
async function proxyTo(target: URL): Promise<string> {
  const proxy = createServer((from, to) => {
    if (!from.url!.startsWith(`${BELOW}/`)) return void to.writeHead(404).end();
    const { hostname, port } = target;
    const path = from.url!.slice(BELOW.length);
    const passed = request({ hostname, port, path, method: from.method, headers: from.headers }, (answer) => {
      to.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(to);
    });
    passed.on("error", () => to.destroy());
    from.pipe(passed);
  });
  proxy.listen(0, "127.0.0.1");
  await new Promise((resolve) => proxy.once("listening", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${BELOW}`;
}
