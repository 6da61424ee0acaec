/**
 * Notices what people and git do to the working tree under a running service.
 *
 * After a burst of changes it waits for quiet and for git to let go of its lock, then has the store look once, so that
 * readers never see half a checkout. Notifications can get lost, so it also looks on its own now and then.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { watch as chokidar } from "chokidar";
import type { Log } from "../env.ts";
import { messageOf } from "../errors.ts";
import type { Store } from "./store.ts";

export interface WatchOptions {
  readonly store: Store;
  readonly log: Log;
  /** Called once after a burst in which templates changed. */
  onTemplates?(): void;
  /** Called after each look that found other content. */
  onContent?(): void;
}

/** Milliseconds without a change before a burst counts as over. */
const QUIET = 100;
/** Milliseconds to wait at most for `.git/index.lock` to go; a stale one must not blind the service. */
const LOCK_PATIENCE = 5_000;
const RECONCILE_EVERY = 60_000;

/** Starts watching; resolves once changes are noticed. Returns the way to stop. */
export async function watch({ store, log, onTemplates, onContent }: WatchOptions): Promise<() => Promise<void>> {
  const { root } = store.repo;
  let timer: NodeJS.Timeout | undefined;
  let waitingSince = 0;
  let templatesChanged = false;
  let stopped = false;
  const look = async (): Promise<void> => {
    if (stopped) return;
    if (existsSync(join(root, ".git", "index.lock")) && Date.now() - waitingSince < LOCK_PATIENCE) return again();
    waitingSince = 0;
    if (templatesChanged) {
      templatesChanged = false;
      onTemplates?.();
    }
    try {
      if (await store.refresh()) onContent?.();
    } catch (error) {
      log.error(`The content could not be looked at again: ${messageOf(error)}`, error);
    }
  };
  const again = (): void => {
    waitingSince ||= Date.now();
    clearTimeout(timer);
    timer = setTimeout(() => void look(), QUIET);
  };
  const watcher = chokidar(["content", "media", "templates", join(".git", "HEAD"), join(".git", "logs", "HEAD")], {
    cwd: root,
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => /^\.(?!git$)/.test(basename(path)) && basename(path) !== "." && basename(path) !== "..",
  });
  watcher.on("all", (_event, path) => {
    if (path.startsWith("templates")) templatesChanged = true;
    again();
  });
  watcher.on("error", (error) => log.warn(`Changes by hand may go unnoticed for up to a minute: ${messageOf(error)}`));
  await new Promise<void>((ready) => watcher.once("ready", () => ready()));
  const reconcile = setInterval(again, RECONCILE_EVERY);
  reconcile.unref();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    clearInterval(reconcile);
    await watcher.close();
  };
}
