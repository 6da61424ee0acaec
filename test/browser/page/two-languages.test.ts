/** A page in two languages at once: two forms, each with its own draft. */
import { expect, it } from "vitest";
import { PAGE } from "../../cli/process.ts";
import { CHROMIUM, withChromium } from "../../support/browser.ts";
import { findings, openEditor } from "../editor-site.ts";
import { picture } from "../pictures.ts";

it.skipIf(!CHROMIUM)(
  withChromium("two languages are edited side by side, each with a commit of its own, and neither is another editor's"),
  { timeout: 120_000 },
  async () => {
    const { page, server, git, failures } = await openEditor(
      { "content/pages/tower.yaml": PAGE(21, "Tower") },
      "pages/21",
    );
    const commits = (): string[] => git("log", "--format=", "--name-only", "-2").trim().split("\n").sort();
    const english = page.getByRole("group", { name: "Form of the page" });
    const italian = page.getByRole("group", { name: "Italiano", exact: true });
    const titleIn = (form: typeof english) => form.getByRole("textbox", { name: "Title", exact: true });
    const beside = page.getByRole("combobox", { name: "Show beside" });
    await beside.selectOption({ label: "Italiano, to edit" });
    await titleIn(italian).waitFor();
    expect(await page.getByRole("region", { name: "Preview" }).count()).toBe(0);
    expect(await italian.getByText("Place and layout").count()).toBe(0);

    // Spelling and pronunciation follow the language of each form.
    const languageOf = (form: typeof english): Promise<string | null> => titleIn(form).getAttribute("lang");
    expect([await languageOf(english), await languageOf(italian)]).toEqual(["en", "it"]);
    expect(await titleIn(italian).getAttribute("dir")).toBe("ltr");

    // One key saves both.
    await titleIn(english).fill("The tall tower");
    await titleIn(italian).fill("La torre alta");
    await picture(page, "two-languages");
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Control+s");
    const drafts = ["content/pages/tower.draft.en.yaml", "content/pages/tower.draft.it.yaml"];
    await expect.poll(commits).toEqual(drafts);
    await page.getByText(/^Kept, not (published|saved)$/).waitFor({ state: "detached" });

    // What is published in one language leaves what is typed in the other.
    await titleIn(english).fill("The tallest tower");
    await page.getByRole("button", { name: "Publish", exact: true }).last().click();
    await page.getByRole("status").getByText("Published", { exact: true }).waitFor();
    await expect.poll(() => git("log", "-1", "--format=%s")).toBe('Publish draft of "Tower" (it)\n');
    expect(await titleIn(english).inputValue()).toBe("The tallest tower");
    const asked = page.waitForResponse((response) => response.url().includes("/open/") && response.ok());
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
    await (await asked).finished();
    expect(await page.getByText("Another editor saved this page.").count()).toBe(0);

    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    expect(await findings(page)).toEqual([]);

    // With the preview again, what was typed in the other language is its draft.
    await titleIn(italian).fill("La torre");
    await page.getByRole("button", { name: "This page" }).click();
    await beside.selectOption({ label: "None" });
    await page.getByRole("region", { name: "Preview" }).waitFor();
    await page.getByRole("status").getByText("Saved as a draft: La torre").waitFor();
    const read = async (lang: string, action = "preview/"): Promise<unknown> =>
      (
        (await (await page.request.get(`${server.url}api/cms/pages/21/${action}?language=${lang}`)).json()) as {
          title: string;
        }
      ).title;
    expect([await read("it"), await titleIn(english).inputValue()]).toEqual(["La torre", "The tallest tower"]);
    await page.keyboard.press("Control+s");
    await expect.poll(() => read("en")).toBe("The tallest tower");
    expect(await read("it")).toBe("La torre");

    // Both drafts go live by one verb, and are taken back by one click.
    const live = (lang: string): Promise<unknown> => read(lang, "");
    const before = [await live("en"), await live("it")];
    await page.getByRole("button", { name: "More…" }).click();
    await page.getByRole("button", { name: "Publish English and Italiano" }).click();
    await expect.poll(async () => [await live("en"), await live("it")]).toEqual(["The tallest tower", "La torre"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => [await live("en"), await live("it")]).toEqual(before);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => [await live("en"), await live("it")]).toEqual(["The tallest tower", "La torre"]);

    // Another language is chosen in the middle of a sentence: what was typed is saved first, and is no other editor's.
    await titleIn(english).fill("The very tallest tower");
    const opened = page.waitForResponse((response) => response.url().includes("/open/?language=it") && response.ok());
    await page.getByRole("button", { name: "Italiano", exact: true }).click();
    await expect.poll(() => titleIn(english).inputValue()).toBe("La torre");
    await (await opened).finished();
    expect(await page.getByText("Another editor saved this page.").count()).toBe(0);
    expect(await read("en")).toBe("The very tallest tower");
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
