/** Serves the files of `static/`. They are code of the site, so scripts and styles run, unlike those of the media library. */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import {
  isPageInPlace,
  precedesPages,
  staticContentType,
  staticFileAt,
  staticPathError,
  STATIC_DIR,
} from "../../model/address/static-file.ts";
import { statFile } from "../../store/content/public-files.ts";
import { servedFolders } from "../../views/page/served-pages.ts";
import { committedFileReply, fileReply } from "./file-reply.ts";
import type { Headers, Reply } from "../request/reply.ts";
import type { Call } from "../app/route.ts";

interface Found {
  /** Below `static/`. */
  readonly path: string;
  reply(call: Call, headers: Headers): Promise<Reply>;
}

/** @param address decoded @returns undefined when no published file has the address, and where a page has its place */
export async function findStaticFile(call: Call, address: string): Promise<Found | undefined> {
  const path = staticFileAt(address);
  if (path === undefined || staticPathError(path, call.ctx.config.locales) !== undefined) return undefined;
  const found = await findFile(call, path);
  if (!found || precedesPages(path)) return found;
  const { store, config, env } = call.ctx;
  const folders = await servedFolders({ content: store.current, config, now: env.now() });
  return isPageInPlace(path, folders) ? undefined : found;
}

async function findFile({ ctx: { store, committedFiles } }: Call, path: string): Promise<Found | undefined> {
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
