/** The form of a page with declared fields, used by roles and names alone. */
import sharp from "sharp";
import { expect, it } from "vitest";
import { PAGE } from "../../cli/process.ts";
import { CHROMIUM, withChromium } from "../../support/browser.ts";
import { findings, openEditor } from "../editor-site.ts";

const MODEL = `default_template: pages/room.html
schema:
  - { name: lead, kind: string, required: true, max_length: 40 }
  - { name: body, kind: text }
  - { name: markup, kind: html }
  - { name: sleeps, kind: integer, required: true, minimum: 1, maximum: 4 }
  - { name: open, kind: boolean }
  - { name: since, kind: date }
  - { name: wind, kind: select, choices: [{ value: n, label: North }, { value: s, label: South }] }
  - { name: picture, kind: media }
  - { name: subject, kind: ref, target_model: cms.Tag }
  - { name: near, kind: queryset, target_model: cms.Page }
  - { name: link, kind: permalink }
  - { name: beds, kind: list, children: [{ name: kind, required: true }, { name: count, kind: integer }] }
  - { name: stops, kind: list, children: [{ name: stop }] }
  - { name: book, kind: group, children: [{ name: by, required: true }] }
`;
const TEXT = "# A  title\n\nText with *stars* and\r\na carriage return.  \n";
/** More than a list has in one part. */
const STOPS = Array.from({ length: 27 }, (_, index) => ({ stop: `Quay ${index + 1}` }));
const ROOM = `id: 20
model: room
date_created: 2026-01-02T00:00:00.000Z
translations:
  en:
    title: Nook
    permalink: /nook
    published_at: 2026-01-02T00:00:00.000Z
    template_data: { lead: Small, sleeps: 2, body: ${JSON.stringify(TEXT)}, beds: [{ kind: low }, { kind: high }], stops: ${JSON.stringify(STOPS)} }
`;

/** As another client may have saved it. */
const DRAFT = `created_at: 2026-01-03T00:00:00Z
updated_at: 2026-01-03T00:00:00Z
payload: { translations: { en: { keywords: old, description: Theirs } } }
`;

it.skipIf(!CHROMIUM)(
  withChromium("every kind of field is filled by its name, and a draft has what was typed and nothing else"),
  { timeout: 120_000 },
  async () => {
    const { page, server, git, failures } = await openEditor(
      {
        "content/page-models/room.yaml": MODEL,
        "content/pages/nook.yaml": ROOM,
        "content/pages/harbour.yaml": PAGE(21, "Harbour"),
        "content/pages/nook.draft.en.yaml": DRAFT,
        "content/tags/sea.yaml": "id: 30\ntranslations:\n  en: { name: Sea }\n",
        "templates/pages/room.html": "<body><h1>{{ page.title }}</h1></body>",
      },
      "pages/20",
    );
    const saveDraft = page.getByRole("button", { name: "Save draft" });
    const dialog = page.getByRole("dialog");
    await page.getByRole("textbox", { name: "Body" }).evaluate((body) => body.scrollIntoView());
    await page.getByRole("button", { name: "Bold" }).waitFor(); // the editor of Markdown, loaded once it is seen
    expect(await saveDraft.isDisabled()).toBe(true);
    expect(await findings(page)).toEqual([]);

    const sleeps = page.getByRole("spinbutton", { name: "Sleeps" });
    await sleeps.fill("9");
    await saveDraft.click();
    await page.getByRole("alert").getByText("less than or equal to 4").waitFor();
    expect(await sleeps.getAttribute("aria-invalid")).toBe("true");
    expect(await findings(page)).toEqual([]);
    await sleeps.fill("3");

    await page.getByRole("textbox", { name: "Lead" }).fill("Small and warm");
    await page.getByRole("textbox", { name: "Markup" }).fill("<b>x</b>");
    await page.getByRole("checkbox", { name: "Open" }).check();
    await page.getByRole("textbox", { name: "Since" }).fill("2026-03-01");
    await page.getByRole("combobox", { name: "Wind" }).selectOption({ label: "South" });
    await page.getByRole("textbox", { name: "Body" }).press("Control+End");
    await page.keyboard.type("more");

    await page.getByRole("button", { name: "Choose: Subject" }).click();
    await dialog.getByRole("button", { name: "Sea" }).click();
    await page.getByRole("button", { name: "Add to Near" }).click();
    await page.getByRole("button", { name: "Choose: Near 1" }).click();
    await dialog.getByRole("searchbox").fill("harb");
    await dialog.getByRole("button", { name: "About" }).waitFor({ state: "detached" });
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Harbour" }).click();
    await page.getByRole("radio", { name: "A page of this site" }).check();
    await page.getByRole("button", { name: "Choose: Link" }).click();
    await dialog.getByRole("button", { name: "Harbour" }).click();
    await page.getByRole("button", { name: "Move item 2 of Beds up" }).click();
    await page.getByRole("button", { name: "Move item 26 of Stops up" }).click();
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Move item 25 of Stops up");
    const stops = page.getByRole("group", { name: "Stops" }).getByRole("textbox", { name: "Stop" });
    expect(await stops.nth(24).inputValue()).toBe("Quay 26");
    await stops.nth(25).fill("Quay of the ferry");
    await page.getByRole("button", { name: "Remove item 1 of Stops" }).click();
    await stops.last().fill("Last quay");
    await page.getByRole("button", { name: "Add Book" }).click();
    await page.getByRole("textbox", { name: "By" }).fill("post");

    // A picture is uploaded and described without leaving the page.
    await page.getByRole("button", { name: "Choose: Picture", exact: true }).click();
    const buffer = await sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    await dialog.getByLabel("Upload files").setInputFiles({ name: "tower.png", mimeType: "image/png", buffer });
    await page.getByRole("button", { name: "Alternative text missing: Picture" }).click();
    await dialog.getByRole("textbox", { name: "Alternative text (English)" }).fill("A tower");
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save the texts" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Alternative text: Picture" }).waitFor();

    await page.getByRole("button", { name: "Page settings" }).click();
    await page.getByText("Search engines and social networks").click();
    await page.getByRole("textbox", { name: "Keywords" }).fill("room");
    await page.getByText("Place and layout").click();
    await page.getByRole("button", { name: "Choose: Parent page" }).click();
    await dialog.getByRole("button", { name: "About" }).click();
    await page.getByRole("button", { name: "Add List" }).click();
    await page.getByRole("spinbutton", { name: "Entries to a page" }).fill("5");
    await page.getByRole("textbox", { name: "Only those with" }).fill("tags__name=Sea");
    expect(await findings(page)).toEqual([]);

    await page.keyboard.press("Control+s");
    await page.getByText(/^Kept, not (published|saved)$/).waitFor({ state: "detached" });
    const read = async (path: string) => (await page.request.get(`${server.url}api/cms/${path}`)).json();
    const [picture] = (await read("media/")) as { id: number; alt_text: string }[];
    expect(picture).toMatchObject({ alt_text: "A tower" });
    const keywords = async (): Promise<string> => ((await read("pages/20/preview/")) as { keywords: string }).keywords;
    await expect.poll(keywords).toBe("room");
    const { draft_data: draft } = (await read("pages/20/")) as { draft_data: object };
    expect(draft).toEqual({
      translations: { en: { keywords: "old", description: "Theirs" } },
      keywords_en: "room",
      parent_page: 12,
      paginate: { of: "articles", size: 5, where: "tags__name=Sea" },
      template_data: {
        lead: "Small and warm",
        body: `${TEXT.replace("\r\n", "\n")}more`,
        markup: "<b>x</b>",
        sleeps: 3,
        open: true,
        since: "2026-03-01",
        wind: "s",
        picture: picture!.id,
        subject: 30,
        near: [21],
        link: { link_type: "RE", url_node: 21 },
        beds: [{ kind: "high" }, { kind: "low" }],
        stops: [...STOPS.slice(1, 24), STOPS[25], { stop: "Quay of the ferry" }, { stop: "Last quay" }],
        book: { by: "post" },
      },
    });
    expect(git("show", "--name-only", "--format=").trim()).toBe("content/pages/nook.draft.en.yaml");

    // A language without texts starts from those of the default one.
    await page.getByRole("button", { name: "Italiano" }).click();
    await page.getByRole("button", { name: "Copy the text from English" }).click();
    await expect.poll(() => page.getByRole("textbox", { name: "Lead" }).inputValue()).toBe("Small and warm");
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Angolo");
    await page.keyboard.press("Control+s");
    await expect
      .poll(() => git("show", "--name-only", "--format=").trim(), { timeout: 30_000 })
      .toBe("content/pages/nook.draft.it.yaml");
    // What was never published is a draft, and nothing is pending beside it.
    expect(await page.locator(".heading .badge").allTextContents()).toEqual(["Draft"]);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
