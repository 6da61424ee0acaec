/** What an editor takes back: typing, removals, the trash, publication, schedules; and what two tabs typed. */
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";

it.skipIf(!CHROMIUM)(
  withChromium("typing is discarded, a page unpublished and put into the trash, and each is undone"),
  { timeout: 240_000 },
  async () => {
    const side = "id: 70\ntranslations:\n  en: { nodes: [{ title: About, link: { link_type: RE, url_node: 12 } }] }\n";
    const { page, server, failures } = await openEditor({ "content/menus/side.yaml": side }, "pages/12");
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    const undo = page.getByRole("button", { name: "Undo" });
    const status = (code: string) => page.locator(`.heading .badge.${code}`);
    await title.fill("About the tower");
    await page.getByRole("button", { name: "More…" }).click();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await expect.poll(() => title.inputValue()).toBe("About");
    expect(await findings(page)).toEqual([]);
    await undo.click();
    await expect.poll(() => title.inputValue()).toBe("About the tower");
    await page.getByRole("button", { name: "Save draft", exact: true }).click();
    await page.getByText("Pending draft").waitFor();
    await page.getByRole("button", { name: "More…" }).click();
    await page.getByRole("button", { name: "Discard draft" }).click();
    await expect.poll(() => title.inputValue()).toBe("About");
    await undo.click();
    await expect.poll(() => title.inputValue()).toBe("About the tower");
    await page.getByRole("button", { name: "Save draft", exact: true }).click();
    await page.getByText("Pending draft").waitFor();

    // What was published is taken back, with what was typed meanwhile kept; a page that changed since is left as it is.
    const live = async (): Promise<unknown> =>
      ((await (await page.request.get(`${server.url}api/cms/pages/12/`)).json()) as { title: unknown }).title;
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await undo.waitFor();
    expect(await live()).toBe("About the tower");
    await page.getByRole("textbox", { name: "Description" }).fill("Typed meanwhile");
    await undo.click();
    await expect.poll(() => title.inputValue()).toBe("About");
    expect(await live()).toBe("About");
    expect(await page.getByRole("textbox", { name: "Description" }).inputValue()).toBe("Typed meanwhile");
    await undo.click();
    await expect.poll(() => title.inputValue()).toBe("About the tower");
    expect(await live()).toBe("About the tower");
    await page.getByRole("button", { name: "Save draft", exact: true }).click();
    await page.getByText("Pending draft").waitFor();
    await undo.click();
    await page
      .getByRole("status")
      .getByText(/was changed/)
      .waitFor();
    expect(await live()).toBe("About the tower");

    await status("PUB").waitFor();
    await page.getByRole("button", { name: "More…" }).click();
    await page.getByRole("button", { name: "Unpublish this language" }).click();
    await status("DRF").waitFor();
    await undo.click();
    await status("PUB").waitFor();
    await page.getByRole("button", { name: "More…" }).click();
    await page.getByRole("button", { name: "Move to trash" }).click();
    // What names the page is told first.
    const named = page.getByRole("dialog", { name: /^Move About.* to the trash\?$/ });
    await named.getByRole("link", { name: "Menus: side" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await named.getByRole("button", { name: "Move to trash" }).click();
    await status("TRS").waitFor();
    await undo.click();
    await status("PUB").waitFor();

    // A schedule shows its moment, is changed and cancelled; a moment that has passed is told before.
    const dialog = page.getByRole("dialog");
    const moment = dialog.getByLabel(/^Goes live on/);
    await page.getByRole("button", { name: "More…" }).click();
    await page.getByRole("button", { name: "Schedule…" }).click();
    await moment.fill("2099-05-01T10:00");
    await dialog.getByRole("button", { name: "Schedule…" }).click();
    await page
      .locator(".heading")
      .getByText(/^Scheduled for .*2099/)
      .waitFor();
    await page.getByRole("button", { name: "Change the schedule…" }).click();
    expect(await moment.inputValue()).toBe("2099-05-01T10:00");
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel the schedule" }).click();
    await page.locator(".heading").getByText("Pending draft").waitFor();
    await undo.click();
    await page
      .locator(".heading")
      .getByText(/^Scheduled for .*2099/)
      .waitFor();
    await page.getByRole("button", { name: "Change the schedule…" }).click();
    await moment.fill("2020-05-01T10:00");
    await dialog.getByText("This moment has passed: it goes live now.").waitFor();
    await dialog.getByRole("button", { name: "Publish now" }).click();
    await page
      .locator(".heading")
      .getByText(/Scheduled for|Pending draft/)
      .waitFor({ state: "detached" });
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("About the tower");
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium("what was typed into two tabs is put together when both are closed, and each tells of the other"),
  { timeout: 240_000 },
  async () => {
    const { page, server, failures } = await openEditor({}, "pages/12");
    const kept = (from: typeof page) =>
      from.waitForResponse((answer) => answer.request().method() === "PUT" && answer.url().includes("/autosave/"));
    const open = async (from: typeof page): Promise<typeof page> => {
      const opened = from.waitForEvent("popup");
      await from.evaluate("void open(location.origin + '/admin/pages/12')");
      return opened;
    };
    await page.getByRole("textbox", { name: "Title", exact: true }).waitFor();
    const second = await open(page);
    for (const each of [page, second]) await each.getByText("You have this page open in another tab.").waitFor();
    const keptTitle = kept(page);
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("From the first");
    await keptTitle;
    const keptText = kept(second);
    await second.getByRole("textbox", { name: "Description", exact: true }).fill("From the second");
    await keptText;
    await page.goto(`${server.url}healthz`);
    const third = await open(page);
    await second.close();
    await third.reload();
    const value = (name: string) => third.getByRole("textbox", { name, exact: true }).inputValue();
    await expect.poll(() => value("Title")).toBe("From the first");
    expect(await value("Description")).toBe("From the second");
    expect(await third.getByText("You have this page open in another tab.").count()).toBe(0);

    // Also on another device, which has only what the server was told.
    await third.evaluate("localStorage.clear()");
    await third.reload();
    await expect.poll(() => value("Title")).toBe("From the first");
    expect(await value("Description")).toBe("From the second");
    await third.getByRole("button", { name: "Save draft", exact: true }).click();
    await third.getByText("Pending draft").waitFor();
    await third.reload();
    await third.getByText("Pending draft").waitFor();
    expect(await third.getByText(/^Kept, not (published|saved)$/).count()).toBe(0);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium(
    "a removed entry of a menu and a removed item of a list come back; an entry without a title has that of its page",
  ),
  { timeout: 240_000 },
  async () => {
    const { page, server, failures } = await openEditor(
      {
        "content/menus/main.yaml":
          "id: 40\nkey: main\ntranslations:\n  en:\n    nodes:\n      - { title: One, link: { link_type: ST, static: /one/ } }\n      - { link: { link_type: RE, url_node: 12 } }\n",
        "content/page-models/event.yaml":
          "schema:\n  - { name: talks, kind: list, children: [{ name: title, kind: string }] }\n",
        "content/pages/night.yaml":
          "id: 21\nmodel: event\ndate_created: 2026-01-02T00:00:00.000Z\ntranslations:\n  en: { title: Night, template_data: { talks: [{ title: First }, { title: Second }] } }\n",
        "media/boat.txt": "a boat",
        "content/contents/footer.yaml":
          'id: 50\nidentifier: footer\ntranslations:\n  en: { content: "[boat](/media/boat.txt)" }\n',
      },
      "menus",
    );
    const entry = (name: string) => page.getByRole("treeitem", { name, exact: true });
    const undo = page.getByRole("button", { name: "Undo" });
    await entry("About").click();
    expect(await page.getByRole("textbox", { name: "Title" }).getAttribute("placeholder")).toBe("About");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove the entry" }).click();
    await entry("About").waitFor({ state: "detached" });
    await undo.click();
    await entry("About").waitFor();
    const menu = await page.request.get(`${server.url}api/cms/menus-router/main/`);
    expect(await menu.json()).toMatchObject({ nodes: [{ title: "One" }, { title: "About" }] });

    await page.goto(`${server.url}admin/pages/21`);
    const talk = (at: number) => page.getByRole("group", { name: /talks/i }).getByRole("textbox").nth(at);
    await expect.poll(() => talk(1).inputValue()).toBe("Second");
    await page
      .getByRole("button", { name: /^Remove .*1/ })
      .first()
      .click();
    await expect.poll(() => talk(0).inputValue()).toBe("Second");
    await undo.click();
    await expect.poll(() => talk(0).inputValue()).toBe("First");
    expect(await talk(1).inputValue()).toBe("Second");

    // A file that a text uses is not called unused, and moving it to the trash tells where it is used.
    await page.goto(`${server.url}admin/media`);
    await page.getByRole("button", { name: "boat.txt" }).click();
    await page
      .getByRole("dialog", { name: "boat.txt" })
      .getByRole("link", { name: "Content blocks: footer" })
      .waitFor();
    await page.getByRole("button", { name: "Move to trash" }).click();
    const question = page.getByRole("dialog", { name: "Move boat.txt to the trash?" });
    await question.getByRole("link", { name: "Content blocks: footer" }).waitFor();
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
