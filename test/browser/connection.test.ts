/** The editor while the server does not answer. */
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, goToSection, openEditor } from "./editor-site.ts";
import { picture } from "./pictures.ts";

/** Takes all of the storage of the browser but some bytes. */
const FILL = `for (let size = 2 ** 22, at = 0; size >= 8;) {
  try { localStorage.setItem("fill " + at++, "x".repeat(size)); } catch { size /= 2; }
}`;

it.skipIf(!CHROMIUM)(
  withChromium(
    "a lost connection is said, and what is typed meanwhile is sent once it is back; a full browser loses nothing",
  ),
  { timeout: 120_000 },
  async () => {
    const { page, server, failures } = await openEditor({}, "");
    await page.getByRole("navigation").getByRole("button", { name: "Content" }).waitFor();
    await page.route("**/assets/markdown-editor-*", (route) => route.abort());
    await page.goto(`${server.url}admin/pages/12`);
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    await title.waitFor();
    const bold = page.getByRole("button", { name: "Bold" });
    const lost = page.getByRole("status").getByText("The server does not answer.");
    await page.context().setOffline(true);
    await title.fill("About the fog");
    await lost.waitFor();
    await picture(page, "connection");
    expect(await findings(page)).toEqual([]);
    const body = page.getByRole("textbox", { name: "Text", exact: true });
    await body.fill("Fog *signals*"); // brings the field into view, whose editor cannot be loaded
    expect(await bold.count()).toBe(0);
    await page.unroute("**/assets/markdown-editor-*");
    const sent = page.waitForResponse((response) => response.url().includes("/autosave/") && response.ok());
    await page.context().setOffline(false);
    await lost.waitFor({ state: "detached" });
    expect((await sent).request().postDataJSON()).toMatchObject({
      values: { title: "About the fog", template_data: { body: "Fog *signals*" } },
    });
    await bold.waitFor();
    expect(await body.textContent()).toBe("Fog *signals*");

    // The browser has no room for more: the server has all of it.
    await page.evaluate(FILL);
    const told = page.waitForResponse((response) => response.url().includes("/autosave/") && response.ok());
    await title.fill(`About ${"the fog ".repeat(10)}`);
    expect((await told).request().postDataJSON()).toMatchObject({
      values: { title: `About ${"the fog ".repeat(10)}` },
    });
    expect(await page.evaluate(`localStorage.getItem("git-cms.typed pages/12 en")`)).toBeNull();
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium(
    "a part of the editor that could not be loaded is loaded once the server answers; one it no longer has, after a new version",
  ),
  { timeout: 120_000 },
  async () => {
    const { page, server, failures } = await openEditor({}, "");
    await page.getByRole("navigation").getByRole("button", { name: "Structure" }).waitFor();
    await page.context().setOffline(true);
    await goToSection(page, "Redirects", "Structure");
    await page.getByRole("status").getByText("The server does not answer.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { level: 1, name: "Redirects" }).waitFor();

    await page.route("**/admin/assets/type-list*", (route) => route.fulfill({ status: 404 }));
    await goToSection(page, "Content types", "Structure");
    await page.getByRole("status").getByText("another version of the editor. Reload this page.").waitFor();
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
