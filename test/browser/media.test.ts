/** The media library in the editor, used by roles and names alone. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";

const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 600, height: 400, channels: 3, background } })
    .png()
    .toBuffer();

/** Which of red and green there is more of in a picture. */
const colourOf = (img: Locator): Promise<"red" | "green"> =>
  img.evaluate((element) => {
    const { document } = globalThis as unknown as { document: { createElement(name: "canvas"): Canvas } };
    const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
    context.drawImage(element, 0, 0, 1, 1);
    const [red = 0, green = 0] = context.getImageData(0, 0, 1, 1).data;
    return red > green ? "red" : "green";
  });

interface Canvas {
  getContext(kind: "2d"): {
    drawImage(picture: unknown, ...place: number[]): void;
    getImageData(...place: number[]): { readonly data: Iterable<number> };
  };
}

it.skipIf(!CHROMIUM)(
  withChromium(
    "many pictures are uploaded to a folder; one is described, replaced, moved, trashed, restored and deleted, then their folder is renamed and deleted",
  ),
  { timeout: 240_000 },
  async () => {
    const { page, server, git, dir, failures } = await openEditor({}, "media");
    await page.getByRole("textbox", { name: "Name of a new folder" }).fill("Boats");
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Folders" }).getByText("Boats").waitFor();

    const [red, green] = [await picture("firebrick"), await picture("seagreen")];
    let isDown = true;
    await page.route("**/api/cms/media/", (route) =>
      isDown && route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    const upload = page.getByLabel("Upload files");
    await upload.setInputFiles([
      { name: "one.png", mimeType: "image/png", buffer: red },
      { name: "two.png", mimeType: "image/png", buffer: red },
    ]);
    await page.getByRole("alert").nth(1).waitFor();
    expect(await findings(page)).toEqual([]);
    isDown = false;
    const retries = page.getByRole("button", { name: "Try again" });
    await retries.first().click();
    await expect.poll(() => retries.count()).toBe(1);
    await retries.first().click();
    const grid = page.getByRole("list", { name: "Media" });
    await grid.getByRole("button", { name: "one.png" }).waitFor();
    await grid.getByRole("button", { name: "two.png" }).waitFor();

    await page.getByRole("button", { name: "List", exact: true }).click();
    await page.getByRole("cell", { name: "Missing: English, Italiano" }).first().waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "one.png" }).click();
    const dialog = page.getByRole("dialog", { name: "one.png" });
    await dialog.getByText("Nothing uses this file.").waitFor();
    await dialog.getByText("600 × 400").first().waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("textbox", { name: "Alternative text (English)" }).fill("A red boat");
    await dialog.getByRole("textbox", { name: "Alternative text (Italiano)" }).fill("Una barca rossa");
    await dialog.getByRole("button", { name: "Save the texts" }).click();
    await page.getByRole("cell", { name: "Complete" }).waitFor();

    const shown = () => colourOf(dialog.locator("img"));
    await expect.poll(shown).toBe("red");
    await dialog
      .getByLabel("Replace the file")
      .setInputFiles({ name: "x.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
    await dialog.getByRole("status").getByText("The new file must be of the type of the old one: image/png.").waitFor();
    await dialog.getByLabel("Replace the file").setInputFiles({ name: "x.png", mimeType: "image/png", buffer: green });
    await page.getByRole("status").getByText("Replaced; the address is the same").waitFor();
    await expect.poll(shown).toBe("green");
    // After a load, too, with the texts of every language.
    await page.reload();
    await expect.poll(shown).toBe("green");
    await expect
      .poll(() => dialog.getByRole("textbox", { name: "Alternative text (Italiano)" }).inputValue())
      .toBe("Una barca rossa");
    expect(await dialog.getByText("missing").count()).toBe(0);
    expect(readFileSync(join(dir, "media/boats/one.png")).equals(green)).toBe(true);
    await dialog.getByRole("combobox", { name: "Folder" }).selectOption({ label: "No folder" });
    await expect.poll(() => git("ls-files", "media")).toMatch(/^media\/one\.png$/m);

    // By drag onto a folder, and back.
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.goto(`${server.url}admin/media`);
    const folders = page.getByRole("navigation", { name: "Folders" });
    await grid.getByRole("button", { name: "one.png" }).dragTo(folders.getByRole("link", { name: "Boats" }));
    await page.getByRole("status").getByText("The file is in the other folder").waitFor();
    expect(git("ls-files", "media")).toMatch(/^media\/boats\/one\.png$/m);
    await grid.getByRole("button", { name: "one.png" }).waitFor({ state: "detached" });
    await folders.getByRole("link", { name: "Boats" }).click();
    await grid.getByRole("button", { name: "one.png" }).dragTo(folders.getByRole("link", { name: "Up" }));
    await expect.poll(() => git("ls-files", "media")).toMatch(/^media\/one\.png$/m);
    await folders.getByRole("link", { name: "Up" }).click();
    await grid.getByRole("button", { name: "one.png" }).click();

    // To the trash and back, by the toast and from the list of the trash; then deleted for good.
    const isThere = async (): Promise<number> => (await server.ask("GET", "media/one.png")).status;
    await dialog.getByRole("button", { name: "Move to trash" }).click();
    await page.getByRole("status").getByText("one.png is in the trash").waitFor();
    await grid.getByRole("button", { name: "one.png" }).waitFor({ state: "detached" });
    expect(await isThere()).toBe(404);
    await page.getByRole("button", { name: "Undo" }).click();
    await grid.getByRole("button", { name: "one.png" }).click();
    expect(await isThere()).toBe(200);
    await page.evaluate(
      async (id) => {
        const token = /csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "";
        const headers = { "content-type": "application/json", "x-csrftoken": token };
        const body = JSON.stringify({ og_image: id });
        await fetch("/api/cms/pages/12/", { method: "PATCH", headers, body });
      },
      Number(new URL(page.url()).searchParams.get("file")),
    );
    await dialog.getByRole("button", { name: "Move to trash" }).click();
    const asked = page.getByRole("dialog", { name: "Move one.png to the trash?" });
    await asked.getByRole("link", { name: "About" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await asked.getByRole("button", { name: "Move to trash" }).click();
    await grid.getByRole("button", { name: "one.png" }).waitFor({ state: "detached" });
    const trash = page.getByRole("button", { name: "Trash", exact: true });
    await trash.click();
    await page.getByText("These files are nowhere on the site").waitFor();
    await grid.getByRole("button", { name: "one.png" }).click();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Restore" }).click();
    await page.getByRole("status").getByText("Files: 0").waitFor();
    expect(await isThere()).toBe(200);
    const trashAgain = async (): Promise<void> => {
      await trash.click();
      await grid.getByRole("button", { name: "one.png" }).click();
      await dialog.getByRole("button", { name: "Move to trash" }).click();
      await asked.getByRole("button", { name: "Move to trash" }).click();
      await trash.click();
    };
    await trashAgain();
    await page.getByRole("checkbox", { name: "Select one.png" }).check();
    const bulk = page.getByRole("region", { name: "Selected files" });
    expect(await findings(page)).toEqual([]);
    await bulk.getByRole("button", { name: "Restore" }).click();
    await page
      .getByRole("dialog", { name: "Restore the selected files (1)?" })
      .getByRole("button", { name: "Restore" })
      .click();
    await page.getByRole("status").getByText("Files: 0").waitFor();
    expect(await isThere()).toBe(200);
    await trashAgain();
    await grid.getByRole("button", { name: "one.png" }).click();
    await dialog.getByRole("button", { name: "Delete for good" }).click();
    const question = page.getByRole("dialog", { name: "Delete one.png?" });
    expect(await findings(page)).toEqual([]);
    await question.getByRole("button", { name: "Delete for good" }).click();
    await question.waitFor({ state: "detached" });
    await expect.poll(() => git("ls-files", "media")).not.toMatch(/one\.png/);
    await trash.click();

    // A folder is renamed with what is in it, and deleted with it.
    await folders.getByRole("link", { name: "Boats" }).click();
    await page.getByRole("button", { name: "Rename the folder" }).click();
    const renaming = page.getByRole("dialog", { name: "Rename the folder" });
    await renaming.getByRole("textbox", { name: "Name" }).fill("Ships");
    expect(await findings(page)).toEqual([]);
    await renaming.getByRole("button", { name: "Rename" }).click();
    await folders.getByText("Ships").waitFor();
    expect(git("ls-files", "media")).toMatch(/^media\/ships\/two\.png$/m);
    expect((await server.ask("GET", "media/boats/two.png")).headers.get("location")).toBe("/media/ships/two.png");
    await grid.getByRole("button", { name: "two.png" }).waitFor();
    await page.getByRole("button", { name: "Delete the folder" }).click();
    const deleting = page.getByRole("dialog", { name: "Delete Ships?" });
    await deleting.getByText("are deleted, too").waitFor();
    await deleting.getByRole("button", { name: "Delete" }).click();
    await deleting.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Delete the folder" }).waitFor({ state: "detached" });
    await grid.getByRole("button", { name: "two.png" }).waitFor({ state: "detached" });
    expect(git("ls-files", "media", "content/media")).not.toMatch(/two\.png/);
    expect(git("log", "-1", "--format=%an: %s")).toBe("ada: Delete media folder ships and 1 file in it\n");
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
