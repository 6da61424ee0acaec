/**
 * Notifications of changes by chokidar: in development for what is no content, and under `cms serve --poll` for all of the
 * site, where the file system sends none, as on network drives and in containers on other systems.
 *
 * Production watches with `watchFolders`, which takes neither a stat nor a watch of each file.
 */
import { relative, sep } from "node:path";
import { watch } from "chokidar";
import type { watchFolders } from "../../store/watch/folder-watch.ts";

/** @param poll in milliseconds: every file is looked at so often; undefined: the file system is relied upon */
export function watchWithChokidar(poll: number | undefined): typeof watchFolders {
  return (root, { isOfInterest, onChange, onError }) => {
    const pathOf = (full: string): string => relative(root, full).split(sep).join("/");
    const watcher = watch(root, {
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (full) => !isOfInterest(pathOf(full)),
      ...(poll !== undefined && { usePolling: true, interval: poll, binaryInterval: poll }),
    });
    watcher.on("all", (_event, full) => onChange(pathOf(full)));
    // What changed while the files were listed may not have been told.
    watcher.on("ready", () => onChange(""));
    watcher.on("error", onError);
    return () => void watcher.close();
  };
}
