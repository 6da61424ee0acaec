/** Folders of the library with their titles; a directory has its name without one. */
import type { MediaFolder } from "../../model/media/media.ts";
import { fileName } from "../../model/media/media-name.ts";
import { MEDIA_FOLDERS } from "../../store/records/media/media-folders.ts";
import type { ImportedFolder } from "../imported-site.ts";
import { compare, noteWritten, type ImportRun } from "../import-run.ts";
import { directoryFor } from "./media.ts";

/** Two folders that have one directory here are one: the first gives the title. */
export function writeFolders(run: ImportRun, folders: readonly ImportedFolder[]): void {
  const byDir = new Map(run.library.tx.all(MEDIA_FOLDERS).map((folder) => [folder.dir, folder]));
  const written = new Map<string, ImportedFolder>();
  for (const folder of folders) {
    const dir = directoryFor(folder.path);
    const twin = written.get(dir);
    if (dir === "") continue;
    if (twin) {
      const message = `The folder "${folder.title}" is one with "${twin.title}" here: both are ${dir}.`;
      if (twin.title !== folder.title) run.report.remark({ ...folder.place, message });
      continue;
    }
    written.set(dir, folder);
    writeFolder(run, folder, dir, byDir.get(dir));
  }
}

function writeFolder(run: ImportRun, folder: ImportedFolder, dir: string, present: MediaFolder | undefined): void {
  const { tx } = run.library;
  const { source, place } = folder;
  const report = { source, kind: MEDIA_FOLDERS.name, title: folder.title };
  const { outcome, row, from, isKept } = compare(run, report, { ...folder, place: undefined });
  if (isKept) return;
  const title = [...folder.title.trim()].slice(0, TITLE_MAX).join("") || fileName(dir);
  const isOther = present !== undefined && present.id !== row?.id && present.title !== fileName(dir);
  if (isOther && !run.force) {
    const message = `The site has a folder ${dir} with the title "${present.title}": it keeps it. With --force it is replaced.`;
    run.report.remark({ ...place, message });
    return run.report.add({ ...report, id: present.id, outcome: "unchanged" });
  }
  const record = tx.put(MEDIA_FOLDERS, {
    id: present?.id ?? tx.newId(),
    dir,
    title,
    creation_date: folder.created ?? present?.creation_date ?? tx.now,
    last_modified: tx.now,
  });
  noteWritten(run, source, MEDIA_FOLDERS.name, record.id, from);
  run.report.add({ ...report, id: record.id, outcome: outcome === "updated" ? "updated" : "created" });
}

/** In characters. */
const TITLE_MAX = 200;
