/** Articles and tags in the editor, used by roles and names alone. */
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, goToSection, openEditor } from "./editor-site.ts";

it.skipIf(!CHROMIUM)(
  withChromium("tags are created and renamed in two languages; an article is written, tagged, found and published"),
  { timeout: 180_000 },
  async () => {
    const template = "<body><h1>{{ page.title }}</h1>{{ page.content | markdown | safe }}</body>";
    const { page, server, git, failures } = await openEditor(
      { "templates/defaults/articles/default.html": template },
      "tags",
    );
    const lastCommit = (): string => git("log", "-1", "--name-only", "--format=%an: %s").trim();
    const saved = page.getByRole("status").getByText("Saved", { exact: true });

    await page.getByRole("link", { name: "New tag" }).click();
    await page.getByRole("textbox", { name: "Name (English)" }).fill("Sea");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "Sea" }).waitFor();
    expect(lastCommit()).toBe('ada: Create tag "Sea"\n\ncontent/tags/sea.yaml');
    await page.getByRole("textbox", { name: "Name (English)" }).fill("The sea");
    await page.getByRole("textbox", { name: "Name (Italiano)" }).fill("Il mare");
    await page.keyboard.press("Control+s");
    await page.getByRole("heading", { name: "The sea" }).waitFor();
    expect(lastCommit()).toBe('ada: Change tag "Sea"\n\ncontent/tags/sea.yaml');
    expect(await findings(page)).toEqual([]);
    await page.getByRole("main").getByRole("link", { name: "Tags", exact: true }).click();
    await page.getByRole("row", { name: "The sea The sea Il mare" }).waitFor();
    expect(await findings(page)).toEqual([]);

    await goToSection(page, "Articles", "Content");
    await page.getByRole("textbox", { name: "Title of a new article" }).fill("Landfall");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Landfall", level: 1 }).first().waitFor();
    expect(lastCommit()).toMatch(/^ada: Create "Landfall"\n\ncontent\/articles\/[^\n]*landfall\.yaml$/);
    await page.getByRole("button", { name: "Page settings" }).click();
    await page.getByRole("button", { name: "Add to Tags" }).click();
    await page.getByRole("button", { name: "Choose: Tags 1" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "The sea" }).click();
    await page.getByRole("button", { name: "Bold" }).first().waitFor(); // the editor of Markdown has loaded
    await page.getByRole("textbox", { name: "Text", exact: true }).click();
    await page.keyboard.type("We saw *land*.");
    await page.frameLocator("iframe").getByRole("emphasis").getByText("land").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("status").getByText("Published", { exact: true }).waitFor();
    expect((await server.ask("GET", "landfall/")).body).toContain("<em>land</em>");
    await page.getByRole("link", { name: "History" }).click();
    await page
      .getByRole("region", { name: /^Revision of/ })
      .getByRole("insertion")
      .first()
      .waitFor();

    await goToSection(page, "Articles", "Content");
    await page.getByRole("searchbox", { name: "Search articles" }).fill("landf");
    await page.getByRole("row", { name: "Landfall Published The sea" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);

    // A tag that is deleted leaves the article.
    await page.goto(`${server.url}admin/tags`);
    await page.getByRole("link", { name: "The sea" }).click();
    await page.getByRole("button", { name: "More…" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("status").getByText("Nothing found.").waitFor();
    expect(lastCommit()).toMatch(/^ada: Delete tag "The sea"\n/);
    expect(await saved.count()).toBe(0);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
