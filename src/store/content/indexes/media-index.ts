/** Indexes of the media library, each built when it is first asked for, once for each version of the library. */
import { derived } from "../../../memo.ts";
import { derivativeFiles, type Media, type MediaFolder } from "../../../model/media/media.ts";
import { folderOf } from "../../../model/media/media-name.ts";
import { folded } from "../../../model/address/possible-names.ts";
import { once } from "../../../model/text/once.ts";
import type { Lookup, Reader } from "../../records/record-type.ts";
import { MEDIA_FOLDERS } from "../../records/media/media-folders.ts";
import { MEDIA } from "../../records/media/media.ts";

export interface MediaIndex {
  /** Folders directly in a directory; "" is the library itself. */
  foldersIn(dir: string): readonly MediaFolder[];
  /** Items directly in a directory. */
  itemsIn(dir: string): readonly Media[];
  /** The item of a derivative, by the path of the derivative below `media/`. */
  ownerOf(derivative: string): Media | undefined;
  /** The item whose renditions are in a folder below `media/`. */
  ownerOfFolder(folder: string): Media | undefined;
  /** Whether a path below `media/` is of an item in the trash, or of a derivative of one, on any file system. */
  isTrashed(path: string): boolean;
  /** The item with a former path below `media/`, if no current file has this path; one in the trash only if no other had it. */
  movedFrom(path: string): Media | undefined;
  /** Whether a path below `media/` is a file or directory; case-insensitive. */
  isUsed(path: string): boolean;
}

/** The items that are not in the trash. */
export const liveMedia = (reader: Pick<Reader, "all">): readonly Media[] =>
  reader.all(MEDIA).filter(({ deleted_at }) => deleted_at === null);

const indexOf = derived((items: readonly Media[]) =>
  derived((folders: readonly MediaFolder[]) => build(items, folders)),
);

export const mediaIndex = (reader: Reader): MediaIndex => indexOf(reader.all(MEDIA))(reader.all(MEDIA_FOLDERS));

export const FOLDERS_BY_DIR: Lookup<MediaFolder> = {
  name: "media folders by directory",
  kind: MEDIA_FOLDERS,
  keyOf: ({ dir }) => dir,
  find(reader, dir) {
    const folder = folderAt(reader, String(dir));
    return folder ? [folder] : [];
  },
};

const byDir = derived((folders: readonly MediaFolder[]) => new Map(folders.map((folder) => [folder.dir, folder])));

/** The folder record of a directory below `media/`. */
export function folderAt(reader: Reader, dir: string): MediaFolder | undefined {
  const folders = (reader.lookup?.(FOLDERS_BY_DIR, dir) ?? reader).all(MEDIA_FOLDERS);
  return byDir(folders).get(dir);
}

function build(items: readonly Media[], folders: readonly MediaFolder[]): MediaIndex {
  const below = once(() => groupBy(folders, ({ dir }) => folderOf(dir)));
  const inside = once(() => groupBy(items, ({ file }) => folderOf(file)));
  const owners = once(
    () => new Map(items.flatMap((media) => derivativeFiles(media).map((file) => [file, media] as const))),
  );
  const folderOwners = once(
    () =>
      new Map(
        items.flatMap((media) =>
          (media.derivatives?.renditions ?? []).map(({ file }) => [folderOf(file).toLowerCase(), media] as const),
        ),
      ),
  );
  const files = once(() => new Set([...items.map(({ file }) => file), ...owners().keys()]));
  const moved = once(
    () =>
      new Map(
        [...items]
          .reverse()
          .sort((a, b) => Number(a.deleted_at === null) - Number(b.deleted_at === null))
          .flatMap((media) => (media.facts ? media.aliases : []).map((alias) => [alias, media] as const)),
      ),
  );
  const trashed = once(() => {
    const pathsOf = (isTrashed: boolean): string[] =>
      items.flatMap((each) => ((each.deleted_at !== null) === isTrashed ? [each.file, ...derivativeFiles(each)] : []));
    const hidden = new Set(pathsOf(true).map(folded));
    return { hidden, shown: new Set(hidden.size > 0 ? pathsOf(false) : []) };
  });
  const used = once(() => {
    const paths = new Set<string>();
    const use = (path: string): void => {
      for (let at = path; at !== ""; at = folderOf(at)) paths.add(at.toLowerCase());
    };
    for (const { file } of items) use(file);
    for (const { dir } of folders) use(dir);
    for (const file of owners().keys()) use(file);
    return paths;
  });
  return {
    foldersIn: (dir) => below().get(dir) ?? [],
    itemsIn: (dir) => inside().get(dir) ?? [],
    ownerOf: (derivative) => owners().get(derivative),
    ownerOfFolder: (folder) => folderOwners().get(folder.toLowerCase()),
    // A file system that ignores case finds a hidden file under another spelling, too.
    isTrashed: (path) => trashed().hidden.has(folded(path)) && !trashed().shown.has(path),
    movedFrom: (path) => (files().has(path) ? undefined : moved().get(path)),
    isUsed: (path) => used().has(path.toLowerCase()),
  };
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
