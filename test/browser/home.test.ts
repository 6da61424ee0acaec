/** The first screen of the editor, used by roles and names alone. */
import { expect, it } from "vitest";
import { PAGE } from "../cli/process.ts";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, goToSection, openEditor, signIn } from "./editor-site.ts";

const side = (value: string, author: string) => ({
  value,
  commit: "a".repeat(40),
  author,
  date: "2026-01-03T00:00:00Z",
});
const CONFLICT = {
  id: "abc-1",
  kind: "field",
  path: "content/pages/about.yaml",
  record: { model: "Page", id: 12, name: "About us" },
  field: "description",
  language: "en",
  deleted_by: null,
  draft: null,
  merge: "b".repeat(40),
  ours: side("Our old tower", "Ada"),
  theirs: side("Our new tower", "Bo"),
};

it.skipIf(!CHROMIUM)(
  withChromium("what waits for the editor is on the first screen, and a conflict is resolved there"),
  { timeout: 120_000 },
  async () => {
    const untranslated = PAGE(21, "Harbour").replace(/ {2}it:\n.*\n/, "");
    const draft =
      "created_at: 2026-01-03T00:00:00Z\nupdated_at: 2026-01-03T00:00:00Z\nscheduled_for: 2099-01-01T08:00:00Z\npayload: { title: Later }\n";
    const { page, server, failures } = await openEditor(
      {
        "content/pages/harbour.yaml": untranslated,
        "content/pages/about.draft.en.yaml": draft,
        "content/pages/broken.yaml": "id: 22\ntranslations:\n  en: { title: [unclosed\n",
      },
      "pages/21",
    );
    const autosave = page.waitForResponse(
      (response) => response.request().method() === "PUT" && response.url().includes("/autosave/") && response.ok(),
    );
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Harbours");
    await autosave;

    // What the API lists and takes is tested with real syncs elsewhere.
    let open = [CONFLICT];
    const sent: unknown[] = [];
    await page.route("**/api/cms/conflicts/**", (route) => {
      if (route.request().method() === "GET") return route.fulfill({ json: open });
      sent.push([new URL(route.request().url()).pathname, route.request().postDataJSON()]);
      open = [];
      return route.fulfill({ status: 204 });
    });
    page.once("dialog", (dialog) => void dialog.accept());
    await goToSection(page, "Home");
    const card = (name: string) => page.getByRole("region", { name, exact: true });
    await card("My unsaved texts").getByRole("link", { name: "Harbour" }).waitFor();
    await card("Scheduled changes").getByRole("link", { name: "About" }).waitFor();
    await card("Scheduled changes").getByRole("time").getByText("2099").waitFor();
    const british = await (await page.context().browser()!.newContext({ locale: "en-GB" })).newPage();
    await british.goto(`${server.url}admin/`);
    await signIn(british);
    await british.getByRole("region", { name: "Scheduled changes" }).getByText("1 Jan 2099").waitFor();
    await british.context().close();
    await card("Scheduled changes").getByRole("table", { name: "January 2099" }).waitFor();
    await card("Scheduled changes").getByRole("button", { name: "Next month" }).click();
    await card("Scheduled changes").getByRole("table", { name: "February 2099" }).waitFor();
    expect(await card("Scheduled changes").getByRole("link", { name: "About" }).count()).toBe(0);
    await card("Problems")
      .getByText(/^content\/pages\/broken\.yaml:\d/)
      .waitFor();
    await card("Latest changes").getByRole("listitem").first().waitFor();
    await card("Pending drafts").getByRole("link", { name: "About" }).waitFor();
    await card("Not translated: Italiano").getByRole("listitem").waitFor();
    // Of what there is none is not there.
    expect(await card("Not translated: English").count()).toBe(0);
    await card("Pages").getByRole("link", { name: "Harbour" }).waitFor();

    const conflict = page.getByRole("article", { name: "About us › Description › English" });
    await conflict.getByText("Our old tower", { exact: true }).waitFor();
    await conflict.getByText("Word by word").click();
    await conflict.getByRole("deletion").getByText("new").waitFor();
    expect(await findings(page)).toEqual([]);
    await conflict.getByRole("button", { name: "Use the other value" }).click();
    await conflict.waitFor({ state: "detached" });
    expect(sent).toEqual([["/api/cms/conflicts/abc-1/resolve/", { use: "ours" }]]);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
