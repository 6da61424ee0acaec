/** The menus in the editor, used by roles and names alone. */
import { expect, it } from "vitest";
import { PAGE } from "../cli/process.ts";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";

const MENU = `id: 40
key: main
translations:
  en:
    nodes:
      - { title: One, link: { link_type: ST, static: /one/ } }
      - { title: Two, link: { link_type: ST, static: /two/ }, meta: { icon: star } }
`;

it.skipIf(!CHROMIUM)(
  withChromium(
    "a menu is rearranged by keyboard and by dragging, and an entry linked to a page; another menu is created",
  ),
  { timeout: 120_000 },
  async () => {
    const files = { "content/menus/main.yaml": MENU, "content/pages/harbour.yaml": PAGE(21, "Harbour") };
    const { page, server, git, failures } = await openEditor(files, "menus");
    const entry = (name: string) => page.getByRole("treeitem", { name, exact: true });
    await entry("One").waitFor();
    expect(await findings(page)).toEqual([]);

    await entry("Two").dragTo(entry("One"));
    await page.getByRole("button", { name: "Add an entry" }).click();
    const form = page.getByRole("region", { name: "Entry" });
    await form.getByRole("textbox", { name: "Title" }).fill("Port");
    await form.getByRole("radio", { name: "A page of this site" }).check();
    await form.getByRole("button", { name: "Choose: Link" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Harbour" }).click();
    await entry("Port").focus();
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(() => entry("Port").getAttribute("aria-level")).toBe("2");
    expect(await findings(page)).toEqual([]);

    await page.getByRole("button", { name: "Save the menu" }).click();
    await page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
    expect(git("log", "-1", "--format=%an: %s")).toBe('ada: Change menu "main"\n');
    const { nodes } = (await (await page.request.get(`${server.url}api/cms/menus/main/`)).json()) as {
      nodes: { title: string; meta?: object; nodes?: { title: string; link: { url: string } }[] }[];
    };
    const titles = nodes.map(({ title, nodes: below = [] }) => [title, ...below.map((each) => each.title)]);
    expect(titles.flat().sort()).toEqual(["One", "Port", "Two"]);
    expect(nodes.map(({ title }) => title)).toEqual(["Two", "One"]);
    expect(nodes[0]).toMatchObject({ meta: { icon: "star" } });
    expect(nodes.flatMap(({ nodes: below = [] }) => below.map(({ link }) => link.url))).toEqual(["/harbour/"]);

    // Another editor changed the menu, too: one of both is chosen.
    const { value: csrf } = (await page.context().cookies()).find((cookie) => cookie.name === "csrftoken")!;
    const theirs = await page.request.patch(`${server.url}api/cms/menus/main/?language=en`, {
      data: { nodes: [{ title: "Theirs", link: { link_type: "ST", static: "/theirs/" } }] },
      headers: { "x-csrftoken": csrf, referer: server.url },
    });
    expect(theirs.status()).toBe(200);
    await entry("One").click();
    await form.getByRole("textbox", { name: "Title" }).fill("Mine");
    await page.getByRole("button", { name: "Save the menu" }).click();
    const dialog = page.getByRole("dialog", { name: "This was changed meanwhile" });
    await dialog.getByRole("group", { name: "Entries" }).getByText("Theirs").first().waitFor();
    await dialog.getByRole("button", { name: "Save with these choices" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(/^Kept, not (published|saved)$/).waitFor({ state: "detached" });
    expect(git("show", "HEAD:content/menus/main.yaml")).toMatch(/Mine/);
    expect(git("show", "HEAD:content/menus/main.yaml")).not.toMatch(/Theirs/);

    // Another menu.
    await page.getByRole("textbox", { name: "Name of a new menu" }).fill("footer");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "footer", pressed: true }).waitFor();
    await page.getByText("This menu has no entries in this language.").waitFor();
    expect(git("log", "-1", "--format=%an: %s")).toBe('ada: Create menu "footer"\n');
    await page.getByRole("textbox", { name: "Name of a new menu" }).fill("footer");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("That did not work").waitFor();
    await page.getByRole("button", { name: "Add an entry" }).click();
    await form.getByRole("textbox", { name: "Title" }).fill("Imprint");
    await page.getByRole("button", { name: "Save the menu" }).click();
    await page.getByText(/^Kept, not (published|saved)$/).waitFor({ state: "detached" });
    expect(git("show", "HEAD:content/menus/footer.yaml")).toMatch(/Imprint/);
    expect(await findings(page)).toEqual([]);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
