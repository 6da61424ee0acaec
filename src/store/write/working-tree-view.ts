/**
 * The working tree with the changes of one batch of transactions over the files on disk.
 *
 * It keeps the blob id of every file it has read from disk. The commit requires exactly these, so it fails rather than
 * overwrites a file that was changed by hand meanwhile.
 */
import { pace } from "../../time-slices.ts";
import type { Loaded } from "../content/advance.ts";
import { placeOf } from "../content/load.ts";
import { countBy } from "../content/indexes/counts.ts";
import type { AnyKind } from "../records/record-type.ts";
import {
  isPrepared,
  type Content,
  type KnownFolders,
  type Oid,
  type Path,
  type Repo,
  type WorkingFile,
} from "../repo.ts";
import { blobIdentity } from "../git/objects/file-content.ts";

export interface WorkingTreeView {
  /** Bytes of a file; undefined where there is none, or where the batch writes a file too large for memory. */
  read(path: Path): Promise<Uint8Array | undefined>;
  /** Whether a file has these bytes already, both on disk and in HEAD, or is planned to have them. */
  has(path: Path, oid: Oid): Promise<boolean>;
  /** Whether the path is a file, compared without case: on file systems that ignore case it would be overwritten. */
  isTaken(path: Path): boolean;
  /** Adds changes of a transaction; null removes the file. */
  apply(changes: ReadonlyMap<Path, Content | null>): void;
  readonly changes: ReadonlyMap<Path, Content | null>;

  /** Blob id of the file on disk, read at most once; null where there is none. */
  oidOnDisk(path: Path): Promise<Oid | null>;
  /** Bytes of the file on disk. */
  readOnDisk(path: Path): Promise<{ readonly bytes: Uint8Array } | undefined>;
  /** Blob ids on disk of the given paths, all of which were read before. */
  expected(paths: Iterable<Path>): Map<Path, Oid | null>;
  /** Whether any file that was read differs from the one that the content was loaded from. */
  isOutdated(): boolean;
  /** The paths of `changes` whose files on disk differ from the plan. */
  unwritten(): Promise<Path[]>;
}

/** Every path in lower case, with the number of files that have it. */
const LOWER_PATHS = countBy<Path, WorkingFile, string>((path) => [path.toLowerCase()]);

/** @param head the commit that `has` compares with */
export function openWorkingTreeView(
  repo: Repo,
  kinds: readonly AnyKind[],
  loaded: Loaded,
  head: Oid | null,
): WorkingTreeView {
  const onDisk = new Map<Path, Oid | null>();
  const changes = new Map<Path, Content | null>();
  const changedLower = new Set<string>();
  /** Seen while planned files are read. The commit checks the folders of all its files again. */
  const folders: KnownFolders = new Map();

  async function readOnDisk(path: Path, known?: KnownFolders): Promise<{ readonly bytes: Uint8Array } | undefined> {
    const file = await repo.read(path, known);
    onDisk.set(path, file?.oid ?? null);
    return file;
  }

  const view: WorkingTreeView = {
    changes,
    async read(path) {
      const planned = changes.get(path);
      if (planned === undefined) return (await readOnDisk(path, folders))?.bytes;
      return planned && !isPrepared(planned) ? planned : undefined;
    },
    async has(path, oid) {
      const planned = changes.get(path);
      if (planned !== undefined) return planned !== null && blobIdentity(planned).oid === oid;
      return (await view.oidOnDisk(path)) === oid && (await repo.committed(head, [path])).get(path) === oid;
    },
    isTaken(path) {
      const lower = path.toLowerCase();
      return loaded.files.index(LOWER_PATHS).has(lower) || changedLower.has(lower);
    },
    apply(added) {
      for (const [path, content] of added) {
        changes.set(path, content);
        changedLower.add(path.toLowerCase());
      }
    },
    async oidOnDisk(path) {
      const known = onDisk.get(path);
      if (known !== undefined) return known;
      const oid = await repo.oid(path);
      onDisk.set(path, oid);
      return oid;
    },
    readOnDisk: (path) => readOnDisk(path),
    expected: (paths) => new Map(Array.from(paths, (path) => [path, onDisk.get(path) ?? null])),
    isOutdated: () =>
      [...onDisk].some(([path, oid]) => {
        const known = loaded.files.get(path);
        return oid !== (known?.oid ?? null) && !known?.unreadable && placeOf(kinds, path) !== undefined;
      }),
    async unwritten() {
      const paths: Path[] = [];
      for (const [path, content] of changes) {
        await pace();
        if (!content || blobIdentity(content).oid !== (await view.oidOnDisk(path))) paths.push(path);
      }
      return paths;
    },
  };
  return view;
}
