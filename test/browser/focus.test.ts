/** The focus stays near what was done, also where that is removed or has nothing more to do. */
import { expect, it } from "vitest";
import { PAGE } from "../cli/process.ts";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { openEditor, PASSWORD } from "./editor-site.ts";
import { keyboardOf } from "./keyboard.ts";

const MENU = `id: 40
key: main
translations:
  en:
    nodes:
      - { title: One, link: { link_type: ST, static: /one/ } }
      - { title: Two, link: { link_type: ST, static: /two/ } }
`;
const MODEL = `schema:
  - { name: beds, kind: list, children: [{ name: size }] }
  - { name: subject, kind: ref, target_model: cms.Tag }
`;
const ROOM = PAGE(21, "Nook").replace("date_created", "model: room\ndate_created");

it.skipIf(!CHROMIUM)(
  withChromium("what is saved, moved, removed or chosen by keyboard leaves the focus on a control, never on nothing"),
  { timeout: 120_000 },
  async () => {
    const { page, server, failures } = await openEditor(
      {
        "content/menus/main.yaml": MENU,
        "content/page-models/room.yaml": MODEL,
        "content/pages/nook.yaml": ROOM,
        "content/tags/sea.yaml": "id: 30\ntranslations:\n  en: { name: Sea }\n",
      },
      "tags/30",
    );
    page.setDefaultTimeout(15_000);
    const keys = keyboardOf(page);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    /** Once the focus has come to rest. */
    const focused = (name: string) =>
      expect
        .poll(() => page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent"))
        .toBe(name);

    // A record that was saved has nothing more to save or to discard.
    await keys.fill(page.getByRole("textbox", { name: "Name (English)" }), "Seas");
    await keys.use(button("Save"));
    await page.getByText(/^Kept, not (published|saved)$/).waitFor({ state: "detached" });
    await focused("Save");
    await keys.fill(page.getByRole("textbox", { name: "Name (English)" }), "Sea", "Shift+Tab");
    await keys.use(button("Discard the changes"));
    await page.getByText(/^Kept, not (published|saved)$/).waitFor({ state: "detached" });
    await focused("Discard the changes");

    // Entries of a menu.
    await keys.command("menus", /^Menus/);
    await keys.to(page.getByRole("treeitem", { selected: true }));
    await keys.press("End");
    await keys.use(button("Move the entry up"));
    await focused("Move the entry up");
    await keys.use(button("Save the menu"));
    await page.getByText(/^Kept, not (published|saved)$/).waitFor({ state: "detached" });
    await focused("Save the menu");
    await keys.use(button("Remove the entry and those below it"), "Shift+Tab");
    await expect.poll(() => page.getByRole("treeitem").count()).toBe(1);
    await keys.use(button("Remove the entry and those below it"));
    await page.getByText("This menu has no entries in this language.").waitFor();
    await keys.press("Control+s");

    // Items of a list, and a reference.
    await keys.command("nook", /^Nook/);
    const items = page.getByRole("group", { name: "Beds" }).getByRole("listitem");
    const size = page.getByRole("textbox", { name: "Size" });
    for (const text of ["wide", "low", "high"]) {
      await keys.use(button("Add to Beds"));
      await keys.fill(size.last(), text, "Shift+Tab");
    }
    await keys.use(button("Move item 3 of Beds up"));
    await expect.poll(() => size.nth(1).inputValue()).toBe("high");
    await keys.use(button("Move item 2 of Beds up"));
    await expect.poll(() => size.first().inputValue()).toBe("high");
    await focused("Move item 1 of Beds up");
    for (const left of [2, 1, 0]) {
      await keys.use(button("Remove item 1 of Beds"));
      await expect.poll(() => items.count()).toBe(left);
    }
    await focused("Add to Beds");
    await keys.use(button("Choose: Subject"));
    await keys.use(page.getByRole("dialog").getByRole("button", { name: /^Seas/ }));
    await focused("Choose: Subject");
    await keys.use(button("Clear: Subject"));
    await focused("Choose: Subject");
    await keys.press("Control+s");
    await page.getByText(/^(Kept, not published|Kept, not saved|Saving…)$/).waitFor({ state: "detached" });

    await keys.command("sign out", /^Sign out/);
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("username");
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium("what is typed into a long text while its editor loads goes on at the same place in the editor"),
  { timeout: 120_000 },
  async () => {
    const { page, server, failures } = await openEditor(
      {
        "content/pages/nook.yaml": PAGE(21, "Nook").replace(
          "  it:",
          `    template_data: { body: "One\\r\\ntwo\\n" }\n  it:`,
        ),
      },
      "pages",
    );
    page.setDefaultTimeout(15_000);
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route(/markdown-editor/, async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.getByRole("link", { name: "Nook" }).click();
    const body = page.getByRole("textbox", { name: "Text", exact: true });
    await body.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("ArrowLeft");
    release();
    await page.getByRole("button", { name: "Bold" }).waitFor();
    await page.keyboard.type("!");
    await page.keyboard.press("Control+s");
    await page.getByText("Pending draft").waitFor();
    const token = await fetch(`${server.url}api/cms/token-auth/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "ada", password: PASSWORD }),
    }).then((answer) => answer.json() as Promise<{ token: string }>);
    const saved = await fetch(`${server.url}api/cms/pages/21/?language=en`, {
      headers: { authorization: `Token ${token.token}` },
    }).then((answer) => answer.json() as Promise<{ draft_data: unknown }>);
    expect(saved.draft_data).toEqual({ template_data: { body: "One\ntwo!\n" } });
    expect(failures).toEqual([]);
  },
);
