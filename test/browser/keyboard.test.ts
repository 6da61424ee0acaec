/**
 * The work of an editor on the example site from the first sign-in on, by keyboard alone and by roles and names, as with a
 * screen reader; afterwards every commit is one verb, by its author, of its files.
 *
 * Each part is here once, in its shortest form; what else it has is tested in:
 *
 * | part                                                           | test                                           |
 * | -------------------------------------------------------------- | ---------------------------------------------- |
 * | signing in, autosave, preview, another editor's write          | editor.test.ts                                 |
 * | fields of every kind, a second language, pictures              | page-form.test.ts, text-paste.test.ts          |
 * | the tree and list of pages, moves and their redirects          | pages.test.ts, redirects.test.ts               |
 * | scheduling pages together                                      | releases.test.ts                               |
 * | revisions, translations                                        | history.test.ts                                |
 * | menus; blocks; articles and tags                               | menus.test.ts, blocks.test.ts, articles.test.ts |
 * | content types and their instances                              | types.test.ts                                  |
 * | media                                                          | media.test.ts                                  |
 * | accounts with few permissions                                  | accounts.test.ts                               |
 * | home; the command palette                                      | home.test.ts, palette.test.ts                  |
 * | the focus after what is removed or has nothing more to do      | focus.test.ts                                  |
 * | names, contrast and width of every screen                      | screens.test.ts                                |
 * | hostile texts, other sites                                     | stored-xss.test.ts                             |
 */
import { join } from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import sharp from "sharp";
import { expect, it, onTestFinished } from "vitest";
import { emptyFolder, serve, type Server } from "../cli/process.ts";
import { CHROMIUM, killProfile, launchProfile, withChromium } from "../support/browser.ts";
import { addAccount, exampleSite, PASSWORD, sectionsOf } from "./editor-site.ts";
import { keyboardOf, type Keyboard } from "./keyboard.ts";

it.skipIf(!CHROMIUM)(
  withChromium("an editor's work by keyboard alone, with one commit for each verb; a killed browser loses nothing"),
  { timeout: 400_000 },
  async () => {
    const { dir, git } = await exampleSite();
    await addAccount(dir, "ada", "--superuser");
    await addAccount(dir, "bea", "--staff");
    const server = await serve(dir);
    const start = git("rev-parse", "HEAD").trim();
    const profile = join(emptyFolder(), "profile");
    let browser: BrowserContext = await launchProfile(profile);
    onTestFinished(() => browser.close());
    let page: Page = browser.pages()[0]!;
    page.setDefaultTimeout(15_000);
    let keys = keyboardOf(page);
    const title = () => page.getByRole("textbox", { name: "Title", exact: true }).first();
    const notice = (text: string) => page.getByRole("status").getByText(text, { exact: true }).first();
    const dialog = () => page.getByRole("dialog");
    const saved = async (): Promise<void> => {
      await keys.press("Control+s");
      await page.getByText(/^(Kept, not published|Kept, not saved|Saving…)$/).waitFor({ state: "detached" });
    };
    const publish = (): Promise<void> => keys.command("publish", /^Publish on/);
    const served = async (path: string, expected: { status: number; location?: string }): Promise<void> => {
      const look = async () => {
        const { status, headers } = await server.ask("GET", path);
        return { status, ...(expected.location && { location: headers.get("location") }) };
      };
      await expect.poll(look).toEqual(expected);
    };
    const signIn = async (name: string): Promise<void> => {
      await keys.fill(page.getByRole("textbox", { name: "User name" }), name);
      await keys.fill(page.getByRole("textbox", { name: "Password" }), PASSWORD);
      await keys.press("Enter");
    };
    /** Waits until an autosave that has the text is on the server. */
    const kept = (text: string): Promise<unknown> =>
      page.waitForResponse(
        (response) =>
          response.request().method() === "PUT" &&
          response.url().includes("/autosave/") &&
          (response.request().postData() ?? "").includes(text) &&
          response.ok(),
      );
    await page.goto(`${server.url}admin/`);
    await signIn("ada");
    await page.getByRole("heading", { name: "Home" }).waitFor();

    // A page of a page model, with a picture.
    await keys.use(page.getByRole("button", { name: "New page", exact: true }));
    await keys.fill(dialog().getByRole("textbox", { name: "Title" }), "Winter");
    await keys.to(dialog().getByRole("combobox", { name: "Page model" }));
    await page.keyboard.type("room");
    await keys.use(dialog().getByRole("button", { name: "Create" }));
    await keys.to(title());
    await keys.to(page.getByRole("textbox", { name: "Lead" }));
    await page.getByRole("button", { name: "Bold" }).first().waitFor();
    await keys.fill(page.getByRole("textbox", { name: "Lead" }), "Warm in *winter*.");
    await keys.fill(page.getByRole("spinbutton", { name: "Sleeps" }), "2");
    await keys.to(page.getByRole("combobox", { name: "From" }));
    await page.keyboard.type("North-e");
    await keys.to(page.getByRole("textbox", { name: "Text" }));
    await keys.fill(page.getByRole("textbox", { name: "Text" }), "From the sea.");
    await keys.use(page.getByRole("button", { name: "Choose: Picture", exact: true }));
    await keys.use(dialog().getByRole("button", { name: "Night watch" }));
    await dialog().waitFor({ state: "detached" });
    await saved();

    // As it is on a phone.
    await keys.use(page.getByRole("button", { name: "Phone" }));
    const frame = page.getByTitle("Preview");
    await expect.poll(async () => (await frame.boundingBox())?.width).toBeLessThan(400);
    await page.frameLocator("iframe").getByRole("heading", { name: "Winter" }).waitFor();

    // In a second language.
    await keys.use(page.getByRole("button", { name: "Italiano" }), "Shift+Tab");
    await keys.use(page.getByRole("button", { name: "Copy the text from English" }));
    await expect.poll(() => title().inputValue()).toBe("Winter");
    await keys.fill(title(), "Inverno");
    await saved();
    await publish();
    await served("it/inverno/", { status: 200 });
    await keys.use(page.getByRole("button", { name: "English" }), "Shift+Tab");
    await expect.poll(() => title().inputValue()).toBe("Winter");
    await publish();
    await served("winter/", { status: 200 });

    // A page below it, with a picture for social networks; published later, and now.
    await keys.command("pages", /^Pages/);
    await keys.use(page.getByRole("button", { name: "New page", exact: true }));
    await keys.fill(dialog().getByRole("textbox", { name: "Title" }), "Stove");
    await keys.press("Enter");
    await keys.to(title());
    await keys.fill(page.getByRole("textbox", { name: "Text" }), "Burns *wood*.");
    await keys.use(page.getByRole("button", { name: "Page settings" }), "Shift+Tab");
    await keys.use(page.getByText("Search engines and social networks"));
    await keys.use(page.getByRole("button", { name: "Choose: Picture on social networks" }));
    await keys.use(dialog().getByRole("button", { name: "The lens" }));
    await keys.use(page.getByText("Place and layout"));
    await keys.use(page.getByRole("button", { name: "Choose: Parent page" }));
    await keys.fill(dialog().getByRole("searchbox"), "wint");
    await dialog().getByRole("button", { name: "About us" }).waitFor({ state: "detached" });
    await keys.use(dialog().getByRole("button", { name: /^Winter/ }));
    await saved();
    await keys.use(page.getByRole("button", { name: "Italiano" }), "Shift+Tab");
    await keys.fill(title(), "Stufa");
    await saved();
    await keys.use(page.getByRole("button", { name: "English" }), "Shift+Tab");
    await expect.poll(() => title().inputValue()).toBe("Stove");
    await keys.command("schedule", /^Schedule/);
    await keys.to(dialog().getByLabel(/Goes live on/));
    await page.keyboard.type("01012099");
    await keys.press("Tab");
    await page.keyboard.type("0800AM");
    await keys.press("Enter");
    await page.getByText("Scheduled for Jan 1, 2099").first().waitFor(); // the badge; the open dialog says it, too
    await publish();
    await served("winter/stove/", { status: 200 });

    // Renamed: its old address and that of the page below it redirect.
    await keys.command("winter", /^Winter/);
    await keys.fill(title(), "Winter house");
    await page.getByRole("status", { name: "Addresses" }).getByText("/winter-house/stove").waitFor();
    await publish();
    await served("winter/stove/", { status: 301, location: "/winter-house/stove/" });

    // Another editor's write in between: what both changed is asked for.
    const bea = await tokenOf(server, "bea");
    const id = Number(/pages\/(\d+)/.exec(page.url())![1]);
    const theirs = await bea("PATCH", `pages/${id}/draft/`, { title: "Their house" });
    expect(theirs).toBe(200);
    await keys.fill(title(), "My house");
    await keys.press("Control+s");
    await dialog().waitFor();
    await keys.to(dialog().getByRole("group", { name: "Title" }).getByRole("radio", { name: "Keep mine" }));
    await keys.press("ArrowDown");
    await keys.use(dialog().getByRole("button", { name: "Save with these choices" }));
    await dialog().waitFor({ state: "detached" });
    await expect.poll(() => title().inputValue()).toBe("Their house");
    await keys.fill(page.getByRole("textbox", { name: "Description", exact: true }), "By the sea.");
    await saved();

    // A revision is compared and restored.
    await keys.command("hist", /^History/);
    const revisions = page.getByRole("list", { name: "Revisions" }).getByRole("button");
    await keys.use(revisions.nth(1));
    const revision = page.getByRole("region", { name: /^Revision of/ });
    await keys.to(revision.getByRole("combobox", { name: "Show the differences" }));
    await keys.press("ArrowDown");
    await revision.getByRole("insertion").getByText("house").first().waitFor();
    await keys.use(revision.getByRole("button", { name: "Restore this revision" }));
    await keys.use(page.getByRole("dialog").getByRole("button", { name: "Restore", exact: true }));
    await notice("Restored").waitFor();

    // A menu is rearranged.
    await keys.command("menus", /^Menus/);
    await keys.use(page.getByRole("button", { name: "main", exact: true }));
    const entry = (name: string) => page.getByRole("treeitem", { name, exact: true });
    await keys.to(page.getByRole("treeitem", { selected: true }));
    await keys.press("End", "Alt+ArrowUp");
    await saved();
    expect(await entry("Visit").evaluate((item) => item.previousElementSibling?.textContent)).toBe("Contact");

    // A content type with a list and a reference is made, filled and shown.
    await keys.command("types", /^Content types/);
    await keys.use(page.getByRole("link", { name: "New content type" }));
    await keys.fill(page.getByRole("textbox", { name: "Name", exact: true }), "Walk");
    const addField = page.getByRole("button", { name: "Add to Fields", exact: true });
    await keys.use(addField);
    await keys.fill(page.getByRole("textbox", { name: "Label" }), "Leads to");
    await keys.to(page.getByRole("combobox", { name: "Kind" }));
    await page.keyboard.type("Refer");
    await keys.to(page.getByRole("combobox", { name: "Refers to" }));
    await page.keyboard.type("Pages");
    await keys.use(addField);
    await keys.fill(page.getByRole("textbox", { name: "Label" }).last(), "Stops");
    await keys.to(page.getByRole("combobox", { name: "Kind" }).last());
    await page.keyboard.type("List");
    await keys.use(page.getByRole("button", { name: "Add to Fields of Stops" }));
    await keys.fill(page.getByRole("textbox", { name: "Label" }).last(), "Place");
    await keys.press("Control+s");
    await page.getByRole("heading", { name: "Walk" }).waitFor();
    await keys.use(page.getByRole("link", { name: "Entries" }));
    await keys.use(page.getByRole("link", { name: "New entry" }));
    await keys.fill(page.getByRole("textbox", { name: "Identifier" }), "round");
    await keys.use(page.getByRole("button", { name: "Choose: Leads to" }));
    await keys.fill(dialog().getByRole("searchbox"), "wint");
    await dialog().getByRole("button", { name: "About us" }).waitFor({ state: "detached" });
    await keys.use(dialog().getByRole("button", { name: /^Winter/ }));
    await keys.use(page.getByRole("button", { name: "Add to Stops" }));
    await keys.fill(page.getByRole("textbox", { name: "Place" }), "The cliff");
    await keys.press("Control+s");
    await page.getByRole("heading", { name: "round" }).waitFor();
    await keys.use(page.getByRole("link", { name: "Walk", exact: true }));
    await page.getByRole("row", { name: /^round Winter The cliff/ }).waitFor();

    // A picture is uploaded, described and replaced.
    await keys.command("media", /^Media/);
    await choose(page, keys, page.getByLabel("Upload files"), await picture("teal"));
    await keys.use(page.getByRole("button", { name: "cliff.png" }));
    await keys.fill(dialog().getByRole("textbox", { name: "Alternative text (English)" }), "The cliff from the sea");
    await keys.use(dialog().getByRole("button", { name: "Save the texts" }));
    await dialog().getByRole("button", { name: "Save the texts", disabled: true }).waitFor();
    await choose(page, keys, dialog().getByLabel("Replace the file"), await picture("navy"));
    await notice("Replaced; the address is the same").waitFor();
    await keys.press("Escape");
    await dialog().waitFor({ state: "detached" });

    // An account with few permissions sees only what it may do.
    await keys.command("accounts", /^Accounts/);
    await keys.use(page.getByRole("link", { name: "New account" }));
    await keys.fill(page.getByRole("textbox", { name: "User name" }), "bo");
    await keys.fill(page.getByRole("textbox", { name: "Password" }), PASSWORD);
    await keys.to(page.getByRole("checkbox", { name: "Change: Articles", exact: true }));
    await keys.press("Space", "Control+s");
    await page.getByRole("heading", { name: "bo" }).waitFor();
    await keys.command("sign out", /^Sign out/);
    await signIn("bo");
    await page.getByText("Your account may not use this part.").waitFor();
    expect(await sectionsOf(page)).toEqual(["Home", "Articles", "Releases"]);
    await keys.command("sign out", /^Sign out/);
    await signIn("ada");
    await page.getByRole("heading", { name: "bo" }).waitFor();

    // The browser is killed in the middle of a sentence.
    await keys.command("about us", /^About us/);
    await keys.to(title());
    const autosave = kept("About us and the w");
    await page.keyboard.insertText("About us and the w");
    await autosave;
    const address = page.url();
    const end = browser.waitForEvent("close");
    killProfile(profile);
    await end;
    browser = await launchProfile(profile);
    page = browser.pages()[0]!;
    keys = keyboardOf(page);
    await page.goto(address);
    // Chromium may not have written the cookie of the session yet.
    const name = page.getByRole("textbox", { name: "User name" });
    await title().or(name).waitFor();
    if (await name.isVisible()) await signIn("ada");
    await expect.poll(() => title().inputValue()).toBe("About us and the w");
    await page.getByText(/^Kept, not (published|saved)$/).waitFor();

    // Without a connection, and with one again.
    await browser.setOffline(true);
    await keys.to(title());
    await page.keyboard.press("End");
    await page.keyboard.type("ind");
    await keys.press("Control+s");
    await page.getByRole("status").getByText("The server cannot be reached").first().waitFor();
    await browser.setOffline(false);
    await saved();
    expect(await title().inputValue()).toBe("About us and the wind");

    // Every commit is one verb, by its author, of its files.
    expect(commitsOf(git("log", "--reverse", "--format=%x00%an: %s", "--name-only", `${start}..`))).toEqual(COMMITS);
    expect(await server.stop()).toBe(0);
  },
);

/** Requests of another account, which uses the API. */
async function tokenOf(server: Server, username: string) {
  const { body } = await server.ask("POST", "api/cms/token-auth/", { username, password: PASSWORD });
  const headers = { "content-type": "application/json", authorization: `Token ${String(body.token)}` };
  return async (method: string, path: string, values: object): Promise<number> =>
    (await fetch(`${server.url}api/cms/${path}`, { method, headers, body: JSON.stringify(values) })).status;
}

const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer();

/** Opens the file dialog of the system by keyboard, and chooses a file in it. */
async function choose(page: Page, keys: Keyboard, field: Locator, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await keys.use(field);
  await (await chooser).setFiles({ name: "cliff.png", mimeType: "image/png", buffer });
}

/** Who did what, and to which files. */
const COMMITS = [
  'ada: Create "Winter" | content/pages/winter.yaml',
  'ada: Save draft of "Winter" (en) | content/pages/winter.draft.en.yaml',
  'ada: Save draft of "Winter" (it) | content/pages/winter.draft.it.yaml',
  'ada: Publish draft of "Winter" (it) | content/pages/winter.draft.it.yaml content/pages/winter.yaml',
  'ada: Publish draft of "Winter" (en) | content/pages/winter.draft.en.yaml content/pages/winter.yaml',
  'ada: Create "Stove" | content/pages/stove.yaml',
  'ada: Save draft of "Stove" (en) | content/pages/stove.draft.en.yaml',
  'ada: Save draft of "Stove" (it) | content/pages/stove.draft.it.yaml',
  'ada: Schedule "Stove" (en) | content/pages/stove.draft.en.yaml content/pages/stove.yaml',
  'ada: Publish draft of "Stove" (en) | content/pages/stove.draft.en.yaml content/pages/stove.yaml',
  'ada: Save draft of "Winter" (en) | content/pages/winter.draft.en.yaml',
  // The new address is part of that of the page below it, which changes with it.
  'ada: Publish draft of "Winter house" (en) | content/pages/stove.yaml content/pages/winter.draft.en.yaml content/pages/winter.yaml',
  'bea: Save draft of "Winter house" (en) | content/pages/winter.draft.en.yaml',
  'ada: Save draft of "Winter house" (en) | content/pages/winter.draft.en.yaml',
  'ada: Revert "Winter house" (en) to REVISION | content/pages/stove.yaml content/pages/winter.yaml',
  'ada: Change menu "main" | content/menus/main.yaml',
  'ada: Create meta type "Walk" | content/meta-types/walk.yaml',
  'ada: Create Walk "round" | content/meta-instances/walk/round.yaml',
  "ada: Add media cliff.png | content/media/cliff.png.yaml media/cliff.png media/thumbnails/cliff_thumb.png",
  "ada: Change media cliff.png | content/media/cliff.png.yaml",
  "ada: Replace media cliff.png | content/media/cliff.png.yaml media/cliff.png media/thumbnails/cliff_thumb.png",
  'ada: Save draft of "About us" (en) | content/pages/about-us.draft.en.yaml',
];

/** @param log with a null character before each commit, and its files on lines of their own */
const commitsOf = (log: string): string[] =>
  log
    .replaceAll(/ to [0-9a-f]{10}$/gm, " to REVISION")
    .split("\0")
    .slice(1)
    .map((commit) => {
      const [subject, ...files] = commit.trim().split(/\n+/);
      return `${subject} | ${files.join(" ")}`;
    });
