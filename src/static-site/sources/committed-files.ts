/** The media and the files of `static/` of a commit, as a build copies them. */
import { copyFile, writeFile } from "node:fs/promises";
import { ensureDerivative } from "../../actions/media/derivatives.ts";
import type { Context } from "../../actions/context.ts";
import { STATIC_DIR, staticPathError } from "../../model/address/static-file.ts";
import { MEDIA_DIR } from "../../store/records/media/media-files.ts";
import type { CommittedFiles } from "../../store/fork/committed-files.ts";
import { isPrepared } from "../../store/repo.ts";
import type { MediaFile } from "./source.ts";
import { isShownIn, madeFilesShown } from "./tree-media.ts";

/** Thumbnails and renditions that the commit does not have are made. */
export async function committedMedia(ctx: Context, files: CommittedFiles): Promise<MediaFile[]> {
  const content = ctx.store.current;
  const stored = (await filesIn(files, MEDIA_DIR)).filter(isShownIn(content, ctx.config));
  const known = new Set(stored.map(({ path }) => path));
  const missing = madeFilesShown(content, ctx.config).filter((path) => !known.has(path));
  const made = missing.map((path): MediaFile => ({
    path,
    version: `made of ${content.commit}`,
    async copy(to) {
      const bytes = await ensureDerivative(ctx, path);
      if (bytes) await writeFile(to, bytes, { flag: "wx" });
      return bytes !== undefined;
    },
  }));
  return [...stored, ...made];
}

/** As `publishedFiles`, of a commit. */
export async function committedStatics({ locales }: Context, files: CommittedFiles): Promise<MediaFile[]> {
  return (await filesIn(files, STATIC_DIR)).filter(({ path }) => staticPathError(path, locales) === undefined);
}

async function filesIn(files: CommittedFiles, folder: string): Promise<MediaFile[]> {
  return Array.from(await files.list(folder), ([path, oid]) => ({
    path: path.slice(folder.length + 1),
    version: oid,
    async copy(to) {
      const found = await files.find(path);
      if (!found) return false;
      if (isPrepared(found.content)) await copyFile(found.content.file, to);
      else await writeFile(to, found.content, { flag: "wx" });
      return true;
    },
  }));
}
