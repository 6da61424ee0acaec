/**
 * Folders of the library: the directories of `media/`, with a record `content/media/**\/_folder.yaml` beside the
 * records of their files. A directory without a record is a folder, too.
 */
import { UNDATED } from "../../../model/time/instant.ts";
import type { Media, MediaFolder } from "../../../model/media/media.ts";
import { FOLDER_TITLE } from "../../../model/media/media-input.ts";
import { fileName, folderOf } from "../../../model/media/media-name.ts";
import { own } from "../../../model/input/json.ts";
import { readValue } from "../../../model/input/field.ts";
import type { Base, Entity } from "../record-type.ts";
import { derivedId, oneFileKind, readId, readMoment } from "../fields.ts";

const DIR = "content/media";

export const MEDIA_FOLDERS = oneFileKind<MediaFolder>({
  name: "MediaFolder",
  dir: DIR,
  order: () => [["id", "title", "creation_date", "last_modified"]],
  split(path) {
    const match = /^(content\/media\/(?:.+\/)?_folder)(\.ya?ml)$/.exec(path);
    return match && match[1] !== `${DIR}/_folder` ? { base: match[1]!, part: match[2]! } : undefined;
  },
  read(data, { base, errors, locales }) {
    const dir = dirOf(base);
    const title = own(data, "title");
    const read = title === undefined || title === null ? { value: fileName(dir) } : readValue(FOLDER_TITLE, title);
    if ("error" in read) errors.title = [read.error];
    const created = readMoment(data, "creation_date", errors, locales) ?? UNDATED;
    return {
      id: readId(data, base, errors),
      dir,
      title: "value" in read ? String(read.value) : "",
      creation_date: created,
      last_modified: readMoment(data, "last_modified", errors, locales) ?? created,
    };
  },
  write: ({ id, title, creation_date, last_modified }) => ({ id, title, creation_date, last_modified }),
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
