/** The own account in the editor: where it is signed in, and the proof that is asked for before what is sensitive. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../../support/browser.ts";
import { findings, openEditor, PASSWORD } from "../editor-site.ts";

it.skipIf(!CHROMIUM)(
  withChromium("an account ends its session in another browser, and confirms what is sensitive"),
  { timeout: 120_000 },
  async () => {
    const { page, server, dir, failures } = await openEditor({}, "profile");
    const sessions = page.getByRole("region", { name: "Where you are signed in" });
    await sessions.getByRole("row", { name: /^Chrome, Linux .* This browser$/ }).waitFor();
    const body = JSON.stringify({ username: "ada", password: PASSWORD });
    const headers = { "content-type": "application/json", "user-agent": "Mozilla/5.0 (Windows NT 10.0) Firefox/150.0" };
    expect((await fetch(`${server.url}api/cms/auth/login/`, { method: "POST", body, headers })).status).toBe(200);
    await page.reload();
    expect(await findings(page)).toEqual([]);
    await sessions.getByRole("button", { name: "End the session in Firefox, Windows from 127.0.0.1" }).click();
    await page.getByText("The session has ended").waitFor();
    expect(await sessions.getByRole("row").count()).toBe(2);

    const tokens = page.getByRole("region", { name: "Tokens" });
    await tokens.getByRole("button", { name: "New token…" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("news");
    await page.getByRole("combobox", { name: "May" }).selectOption("Chosen actions");
    await page.getByRole("checkbox", { name: "Publish" }).check();
    await page.getByRole("checkbox", { name: "Articles" }).check();
    await page.getByRole("checkbox", { name: "Italiano" }).check();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Create" }).click();
    const token = await page.getByRole("textbox", { name: "Token" }).inputValue();
    expect(token).toMatch(/^cms_[\w-]{43}$/);
    await page.getByRole("button", { name: "Cancel" }).click();
    await tokens
      .getByRole("row", { name: /^news View, Create, Edit, Publish · Articles · it .* Never Revoke news$/ })
      .waitFor();
    const authorization = { authorization: `Token ${token}` };
    expect((await fetch(`${server.url}api/cms/articles/`, { headers: authorization })).status).toBe(200);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await tokens.getByRole("button", { name: "Revoke news" }).click();
    await page.getByText("news is revoked").waitFor();
    expect((await fetch(`${server.url}api/cms/articles/`, { headers: authorization })).status).toBe(401);

    const file = join(dir, ".git/cms/sessions.json");
    const kept = JSON.parse(readFileSync(file, "utf8")) as object[];
    const old = kept.map((session) => ({ ...session, confirmed_at: "2026-01-01T00:00:00.000Z" }));
    writeFileSync(file, JSON.stringify(old));
    await page.goto(`${server.url}admin/accounts/new`);
    await page.getByRole("textbox", { name: "User name" }).fill("bo");
    await page.getByRole("textbox", { name: "Password" }).fill("another long password");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByRole("textbox", { name: "Present password" }).fill("wrong");
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("textbox", { name: "Present password" }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "bo" }).waitFor();
    expect(failures).toEqual([]);
  },
);
