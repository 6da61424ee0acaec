/** A page that is left at once after it was published is as it was published when it is opened again. */
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../../support/browser.ts";
import { openEditor } from "../editor-site.ts";

const PAGE = `id: 20
model: note
date_created: 2026-01-02T00:00:00.000Z
translations:
  en: { title: Nook, permalink: /nook, published_at: 2026-01-02T00:00:00.000Z, template_data: { body: Here } }
`;

it.skipIf(!CHROMIUM)(
  withChromium("what was published is not kept as something else"),
  { timeout: 120_000 },
  async () => {
    const { page, server, failures } = await openEditor(
      {
        "content/page-models/note.yaml": "schema: [{ name: body, kind: textarea }]\n",
        "content/pages/nook.yaml": PAGE,
      },
      "pages/20",
    );
    const body = page.getByRole("textbox", { name: "Body" });
    const kept = async (): Promise<unknown> => {
      const answer = await page.evaluate(() =>
        fetch("/api/cms/pages/20/autosave/?language=en&tab=").then((each) => each.json()),
      );
      return (answer as { tabs: unknown }).tabs;
    };
    await body.fill("Here and there");
    await expect.poll(kept).toHaveLength(1);
    await body.fill("Here and everywhere");
    const published = page.waitForResponse((response) => response.url().includes("/publish/") && response.ok());
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await published;
    await page.getByRole("status").getByText("Published", { exact: true }).waitFor();
    await page.goto(`${server.url}/admin/`);
    await expect.poll(kept).toEqual([]);
    await page.goto(`${server.url}/admin/pages/20`);
    await expect.poll(() => body.inputValue()).toBe("Here and everywhere");
    expect(await page.getByRole("dialog").count()).toBe(0);

    // What was typed last before the page is left is on the server, too.
    await body.fill("Nowhere");
    await page.goto(`${server.url}/admin/`);
    await expect.poll(async () => JSON.stringify(await kept())).toContain("Nowhere");
    expect(failures).toEqual([]);
  },
);
