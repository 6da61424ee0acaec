/**
 * Notices changes of the working tree by people and by git while the service runs.
 *
 * After a burst of changes it waits until they pause and git releases its lock, and then has the store reload once, so
 * that readers never see half a checkout. The store looks at the reported paths, those of its own writes among them: a scan
 * of the whole tree for each of these would take most of the time of a service under load. Notifications can get lost, so
 * the whole tree is scanned once a minute, and whenever some are known to be missing.
 */
import { existsSync, statSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { join } from "node:path";
import type { Log } from "../../env.ts";
import { CmsError, messageOf } from "../../errors.ts";
import { pace } from "../../time-slices.ts";
import type { Path } from "../repo.ts";
import type { Found, Store } from "../write/store.ts";
import { watchFolders } from "./folder-watch.ts";

export interface WatchOptions {
  readonly store: Pick<Store, "repo" | "refresh" | "maintain">;
  readonly log: Log;
  /** Called once after a burst in which templates changed. */
  onTemplates?(): void;
  /** Called after each reload that found other content. */
  onContent?(): void;
  /** Tells of changes of files; by default the notifications of the file system. */
  readonly notifications?: typeof watchFolders;
}

const FOLDERS = ["content", "media", "templates"];
const ROOT = "";
const INDEX = ".git/index";
/** The files that git writes when another commit becomes the current one, and their folders. */
const GIT_FILES = [".git", INDEX, ".git/HEAD", ".git/logs", ".git/logs/HEAD"];
/** They change what other files count as: a submodule's folder is no content, attributes convert line endings. */
const FAR_REACHING = [".git", ".gitattributes"];

/** Milliseconds without a change before a burst counts as over. */
const QUIET = 100;
/** In milliseconds: a longer burst, as from continuous writes, is interrupted by a reload. */
const LONGEST_BURST = 300;
/** In milliseconds: the longest wait for `.git/index.lock`, so that a stale one does not block reloads. */
const LOCK_PATIENCE = 5_000;
/** In milliseconds: how long a state that looks incomplete may change before it is accepted. */
const PATIENCE = 2_000;
/** So many files removed at once, and none added, look like a save or copy in progress. */
const MASS = 10;
const RECONCILE_EVERY = 60_000;
/** A `git prune` that began before a commit may be removing its objects. */
const TEND_EVERY = 5_000;

/** Starts watching; it also looks for changes since the content was loaded. @returns stops watching */
export function watch({
  store,
  log,
  onTemplates,
  onContent,
  notifications = watchFolders,
}: WatchOptions): () => Promise<void> {
  const { root } = store.repo;
  const lock = join(root, ".git", "index.lock");
  /** Changes when git has worked on the tree, since git replaces its index at the end. */
  const indexStat = (): string => {
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
  /** What the next look is for; undefined for the whole tree. */
  let changed: Set<string> | undefined;
  /** Whether a folder is not watched, so that only scans of the whole tree find what changes in it. */
  let isBlind = false;

  const lookSoon = (): void => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void look(), QUIET);
  };
  /** @param paths undefined for the whole tree */
  const addChanged = (paths: Iterable<string> | undefined): void => {
    if (!paths || isBlind) changed = undefined;
    else for (const path of paths) changed?.add(path);
  };
  const notice = (paths?: Iterable<string>): void => {
    addChanged(paths);
    burstSince ||= performance.now();
    if (timer && performance.now() - burstSince > LONGEST_BURST) return;
    lookSoon();
  };
  const look = async (): Promise<void> => {
    timer = undefined;
    const isLocked = existsSync(lock) && performance.now() - burstSince < LOCK_PATIENCE;
    // Git moves the branch only after it has released the lock, so that is waited for, too.
    if (isLocked || wasLocked) {
      wasLocked = isLocked;
      return lookSoon();
    }
    burstSince = 0;
    if (templatesChanged) {
      templatesChanged = false;
      onTemplates?.();
    }
    const paths = changed;
    changed = new Set();
    try {
      const isPatient = unsettledSince === 0 || performance.now() - unsettledSince < PATIENCE;
      const judge = (): ((found: Found) => Promise<boolean>) => {
        const index = indexStat();
        // A checkout that began during the reload may have been seen incomplete, even if it has ended.
        return async (found) => !existsSync(lock) && indexStat() === index && isWhole(store, found);
      };
      const outcome = await store.refresh(isPatient ? judge : undefined, paths);
      if (outcome === "unsettled") {
        addChanged(paths);
        unsettledSince ||= performance.now();
        return lookSoon();
      }
      unsettledSince = 0;
      if (outcome === "other") onContent?.();
    } catch (error) {
      addChanged(undefined);
      log.error(`The content could not be looked at again: ${messageOf(error)}`);
    }
  };

  let underWay: Promise<void> | undefined;
  const tend = (part?: "index"): void => {
    if (underWay || stopped) return;
    underWay = store
      .maintain(part)
      // While git holds a lock, this is left to the next time.
      .catch((error: unknown) => {
        if (!(error instanceof CmsError && error.code === "unavailable"))
          log.error("The repository could not be looked after", error);
      })
      .finally(() => (underWay = undefined));
  };

  let isWarned = false;
  // The whole root, since folders may be created later, or removed and created again.
  const stopWatching = notifications(root, {
    isOfInterest,
    onChange(path) {
      // Another process may have replaced the index by an older one, which must be corrected before the next `git
      // commit`.
      if (path === INDEX) return tend("index");
      if (path.startsWith("templates")) templatesChanged = true;
      notice(pathsToLookAt(path));
    },
    onError(error) {
      isBlind = true;
      addChanged(undefined);
      if (isWarned) return;
      isWarned = true;
      log.warn(`Changes by hand may go unnoticed for up to a minute: ${messageOf(error)}`);
    },
  });
  notice(); // changes since the content was loaded
  const reconcile = setInterval(() => notice(), RECONCILE_EVERY);
  reconcile.unref();
  const tending = setInterval(() => tend(), TEND_EVERY);
  tending.unref();
  // Soon, but not before a starting server listens, since it reads all objects.
  const firstTending = setTimeout(() => tend(), QUIET);
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

/** @param path below the root */
function isOfInterest(path: string): boolean {
  if (path === ROOT || GIT_FILES.includes(path) || path === ".gitattributes") return true;
  const names = path.split("/");
  if (!FOLDERS.includes(names[0] ?? "")) return false;
  const shown = FAR_REACHING.includes(names.at(-1) ?? "") ? names.slice(0, -1) : names;
  return !shown.some((name) => name.startsWith("."));
}

/** What may be other content after a change of a path; undefined for the whole tree. */
function pathsToLookAt(path: string): string[] | undefined {
  // HEAD's commit is looked at each time. What a git command does to content is told of the files it writes.
  if (GIT_FILES.includes(path) && path !== ".git") return [];
  const name = path.slice(path.lastIndexOf("/") + 1);
  return path === ROOT || FAR_REACHING.includes(name) ? undefined : [path];
}

/**
 * Whether the tree can be in its intended state. An editor may empty a file before it writes it, and a copy or move may
 * remove everything before it restores it. A removal is intended if the newest commit does not have the file either.
 */
async function isWhole({ repo }: Pick<Store, "repo">, { head, files, served }: Found): Promise<boolean> {
  let come = 0;
  for (const [path, file] of files) {
    const turn = pace();
    if (turn) await turn;
    const known = served.get(path);
    if (!known) come++;
    if (file.size === 0 && !file.unreadable && known?.oid !== file.oid) return false;
  }
  const gone: Path[] = [];
  for (const path of served.keys()) {
    const turn = pace();
    if (turn) await turn;
    if (!files.has(path)) gone.push(path);
  }
  if (gone.length - come < MASS) return true;
  const committed = await repo.committed(head, gone);
  return [...committed.values()].filter((oid) => oid !== null).length - come < MASS;
}
