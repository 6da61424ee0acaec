/** The bar of a page with what can be done, the trash, and what follows a conflict or a lost connection. */
import { expect, it } from "vitest";
import { PAGE } from "../../cli/process.ts";
import { CHROMIUM, withChromium } from "../../support/browser.ts";
import { findings, goToSection, openEditor } from "../editor-site.ts";

const LONG = Array.from({ length: 80 }, (_, at) => `Line ${at}`).join("\\n\\n");
const NOTE = `id: 20
model: note
date_created: 2026-01-02T00:00:00.000Z
translations: { en: { title: Nook, permalink: /nook, template_data: { body: "${LONG}" } } }
`;

it.skipIf(!CHROMIUM)(
  withChromium("on a small screen the bar is one row with a menu of the rest, and hides neither caret nor focus"),
  { timeout: 120_000 },
  async () => {
    const { page, server, failures } = await openEditor(
      { "content/page-models/note.yaml": "schema: [{ name: body, kind: text }]\n", "content/pages/nook.yaml": NOTE },
      "pages/20",
    );
    const bar = page.locator(".actions.bottom");
    const topOfBar = async (): Promise<number> => (await bar.boundingBox())!.y;
    for (const [width, height] of [
      [1024, 768],
      [360, 640],
      [1280, 720],
    ] as const) {
      await page.setViewportSize({ width, height });
      const body = page.getByRole("textbox", { name: "Body" });
      await page.locator("label", { hasText: "Body" }).scrollIntoViewIfNeeded();
      await page.getByRole("button", { name: "Bold" }).waitFor();
      await body.click();
      await page.keyboard.press("Control+End");
      for (let line = 0; line < 12; line++) {
        await page.keyboard.press("Enter");
        await page.keyboard.type("x");
        const end = (await body.locator(".cm-line").last().boundingBox())!;
        expect(end.y + end.height).toBeLessThanOrEqual(await topOfBar());
      }
      await page.evaluate("scrollTo(0, 0)");
      const bold = page.getByRole("button", { name: "Bold" });
      await bold.focus();
      const box = (await bold.boundingBox())!;
      expect(box.y + box.height).toBeLessThanOrEqual(await topOfBar());
      await page.getByText(/^Kept, not (published|saved)$/).waitFor();
      if (width === 1280) continue;
      expect((await bar.boundingBox())!.height).toBeLessThan(70);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      await page.getByRole("button", { name: "Publish", exact: true }).waitFor();
      const [more, trash] = [
        page.getByRole("button", { name: "More…" }),
        page.getByRole("button", { name: "Move to trash" }),
      ];
      expect(await trash.count()).toBe(0);
      await more.click();
      await trash.waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await trash.waitFor({ state: "detached" });
      expect(await more.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
      await more.click();
      await page.getByRole("button", { name: "Schedule…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      expect(await more.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    }
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium(
    "the trash offers to restore alone; a publication goes on after its conflict is decided; what changed is counted",
  ),
  { timeout: 120_000 },
  async () => {
    const { page, server, failures } = await openEditor(
      { "content/pages/tower.yaml": PAGE(21, "Tower"), "content/pages/pier.yaml": PAGE(22, "Pier") },
      "pages?status=TRS&as=list",
    );
    const csrf = async (): Promise<string> =>
      (await page.context().cookies()).find(({ name }) => name === "csrftoken")!.value;
    const send = async (method: string, path: string, data: object = {}): Promise<void> => {
      const headers = { "x-csrftoken": await csrf(), origin: new URL(server.url).origin };
      const answer = await page.request.fetch(`${server.url}api/cms/${path}`, { method, data, headers });
      expect(answer.ok()).toBe(true);
    };
    await page.getByText("No pages match.").waitFor();
    await send("POST", "pages/21/trash/");
    await page.reload();
    await page.getByRole("checkbox", { name: "Select Tower" }).check();
    const bulk = page.getByRole("region", { name: "Selected pages" });
    const names = await bulk.getByRole("button").allTextContents();
    expect(names).toEqual(["Restore", "Select all that were found", "Clear the selection"]);
    await bulk.getByRole("button", { name: "Restore" }).click();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await page.getByRole("status").getByText("Done: 1").waitFor();

    await page.goto(`${server.url}admin/pages?as=list&sort=title`);
    await page.getByRole("checkbox", { name: "Select Tower" }).check();
    await page.getByRole("checkbox", { name: "Select Pier" }).check();
    await send("PATCH", "pages/22/draft/?language=en", { description: "Wooden" });
    await bulk.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    await page.getByRole("status").getByText("Done: 1").waitFor();
    await page.getByRole("status").getByText("Nothing to change: 1").waitFor();

    await page.goto(`${server.url}admin/pages/22`);
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    for (const [ends, isPublic] of [
      ["Cancel", false],
      ["Save with these choices", true],
    ] as const) {
      await title.fill(`My pier ${ends}`);
      await send("PATCH", "pages/22/draft/?language=en", { title: `Their pier ${ends}` });
      await page.getByRole("button", { name: "Publish", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: ends }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      if (isPublic) await page.getByRole("status").getByText("Published", { exact: true }).waitFor();
      const { title: live } = (await (await page.request.get(`${server.url}api/cms/pages/22/?language=en`)).json()) as {
        title: string;
      };
      expect(live).toBe(isPublic ? `My pier ${ends}` : "Pier");
    }
    await page.getByText("Pending draft").waitFor({ state: "detached" });

    // A page that is opened while there is no connection is there once it is back.
    await goToSection(page, "Pages", "Content");
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Tower" }).click();
    await page.getByRole("status").getByText("The server does not answer.").waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => title.inputValue().catch(() => ""), { timeout: 20_000 }).toBe("Tower");
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
