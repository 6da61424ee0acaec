/** The editor in a browser, used by roles and names alone, as with a screen reader. */
import { expect, it, onTestFinished } from "vitest";
import { cms, PAGE, serve, site } from "../cli/process.ts";
import { CHROMIUM, launchBrowser, withChromium } from "../support/browser.ts";
import { findings, PASSWORD, signIn } from "./editor-site.ts";

it.skipIf(!CHROMIUM)(
  withChromium("a draft is saved by keyboard, previewed as it is typed, and published"),
  { timeout: 60_000 },
  async () => {
    const { dir, save, git } = site();
    save("templates/defaults/pages/default.html", "<body><h1>{{ page.title }}</h1></body>");
    git("add", "--all");
    git("commit", "--quiet", "--message=Templates");
    const added = await cms(["user", "add", "ada", "--superuser", "--root", dir], { env: { CMS_PASSWORD: PASSWORD } });
    expect(added).toMatchObject({ code: 0 });
    const server = await serve(dir);
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const failures: string[] = [];
    page.on("pageerror", ({ message }) => failures.push(message));

    await page.goto(`${server.url}admin/pages`);
    await signIn(page, "not the password");
    await page.getByRole("alert").waitFor();
    expect(await findings(page)).toEqual([]);
    await signIn(page);

    await page.getByRole("searchbox", { name: "Search pages" }).fill("Abo");
    await page.getByRole("status").getByText("Found: 1").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("link", { name: "About", exact: true }).click();

    const preview = page.frameLocator("iframe");
    await preview.getByRole("heading", { name: "About", exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("About the light");
    await preview.getByRole("heading", { name: "About the light" }).waitFor();
    await page.getByText("Not saved yet").waitFor();
    expect(await findings(page)).toEqual([]);

    // The browser is closed in the middle of a sentence: what was typed is there when the page is opened again, also
    // in a browser that has nothing of it.
    const autosave = page.waitForResponse((response) => response.url().includes("/autosave/") && response.ok());
    await page.keyboard.type("s");
    await autosave;
    await page.evaluate("localStorage.clear()");
    await page.reload();
    await preview.getByRole("heading", { name: "About the lights" }).waitFor();
    await page.keyboard.press("Control+s");
    await page.getByText("Saved").waitFor();
    await page.getByText("Pending draft").waitFor();
    expect(git("log", "-1", "--format=%an: %s")).toBe('ada: Save draft of "About" (en)\n');
    expect(git("show", "--name-only", "--format=").trim()).toBe("content/pages/about.draft.en.yaml");

    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("status").getByText("Published").waitFor();
    expect((await server.ask("GET", "about-the-lights/")).body).toContain("<h1>About the lights</h1>");
    expect(await page.getByText("Pending draft").count()).toBe(0);

    // Another editor's write in between is never overwritten unasked.
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Mine");
    await preview.getByRole("heading", { name: "Mine" }).waitFor();
    save("content/pages/about.yaml", PAGE(12, "About").replace("title: About", "title: Theirs"));
    await expect
      .poll(async () => (await server.ask("GET", "about/")).body, { timeout: 45_000 })
      .toContain("<h1>Theirs</h1>");
    await page.getByRole("button", { name: "Save draft" }).click();
    const dialog = page.getByRole("dialog", { name: "This page was changed meanwhile" });
    await dialog.waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save mine over it" }).click();
    await dialog.waitFor({ state: "detached" });
    await preview.getByRole("heading", { name: "Mine" }).waitFor();
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
