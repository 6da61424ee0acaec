/** What is made of an image, by the settings: the optimised original within its limits, thumbnail, renditions, qualities. */
import type { ImageJob } from "../../model/media/image-results.ts";
import type { Variant } from "../../model/media/renditions.ts";
import type { Context } from "../context.ts";

/**
 * @param file absolute path
 * @param variants see `askedVariants`
 */
export function imageJob({ config }: Context, file: string, variants: readonly Variant[], optimise = false): ImageJob {
  const { OPTIMIZE, THUMBNAIL, RENDITIONS } = config.MEDIA;
  const limits = {
    max: { width: OPTIMIZE.MAX_WIDTH, height: OPTIMIZE.MAX_HEIGHT },
    dpi: OPTIMIZE.DPI,
    jpegQuality: OPTIMIZE.JPEG_QUALITY,
  };
  return {
    file,
    optimise: optimise && OPTIMIZE.ENABLE ? limits : null,
    thumbnail: { width: THUMBNAIL.WIDTH, height: THUMBNAIL.HEIGHT },
    variants,
    quality: {
      jpeg: RENDITIONS.JPEG_QUALITY,
      webp: RENDITIONS.WEBP_QUALITY,
      avif: RENDITIONS.AVIF_QUALITY,
      avifEffort: RENDITIONS.AVIF_EFFORT,
    },
    preventInflate: RENDITIONS.PREVENT_INFLATE,
  };
}
