/** The size of an optimised image and of a thumbnail. */
import type { Size } from "./renditions.ts";

/** The largest size within both limits with the same ratio, never enlarged; rounded down to at least 1 pixel. */
export function fitWithin({ width, height }: Size, max: Size): Size {
  if (width <= max.width && height <= max.height) return { width, height };
  return width * max.height >= height * max.width
    ? { width: max.width, height: Math.max(1, Math.floor((height * max.width) / width)) }
    : { width: Math.max(1, Math.floor((width * max.height) / height)), height: max.height };
}
