/** Content types and their instances in the editor, used by roles and names alone. */
import { expect, it } from "vitest";
import { PAGE } from "../cli/process.ts";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, goToSection, openEditor } from "./editor-site.ts";

it.skipIf(!CHROMIUM)(
  withChromium("a type with a list and a reference is made, filled and shown; what a change breaks is said first"),
  { timeout: 180_000 },
  async () => {
    const { page, server, git, failures } = await openEditor(
      {
        "content/pages/harbour.yaml": PAGE(21, "Harbour"),
        "content/pages/pier.yaml": `parent_page: 21\n${PAGE(22, "Pier")}`,
      },
      "",
    );
    const lastCommit = (): string => git("log", "-1", "--name-only", "--format=%an: %s").trim();
    await goToSection(page, "Content types", "Structure");
    await page.getByRole("link", { name: "New content type" }).click();

    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Boat");
    const add = page.getByRole("button", { name: "Add to Fields", exact: true });
    const setField = async (label: string, kind?: string): Promise<void> => {
      await add.click();
      await page.getByRole("textbox", { name: "Label" }).last().fill(label);
      if (kind) await page.getByRole("combobox", { name: "Kind" }).last().selectOption(kind);
    };
    await setField("Sail area", "Number");
    await setField("Moored at", "Reference");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    // The message of the server is at the field that lacks its target.
    await page.getByRole("alert").getByText("Choose what it refers to.").waitFor();
    const target = page.getByRole("combobox", { name: "Refers to" });
    expect(await target.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    expect(await findings(page)).toEqual([]);
    await page.getByRole("combobox", { name: "Refers to" }).selectOption("Pages");
    await page.getByRole("button", { name: "Add Which of these" }).click();
    await page.getByRole("textbox", { name: "Below the page at" }).fill("/harbour");
    await setField("Crew", "List");
    await page.getByRole("button", { name: "Add to Fields of Crew" }).click();
    await page.getByRole("textbox", { name: "Label" }).last().fill("Sailor");
    await page.getByRole("button", { name: "Add to Shown only if" }).last().click();
    await page.getByRole("combobox", { name: "Field" }).last().selectOption("Sail area");
    await page.getByRole("textbox", { name: "Has the value" }).fill("12.5");
    await page.keyboard.press("Control+s");
    await page.getByRole("heading", { name: "Boat" }).waitFor();
    expect(lastCommit()).toBe('ada: Create meta type "Boat"\n\ncontent/meta-types/boat.yaml');
    expect(await findings(page)).toEqual([]);

    await page.getByRole("link", { name: "Entries" }).click();
    await page.getByRole("status").getByText("Nothing found.").waitFor();
    await page.getByRole("link", { name: "New entry" }).click();
    await page.getByRole("textbox", { name: "Identifier" }).fill("dory");
    const addSailor = page.getByRole("button", { name: "Add to Crew" });
    expect(await addSailor.count()).toBe(0);
    await page.getByRole("spinbutton", { name: "Sail area" }).fill("12.5");
    await addSailor.waitFor();
    await page.getByRole("button", { name: "Choose: Moored at" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pier" }).waitFor();
    expect(
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /Harbour|About/ })
        .count(),
    ).toBe(0);
    await page.getByRole("dialog").getByRole("button", { name: "Pier" }).click();
    for (const name of ["Ann", "Bo"]) {
      await page.getByRole("button", { name: "Add to Crew" }).click();
      await page.getByRole("textbox", { name: "Sailor" }).last().fill(name);
    }
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "dory" }).waitFor();
    expect(lastCommit()).toMatch(/^ada: Create Boat "dory"\n\ncontent\/meta-instances\/[^\n]+$/);

    // What was typed is there after the browser was closed in the middle of it.
    await page.getByRole("textbox", { name: "Identifier" }).fill("dory of the harbour");
    await page.reload();
    await page.getByText(/^Kept, not (published|saved)$/).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "dory of the harbour" }).waitFor();

    await page.getByRole("link", { name: "Boat", exact: true }).click();
    const row = page.getByRole("row", { name: /dory of the harbour/ });
    await row.getByRole("cell", { name: "Pier", exact: true }).waitFor();
    await row.getByRole("cell", { name: "Ann, Bo" }).waitFor();
    await row.getByRole("cell", { name: "12.5" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await findings(page)).toEqual([]);

    await page.getByRole("searchbox", { name: "Search entries" }).fill("no such boat");
    await page.getByRole("status").getByText("Nothing found.").waitFor();
    await page.getByRole("link", { name: "Edit the fields" }).click();
    const crew = page.locator("summary", { hasText: "Crew" });
    await crew.click();
    await page.getByRole("button", { name: "Remove item 1 of Shown only if" }).click();
    await crew.click();
    await page.getByRole("button", { name: "Remove item 1 of Fields" }).click();
    await setField("Berths", "Whole number");
    await page.getByRole("checkbox", { name: "Required" }).last().check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "What this does to the 1 entries" });
    await dialog.getByText("sail_area: has a value in 1 entries").waitFor();
    await dialog.getByRole("listitem").getByText("dory of the harbour").waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(lastCommit()).toMatch(/^ada: Change Boat/);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("button", { name: "Save all the same" }).click();
    await page.getByRole("status").getByText("Saved", { exact: true }).first().waitFor();
    await expect
      .poll(lastCommit, { timeout: 30_000 })
      .toBe('ada: Change meta type "Boat"\n\ncontent/meta-types/boat.yaml');
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium("a type of sections is made and used; one that is used is kept, with the places"),
  { timeout: 120_000 },
  async () => {
    const { page, server, git, failures } = await openEditor(
      {
        "content/block-types/quote.yaml": "category: Words\nschema:\n  - { name: words, required: true }\n",
        "content/page-models/landing.yaml": "schema:\n  - { name: sections, kind: blocks }\n",
        "content/pages/harbour.yaml": `${PAGE(21, "Harbour").replace("date_created", "model: landing\ndate_created")}    template_data:
      sections:
        - { type: quote, words: So it goes }
`,
      },
      "",
    );
    await goToSection(page, "Section types", "Structure");
    await page.getByRole("link", { name: "New section type" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Opening times");
    expect(await page.getByRole("textbox", { name: "Key" }).inputValue()).toBe("opening-times");
    await page.getByRole("textbox", { name: "Category" }).fill("Facts");
    await page.getByRole("radio", { name: "Calendar" }).check();
    await page.getByRole("button", { name: "Add to Fields", exact: true }).click();
    await page.getByRole("textbox", { name: "Label" }).fill("From");
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Control+s");
    await page.getByRole("heading", { name: "Opening times" }).waitFor();
    expect(git("show", "HEAD:content/block-types/opening-times.yaml")).toBe(
      "label: Opening times\nicon: calendar\ncategory: Facts\nschema:\n  - name: from\n    kind: string\n",
    );

    // Pages have it at once.
    await page.evaluate(`history.pushState(null, "", "/admin/pages/21"); dispatchEvent(new PopStateEvent("popstate"))`);
    await page.getByRole("button", { name: "Add a section", exact: true }).click();
    const chooser = page.getByRole("dialog", { name: "Choose a section" });
    await chooser.getByRole("button", { name: "Opening times" }).waitFor();
    // By category in the order of the alphabet, since the field names no types.
    expect(await chooser.getByRole("heading", { level: 3 }).allTextContents()).toEqual(["Facts", "Words"]);
    await page.keyboard.press("Escape");

    await goToSection(page, "Section types", "Structure");
    await page.getByRole("link", { name: "Quote" }).click();
    const remove = async (): Promise<void> => {
      await page
        .getByRole("button", { name: "Delete…" })
        .or(page.getByRole("button", { name: "Delete" }))
        .click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    };
    await remove();
    const used = page.getByRole("dialog", { name: "“Quote” is used" });
    await used.getByRole("listitem").getByText("sections.0").waitFor();
    expect(await used.getByRole("link", { name: "Harbour" }).getAttribute("href")).toBe("/admin/pages/21");
    expect(await findings(page)).toEqual([]);
    await used.getByRole("button", { name: "Close" }).click();
    await page.getByRole("link", { name: "Section types", exact: true }).last().click();
    await page.getByRole("link", { name: "Opening times" }).click();
    await remove();
    await page.getByRole("status").getByText("Deleted").waitFor();
    expect(git("ls-files", "content/block-types").trim()).toBe("content/block-types/quote.yaml");
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
