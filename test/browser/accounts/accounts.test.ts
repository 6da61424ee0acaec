/** Accounts and permissions in the editor, used by roles and names alone. */
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../../support/browser.ts";
import { findings, goToSection, openEditor, PASSWORD, sectionsOf, signIn } from "../editor-site.ts";

it.skipIf(!CHROMIUM)(
  withChromium("an account is made with a few permissions, and its editor sees only what it may do"),
  { timeout: 180_000 },
  async () => {
    const tag = "id: 30\ntranslations:\n  en: { name: Sea }\n";
    const { page, server, git, failures } = await openEditor({ "content/tags/sea.yaml": tag }, "accounts");
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(new URL(response.url()).pathname);
    });
    const before = git("rev-parse", "HEAD");
    await page.getByRole("row", { name: /^ada .*Superuser/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await sectionsOf(page)).toContain("Accounts");

    await page.getByRole("link", { name: "New account" }).click();
    await page.getByRole("textbox", { name: "User name" }).fill("bo");
    await page.getByRole("textbox", { name: "Password" }).fill("short");
    await page.getByRole("checkbox", { name: "Change: Pages", exact: true }).check();
    await page.getByRole("checkbox", { name: "Add: Tags", exact: true }).check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").first().waitFor();
    expect(await page.getByRole("textbox", { name: "Password" }).getAttribute("aria-invalid")).toBe("true");
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate("Object.values(localStorage).join()")).not.toContain("short");
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "bo" }).waitFor();
    expect(await page.getByRole("checkbox", { name: "Change: Pages", exact: true }).isChecked()).toBe(true);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("main").getByRole("link", { name: "Accounts" }).click();
    await page.getByRole("row", { name: /^bo .*Staff, 2 permissions/ }).waitFor();
    // Accounts are not content.
    expect(git("rev-parse", "HEAD")).toBe(before);

    await page.getByRole("button", { name: "ada" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn(page, PASSWORD, "bo");
    await page.getByText("Your account may not use this part.").waitFor();
    expect(await sectionsOf(page)).toEqual(["Home", "Pages", "Releases", "Tags", "Redirects"]);
    await goToSection(page, "Home");
    await page.getByRole("region", { name: "Pages", exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);

    await goToSection(page, "Pages", "Content");
    await page.getByRole("link", { name: "About", exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "New page" }).count()).toBe(0);
    await page.getByRole("link", { name: "About", exact: true }).click();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("About us");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("status").getByText("Published", { exact: true }).waitFor();
    expect(git("log", "-1", "--format=%an: %s")).toMatch(/^bo: Publish /);

    // It may add tags, and neither change nor delete them.
    await goToSection(page, "Tags", "Content");
    await page.getByRole("link", { name: "New tag" }).waitFor();
    await page.getByRole("link", { name: "Sea" }).click();
    const name = page.getByRole("textbox", { name: "Name (English)" });
    await name.waitFor();
    expect(await name.isDisabled()).toBe(true);
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    for (const path of ["media", "articles", "menus", "blocks", "types", "accounts", "settings"]) {
      await page.goto(`${server.url}admin/${path}`);
      await page.getByText("Your account may not use this part.").waitFor();
    }
    expect(refused).toEqual([]);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
