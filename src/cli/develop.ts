/** Development mode of `cms serve`: what makes open pages load again, and changed settings that need a restart. */
import { randomUUID } from "node:crypto";
import type { Cms } from "../cms.ts";
import { openLiveReload, type LiveReload } from "../http/dev/live-reload.ts";
import { STATIC_DIR } from "../model/static-file.ts";
import { watchFolders } from "../store/content/folder-watch.ts";

export interface Development {
  /** Told of changes of the content; its `reload` is to be called for changes of anything else that pages show. */
  readonly liveReload: LiveReload;
  close(): void;
}

/** In milliseconds: a save is several events. */
const QUIET = 50;

const isStatic = (path: string): boolean => {
  const [first, ...others] = path.split("/");
  return first === STATIC_DIR && !others.some((name) => name.startsWith("."));
};

export function developSite({ root, store, env: { log } }: Cms): Development {
  const liveReload = openLiveReload(randomUUID());
  const stopListening = store.onChange(() => liveReload.reload());
  let isTold = false;
  let reloading: NodeJS.Timeout | undefined;
  const reload = (): void => {
    reloading = undefined;
    liveReload.reload();
  };
  const isSettings = (path: string): boolean => /^cms\.config\.[a-z]+$/.test(path);
  const stopWatching = watchFolders(root, {
    isOfInterest: (path) => path === "" || isSettings(path) || isStatic(path),
    onChange(path) {
      if (isStatic(path)) reloading ??= setTimeout(reload, QUIET);
      if (isTold || !isSettings(path)) return;
      isTold = true; // a restart applies later changes as well
      log.warn(`${path} was changed: stop the server and start it again to apply it.`);
    },
    onError: () => undefined, // only this advice is missing then
  });
  return {
    liveReload,
    close() {
      clearTimeout(reloading);
      stopListening();
      stopWatching();
      liveReload.close();
    },
  };
}
