/**
 * Notices what people and git do to the working tree under a running service.
 *
 * After a burst of changes it waits for quiet and for git to let go of its lock, then has the store look once, so that
 * readers never see half a checkout. Notifications can get lost, so it also looks on its own now and then.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../env.ts";
import { CmsError, messageOf } from "../../errors.ts";
import type { Found, Store } from "../write/store.ts";
import { watchFolders } from "./folder-watch.ts";

export interface WatchOptions {
  readonly store: Pick<Store, "repo" | "refresh" | "maintain">;
  readonly log: Log;
  /** Called once after a burst in which templates changed. */
  onTemplates?(): void;
  /** Called after each look that found other content. */
  onContent?(): void;
}

const FOLDERS = ["content", "media", "templates"];
/** Written whenever a commit becomes the current one, and the folders on the way there. */
const INDEX = ".git/index";
const GIT_FILES = [".git", INDEX, ".git/HEAD", ".git/logs", ".git/logs/HEAD"];

/** Milliseconds without a change before a burst counts as over. */
const QUIET = 100;
/** Milliseconds after which a burst that does not end, as of a service written to without pause, is looked into. */
const LONGEST_BURST = 300;
/** Milliseconds to wait at most for `.git/index.lock` to go; a stale one must not blind the service. */
const LOCK_PATIENCE = 5_000;
/** Milliseconds in which a state that looks half done may become whole before it is taken as meant. */
const PATIENCE = 2_000;
/** This many files gone at once, and none come in their place, look like a save or copy that is under way. */
const MASS = 10;
const RECONCILE_EVERY = 60_000;
/** A `git prune` that began before a commit may be removing its objects. */
const TEND_EVERY = 5_000;

/** Starts watching: changes are noticed from its return on, and those before it are looked for. @returns the way to stop */
export function watch({ store, log, onTemplates, onContent }: WatchOptions): () => Promise<void> {
  const { root } = store.repo;
  const lock = join(root, ".git", "index.lock");
  /** Another one once git has worked on the tree: it replaces its index at the end. */
  const indexNow = (): string => {
    try {
      const { ino, mtimeNs } = statSync(join(root, ".git", "index"), { bigint: true });
      return `${ino} ${mtimeNs}`;
    } catch {
      return ""; // nothing was ever staged
    }
  };
  let timer: NodeJS.Timeout | undefined;
  let burstSince = 0;
  let unsettledSince = 0;
  let wasLocked = false;
  let templatesChanged = false;
  let stopped = false;

  const lookSoon = (): void => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void look(), QUIET);
  };
  const notice = (): void => {
    burstSince ||= Date.now();
    if (timer && Date.now() - burstSince > LONGEST_BURST) return;
    lookSoon();
  };
  const look = async (): Promise<void> => {
    timer = undefined;
    const isLocked = existsSync(lock) && Date.now() - burstSince < LOCK_PATIENCE;
    // Git moves the branch only after it has let go of the lock, so its end is waited out, too.
    if (isLocked || wasLocked) {
      wasLocked = isLocked;
      return lookSoon();
    }
    burstSince = 0;
    if (templatesChanged) {
      templatesChanged = false;
      onTemplates?.();
    }
    try {
      const isPatient = unsettledSince === 0 || Date.now() - unsettledSince < PATIENCE;
      const judge = (): ((found: Found) => Promise<boolean>) => {
        const index = indexNow();
        // A checkout that began during the look, and is perhaps done by now, was seen half.
        return async (found) => !existsSync(lock) && indexNow() === index && isWhole(store, found);
      };
      const outcome = await store.refresh(isPatient ? judge : undefined);
      if (outcome === "unsettled") {
        unsettledSince ||= Date.now();
        return lookSoon();
      }
      unsettledSince = 0;
      if (outcome === "other") onContent?.();
    } catch (error) {
      log.error(`The content could not be looked at again: ${messageOf(error)}`);
    }
  };

  let underWay: Promise<void> | undefined;
  const tend = (): void => {
    if (underWay || stopped) return;
    underWay = store
      .maintain()
      // While git holds a lock, the next time will do.
      .catch((error: unknown) => {
        if (!(error instanceof CmsError && error.code === "unavailable"))
          log.error("The repository could not be looked after", error);
      })
      .finally(() => (underWay = undefined));
  };

  let isWarned = false;
  // The root as a whole, not its folders one by one: they may come later, or go and come back.
  const stopWatching = watchFolders(root, {
    isOfInterest,
    onChange(path) {
      // Another process may have written an older one over that of the last commit: put right before the next `git commit`.
      if (path === INDEX) return tend();
      if (path.startsWith("templates")) templatesChanged = true;
      notice();
    },
    onError(error) {
      if (isWarned) return;
      isWarned = true;
      log.warn(`Changes by hand may go unnoticed for up to a minute: ${messageOf(error)}`);
    },
  });
  notice(); // what happened since the content was loaded
  const reconcile = setInterval(notice, RECONCILE_EVERY);
  reconcile.unref();
  const tending = setInterval(tend, TEND_EVERY);
  tending.unref();
  // Soon, but not before a server that is starting listens: it looks through all objects.
  const firstTending = setTimeout(tend, QUIET);
  firstTending.unref();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    clearInterval(reconcile);
    clearInterval(tending);
    clearTimeout(firstTending);
    stopWatching();
    await underWay;
  };
}

/** @param path below the root, which itself is "" */
function isOfInterest(path: string): boolean {
  if (path === "" || GIT_FILES.includes(path)) return true;
  const names = path.split("/");
  return FOLDERS.includes(names[0]!) && !names.some((name) => name.startsWith("."));
}

/**
 * Whether what was found can be what somebody meant. An editor may empty a file before it fills it, and a copy or a
 * move may take everything away before it puts it back. What the newest commit has not either is meant to be gone.
 */
async function isWhole({ repo }: Pick<Store, "repo">, { head, files, served }: Found): Promise<boolean> {
  const isEmptied = [...files].some(
    ([path, file]) => file.size === 0 && !file.unreadable && served.get(path)?.oid !== file.oid,
  );
  if (isEmptied) return false;
  const gone = [...served.keys()].filter((path) => !files.has(path));
  const come = [...files.keys()].filter((path) => !served.has(path));
  if (gone.length - come.length < MASS) return true;
  const committed = await repo.committed(head, gone);
  return [...committed.values()].filter((oid) => oid !== null).length - come.length < MASS;
}
