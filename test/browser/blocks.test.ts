/** Content blocks in the editor, used by roles and names alone. */
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";
import { picture } from "./pictures.ts";

it.skipIf(!CHROMIUM)(
  withChromium("a content block is made for a page, written in two languages, and another editor's write is not lost"),
  { timeout: 180_000 },
  async () => {
    const { page, server, git, failures } = await openEditor({}, "blocks");
    const lastCommit = (): string => git("log", "-1", "--name-only", "--format=%an: %s").trim();
    await page.getByRole("link", { name: "New content block" }).click();
    await page.getByRole("textbox", { name: "Identifier" }).fill("hours");
    await page.getByRole("button", { name: "Choose: Page" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "About" }).click();
    await page.getByRole("button", { name: "Bold" }).first().waitFor(); // the editor of Markdown has loaded
    await page.getByRole("textbox", { name: "Text (English)" }).click();
    await page.keyboard.type("From nine");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "hours" }).waitFor();
    const [subject, , file = "", ...others] = lastCommit().split("\n");
    expect([subject, others]).toEqual(['ada: Create content "hours"', []]);
    expect(file).toMatch(/^content\/contents\//);

    const id = Number(/^id: (\d+)$/m.exec(git("show", `HEAD:${file}`))?.[1]);
    const { value: csrf } = (await page.context().cookies()).find(({ name }) => name === "csrftoken")!;
    const writeElsewhere = async (lang: string, content: string): Promise<void> => {
      const answer = await page.request.patch(`${server.url}api/cms/contents/${id}/`, {
        data: { translations: { [lang]: { content } } },
        headers: { "x-csrftoken": csrf, referer: server.url },
      });
      expect(answer.status()).toBe(200);
    };
    const type = async (more: string): Promise<void> => {
      await page.getByRole("textbox", { name: "Text (English)" }).click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type(more);
      await page.keyboard.press("Control+s");
    };
    // What only another editor has changed is taken over; of what both did, one is chosen, also after a reload.
    await writeElsewhere("it", "Dalle nove");
    await type(" to five");
    await page.getByRole("textbox", { name: "Text (Italiano)" }).getByText("Dalle nove").waitFor();
    await page.getByText(/^Kept, not (published|saved)$/).waitFor({ state: "detached" });
    const stored = (): string => git("show", `HEAD:${file}`);
    expect(stored()).toMatch(/From nine to five[^]*Dalle nove/);
    await writeElsewhere("en", "From ten");
    await type(" daily");
    const dialog = page.getByRole("dialog", { name: "This was changed meanwhile" });
    await dialog.waitFor();
    await picture(page, "record-contested");
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.reload();
    await dialog.getByRole("group", { name: "Content › English" }).getByText("daily").waitFor();
    await dialog.getByRole("button", { name: "Save with these choices" }).click();
    await page.getByText(/^Kept, not (published|saved)$/).waitFor({ state: "detached" });
    expect(stored()).toContain("From nine to five daily");
    await writeElsewhere("en", "From nine");
    await type("!");
    await dialog.getByRole("radio", { name: "Take theirs" }).check();
    await dialog.getByRole("button", { name: "Save with these choices" }).click();
    await page.getByRole("textbox", { name: "Text (English)" }).getByText("From nine", { exact: true }).waitFor();
    expect(stored()).toContain("content: From nine\n");

    await page.getByRole("link", { name: "Content blocks" }).last().click();
    await page.getByRole("row", { name: "hours From nine About" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);

    // On the page itself, which a new block is begun for.
    await page.goto(`${server.url}admin/pages/12`);
    await page.getByRole("button", { name: "Page settings" }).click();
    const form = page.getByRole("dialog", { name: "Page settings" });
    await form.getByText("Content blocks", { exact: true }).click();
    await form.getByRole("link", { name: "hours", exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("link", { name: "New content block" }).click();
    await page.getByRole("group", { name: "Page", exact: true }).getByText("About", { exact: true }).waitFor();
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
