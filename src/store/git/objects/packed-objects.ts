/** Objects in packs: read by packs.ts, or by isomorphic-git where that fails. */
import * as nodeFs from "node:fs";
import type { Oid } from "../../repo.ts";
import { codeOf } from "../fs.ts";
import { oidOf, type GitObject, type ObjectType } from "./object.ts";
import { openPacks } from "./packs.ts";
import { importModule } from "../../../import-module.ts";

export interface PackedObjects {
  /** undefined if no pack has it. */
  read(oid: Oid): Promise<GitObject | undefined>;
  /** Whether a pack has it, without reading it. */
  has(oid: Oid): Promise<boolean>;
  /** The name (`pack-<id>`) of a pack that has it. @throws if a pack is damaged or not supported */
  nameOf(oid: Oid): string | undefined;
  startingWith(prefix: string): Oid[];
  close(): void;
}

/** The ids of larger objects are not verified at each read: hashing a megabyte takes a millisecond. */
const VERIFIED_BYTES = 1024 * 1024;

export function openPackedObjects(gitDir: string): PackedObjects {
  const packs = openPacks(gitDir);
  return {
    async read(oid) {
      try {
        const found = await packs.read(oid);
        if (!found || found.content.length > VERIFIED_BYTES || oidOf(found.type, found.content) === oid) return found;
      } catch {
        // The pack is damaged, of an old version, or was removed just now.
      }
      packs.close();
      return readByLibrary(gitDir, oid);
    },
    async has(oid) {
      try {
        if (packs.has(oid)) return true;
        // A repack may have replaced a pack while the folder was listed, so it is listed again. The packs stay open:
        // many objects may be missing, and to read all indexes for each of them takes minutes.
        packs.relist();
        return packs.has(oid);
      } catch {
        return (await readByLibrary(gitDir, oid)) !== undefined;
      }
    },
    nameOf: (oid) => packs.nameOf(oid),
    startingWith: (prefix) => packs.startingWith(prefix),
    close: () => packs.close(),
  };
}

async function readByLibrary(gitDir: string, oid: Oid): Promise<GitObject | undefined> {
  // Loaded on demand: it is large and rarely needed.
  const { default: git } = await importModule<typeof import("isomorphic-git")>("isomorphic-git");
  try {
    // With a cache from an earlier call it would not see new packs.
    const found = await git.readObject({ fs: nodeFs, gitdir: gitDir, oid, format: "content", cache: {} });
    return { type: found.type as ObjectType, content: Buffer.from(found.object as Uint8Array) };
  } catch (error) {
    if (codeOf(error) === "NotFoundError") return undefined;
    throw error;
  }
}
