/** Chromium for tests that look at a page as a visitor does. */
import { existsSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext } from "playwright-core";

export const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);

/** The name of a test that is skipped where there is no browser, with the reason. */
export const withChromium = (name: string): string =>
  CHROMIUM ? name : `${name} (skipped: there is no chromium here)`;

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The caller closes it. */
export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM, args: ARGS });

/** A browser whose cookies and storage are in a folder, for those that open it next. The caller closes it. */
export const launchProfile = (dir: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(dir, { executablePath: CHROMIUM, args: ARGS });

/** Ends the browser of a profile as a power failure does. @throws when it does not run */
export function killProfile(dir: string): void {
  // Chromium keeps its host and process id as the target of this link.
  const pid = /-(\d+)$/.exec(readlinkSync(join(dir, "SingletonLock")))?.[1];
  process.kill(Number(pid), "SIGKILL");
}
