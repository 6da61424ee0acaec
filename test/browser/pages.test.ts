/** The tree and the list of pages in the editor, used by roles and names alone. */
import { expect, it } from "vitest";
import { PAGE } from "../cli/process.ts";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";
import { picture } from "./pictures.ts";

const below = (parent: number, page: string): string =>
  page.replace("date_created", `parent_page: ${parent}\ndate_created`);
const ranked = (ordering: number, page: string): string =>
  page.replace("date_created", `ordering: ${ordering}\ndate_created`);

it.skipIf(!CHROMIUM)(
  withChromium("pages are put in order and moved by keyboard and dragging, with what becomes of their addresses"),
  { timeout: 180_000 },
  async () => {
    const { page, server, git, failures } = await openEditor(
      {
        "content/pages/about.yaml": ranked(1, PAGE(12, "About")),
        "content/pages/harbour.yaml": ranked(2, PAGE(21, "Harbour")),
        "content/pages/boats.yaml": ranked(3, below(21, PAGE(22, "Boats")).replace("/boats", "/harbour/boats")),
        "content/pages/tower.yaml": ranked(4, PAGE(23, "Tower")),
      },
      "pages",
    );
    const tree = page.getByRole("treegrid", { name: "Pages" });
    const rows = async (): Promise<string[]> =>
      (await tree.getByRole("row").getByRole("link").allTextContents()).map((each) => each.trim());
    const row = (name: string) => tree.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
    await row("Tower").waitFor();
    expect(await rows()).toEqual(["About", "Harbour", "Tower"]);
    expect(await findings(page)).toEqual([]);

    // By keyboard: the branch is opened, a page goes down among its siblings, then below the one before it.
    await row("About").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await row("Boats").waitFor();
    expect(await row("Boats").getAttribute("aria-level")).toBe("2");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByRole("status").getByText("Moved: About").waitFor();
    await expect.poll(rows).toEqual(["Harbour", "Boats", "About", "Tower"]);
    expect(git("log", "-1", "--format=%an: %s")).toBe('ada: Move page "About"\n');
    expect(git("show", "--name-only", "--format=").trim().split("\n")).toEqual([
      "content/pages/about.yaml",
      "content/pages/harbour.yaml",
    ]);

    await row("Tower").focus();
    await page.keyboard.press("Alt+ArrowRight");
    const dialog = page.getByRole("dialog", { name: "Move Tower" });
    await dialog.getByText("/about/tower").first().waitFor();
    await dialog.getByText("will redirect").first().waitFor();
    await picture(page, "move");
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Move", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(rows).toEqual(["Harbour", "Boats", "About", "Tower"]);
    expect((await server.ask("GET", "tower/")).headers.get("location")).toBe("/about/tower/");

    // By dragging, onto another page; a page cannot go below itself.
    await row("About").dragTo(row("Tower"));
    await row("Boats").dragTo(row("About"));
    const drag = page.getByRole("dialog", { name: "Move Boats" });
    await drag.getByText("/about/boats").first().waitFor();
    await drag.getByRole("button", { name: "Move", exact: true }).click();
    await drag.waitFor({ state: "detached" });
    await expect.poll(rows).toEqual(["Harbour", "About", "Boats", "Tower"]);
    await picture(page, "tree-moved");

    // At the width of a phone, too.
    await page.setViewportSize({ width: 360, height: 740 });
    await picture(page, "tree-moved-360");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    expect(await findings(page)).toEqual([]);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium("a thousand pages are found, sorted and changed at once, with few of them in the document"),
  { timeout: 180_000 },
  async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, at) => [
        `content/pages/p${at}.yaml`,
        PAGE(1_000 + at, `Page${String(at).padStart(3, "0")}`).replace(
          "    published_at: 2026-01-02T00:00:00.000Z\n",
          "",
        ),
      ]),
    );
    const { page, server, git, failures } = await openEditor(files, "pages?as=list&sort=title");
    const grid = page.getByRole("grid", { name: "Pages" });
    await page.getByRole("status").getByText("Found: 1001").waitFor();
    await grid.getByRole("link", { name: "Page003" }).waitFor();
    expect(await grid.getByRole("row").count()).toBeLessThan(60);
    await grid.getByRole("row").nth(1).focus();
    await page.keyboard.press("End");
    await grid.getByRole("link", { name: "Page999" }).waitFor();
    expect(await grid.getByRole("row").count()).toBeLessThan(60);
    await grid.getByRole("columnheader", { name: "Title" }).getByRole("button").click();
    await page.keyboard.press("Control+Home");
    await page.getByRole("combobox", { name: "Status" }).selectOption("Draft");
    await page.getByRole("status").getByText("Found: 1000").waitFor();
    await page.getByRole("searchbox", { name: "Search pages" }).fill("Page99");
    await page.getByRole("status").getByText("Found: 10", { exact: true }).waitFor();
    expect(await grid.getByRole("link").first().textContent()).toBe("Page999");

    await grid.getByRole("checkbox", { name: "Select Page999" }).check();
    await grid.getByRole("checkbox", { name: "Select Page998" }).check();
    await picture(page, "list");
    expect(await findings(page)).toEqual([]);
    const bulk = page.getByRole("region", { name: "Selected pages" });
    await bulk.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    await page.getByRole("status").getByText("Done: 2").waitFor();
    await page.getByRole("status").getByText("Found: 8", { exact: true }).waitFor();
    expect(git("log", "-2", "--format=%an: %s")).toMatch(
      /^ada: Publish "Page99[89]" \(en\)\nada: Publish "Page99[89]" \(en\)\n$/,
    );

    await grid.getByRole("checkbox", { name: "Select Page997" }).check();
    await bulk.getByRole("button", { name: "Select all that were found" }).click();
    await bulk.getByText("Selected: 8").waitFor();
    await bulk.getByRole("button", { name: "Move…" }).click();
    await page.getByRole("button", { name: "Choose: Parent page" }).click();
    const picker = page.getByRole("dialog", { name: "Parent page" });
    await picker.getByRole("searchbox").fill("About");
    await picker.getByRole("button", { name: /^Page/ }).first().waitFor({ state: "detached" });
    await picker.getByRole("button", { name: "About" }).click();
    await page.getByRole("dialog").getByText("Addresses that change").waitFor();
    await page.getByRole("dialog").getByText("/about/page99").first().waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await bulk.getByRole("button", { name: "Move to trash" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).click();
    await page.getByRole("status").getByText("No pages match.").waitFor();
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
