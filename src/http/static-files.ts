/** Serves the files of `static/`. They are code of the site, so scripts and styles run, unlike those of the media library. */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { staticContentType, staticFileAt, staticPathError, STATIC_DIR } from "../model/static-file.ts";
import { statFile } from "../store/content/public-files.ts";
import { takenAddresses } from "../views/static-addresses.ts";
import { committedFileReply, fileReply } from "./file-reply.ts";
import type { Headers, Reply } from "./reply.ts";
import type { Call } from "./route.ts";

interface Found {
  /** Below `static/`. */
  readonly path: string;
  reply(call: Call, headers: Headers): Promise<Reply>;
}

/** @param address decoded @returns undefined when no published file has the address */
export async function findStaticFile(
  { ctx: { config, store, committedFiles } }: Call,
  address: string,
): Promise<Found | undefined> {
  const path = staticFileAt(address);
  if (path === undefined || staticPathError(path, takenAddresses(config)) !== undefined) return undefined;
  if (committedFiles) {
    const committed = await committedFiles.find(`${STATIC_DIR}/${path}`);
    return committed && { path, reply: (call, headers) => committedFileReply(call, committed, headers) };
  }
  const { root } = store.repo;
  const file = join(root, STATIC_DIR, path);
  const stats = await statFile(file);
  // A folder on the way may be a symbolic link.
  if (!stats || (await realpath(file)) !== join(await realpath(root), STATIC_DIR, path)) return undefined;
  return { path, reply: (call, headers) => fileReply(call, file, stats, headers) };
}

/** As `findStaticFile`. */
export async function staticReply(call: Call, address: string): Promise<Reply | undefined> {
  const found = await findStaticFile(call, address);
  return found?.reply(call, { "content-type": staticContentType(found.path) });
}
