/**
 * Every screen of the editor on the example site: named, reached by keyboard, without findings of axe-core in light and dark,
 * and as wide as a phone. With EDITOR_SCREENS, a folder, their pictures are taken to be looked at.
 */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { ADDRESSES, type Address } from "../../src/admin/addresses.ts";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { axeFindings, findings, openExample } from "./editor-site.ts";
import { picture, screenPictures } from "./pictures.ts";

/** An address of the screen, and what is there once it is shown. The ids are those of the example site; that of the account is made. */
const SHOWN: Readonly<Record<Address, readonly [path: string, ready: (page: Page) => Locator]>> = {
  "": ["", (page) => page.getByRole("region", { name: "Pending drafts" }).getByRole("link").first()],
  pages: ["pages", (page) => page.getByRole("treegrid").getByRole("link", { name: "Visit and prices" })],
  "pages/:id": ["pages/1216734568", (page) => page.getByRole("textbox", { name: "Title", exact: true })],
  "pages/:id/history": ["pages/1019799487/history", (page) => page.getByRole("region", { name: /^Revision of/ })],
  articles: ["articles", (page) => page.getByRole("row").nth(1)],
  "articles/:id": ["articles/800104404", (page) => page.getByRole("textbox", { name: "Title", exact: true })],
  "articles/:id/history": ["articles/800104404/history", (page) => page.getByRole("region", { name: /^Revision of/ })],
  releases: ["releases", (page) => page.getByRole("row").nth(1)],
  "releases/_new": ["releases/_new", (page) => page.getByRole("textbox").first()],
  "releases/:key": ["releases/spring", (page) => page.getByRole("region", { name: "Check" })],
  tags: ["tags", (page) => page.getByRole("row").nth(1)],
  "tags/new": ["tags/new", (page) => page.getByRole("textbox").first()],
  "tags/:id": ["tags/400095394", (page) => page.getByRole("heading", { name: "The light" })],
  media: ["media", (page) => page.getByRole("list", { name: "Media" }).getByRole("button").first()],
  menus: ["menus", (page) => page.getByRole("treeitem").first()],
  "menus/:key": ["menus/main", (page) => page.getByRole("treeitem").first()],
  blocks: ["blocks", (page) => page.getByRole("row").nth(1)],
  "blocks/new": ["blocks/new", (page) => page.getByRole("textbox").first()],
  "blocks/:id": ["blocks/563517059", (page) => page.getByRole("textbox").first()],
  types: ["types", (page) => page.getByRole("row").nth(1)],
  "types/new": ["types/new", (page) => page.getByRole("textbox").first()],
  "types/:id": ["types/845920953", (page) => page.getByRole("heading", { name: "Opening hours" })],
  "types/:id/instances": ["types/845920953/instances", (page) => page.getByRole("row").nth(1)],
  "types/:id/instances/new": ["types/845920953/instances/new", (page) => page.getByRole("textbox").first()],
  "types/:id/instances/:id": ["types/845920953/instances/388634077", (page) => page.getByRole("textbox").first()],
  "section-types": ["section-types", (page) => page.getByRole("row").nth(1)],
  "section-types/_new": ["section-types/_new", (page) => page.getByRole("textbox").first()],
  "section-types/:key": ["section-types/hero", (page) => page.getByRole("group", { name: "Icon" })],
  redirects: ["redirects", (page) => page.getByRole("row").nth(1)],
  accounts: ["accounts", (page) => page.getByRole("row").nth(1)],
  "accounts/new": ["accounts/new", (page) => page.getByRole("textbox").first()],
  "accounts/:id": ["accounts/ACCOUNT", (page) => page.getByRole("heading", { name: "ada" })],
  profile: ["profile", (page) => page.getByRole("row").nth(1)],
  settings: ["settings", (page) => page.getByRole("row").nth(1)],
};

/** Pictures of the guide. */
const PICTURES: Readonly<Partial<Record<Address, string>>> = {
  "": "home",
  pages: "tree",
  "pages/:id": "page",
  "menus/:key": "menu",
};

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 740 };
const NARROWEST = { width: 360, height: 740 };

it.skipIf(!CHROMIUM)(
  withChromium("axe-core finds nothing on any screen, in light and dark, and each is as wide as a phone"),
  { timeout: 240_000 },
  async () => {
    const { page, server, failures } = await openExample("");
    await page.getByRole("heading", { name: "Home" }).waitFor();
    const { id } = (await (await page.request.get(`${server.url}api/cms/users/current/`)).json()) as { id: number };
    const [, csrf] = /csrftoken=([^;]*)/.exec(await page.evaluate("document.cookie"))!;
    const made = await page.request.post(`${server.url}api/cms/releases/`, {
      headers: { "x-csrftoken": csrf! },
      data: { name: "spring", items: [{ page: 1216734568, language: "en", action: "publish" }] },
    });
    expect(made.status()).toBe(201);
    const wrong: string[] = [];
    const titles = new Set<string>();
    for (const address of ADDRESSES) {
      const [shown, ready] = SHOWN[address];
      const path = shown.replace("ACCOUNT", String(id));
      await page.setViewportSize(DESKTOP);
      // As a link does it, without loading the editor again.
      await page.evaluate(
        `history.pushState(null, "", "/admin/${path}"); dispatchEvent(new PopStateEvent("popstate"))`,
      );
      await ready(page).waitFor();
      if (process.env.EDITOR_SCREENS || process.env.EDITOR_PICTURES) await page.waitForLoadState("networkidle");
      titles.add(await page.title());
      if (PICTURES[address]) await picture(page, PICTURES[address]);
      const found = await findings(page);
      if ((await page.getByRole("heading", { level: 1 }).count()) !== 1) found.push("not one heading of the screen");
      await screenPictures(page, address);
      // Colours are those of the desktop.
      await page.setViewportSize(PHONE);
      found.push(...(await axeFindings(page, undefined, ["color-contrast"])).map((each) => `phone: ${each}`));
      await page.setViewportSize(NARROWEST);
      found.push(...(await tooWide(page)));
      wrong.push(...found.map((each) => `${path}: ${each}`));
    }
    expect(wrong).toEqual([]);
    expect(titles.size).toBeGreaterThan(20);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

/** What makes the document wider than the window, or is cut by it. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    interface Seen {
      outerHTML: string;
      getBoundingClientRect(): { right: number; width: number };
    }
    const { document, innerWidth } = globalThis as unknown as {
      document: { documentElement: { scrollWidth: number }; querySelectorAll(of: string): Iterable<Seen> };
      innerWidth: number;
    };
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const wide = [...document.querySelectorAll("main *")].filter(
      (each) => each.getBoundingClientRect().right > innerWidth,
    );
    return [`${document.documentElement.scrollWidth} wide`, ...wide.map(({ outerHTML }) => outerHTML.slice(0, 100))];
  });
