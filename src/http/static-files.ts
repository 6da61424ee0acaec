/** Serves the files of `static/`. They are code of the site, so scripts and styles run, unlike those of the media library. */
import type { BigIntStats } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { staticContentType, staticFileAt, staticPathError, STATIC_DIR } from "../model/static-file.ts";
import { statFile } from "../store/content/public-files.ts";
import { takenAddresses } from "../views/static-addresses.ts";
import { fileReply } from "./file-reply.ts";
import type { Reply } from "./reply.ts";
import type { Call } from "./route.ts";

interface Found {
  /** Below `static/`. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  readonly stats: BigIntStats;
}

/** @param address decoded @returns undefined when no published file has the address */
export async function findStaticFile({ ctx: { config, store } }: Call, address: string): Promise<Found | undefined> {
  const path = staticFileAt(address);
  if (path === undefined || staticPathError(path, takenAddresses(config)) !== undefined) return undefined;
  const { root } = store.repo;
  const file = join(root, STATIC_DIR, path);
  const stats = await statFile(file);
  // A folder on the way may be a symbolic link.
  if (!stats || (await realpath(file)) !== join(await realpath(root), STATIC_DIR, path)) return undefined;
  return { path, file, stats };
}

/** As `findStaticFile`. */
export async function staticReply(call: Call, address: string): Promise<Reply | undefined> {
  const found = await findStaticFile(call, address);
  return found && fileReply(call, found.file, found.stats, { "content-type": staticContentType(found.path) });
}
