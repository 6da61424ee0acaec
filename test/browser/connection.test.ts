/** The editor while the server does not answer. */
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";
import { picture } from "./pictures.ts";

it.skipIf(!CHROMIUM)(
  withChromium("a lost connection is said, and what is typed meanwhile is sent once it is back"),
  { timeout: 120_000 },
  async () => {
    const { page, server } = await openEditor({}, "pages/12");
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    await title.waitFor();
    const lost = page.getByRole("status").getByText("The server does not answer.");
    await page.context().setOffline(true);
    await title.fill("About the fog");
    await lost.waitFor();
    await picture(page, "connection");
    expect(await findings(page)).toEqual([]);
    const sent = page.waitForResponse((response) => response.url().includes("/autosave/") && response.ok());
    await page.context().setOffline(false);
    await lost.waitFor({ state: "detached" });
    expect((await sent).request().postDataJSON()).toMatchObject({ values: { title: "About the fog" } });
    expect(await server.stop()).toBe(0);
  },
);
