/**
 * What files were parsed to, by blob id: the same bytes never need parsing twice, also after a restart.
 *
 * Kept as one JSON text in the private state. A cache that cannot be read is an empty one.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileContent } from "./codec.ts";
import type { Oid } from "./repo.ts";

export interface ContentCache {
  get(oid: Oid): FileContent | undefined;
  set(oid: Oid, content: FileContent): void;
  /** Ends the cache's work: writes the entries of the given blobs, when enough are new to be worth it, and keeps no more. */
  retire(keep: Iterable<Oid>): Promise<void>;
}

const VERSION = 1;
/** Parsing fewer files than this costs less than writing the cache. */
const WORTH_SAVING = 50;

/** @param dir the private state folder; null keeps everything in memory */
export async function openContentCache(dir: string | null): Promise<ContentCache> {
  const file = dir && join(dir, "parsed.json");
  const entries = new Map<Oid, FileContent>(file ? await readEntries(file) : []);
  let fresh = 0;
  let retired = false;
  return {
    get: (oid) => entries.get(oid),
    set(oid, content) {
      if (retired) return;
      entries.set(oid, content);
      fresh++;
    },
    async retire(keep) {
      const kept = [...new Set(keep)].flatMap((oid) => {
        const content = entries.get(oid);
        return content ? [[oid, content] as const] : [];
      });
      retired = true;
      entries.clear(); // the records stand in the snapshot; the parsed files would only be a second copy in memory
      if (!file || fresh < WORTH_SAVING) return;
      const partial = `${file}.${process.pid}.tmp`;
      await writeFile(partial, JSON.stringify({ version: VERSION, entries: kept }), { mode: 0o600 });
      await rename(partial, file);
    },
  };
}

async function readEntries(file: string): Promise<[Oid, FileContent][]> {
  try {
    const parsed = JSON.parse(await readFile(file, "utf8")) as { version?: number; entries?: [Oid, FileContent][] };
    return parsed.version === VERSION && Array.isArray(parsed.entries) ? parsed.entries : [];
  } catch {
    return []; // absent, half-written or of another version: everything is parsed again
  }
}
