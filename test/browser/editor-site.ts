/** A site whose editor is open in a browser, signed in. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { addUser, cms, emptyFolder, serve, site, type Server } from "../cli/process.ts";
import { GIT_ENV, type GitSite } from "../store/git/git-site.ts";
import { launchBrowser } from "../support/browser.ts";
import { withoutRenditions } from "../support/without-renditions.ts";

export const PASSWORD = "a long enough password";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface OpenEditor extends GitSite {
  readonly server: Server;
  readonly page: Page;
  /** Of the scripts. */
  readonly failures: readonly string[];
}

interface AxeRun {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/**
 * What axe-core finds on the screen, as `rule: element`.
 *
 * @param rules all that are on by default, unless named; with `target-size` on, which is not @param off rules that are left out
 */
export async function axeFindings(
  page: Page,
  rules?: readonly string[],
  off: readonly string[] = [],
): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  return page.evaluate(
    async ([only, without]) => {
      const { axe } = globalThis as unknown as { axe: AxeRun };
      const options = only ? { runOnly: { type: "rule", values: only } } : {};
      const switched = Object.fromEntries([
        ["target-size", { enabled: true }],
        ...without.map((rule) => [rule, { enabled: false }]),
      ]);
      const { violations } = await axe.run({
        ...options,
        ...(!only && { rules: switched }),
        resultTypes: ["violations"],
      });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    },
    [rules, off] as const,
  );
}

/** What axe-core finds on the screen, in light and in dark, where only colours can differ. */
export async function findings(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await axeFindings(page, ["color-contrast", "link-in-text-block"]);
  await page.emulateMedia({ colorScheme: "light" });
  const light = await axeFindings(page);
  return [...dark.map((each) => `dark: ${each}`), ...light.map((each) => `light: ${each}`)];
}

export async function signIn(page: Page, password = PASSWORD, name = "ada"): Promise<void> {
  await page.getByRole("textbox", { name: "User name" }).fill(name);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.keyboard.press("Enter");
}

/** Follows a link of the navigation. @param group of several sections, which has it in a menu */
export async function goToSection(page: Page, section: string, group?: string): Promise<void> {
  const navigation = page.getByRole("navigation");
  if (group) await navigation.getByRole("button", { name: group }).click();
  await navigation.getByRole("link", { name: section, exact: true }).click();
}

/** The sections in the navigation, in their order. */
export async function sectionsOf(page: Page): Promise<string[]> {
  const navigation = page.getByRole("navigation");
  await navigation.getByRole("link").first().waitFor();
  const names: string[] = [];
  for (const part of await navigation.locator(":scope > *").all()) {
    const group = part.getByRole("button");
    if ((await group.count()) === 0) names.push(await part.innerText());
    else {
      await group.click();
      names.push(...(await part.getByRole("link").allInnerTexts()));
      await group.click();
    }
  }
  return names;
}

/** @param files of the site @param path of the screen, below the editor's address */
export async function openEditor(files: Readonly<Record<string, string>>, path: string): Promise<OpenEditor> {
  const made = site(files);
  return { ...made, ...(await openEditorOf(made.dir, path)) };
}

export interface ExampleSite {
  readonly dir: string;
  git(...args: string[]): string;
}

/** The site that `cms init` makes, without its renditions, which take long. */
export async function exampleSite(): Promise<ExampleSite> {
  const dir = join(emptyFolder(), "site");
  expect(await cms(["init", dir, "--quiet"], { timeoutMs: 100_000 })).toMatchObject({ code: 0 });
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: dir, env: GIT_ENV, encoding: "utf8" });
  withoutRenditions(dir);
  git("-c", "user.name=Pat", "-c", "user.email=pat@example.org", "commit", "--quiet", "--all", "--message=Settings");
  return { dir, git };
}

/** The editor of the example site. */
export async function openExample(path: string): Promise<ExampleSite & Omit<OpenEditor, keyof GitSite>> {
  const made = await exampleSite();
  return { ...made, ...(await openEditorOf(made.dir, path)) };
}

/** @param kind `--superuser` or `--staff` */
export async function addAccount(dir: string, name: string, kind: string): Promise<void> {
  expect(await addUser(dir, [name, kind], PASSWORD)).toMatchObject({ code: 0 });
}

/** For all tests of this process, since it takes seconds to start. */
let browser: Browser | undefined;

/** The editor of a site that is there. */
export async function openEditorOf(dir: string, path: string): Promise<Omit<OpenEditor, keyof GitSite>> {
  await addAccount(dir, "ada", "--superuser");
  const server = await serve(dir);
  if (!browser?.isConnected()) browser = await launchBrowser();
  const page = await browser.newPage();
  onTestFinished(() => page.close()); // and its cookies and storage
  const failures: string[] = [];
  page.on("pageerror", ({ message }) => failures.push(message));
  page.on("console", (message) => {
    if (/Content.Security|Trusted/i.test(message.text())) failures.push(message.text());
  });
  await page.goto(`${server.url}admin/${path}`);
  await signIn(page);
  return { server, page, failures };
}
