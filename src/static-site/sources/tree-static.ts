/** The files of `static/` in the tree. */
import type { Config } from "../../config.ts";
import { staticPathError } from "../../model/address/static-file.ts";
import { staticFiles } from "../../store/content/public-files.ts";
import type { MediaFile } from "./source.ts";
import { copied } from "./tree-media.ts";

/** Those that the service publishes, too. */
export async function publishedFiles(root: string, { locales }: Config): Promise<MediaFile[]> {
  const files = await staticFiles(root);
  return files.filter(({ path }) => staticPathError(path, locales) === undefined).map(copied);
}
