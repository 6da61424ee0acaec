/** A long text is written as it will look: marks, links and pictures, with the source one key away. */
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";
import { picture } from "./pictures.ts";

const TEXT = `## Opening *hours*

Every day, **not** on Monday; see \\* below.

> Bring a coat.

- wool
- oilskin

| Day | Hours |
| --- | --- |
| Tue | **9** to 12 |

---

The end.
`;

const page = (id: number, title: string, permalink: string, body: string): string => `id: ${id}
model: note
date_created: 2026-01-02T00:00:00.000Z
translations:
  en: { title: ${title}, permalink: ${permalink}, published_at: 2026-01-02T00:00:00.000Z, template_data: { body: ${JSON.stringify(body)} } }
`;

/** The text as it is on the screen, line by line. */
const seen = (body: ReturnType<Page["getByRole"]>): Promise<string> =>
  body.evaluate((element) => (element as unknown as { innerText: string }).innerText);

it.skipIf(!CHROMIUM)(
  withChromium("a text is shown as it will look, and links and pictures are chosen"),
  { timeout: 120_000 },
  async () => {
    const { page: screen, failures } = await openEditor(
      {
        "content/page-models/note.yaml": "schema: [{ name: body, kind: text }]\n",
        "content/pages/nook.yaml": page(20, "Nook", "/nook", TEXT),
        "media/notes.txt": "no picture",
        "content/pages/goats.yaml": page(21, "Our goats", "/goats", ""),
      },
      "pages/20",
    );
    const body = screen.getByRole("textbox", { name: "Body" });
    const button = (name: string) => screen.getByRole("button", { name, exact: true });
    await button("Bold").waitFor();
    /** What is stored: the source of the text. */
    const source = async (): Promise<string> => {
      await button("Markdown source").click();
      await screen.getByRole("button", { name: "Markdown source", pressed: true }).waitFor();
      const lines = await body.locator(".cm-line").allTextContents();
      await button("Markdown source").click();
      return lines.join("\n");
    };

    await expect.poll(() => seen(body)).toContain("Opening hours");
    const shown = await seen(body);
    expect(shown).not.toMatch(/[#>|]|\*\*|---/);
    expect(shown).toContain("see * below");
    expect(shown).toContain("• wool");
    expect(await body.locator("th").allInnerTexts()).toEqual(["Day", "Hours"]);
    expect(await body.locator("td strong").innerText()).toBe("9");
    await body.evaluate((element) => element.scrollIntoView());
    await picture(screen, "writing");
    expect(await findings(screen)).toEqual([]);
    expect((await source()).trim()).toBe(TEXT.trim());

    // A link of what is selected, by the key; without a selection the key finds pages.
    await body.click();
    await screen.keyboard.press("Control+End");
    await screen.keyboard.type("\nMeet them");
    await screen.keyboard.press("Control+k");
    await screen.getByRole("dialog").getByRole("combobox").waitFor();
    await screen.keyboard.press("Escape");
    for (const _ of "them") await screen.keyboard.press("Shift+ArrowLeft");
    await screen.keyboard.press("Control+k");
    const dialog = screen.getByRole("dialog", { name: "Link to" });
    // The selected words are searched for first; Enter takes what is found first.
    expect(await dialog.getByRole("searchbox").inputValue()).toBe("them");
    await screen.keyboard.type("goats");
    await screen.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await screen.keyboard.type(".");
    expect(await source()).toContain("Meet [them](/goats/).");

    // Where nothing is selected the link has the name of its target.
    await screen.keyboard.press("Control+End");
    await screen.keyboard.type(" Or ");
    await button("Link").click();
    await dialog.getByRole("searchbox").fill("opening");
    await dialog.getByRole("button", { name: "Opening hours" }).click();
    // One goes on to type behind it.
    await screen.keyboard.type(",");
    expect(await source()).toContain("Or [Opening hours](#opening-hours),");
    await screen.keyboard.press("ArrowLeft");
    await screen.keyboard.press("ArrowLeft");
    await button("Link").click();
    await dialog.getByRole("searchbox").fill("ada@example.com");
    await dialog.getByRole("button", { name: "mailto:" }).click();
    expect(await source()).toContain("Or [Opening hours](mailto:ada@example.com)");
    await button("Link").click();
    expect(await findings(screen)).toEqual([]);
    await dialog.getByRole("button", { name: "Remove the link" }).click();
    expect(await source()).toMatch(/Or Opening hours,$/);

    // A picture with its words.
    await screen.keyboard.press("Control+End");
    await screen.keyboard.type("\n\n");
    await button("Picture").click();
    const library = screen.getByRole("dialog", { name: "Picture" });
    await library.getByText("Files: 0").waitFor();
    const buffer = await sharp({ create: { width: 640, height: 320, channels: 3, background: "seagreen" } })
      .png()
      .toBuffer();
    await library.getByLabel("Upload files").setInputFiles({ name: "goat.png", mimeType: "image/png", buffer });
    // It stands in the text at once, without words for people who do not see it; a click on it asks for them.
    await body.getByText("Alternative text missing").waitFor();
    await body.locator(".cm-picture img").click();
    await library.getByRole("textbox", { name: "Alternative text" }).fill("A goat [on a wall]");
    await library.getByRole("textbox", { name: "Caption" }).fill("Nina, ours");
    expect(await findings(screen)).toEqual([]);
    const width = (element: Locator) => element.boundingBox().then((box) => box!.width);
    expect(await width(library.locator("img"))).toBeLessThan(await width(library));
    await library.getByRole("button", { name: "Apply" }).click();
    expect(await source()).toContain('![A goat \\[on a wall\\]](/media/goat.png "Nina, ours")');
    await screen.keyboard.type("\n\nLast.");
    const image = body.getByRole("img", { name: "A goat [on a wall]" });
    await image.waitFor();
    await expect
      .poll(() => image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(640);
    expect(await seen(body)).toContain("Nina, ours");
    await picture(screen, "writing-picture");

    // A click on it changes its words.
    await image.click();
    await library.getByRole("textbox", { name: "Caption" }).fill("");
    await library.getByRole("button", { name: "Apply" }).click();
    expect(await source()).toContain("![A goat \\[on a wall\\]](/media/goat.png)\n\nLast.");
    await screen.keyboard.press("Control+/");
    await expect.poll(() => seen(body)).toContain("## Opening *hours*");
    expect(failures).toEqual([]);
  },
);
