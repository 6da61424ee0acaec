/** A page built of sections in the editor: by mouse, and again by keyboard alone. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";

const FILES = {
  "content/block-types/hero.yaml":
    "label: Hero\nicon: hero\ncategory: Openings\ndescription: A title over a picture.\nschema:\n  - { name: title, required: true }\n  - { name: lead }\n",
  "content/block-types/quote.yaml": "icon: quote\nschema:\n  - { name: words }\n",
  "content/block-types/columns.yaml": "icon: columns\ncategory: Layout\nschema:\n  - { name: content, kind: blocks }\n",
  "content/page-models/landing.yaml":
    "default_template: pages/landing.html\nschema:\n  - { name: sections, kind: blocks }\n",
  "templates/pages/landing.html": "<title>x</title><main>{{ blocks(page.template_data.sections) }}</main>",
  "templates/blocks/hero.html": '<h2{{ cms_field("title") }}>{{ block.title }}</h2>',
  "templates/blocks/quote.html": '<a href="https://example.com/"{{ cms_field("words") }}>{{ block.words }}</a>',
  "templates/blocks/columns.html": "<div>{{ blocks(block.content) }}</div>",
  "content/pages/landing.yaml": `id: 7001
model: landing
date_created: 2026-01-02T00:00:00.000Z
translations:
  en:
    title: Landing
    permalink: /landing
    template_data:
      sections:
        - type: quote
          words: So it goes
`,
};
const { EDITOR_SCREENS } = process.env;

it.skipIf(!CHROMIUM)(
  withChromium("sections are added, edited, moved, hidden and saved"),
  { timeout: 240_000 },
  async () => {
    const { page, server, failures, git } = await openEditor(FILES, "pages/7001?lang=en");
    const head = (name: RegExp) => page.getByRole("button", { name });
    const preview = page.frameLocator("iframe");
    await head(/^Quote/).waitFor();
    // Of closed sections no field is there.
    expect(await page.getByRole("textbox", { name: "Words" }).count()).toBe(0);

    await page.getByRole("button", { name: "Add a section", exact: true }).click();
    const chooser = page.getByRole("dialog", { name: "Choose a section" });
    await chooser.getByRole("searchbox").fill("over a pic");
    await expect.poll(() => chooser.getByRole("listitem").count()).toBe(1);
    if (EDITOR_SCREENS) await page.screenshot({ path: join(EDITOR_SCREENS, "sections-choice.png") });
    await chooser.getByRole("button", { name: /^Hero/ }).click();
    await page.getByRole("textbox", { name: "Title", exact: true }).last().fill("The garden opens");
    await preview.getByRole("heading", { name: "The garden opens" }).waitFor();

    // By keyboard alone: another one below, filled, moved up.
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("Add a sec");
    await page.getByRole("option", { name: "Add a section" }).waitFor();
    await page.keyboard.press("Enter");
    await chooser.getByRole("searchbox").waitFor();
    await page.keyboard.type("quote");
    await expect.poll(() => chooser.getByRole("listitem").count()).toBe(1);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const words = page.getByRole("textbox", { name: "Words" });
    await words.focus();
    await page.keyboard.type("Second quote");
    await page.getByRole("button", { name: "Move item 3 of Sections up" }).focus();
    await page.keyboard.press("Alt+ArrowUp");
    // What was open stays open, with its text.
    expect(await words.inputValue()).toBe("Second quote");
    // One that is dragged comes at the edge that the pointer is near.
    const rows = page.getByRole("group", { name: "Sections" }).locator("> ol > li");
    const kinds = () => rows.locator(".block-head strong").allInnerTexts();
    const drag = async (to: number, y: number): Promise<void> => {
      const targetPosition = { x: 40, y: y < 0 ? (await rows.nth(to).boundingBox())!.height + y : y };
      await rows.first().locator(".grip").dragTo(rows.nth(to), { targetPosition });
    };
    expect(await kinds()).toEqual(["Quote", "Quote", "Hero"]);
    await drag(2, -8);
    await expect.poll(kinds).toEqual(["Quote", "Hero", "Quote"]);
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await drag(2, 4);
    await expect
      .poll(() =>
        page
          .getByRole("button", { name: /^Quote/ })
          .nth(1)
          .innerText(),
      )
      .toContain("So it goes");
    await page.keyboard.press("Alt+ArrowUp");
    if (EDITOR_SCREENS) await page.screenshot({ path: join(EDITOR_SCREENS, "sections.png"), fullPage: true });
    expect(await findings(page)).toEqual([]);

    // A click in the preview opens the section.
    await preview.getByRole("heading", { name: "The garden opens" }).click();
    await expect
      .poll(() => page.getByRole("textbox", { name: "Title", exact: true }).last().inputValue())
      .toBe("The garden opens");
    // The caret is where the click was.
    const heading = preview.getByRole("heading", { name: "The garden opens" });
    const width = await heading.evaluate((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().width;
    });
    await heading.click({ position: { x: width / 2, y: 8 } });
    await page.keyboard.type("-");
    const typed = page.getByRole("textbox", { name: "Title", exact: true }).last();
    await expect.poll(() => typed.inputValue()).toMatch(/^The .{1,7}-.+$/);
    await page.keyboard.press("Backspace");
    // Also where its text is a link, which does not open.
    await preview.getByRole("link", { name: "Second quote" }).click();
    await words.waitFor();
    expect(page.context().pages()).toEqual([page]);
    await preview.getByRole("heading", { name: "The garden opens" }).click();
    await page.getByRole("button", { name: "Duplicate", exact: true }).first().click();
    await page.getByRole("button", { name: "Hide", exact: true }).click();
    await page.getByText("Hidden", { exact: true }).waitFor();

    // Through the clipboard, which may have anything.
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const add = page.getByRole("button", { name: "Add a section", exact: true });
    await page.evaluate('navigator.clipboard.writeText(\'{"kind":"git-cms/blocks","blocks":[{"type":"gone"}]}\')');
    await add.click();
    await chooser.getByRole("button", { name: "Paste" }).click();
    await page.getByText("There is no section to paste that this field takes.").waitFor();
    await chooser.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText("The section is in the clipboard.").waitFor();
    await add.click();
    await chooser.getByRole("button", { name: "Paste" }).click();
    await expect.poll(() => head(/^Hero/).count()).toBe(3);

    await page.keyboard.press("Control+s");
    await page.getByRole("status").getByText("Saved").first().waitFor();
    const draft = git("show", "HEAD:content/pages/landing.draft.en.yaml");
    expect(draft.match(/type: .*|title: The.*|words: .*|hidden: .*/g)).toEqual([
      "type: quote",
      "words: So it goes",
      "type: quote",
      "words: Second quote",
      "type: hero",
      "title: The garden opens",
      ...Array.from({ length: 2 }, () => ["type: hero", "hidden: true", "title: The garden opens"]).flat(),
    ]);
    const ids = [...draft.matchAll(/id: (b\w+)/g)].map(([, id]) => id);
    expect([ids.length, new Set(ids).size]).toEqual([5, 5]);
    // What is required may be missing from a draft, and is asked for when it is published.
    await add.click();
    await chooser.getByRole("button", { name: /^Hero/ }).click();
    // A new section has the focus in its first field.
    const title = page.getByRole("textbox", { name: "Title", exact: true }).last();
    await expect.poll(() => title.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press("Control+s");
    await expect
      .poll(() => git("show", "HEAD:content/pages/landing.draft.en.yaml").match(/type: hero/g)?.length)
      .toBe(4);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("This field is required.").first().waitFor();
    await page.getByText("Content (English) › Sections › 6 › Title: This field is required.").waitFor();
    await page.getByRole("button", { name: "Hero To complete" }).waitFor();
    // It goes as soon as it is mended.
    await page.getByRole("textbox", { name: "Title", exact: true }).last().fill("Filled");
    await expect.poll(() => page.getByText("To complete").count()).toBe(0);
    expect(git("show", "HEAD:content/pages/landing.draft.en.yaml")).toContain("type: hero");
    await page.getByRole("button", { name: "Desktop" }).click();
    await expect.poll(() => preview.locator("body").evaluate("innerWidth")).toBe(1280);
    expect((await page.locator("iframe").boundingBox())!.width).toBeLessThan(700);
    expect(server.url).toMatch(/^http/);
    expect(failures).toEqual([]);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium(
    "a section at work is outlined in the preview, and becomes one of another kind, with what it loses told first",
  ),
  { timeout: 240_000 },
  async () => {
    const files = {
      ...FILES,
      "content/block-types/banner.yaml": "schema:\n  - { name: title }\n  - { name: note }\n",
      "templates/blocks/banner.html": '<h3{{ cms_field("title") }}>{{ block.title }}</h3>',
      "templates/blocks/hero.html":
        '<section class="hero" style="position: relative"><h2{{ cms_field("title") }}>{{ block.title }}</h2>' +
        '<a href="https://example.com/" style="position: absolute; inset: 0"></a></section>',
      "content/pages/landing.yaml": FILES["content/pages/landing.yaml"].replace(
        "words: So it goes",
        "words: So it goes\n        - type: hero\n          title: The garden\n          lead: From April",
      ),
    };
    const { page, server, failures, git } = await openEditor(files, "pages/7001?lang=en");
    const outlined = page.frameLocator("iframe").locator("[data-cms-outlined]");
    await page.getByRole("button", { name: /^Quote/ }).click();
    await expect.poll(() => outlined.allInnerTexts()).toEqual(["So it goes"]);
    expect(await page.getByRole("button", { name: "Change the kind…" }).count()).toBe(0);
    await page.getByRole("button", { name: /^Hero/ }).click();
    await expect.poll(() => outlined.allInnerTexts()).toEqual(["The garden"]);
    expect(await outlined.getAttribute("class")).toBe("hero");
    // It stays outlined while it is typed into.
    await page.getByRole("textbox", { name: "Title", exact: true }).last().fill("The gardens");
    await expect.poll(() => outlined.allInnerTexts()).toEqual(["The gardens"]);
    // A text below a link that is stretched over its card is typed into all the same.
    const shown = page.frameLocator("iframe").getByRole("heading", { name: "The gardens" });
    const box = (await shown.boundingBox())!;
    await page.mouse.click(box.x + 20, box.y + box.height / 2);
    await expect.poll(() => shown.getAttribute("contenteditable")).toBe("plaintext-only");
    expect(page.context().pages()).toHaveLength(1);
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Change the kind…" }).click();
    const chooser = page.getByRole("dialog", { name: "Choose a section" });
    expect(await chooser.getByRole("listitem").allInnerTexts()).toEqual(["Banner"]);
    await chooser.getByRole("button", { name: "Banner" }).click();
    const asked = page.getByRole("dialog", { name: "Change into “Banner”?" });
    await asked.getByText("From April").waitFor();
    expect(await findings(page)).toEqual([]);
    await asked.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByRole("textbox", { name: "Lead" }).inputValue()).toBe("From April");
    await page.getByRole("button", { name: "Change the kind…" }).click();
    await chooser.getByRole("button", { name: "Banner" }).click();
    await asked.getByRole("button", { name: "Change the kind" }).click();
    await page.getByRole("textbox", { name: "Note" }).waitFor();
    await expect.poll(() => outlined.allInnerTexts()).toEqual(["The gardens"]);
    await page.getByRole("button", { name: /^Banner/ }).click();
    await expect.poll(() => outlined.count()).toBe(0);
    await page.keyboard.press("Control+s");
    await page.getByRole("status").getByText("Saved").first().waitFor();
    const draft = git("show", "HEAD:content/pages/landing.draft.en.yaml");
    expect(draft.match(/type: .*|title: The.*|lead: .*/g)).toEqual([
      "type: quote",
      "type: banner",
      "title: The gardens",
    ]);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
