/** Screenshots of the editor: for the guide, and to be looked at. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** Taken only where the variable EDITOR_PICTURES names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const dir = process.env.EDITOR_PICTURES;
  if (!dir) return;
  mkdirSync(dir, { recursive: true });
  await page.screenshot({ path: join(dir, `${name}.png`) });
}
