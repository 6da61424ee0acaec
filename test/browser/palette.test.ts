/** The command palette, the address check and the copy of a page, used by roles and names alone. */
import { expect, it } from "vitest";
import { PAGE } from "../cli/process.ts";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";
import { picture } from "./pictures.ts";

it.skipIf(!CHROMIUM)(
  withChromium("a page is found, renamed with its addresses said, copied and published by keyboard alone"),
  { timeout: 180_000 },
  async () => {
    const below = PAGE(22, "Boats")
      .replace("date_created", "parent_page: 21\ndate_created")
      .replace("title: Boats", "title: Boats\n    description: The pilot goes out at four.");
    const { page, server, git, failures } = await openEditor(
      {
        "content/pages/harbour.yaml": PAGE(21, "Harbour"),
        "content/tags/sea.yaml": "id: 30\ntranslations:\n  en: { name: Sea }\n",
        "content/meta-types/crew.yaml": "id: 60\nkey: crew\nname: Crew\nschema:\n  - { name: role }\n",
        "content/meta-instances/crew/mate.yaml": "id: 61\nmeta_type: 60\nidentifier: mate\ndata: { role: First }\n",
        "content/pages/boats.yaml": below.replace("/boats", "/harbour/boats"),
      },
      "",
    );
    await page.getByRole("heading", { name: "Home" }).waitFor();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Search", exact: true });
    await page.keyboard.type("harb");
    await palette.getByRole("option", { name: /^Harbour/ }).waitFor();
    await picture(page, "palette");
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Enter");

    const title = page.getByRole("textbox", { name: "Title", exact: true });
    await title.fill("The harbour");
    const addresses = page.getByRole("status", { name: "Addresses" });
    await addresses.getByText("/the-harbour/boats").waitFor();
    await addresses.getByText("will redirect").first().waitFor();
    await picture(page, "address");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Page settings" }).click();
    await page.getByRole("checkbox", { name: "Address follows the title" }).uncheck();
    await page.getByRole("textbox", { name: "Address", exact: true }).fill("/about");
    await addresses.getByText("Another page has this address.").waitFor();
    await page.getByRole("textbox", { name: "Address", exact: true }).fill("/port");
    await addresses.getByText("/port/boats").waitFor();

    await page.keyboard.press("Control+k");
    await page.keyboard.type("publ");
    await palette.getByRole("option", { name: /^Publish/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("Published", { exact: true }).waitFor();
    expect((await server.ask("GET", "harbour/boats/")).headers.get("location")).toBe("/port/boats/");

    await page.keyboard.press("Control+k");
    await page.keyboard.type("dupl");
    await palette.getByRole("option", { name: /^Duplicate/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "The harbour (copy)", level: 1 }).waitFor();
    expect(git("log", "-1", "--format=%an: %s")).toBe('ada: Create "The harbour (copy)"\n');
    const made = (await (
      await page.request.get(`${server.url}api/cms/pages/?fltr=title='The harbour (copy)'`)
    ).json()) as [object];
    expect(made[0]).toMatchObject({ status: "DRF", permalink: "/the-harbour-copy" });

    // Tags and instances.
    await page.keyboard.press("Control+k");
    await page.keyboard.type("mate");
    await palette.getByRole("option", { name: "mate Crew", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "mate", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("sea");
    await palette.getByRole("option", { name: "Sea Tag" }).click();
    await page.getByRole("heading", { name: "Sea", level: 1 }).waitFor();

    await page.keyboard.press("Control+k");
    await page.keyboard.type("ADMIN.PA");
    await palette.getByRole("option", { name: /^ADMIN\.PATH/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /ADMIN\.PATH/ }).waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("ADMIN.PATH");

    // A word that only stands in a description leads to it.
    await page.keyboard.press("Control+k");
    await page.keyboard.type("pilot");
    await palette.getByRole("option", { name: /^Boats .*The pilot goes out at four/, selected: true }).waitFor();
    expect(await palette.locator("mark").allTextContents()).toEqual(["pilot"]);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Boats", level: 1 }).waitFor();
    await page.waitForFunction("document.activeElement?.closest('[data-field=description]')");
    // What was found is selected there.
    expect(await page.evaluate("getSelection().toString()")).toBe("pilot");

    await page.getByRole("heading", { level: 1 }).first().click();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Search", { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 360, height: 740 });
    await page.keyboard.press("Control+k");
    await palette.waitFor();
    await picture(page, "palette-360");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
