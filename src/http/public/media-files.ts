/**
 * Serves the files of the library.
 *
 * Types that could run scripts with the site's origin are sandboxed or sent as downloads. Recorded derivatives that are
 * not on disk are generated on request.
 */
import type { BigIntStats } from "node:fs";
import { join } from "node:path";
import { ensureDerivative } from "../../actions/media/derivatives.ts";
import { CmsError } from "../../errors.ts";
import { encodePath } from "../../model/language/locale.ts";
import { extensionOf, lfsPointer, SNIFF_BYTES, typeByName, type MediaType } from "../../model/media/media-type.ts";
import { mediaIndex } from "../../store/content/indexes/media-index.ts";
import { MEDIA_HEADERS, REVALIDATED } from "../../render/page-headers.ts";
import { readFirstBytes } from "../../store/content/media-disk.ts";
import { leadsOut, statFile } from "../../store/content/public-files.ts";
import { MEDIA_DIR } from "../../store/records/media/media-files.ts";
import type { CommittedFile } from "../../store/fork/committed-files.ts";
import { isPrepared } from "../../store/repo.ts";
import { committedFileReply, fileReply } from "./file-reply.ts";
import { withFile } from "../socket/open-files.ts";
import { redirect, type Headers, type Reply } from "../request/reply.ts";
import type { Call } from "../app/route.ts";

/** @returns undefined for a path that is not below the media URL, or at which a page may be */
export async function mediaReply(call: Call, path: string): Promise<Reply | undefined> {
  const { config, store, committedFiles } = call.ctx;
  if (!path.startsWith(config.MEDIA.URL) || path === config.MEDIA.URL) return undefined;
  const name = path.slice(config.MEDIA.URL.length);
  if (name.split("/").some((segment) => segment === "" || segment.startsWith(".") || segment.includes("\0")))
    return undefined;
  const index = mediaIndex(store.current);
  if (index.isTrashed(name)) throw new CmsError("not_found", "Not found.");
  const folder = join(store.repo.root, MEDIA_DIR);
  const file = join(folder, ...name.split("/"));
  const stats = committedFiles ? undefined : await statInside(folder, file);
  if (stats) return mediaFileReply(call, file, stats, typeByName(name));
  const committed = await committedFiles?.find(`${MEDIA_DIR}/${name}`);
  if (committed) return committedMediaReply(call, committed, typeByName(name));
  const bytes = await ensureDerivative(call.ctx, name);
  const moved = bytes ? undefined : index.movedFrom(name);
  if (moved?.deleted_at === null)
    return redirect(`${config.MEDIA.URL}${encodePath(moved.file)}${call.url.search}`, 301, {
      "cache-control": REVALIDATED,
    });
  // Pages may have paths below the media URL, but not with a file extension.
  if (!bytes && extensionOf(name) !== "") throw new CmsError("not_found", "Not found.");
  if (!bytes) return undefined;
  const written = committedFiles ? undefined : await statInside(folder, file);
  if (written) return mediaFileReply(call, file, written, typeByName(name));
  return {
    status: 200,
    headers: {
      "content-type": typeByName(name).mime,
      "content-length": String(bytes.length),
      "cache-control": "no-cache",
    },
    body: bytes,
  };
}

/** @returns undefined when there is no such file @throws CmsError `not_found` for a file outside the folder */
async function statInside(folder: string, file: string): Promise<BigIntStats | undefined> {
  const found = await statFile(file);
  // A directory on the path may be a symbolic link.
  if (found && (await leadsOut(folder, file))) throw new CmsError("not_found", "Not found.");
  return found;
}

async function mediaFileReply(call: Call, file: string, found: BigIntStats, type: MediaType): Promise<Reply> {
  if (Number(found.size) < SNIFF_BYTES && lfsPointer(await withFile(() => readFirstBytes(file, SNIFF_BYTES))))
    throw new CmsError("not_found", "Not found.");
  return fileReply(call, file, found, headersOf(type));
}

function committedMediaReply(call: Call, file: CommittedFile, type: MediaType): Promise<Reply> {
  if (!isPrepared(file.content) && file.content.length < SNIFF_BYTES && lfsPointer(file.content))
    throw new CmsError("not_found", "Not found.");
  return committedFileReply(call, file, headersOf(type));
}

function headersOf({ mime, delivery }: MediaType): Headers & { readonly "content-type": string } {
  const isText = mime.startsWith("text/") || mime === "application/json";
  return { "content-type": isText ? `${mime}; charset=utf-8` : mime, ...MEDIA_HEADERS[delivery] };
}
