/** Releases in the editor, used by roles and names alone. */
import { expect, it } from "vitest";
import { PAGE } from "../cli/process.ts";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, goToSection, openEditor } from "./editor-site.ts";
import { picture } from "./pictures.ts";

const DRAFT = (title: string, more = ""): string => `created_at: 2026-01-03T00:00:00Z
updated_at: 2026-01-03T00:00:00Z
payload: { title: ${title}${more} }
`;

it.skipIf(!CHROMIUM)(
  withChromium("a release is made from a page, checked at its items, previewed, published and taken back"),
  { timeout: 180_000 },
  async () => {
    const { page, server, git, failures } = await openEditor(
      {
        "content/pages/boats.yaml": PAGE(21, "Boats"),
        "content/pages/boats.draft.en.yaml": DRAFT("Boats in spring"),
        "content/pages/piers.yaml": PAGE(22, "Piers"),
        "content/pages/piers.draft.en.yaml": DRAFT("Piers", ", autopermalink: false, permalink: /about"),
        "content/pages/oars.yaml": PAGE(23, "Oars"),
        "templates/defaults/pages/default.html": "<body><h1>{{ page.title }}</h1></body>",
      },
      "pages/21",
    );
    const lastCommit = (): string => git("log", "-1", "--name-only", "--format=%an: %s").trim();
    const status = page.getByRole("status");
    const dialog = page.getByRole("dialog", { name: "Schedule…" });
    const picker = page.getByRole("dialog", { name: "Add pages…" });
    const add = async (...names: readonly string[]): Promise<void> => {
      await page.getByRole("button", { name: "Add pages…" }).click();
      for (const name of names) {
        await picker.getByRole("searchbox").fill(name);
        // Until the search has its result, the list still moves, and a click may meet another page.
        await expect.poll(() => picker.getByRole("checkbox", { checked: false }).count(), { timeout: 20_000 }).toBe(1);
        await picker.getByRole("checkbox", { name }).check();
      }
      await picker.getByRole("button", { name: `Add ${names.length}` }).click();
    };

    // This page and another one, at a moment.
    await page.getByRole("button", { name: "More…" }).click();
    await page.getByRole("button", { name: "Schedule…" }).click();
    await dialog.getByLabel("Goes live on").fill("2099-04-01T08:00");
    await add("Piers");
    await dialog.getByRole("textbox", { name: "Name of the release" }).fill("Spring");
    await picture(page, "schedule-together");
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Schedule…" }).click();
    await dialog.getByRole("alert").getByText("small letters").waitFor();
    await dialog.getByRole("textbox", { name: "Name of the release" }).fill("spring");
    await dialog.getByRole("button", { name: "Schedule…" }).click();
    await page.getByRole("heading", { name: "spring", exact: true }).waitFor();
    expect(lastCommit()).toBe('ada: Create release "spring"\n\ncontent/releases/spring.yaml');

    // Only all of it can be published: what cannot is said at its item.
    const items = page.getByRole("group", { name: "What goes live together" });
    const itemOf = (name: string) => items.getByRole("listitem").filter({ hasText: name });
    await page.getByRole("alert").getByText("Items that cannot be published: 1").waitFor();
    await itemOf("Piers").getByText("Address (English): ").waitFor();
    await picture(page, "release-fails");
    expect(await findings(page)).toEqual([]);
    await items.getByRole("combobox", { name: "What happens to Piers" }).selectOption("Move to trash");
    await add("Oars");
    await items.getByRole("combobox", { name: "What happens to Oars" }).selectOption("Unpublish");
    await page.getByRole("button", { name: "More…" }).click();
    expect(await page.getByRole("button", { name: "Publish now…" }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+s");
    await status.getByText("All of it could be published now.").waitFor();
    await page.getByRole("button", { name: "Preview of Boats" }).click();
    await page.frameLocator("iframe").getByRole("heading", { name: "Boats in spring" }).waitFor();
    await picture(page, "release");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Name" }).fill("season");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "season" }).waitFor();
    expect(page.url()).toMatch(/\/releases\/season$/);
    expect(lastCommit()).toMatch(/^ada: Change release "season"\n/);

    await goToSection(page, "Home");
    await page.getByRole("region", { name: "Scheduled changes" }).getByRole("link", { name: "season" }).click();
    await page.getByRole("button", { name: "More…" }).click();
    await page.getByRole("button", { name: "Take back the schedule" }).click();
    await page.getByText("Open", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Publish now…" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Comment" }).fill("The season opens");
    await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Published", { exact: true }).waitFor();
    expect(git("log", "-1", "--format=%an: %s%n%b")).toMatch(/^ada: Publish release "season"\nThe season opens/);
    expect((await server.ask("GET", "boats-in-spring/")).status).toBe(200);
    expect((await server.ask("GET", "piers/")).status).toBe(404);
    expect(await page.getByRole("textbox", { name: "Name" }).isDisabled()).toBe(true);
    expect(await findings(page)).toEqual([]);

    await page.getByRole("button", { name: "Take back the release…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take back" }).click();
    await page.getByText("Open", { exact: true }).waitFor();
    expect(lastCommit()).toMatch(/^ada: Take back release "season"/);
    expect((await server.ask("GET", "piers/")).status).toBe(200);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await status.getByText("Nothing found.").waitFor();
    expect(lastCommit()).toMatch(/^ada: Delete release "season"/);
    expect(await findings(page)).toEqual([]);

    // Pages that are chosen in the list.
    await page.goto(`${server.url}admin/pages?lang=it`);
    await page.getByRole("checkbox", { name: "Select Oars" }).check();
    await page.getByRole("button", { name: "New release of these…" }).click();
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.getByRole("combobox", { name: "Language of Oars" }).inputValue()).toBe("it");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await findings(page)).toEqual([]);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
