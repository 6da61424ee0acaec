/** Two people in the editor: one proposes and mends, the other comments, approves and publishes. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { addUser } from "../cli/process.ts";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor, PASSWORD, signIn } from "./editor-site.ts";
import { picture } from "./pictures.ts";

const CONFIG = `LANGUAGES: { en: English, it: Italiano }
REVIEW: { REQUIRED: [{ LANGUAGES: [it] }] }
`;

it.skipIf(!CHROMIUM)(
  withChromium("a draft is proposed, commented on, mended, approved and published"),
  { timeout: 180_000 },
  async () => {
    const {
      dir,
      git,
      server,
      page: ada,
      failures,
    } = await openEditor({ "cms.config.yaml": CONFIG }, "pages/12?lang=it");
    expect(await addUser(dir, ["anna", "--role", "author"], PASSWORD)).toMatchObject({ code: 0 });
    const anna = await (await ada.context().browser()!.newContext()).newPage();
    await anna.goto(`${server.url}admin/pages/12?lang=it`);
    await signIn(anna, PASSWORD, "anna");
    const title = (of: Page) => of.getByRole("textbox", { name: "Title", exact: true });
    const button = (of: Page, name: string) => of.getByRole("button", { name, exact: true });
    const told = (of: Page, message: string) => of.getByRole("status").getByText(message).waitFor();
    const fromHome = async (of: Page, list: string): Promise<void> => {
      await of.goto(`${server.url}admin/`);
      await of.getByRole("region", { name: list }).getByRole("link").first().click();
      await title(of).waitFor();
    };

    // An author has no Publish: what there is instead is one click.
    await title(anna).fill("Chi siamo");
    await button(anna, "Propose").click();
    await told(anna, "It is proposed");
    await anna.getByRole("region", { name: "Review" }).getByText("Waits for a decision").waitFor();

    // Whoever may publish is asked, sees what would change, and comments on a word.
    await fromHome(ada, "Asked of you");
    await ada.getByText("What would change").click();
    await ada.locator(".differences ins").getByText("Chi siamo").waitFor();
    await title(ada).focus();
    await ada.keyboard.press("Home");
    for (let at = 0; at < 3; at++) await ada.keyboard.press("Shift+ArrowRight");
    await ada.keyboard.press("Control+Alt+m");
    await ada.keyboard.type("With a small letter, @anna?");
    await ada.keyboard.press("Control+Enter");
    const thread = (of: Page) => of.getByRole("article", { name: "Comment of ada" });
    await thread(ada).getByRole("button", { name: "Chi", exact: true }).waitFor();
    await picture(ada, "review");
    expect(await findings(ada)).toEqual([]);

    // The author is told, answers and mends.
    await fromHome(anna, "Comments for you");
    await thread(anna).getByRole("textbox", { name: "Answer" }).fill("Yes.");
    await thread(anna).getByRole("button", { name: "Send" }).click();
    await thread(anna).getByText("Yes.", { exact: true }).waitFor();
    await title(anna).fill("chi siamo");
    await button(anna, "More…").click();
    await button(anna, "Propose to…").click();
    const dialog = anna.getByRole("dialog", { name: "Propose to…" });
    await dialog.getByRole("checkbox", { name: "ada" }).check();
    await dialog.getByRole("button", { name: "Propose" }).click();
    await told(anna, "It is proposed");

    // What is approved goes live, and says so.
    await ada.goto(`${server.url}admin/pages/12?lang=it`);
    await button(ada, "Approve").click();
    await told(ada, "It is approved");
    await thread(ada).getByRole("button", { name: "Resolve" }).click();
    await ada.getByText("Resolved: 1").waitFor();
    await button(ada, "Publish").click();
    const newest = (): string => git("log", "-1", "--format=%s%n%(trailers:key=Reviewed-by)").trim();
    await expect.poll(newest).toBe('Publish draft of "About" (it)\nReviewed-by: ada <ada@cms.invalid>');
    // What was live before would have to be approved, too.
    await ada.getByRole("status").getByText("Published", { exact: true }).waitFor();
    expect(await button(ada, "Undo").count()).toBe(0);
    expect(failures).toEqual([]);
  },
);
