/** Roles in the editor: given to an account, and what it may not do is off, with the reason. */
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../../support/browser.ts";
import { findings, openEditor, PASSWORD, signIn } from "../editor-site.ts";

const ROLES = `roles:
  titles:
    label: Titles
    rules:
      - may: [view]
      - may: [edit]
        fields: [title]
`;

it.skipIf(!CHROMIUM)(
  withChromium("an account with a role may type where the role allows it, and is told what it may not do"),
  { timeout: 180_000 },
  async () => {
    const { page, server, failures } = await openEditor({ "content/roles.yaml": ROLES }, "accounts");
    const save = page.getByRole("button", { name: "Save", exact: true });
    await page.getByRole("link", { name: "New account" }).click();
    await page.getByRole("textbox", { name: "User name" }).fill("bo");
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("checkbox", { name: "Titles" }).check();
    await page.getByText("What these roles allow, the account may do, and nothing else.").waitFor();
    expect(await page.getByRole("checkbox", { name: "Change: Pages", exact: true }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await save.click();
    await page.getByRole("heading", { name: "bo" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Accounts" }).click();
    await page.getByRole("row", { name: /^bo .*titles/ }).waitFor();

    await page.getByRole("button", { name: "ada" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn(page, PASSWORD, "bo");
    await page.getByText("Your account may not use this part.").waitFor();
    await page.goto(`${server.url}admin/pages/12?lang=en`);
    const field = (name: string) => page.getByRole("textbox", { name, exact: true });
    await field("Title").fill("New title");
    await page.waitForFunction("document.querySelectorAll('fieldset.bare:disabled').length > 0");
    expect([await field("Title").isDisabled(), await field("Description").isDisabled()]).toEqual([false, true]);
    const publish = page.getByRole("button", { name: "Publish", exact: true });
    expect(await publish.getAttribute("aria-disabled")).toBe("true");
    expect(await publish.getAttribute("title")).toMatch(/^Your role \(Titles\) may not publish this page \(en\)\.$/);
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Save draft", exact: true }).click();
    await page.getByRole("status").getByText("Saved").waitFor();
    expect(failures).toEqual([]);
  },
);
