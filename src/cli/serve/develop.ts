/**
 * Development mode of `cms serve`: what makes open pages load again, changed settings that need a restart, and the schemas
 * of the files of the site.
 */
import { randomUUID } from "node:crypto";
import type { Cms } from "../../cms.ts";
import { openLiveReload, type LiveReload } from "../../http/dev/live-reload.ts";
import { isHiddenName, STATIC_DIR } from "../../model/address/static-file.ts";
import { keepSchemas } from "../schema-files.ts";
import type { watchFolders } from "../../store/watch/folder-watch.ts";

export interface Development {
  /** Told of changes of the content; its `reload` is to be called for changes of anything else that pages show. */
  readonly liveReload: LiveReload;
  close(): Promise<void>;
}

/** In milliseconds: a save is several events. */
const QUIET = 50;

const isStatic = (path: string): boolean => {
  const [first, ...others] = path.split("/");
  return first === STATIC_DIR && !others.some(isHiddenName);
};

/** Files that are read once, at a start: the settings, and the code of plugins and of functions beside them. */
const isSettings = (path: string): boolean =>
  /^(?:cms\.config\.[a-z]+|[^/]+\.[cm]?[jt]s)$/.test(path) || /^plugins(?:\/|$)/.test(path);

/** @param watchOthers tells of changes of files that are no content */
export function developSite(cms: Cms, watchOthers: typeof watchFolders): Development {
  const {
    root,
    store,
    env: { log },
  } = cms;
  const liveReload = openLiveReload(randomUUID());
  const stopListening = store.onChange(() => liveReload.reload());
  const stopSchemas = keepSchemas(cms);
  let isTold = false;
  let reloading: NodeJS.Timeout | undefined;
  const reload = (): void => {
    reloading = undefined;
    liveReload.reload();
  };
  const stopWatching = watchOthers(root, {
    isOfInterest: (path) => path === "" || isSettings(path) || isStatic(path),
    onChange(path) {
      if (isStatic(path)) reloading ??= setTimeout(reload, QUIET);
      if (isTold || path === "plugins" || !isSettings(path)) return;
      isTold = true; // a restart applies later changes as well
      log.warn(`${path} was changed: stop the server and start it again to apply it.`);
    },
    onError: () => undefined, // only this advice is missing then
  });
  return {
    liveReload,
    async close() {
      clearTimeout(reloading);
      stopListening();
      stopWatching();
      liveReload.close();
      await stopSchemas();
    },
  };
}
