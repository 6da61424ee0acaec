/** The files of a commit that are no records: templates, `static/`, the bytes of the library. */
import { isHiddenName } from "../../model/address/static-file.ts";
import type { Content, Oid, Path, Repo } from "../repo.ts";

export interface CommittedFiles {
  /** @returns undefined where the commit has no regular file at the path */
  find(path: Path): Promise<CommittedFile | undefined>;
  /** The regular files below a folder, without hidden ones, by path. */
  list(folder: Path): Promise<ReadonlyMap<Path, Oid>>;
}

export interface CommittedFile {
  readonly oid: Oid;
  readonly content: Content;
}

export function committedFiles(repo: Repo, commit: Oid): CommittedFiles {
  return {
    async find(path) {
      if (!isPath(path)) return undefined;
      const oid = (await repo.committed(commit, [path])).get(path);
      return oid ? { oid, content: await repo.content(oid) } : undefined;
    },
    async list(folder) {
      const found = [...(await repo.tree(commit, [folder]))].filter(([path]) => isPath(path));
      return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}

/** As for files of the working tree: no hidden file is served or rendered. */
const isPath = (path: Path): boolean =>
  path.split("/").every((name) => name !== "" && !isHiddenName(name) && !/[\\\0]/.test(name));
