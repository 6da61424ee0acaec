/** `cms serve --dev` in a browser: what is saved is seen without a reload by hand. */
import { expect, it, onTestFinished } from "vitest";
import { PAGE, serve, site } from "../../cli/process.ts";
import { CHROMIUM, launchBrowser, withChromium } from "../../support/browser.ts";

it.skipIf(!CHROMIUM)(
  withChromium("an open page shows a saved template, saved content, a failure, and a restarted server"),
  { timeout: 60_000 },
  async () => {
    const { dir, save } = site();
    const template = (text: string): void => save("templates/defaults/pages/default.html", `<body>${text}</body>`);
    template("<h1>{{ page.title }}</h1>");
    const server = await serve(dir, ["--dev"]);
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const seen = async (text: string): Promise<void> =>
      page.getByRole("heading", { name: text, exact: true }).waitFor();
    await page.goto(`${server.url}about/`);
    await seen("About");

    template("<h1>{{ page.title }} us</h1>");
    await seen("About us");

    save("content/pages/about.yaml", PAGE(12, "About").replace("title: About", "title: All about"));
    await seen("All about us");

    template("<h1>{{ paeg() }}</h1>");
    await seen("Unable to call `paeg`, which is undefined or falsey");
    template("<h1>Mended</h1>");
    await seen("Mended");

    const { port } = new URL(server.url);
    expect(await server.stop()).toBe(0);
    template("<h1>Started again</h1>");
    await serve(dir, ["--dev", "--port", port]);
    await seen("Started again");
  },
);
