/**
 * Folders of the library: the directories of `media/`, with a record `content/media/**\/_folder.yaml` beside the
 * records of their files. A directory without a record is a folder, too.
 */
import { UNDATED } from "../../../model/time/instant.ts";
import type { Media, MediaFolder } from "../../../model/media/media.ts";
import { FOLDER_TITLE } from "../../../model/media/media-input.ts";
import { fileName, folderOf } from "../../../model/media/media-name.ts";
import type { Base, Entity } from "../record-type.ts";
import { derivedId } from "../fields.ts";
import { tableKind } from "../file-rows.ts";

const DIR = "content/media";

export const MEDIA_FOLDERS = tableKind<MediaFolder>({
  name: "MediaFolder",
  help: "A folder of the media library.",
  dir: DIR,
  rows: {
    title: { field: FOLDER_TITLE },
    creation_date: { type: "moment", absent: UNDATED, help: "When it was created." },
    last_modified: { type: "moment", absentAs: "creation_date", help: "When it was last changed." },
  },
  split(path) {
    const match = /^(content\/media\/(?:.+\/)?_folder)(\.ya?ml)$/.exec(path);
    return match && match[1] !== `${DIR}/_folder` ? { base: match[1]!, part: match[2]! } : undefined;
  },
  complete(folder, _errors, base) {
    const dir = dirOf(base);
    return { ...folder, dir, title: folder.title ?? fileName(dir) };
  },
  baseOf,
  namesOf: ({ dir }) => [dir],
  newBase: baseOf,
  // From the items, which are in the folder `content/media`, too: a directory of derivatives alone is no folder.
  derives: { from: DIR, derive: addDirectories },
});

function baseOf({ dir }: MediaFolder): Base {
  return `${DIR}/${dir}/_folder`;
}

const dirOf = (base: Base): string => base.slice(DIR.length + 1, -"/_folder".length);

/** Adds folders for the directories, on every level, of items and of folder records. */
function addDirectories(
  own: ReadonlyMap<Base, MediaFolder>,
  others: readonly Entity[],
): { records: Map<Base, MediaFolder>; problems: [] } {
  const records = new Map(own);
  const starts = [
    ...(others as readonly Media[]).map(({ file }) => folderOf(file)),
    ...[...own.values()].map(({ dir }) => folderOf(dir)),
  ];
  for (const start of new Set(starts)) {
    for (let dir = start; dir !== ""; dir = folderOf(dir)) {
      const base = `${DIR}/${dir}/_folder`;
      if (records.has(base)) break;
      records.set(base, {
        id: derivedId(base),
        dir,
        title: fileName(dir),
        creation_date: UNDATED,
        last_modified: UNDATED,
      });
    }
  }
  return { records, problems: [] };
}
