/** The history of a page in the editor, used by roles and names alone. */
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";
import { picture } from "./pictures.ts";

it.skipIf(!CHROMIUM)(
  withChromium("a revision is compared word by word, shown as it was, and restored"),
  { timeout: 240_000 },
  async () => {
    const files = { "templates/defaults/pages/default.html": "<body><h1>{{ page.title }}</h1></body>" };
    const { page, server, git, failures } = await openEditor(files, "pages/12");
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("About the tower");
    await page.getByRole("textbox", { name: "Description" }).fill("Built long ago.");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("status").getByText("Published", { exact: true }).waitFor();

    await page.getByRole("link", { name: "History" }).click();
    const newest = page.getByRole("region", { name: /^Revision of/ });
    await newest.getByRole("insertion").getByText(" the tower").waitFor();
    await newest.getByRole("definition").getByText("Built long ago.").waitFor();
    expect(await findings(page)).toEqual([]);

    const revisions = page.getByRole("list", { name: "Revisions" }).getByRole("button");
    expect(await revisions.count()).toBe(2);
    // The newest is undone by what was before it, at once, and that by one more click; the page that is open follows.
    const heading = page.getByRole("heading", { level: 1 });
    const undo = page.getByRole("button", { name: "Undo", exact: true });
    await newest.getByRole("button", { name: "Undo this change" }).click();
    await expect.poll(() => heading.textContent()).toBe("About");
    await undo.click();
    await expect.poll(() => heading.textContent()).toBe("About the tower");
    const live = await page.request.get(`${server.url}api/cms/pages/12/`);
    expect(await live.json()).toMatchObject({ title: "About the tower" });
    await page.getByRole("link", { name: "History" }).click();
    await expect.poll(() => revisions.count()).toBe(4);
    // The first one has nothing to be compared with.
    await revisions.last().click();
    await newest.getByText("The page was made here.").waitFor();
    await page.frameLocator("iframe").getByRole("heading", { name: "About", exact: true }).waitFor();
    await newest.getByRole("combobox", { name: "Show the differences" }).selectOption("What changed since then");
    await newest.getByRole("insertion").getByText(" the tower").waitFor();
    expect(await findings(page)).toEqual([]);

    // One field alone comes back, as a draft.
    await newest.getByRole("button", { name: "Restore Description in the draft" }).click();
    await page.getByText("Pending draft").waitFor();
    expect(await page.getByRole("textbox", { name: "Title", exact: true }).inputValue()).toBe("About the tower");
    expect(await page.getByRole("textbox", { name: "Description" }).inputValue()).toBe("");
    expect(git("show", "--name-only", "--format=").trim()).toBe("content/pages/about.draft.en.yaml");
    await page.getByRole("link", { name: "History" }).click();
    await revisions.last().click();
    await newest.getByRole("button", { name: "Restore this revision" }).waitFor();

    await newest.getByRole("button", { name: "Restore this revision" }).click();
    const question = page.getByRole("dialog", { name: "Restore this revision?" });
    await question.getByRole("region", { name: "English" }).getByRole("deletion").getByText(" the tower").waitFor();
    expect(await question.getByRole("region", { name: "Italiano" }).count()).toBe(0);
    await question.getByRole("radio", { name: "All languages, and what they share" }).check();
    await question.getByRole("region", { name: "Italiano" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await question.getByRole("radio", { name: "Only English" }).check();
    await question.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByRole("heading", { name: "About", exact: true, level: 1 }).first().waitFor();
    expect(git("log", "-1", "--format=%an: %s")).toMatch(/^ada: Revert "About the tower" \(en\) to [0-9a-f]{10}\n$/);

    // A translation has its source beside it, with what is missing or older.
    const publish = async (language: string, title: string): Promise<void> => {
      await page.getByRole("button", { name: language, exact: true }).click();
      await page.getByRole("textbox", { name: "Title", exact: true }).fill(title);
      await page.getByRole("button", { name: "Publish", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await page.getByRole("button", { name: "View page" }).waitFor();
    };
    const beside = page.getByRole("combobox", { name: "Show beside" });
    await publish("Italiano", "La torre");
    await page.getByRole("button", { name: "English", exact: true }).click();
    await page.getByRole("textbox", { name: "Description", exact: true }).fill("Seen from afar.");
    await publish("English", "The tall tower");
    await page.getByRole("button", { name: "Italiano", exact: true }).click();
    await beside.selectOption("English");
    await page.getByRole("blockquote").filter({ hasText: "Seen from afar." }).getByText("Not translated yet").waitFor();
    await page.getByRole("blockquote").filter({ hasText: "The tall tower" }).getByText("English is newer").waitFor();
    await page.getByRole("button", { name: "Page settings" }).click();
    await page.getByText("Search engines and social networks").click();
    await page.getByRole("figure", { name: "As shared on social networks" }).getByText("La torre").waitFor();
    await picture(page, "translation");
    expect(await findings(page)).toEqual([]);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium(
    "a page that was saved and restored opens as restored, also while the server still has what was typed before",
  ),
  { timeout: 120_000 },
  async () => {
    const { page, server, failures } = await openEditor({}, "pages/12");
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    const kept = page.waitForResponse((response) => response.request().method() === "PUT" && response.ok());
    await title.fill("About the tower");
    await kept;
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/autosave\//, async (route) => {
      if (route.request().method() === "DELETE") await held;
      await route.continue();
    });
    const asked = page.waitForRequest((request) => request.method() === "DELETE");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("status").getByText("Published", { exact: true }).waitFor();
    await asked;

    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("list", { name: "Revisions" }).getByRole("button").last().click();
    await page.getByRole("button", { name: "Restore this revision" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore", exact: true }).click();
    await title.waitFor();
    expect(await title.inputValue()).toBe("About");
    expect(await page.getByRole("dialog").count()).toBe(0);
    const forgotten = page.waitForResponse((response) => response.request().method() === "DELETE");
    release();
    expect((await forgotten).status()).toBe(204);
    await page.reload();
    await title.waitFor();
    expect(await title.inputValue()).toBe("About");
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
