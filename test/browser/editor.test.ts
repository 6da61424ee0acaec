/** The editor in a browser, used by roles and names alone, as with a screen reader. */
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { cms, serve, site } from "../cli/process.ts";
import { CHROMIUM, launchBrowser, withChromium } from "../support/browser.ts";
import { findings, goToSection, PASSWORD, signIn } from "./editor-site.ts";
import { picture } from "./pictures.ts";

it.skipIf(!CHROMIUM)(
  withChromium("a draft is saved by keyboard, previewed as it is typed, and published"),
  { timeout: 240_000 },
  async () => {
    const { dir, save, git } = site();
    save(
      "templates/defaults/pages/default.html",
      '<body><h1{{ cms_field("title") }}>{{ page.title }}</h1><a href="javascript:alert(1)">Trap</a></body>',
    );
    git("add", "--all");
    git("commit", "--quiet", "--message=Templates");
    const added = await cms(["user", "add", "ada", "--superuser", "--root", dir], { env: { CMS_PASSWORD: PASSWORD } });
    expect(added).toMatchObject({ code: 0 });
    const other = await cms(["user", "add", "bea", "--staff", "--root", dir], { env: { CMS_PASSWORD: PASSWORD } });
    expect(other).toMatchObject({ code: 0 });
    const server = await serve(dir);
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    /** Another editor, who uses the API. */
    const elsewhere = async (method: string, action: string, values: object): Promise<void> => {
      const sent = (token?: string, body?: object): RequestInit => ({
        headers: { "content-type": "application/json", ...(token && { authorization: `Token ${token}` }) },
        body: JSON.stringify(body),
      });
      const account = { username: "bea", password: PASSWORD };
      const login = await fetch(`${server.url}api/cms/token-auth/`, { method: "POST", ...sent(undefined, account) });
      const { token } = (await login.json()) as { token: string };
      const answer = await fetch(`${server.url}api/cms/pages/12/${action}/`, { method, ...sent(token, values) });
      expect(answer.status).toBe(200);
    };
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
    await page.getByText(/^Kept, not (published|saved)$/).waitFor();
    await page.getByRole("textbox", { name: "Description", exact: true }).focus();
    await preview.getByRole("heading", { name: "About the light" }).click();
    await preview.getByText("Trap").click();
    expect(browser.contexts().flatMap((context) => context.pages())).toEqual([page]);
    // It is typed where it stands.
    await preview.getByRole("heading", { name: "About the light" }).click();
    await picture(page, "page-typed");
    expect(await findings(page)).toEqual([]);

    // The browser is closed in the middle of a sentence: what was typed is there when the page is opened again, also
    // in a browser that has nothing of it.
    const autosave = page.waitForResponse((response) => response.url().includes("/autosave/") && response.ok());
    await page.keyboard.press("End");
    await page.keyboard.type("s");
    await autosave;
    expect(await page.getByRole("textbox", { name: "Title", exact: true }).inputValue()).toBe("About the lights");
    await page.evaluate("localStorage.clear()");
    await page.reload();
    await preview.getByRole("heading", { name: "About the lights" }).waitFor();
    await page.keyboard.press("Control+S"); // as with Caps Lock
    await page.getByText("Saved").waitFor();
    await page.getByText("Pending draft").waitFor();
    expect(git("log", "-1", "--format=%an: %s")).toBe('ada: Save draft of "About" (en)\n');
    expect(git("show", "--name-only", "--format=").trim()).toBe("content/pages/about.draft.en.yaml");

    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("status").getByText("Published", { exact: true }).waitFor();
    expect((await server.ask("GET", "about-the-lights/")).body).toContain("<h1>About the lights</h1>");
    expect(await page.getByText("Pending draft").count()).toBe(0);

    // What another editor saved in between to another value is taken over, and never overwritten.
    await page.getByRole("textbox", { name: "Description", exact: true }).fill("Of the light");
    await elsewhere("POST", "open", {});
    await elsewhere("PATCH", "draft", { title: "Theirs" });
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
    await page.getByText("Also open for bea (English)").waitFor();
    await page.getByText("Another editor saved this page.").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("status").getByText("Saved").first().waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: "Title", exact: true }).inputValue()).toBe("Theirs");

    // Of what both changed, the values are shown beside each other, and one is chosen for each.
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Mine");
    await page.getByRole("textbox", { name: "Description", exact: true }).fill("My words");
    await elsewhere("PATCH", "draft", { title: "Theirs again", description: "Their words" });
    await page.getByRole("button", { name: "Save draft" }).click();
    const dialog = page.getByRole("dialog", { name: "This page was changed meanwhile" });
    await dialog.waitFor();
    await picture(page, "contested");
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("group", { name: "Title" }).getByRole("radio", { name: "Take theirs" }).check();
    await dialog.getByRole("button", { name: "Save with these choices" }).click();
    await dialog.waitFor({ state: "detached" });
    await preview.getByRole("heading", { name: "Theirs again" }).waitFor();
    await expect.poll(() => draft(git)).toMatchObject({ title: "Theirs again", description: "My words" });

    await page.getByRole("button", { name: "More…" }).click();
    await page.getByRole("button", { name: "Publish with a comment…" }).click();
    await page.getByRole("textbox", { name: "Comment" }).fill("New words for the light");
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    await expect.poll(() => git("log", "-1", "--format=%an: %b")).toContain("ada: New words for the light");

    // Leaving saves what was typed as one draft.
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Typed and left");
    await goToSection(page, "Pages", "Content");
    await page.getByRole("status").getByText("Saved as a draft: Typed and left").waitFor();
    expect(draft(git)).toEqual({ title: "Typed and left" });
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

/** The payload of the draft in HEAD. */
const draft = (git: (...args: string[]) => string): unknown =>
  parse(git("show", "HEAD:content/pages/about.draft.en.yaml")).payload;
