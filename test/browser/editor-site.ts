/** A site whose editor is open in a browser, signed in. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { cms, serve, site, type Server } from "../cli/process.ts";
import type { GitSite } from "../store/git-site.ts";
import { launchBrowser } from "../support/browser.ts";

export const PASSWORD = "a long enough password";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const HAS_ADMIN = { env: { CMS_PASSWORD: PASSWORD } };

export interface OpenEditor extends GitSite {
  readonly server: Server;
  readonly page: Page;
  /** Of the scripts. */
  readonly failures: readonly string[];
}

/** What axe-core finds on the screen, in light and in dark, as `rule: element`. */
export async function findings(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(AXE);
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      return (await axe.run()).violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    });
    found.push(...violations.map((each) => `${colorScheme}: ${each}`));
  }
  return found;
}

export async function signIn(page: Page, password = PASSWORD, name = "ada"): Promise<void> {
  await page.getByRole("textbox", { name: "User name" }).fill(name);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.keyboard.press("Enter");
}

/** @param files of the site @param path of the screen, below the editor's address */
export async function openEditor(files: Readonly<Record<string, string>>, path: string): Promise<OpenEditor> {
  const made = site(files);
  const added = await cms(["user", "add", "ada", "--superuser", "--root", made.dir], HAS_ADMIN);
  expect(added).toMatchObject({ code: 0 });
  const server = await serve(made.dir);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const failures: string[] = [];
  page.on("pageerror", ({ message }) => failures.push(message));
  page.on("console", (message) => {
    if (/Content.Security|Trusted/i.test(message.text())) failures.push(message.text());
  });
  await page.goto(`${server.url}admin/${path}`);
  await signIn(page);
  return { ...made, server, page, failures };
}
