/** Detects the type and image properties of files that were added to the library by hand. */
import { ImageError, type Images } from "../../model/media/image-results.ts";
import { lfsPointer, rasterType, sniff } from "../../model/media/media-type.ts";
import { toJson, type FoundMedia } from "../../store/records/media/media-files.ts";
import type { Examine } from "../../store/content/load-group.ts";
import type { Repo } from "../../store/repo.ts";

/** The type of larger files is taken from the name: images are not that large. */
const READ_MAX = 128 * 1024 * 1024;

/** The function by which the store examines library files. A file that cannot be decoded is `broken`, not an image. */
export const examineWith =
  (repo: Repo, images: Images): Examine =>
  async (path, { size, unreadable }) =>
    toJson(unreadable || size > READ_MAX ? UNKNOWN : await examineBytes((await repo.read(path))?.bytes, images));

const UNKNOWN: FoundMedia = { mime: null, image: null, trouble: null };

async function examineBytes(bytes: Uint8Array | undefined, images: Images): Promise<FoundMedia> {
  if (!bytes) return UNKNOWN;
  if (lfsPointer(bytes)) return { mime: "text/plain", image: null, trouble: "pointer" };
  const type = sniff(bytes);
  if (!type?.raster) return { ...UNKNOWN, mime: type?.mime ?? null };
  try {
    const image = await images.probe(bytes);
    return { mime: rasterType(image.raster).mime, image, trouble: null };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return { mime: type.mime, image: null, trouble: "broken" };
  }
}
