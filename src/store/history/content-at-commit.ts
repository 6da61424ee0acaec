/** The content at past commits. */
import { silentLog } from "../../env.ts";
import type { Locales } from "../../model/locale.ts";
import type { FileCodec } from "../codec/file-codec.ts";
import { openContentCache } from "../cache/content-cache.ts";
import type { History } from "./history.ts";
import type { AnyKind } from "../content/record-type.ts";
import { contentPaths, load, type Loaded } from "../content/load.ts";
import type { Oid, Path, Repo, WorkingFile } from "../repo.ts";
import { NO_WORDS } from "../content/claims.ts";
import { Snapshot } from "../content/snapshot.ts";

export interface CommitContentsOptions {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
  readonly history: History;
  readonly codec: FileCodec;
}

export interface CommitContents {
  /** @param commit null for the empty content before the first commit */
  at(commit: Oid | null): Promise<Snapshot>;
}

/** @param near similar content: records with the same blobs are taken from it */
export async function openCommitContents(
  { repo, kinds, locales, history, codec }: CommitContentsOptions,
  near: Snapshot,
): Promise<CommitContents> {
  const cache = openContentCache(null);
  let latest = loadedOf(near);
  return {
    async at(commit) {
      if (commit === null) return new Snapshot(null, new Map(), []);
      const files = await filesOf(repo, kinds, commit);
      const read: Repo["read"] = async (path) => {
        const file = files.get(path);
        return file && { bytes: await repo.blob(file.oid), oid: file.oid };
      };
      const loader = {
        repo: { ...repo, read },
        kinds,
        locales,
        cache,
        codec,
        history,
        log: silentLog,
        examine: async () => ({}),
      };
      latest = await load(loader, latest, { head: commit, files, read: new Map() });
      return latest.snapshot;
    },
  };
}

async function filesOf(repo: Repo, kinds: readonly AnyKind[], commit: Oid): Promise<Map<Path, WorkingFile>> {
  const except = kinds.flatMap((kind) => kind.except ?? []);
  const isIgnored = (path: Path): boolean =>
    except.some((folder) => path.startsWith(`${folder}/`)) || path.split("/").some((name) => name.startsWith("."));
  const found = [...(await repo.tree(commit, contentPaths(kinds)))].filter(([path]) => !isIgnored(path));
  // The size is unknown without reading the blob. It is only compared, so any number derived from the blob id will do.
  return new Map(found.map(([path, oid]) => [path, { oid, size: Number.parseInt(oid.slice(0, 8), 16), mtimeMs: 0 }]));
}

function loadedOf(snapshot: Snapshot): Loaded {
  const files = new Map<Path, WorkingFile>();
  for (const table of snapshot.tables().values()) {
    for (const entry of table.byBase.values())
      for (const [part, oid] of entry.files) files.set(entry.base + part, { oid, size: 0, mtimeMs: 0 });
  }
  return { snapshot, files, failures: new Map(), rivals: new Map(), words: NO_WORDS };
}
