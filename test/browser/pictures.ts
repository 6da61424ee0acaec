/** Screenshots of the editor: for the guide, and to be looked at. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect } from "vitest";

/** Whether the preview and every picture on the screen are loaded. */
const IS_LOADED = `(frames.length > 0 || !document.querySelector(".preview")) && [window, ...Array.from(frames)].every(({ document, innerHeight }) =>
  document.readyState === "complete" && document.body.childElementCount > 0 &&
  [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight))`;

/** The pictures of docs/editor.md and docs/guida-editor.md. */
const GUIDE: readonly string[] = ["home", "tree", "move", "page", "palette", "menu", "release", "type-source"];

/**
 * Those of the guide are taken where the variable EDITOR_PICTURES names a folder; where EDITOR_LOOKS does, all of them of a phone
 * and a desktop, in light and in dark.
 */
export async function picture(page: Page, name: string): Promise<void> {
  const { EDITOR_PICTURES: dir, EDITOR_LOOKS: looks } = process.env;
  if (dir && GUIDE.includes(name)) await shoot(page, dir, name);
  const before = page.viewportSize();
  for (const width of looks ? [360, 1280] : [])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await shoot(page, looks!, `${name}-${width}-${colorScheme}`);
    }
  if (looks && before) await page.setViewportSize(before);
}

/** A picture of the editor beside a front end, for docs/front-ends.md: taken where EDITOR_PICTURES names a folder. */
export async function pictureBeside(page: Page, name: string): Promise<void> {
  const { EDITOR_PICTURES: dir } = process.env;
  if (dir) await shoot(page, dir, name, "true"); // what a frame of another origin has loaded, cannot be asked
}

async function shoot(page: Page, dir: string, name: string, isLoaded = IS_LOADED): Promise<void> {
  mkdirSync(dir, { recursive: true });
  // Notices of what came before would cover what is shown.
  const setVisibility = (value: string) =>
    page.evaluate(`document.querySelector(".notices").style.visibility = "${value}"`);
  await setVisibility("hidden");
  await expect.poll(() => page.evaluate(isLoaded), { timeout: 30_000 }).toBe(true);
  const taken = await page.screenshot();
  // The guide is part of the package: WebP takes a third of the bytes of PNG.
  await sharp(taken)
    .webp({ quality: 80, effort: 6 })
    .toFile(join(dir, `${name}.webp`));
  await setVisibility("");
}

/** Widths in CSS pixels: of a phone, a tablet and a desktop. */
const WIDTHS = [390, 1024, 1440];

/** A screen at several widths, in light and in dark, as a whole. Taken only where the variable EDITOR_SCREENS names a folder. */
export async function screenPictures(page: Page, address: string): Promise<void> {
  const dir = process.env.EDITOR_SCREENS;
  if (!dir) return;
  mkdirSync(dir, { recursive: true });
  const name = address.replaceAll("/", "-").replaceAll(":", "") || "home";
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(dir, `${name}.${width}.${colorScheme}.png`), fullPage: true });
    }
  }
}
