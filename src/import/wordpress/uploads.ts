/** Attachments of an export: where their files are, and which one an address in a text means. */
import { extensionOf } from "../../model/media/media-type.ts";
import { mediaStemOf } from "../../model/media/media-name.ts";
import { metaOf, type WordPressItem } from "./wxr.ts";

/** The folder of the files in the address of a usual site. */
const UPLOADS = "/wp-content/uploads/";
/** `-300x200` of a resized picture, `-scaled` and `-rotated` of one that WordPress made smaller or turned. */
const VARIANT = /-(?:\d{1,5}x\d{1,5}|scaled|rotated)$/;

/** The path of an attachment below the folder of uploads: `2024/05/photo.jpg`; undefined where the export does not say it. */
export function uploadPath(item: WordPressItem): string | undefined {
  const stored = metaOf(item, "_wp_attached_file")?.trim();
  const path = stored || belowUploads(item.attachmentUrl);
  return path !== undefined && isPlainPath(path) ? path : undefined;
}

/** The part of an address below the folder of uploads, decoded. */
export function belowUploads(address: string): string | undefined {
  const at = address.indexOf(UPLOADS);
  if (at < 0) return undefined;
  const path = address.slice(at + UPLOADS.length).replace(/[?#].*$/s, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether it stays below its folder. */
const isPlainPath = (path: string): boolean =>
  path.length <= 1000 && !/[\\\0]/.test(path) && path.split("/").every((part) => part !== "" && !part.startsWith("."));

/** Finds attachments by their file, or by that of a variant of it. */
export function attachmentFinder(attachments: readonly WordPressItem[]): (path: string) => WordPressItem | undefined {
  const byPath = new Map<string, WordPressItem>();
  for (const item of attachments) {
    const path = uploadPath(item);
    if (path === undefined) continue;
    // A scaled one stands for the original, too.
    for (const name of [path, plainPath(path)]) if (!byPath.has(name)) byPath.set(name, item);
  }
  return (path) => byPath.get(path) ?? byPath.get(plainPath(path));
}

function plainPath(path: string): string {
  const stem = mediaStemOf(path).replace(VARIANT, "").replace(VARIANT, "");
  return `${stem}${extensionOf(path)}`;
}
