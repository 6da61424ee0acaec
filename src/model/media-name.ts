/**
 * Names of files and folders in the library: safe on every file system and in every URL, and still readable.
 *
 * Letters of all scripts stay. What could lead elsewhere (slashes, dots in front), hide (control characters), or mean
 * something to a file system does not.
 */
import { extensionOf } from "./media-type.ts";
import { asciiSlugify, slugify } from "./permalink.ts";
import { trimEnd, trimStart } from "./trim.ts";

/** Characters; longer names are refused with the sentence of `nameTooLong`. */
const NAME_MAX = 100;
/** A file system takes 255 bytes; the record's and the thumbnail's names are longer than the file's. */
const BYTES_MAX = 200;

/** Windows cannot have them, whatever the extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** The record of such a file would be the record of its folder. */
const RESERVED = /^_folder$/i;

/** The last part of what a client calls the file. */
const bareName = (name: string): string => name.replaceAll("\\", "/").split("/").at(-1) ?? "";

/** The message for a name that is too long (contract.md 1.4); undefined when it is not. */
export function nameTooLong(name: string): string | undefined {
  const { length } = [...bareName(name)];
  return length > NAME_MAX ? `Ensure this filename has at most ${NAME_MAX} characters (it has ${length}).` : undefined;
}

/**
 * The name a file is kept under (contract.md 12.3): folders dropped, spaces to `_`, all but letters, digits and `_-.`
 * removed.
 *
 * @param extension with its dot, where the bytes say another than the name does; the name's own otherwise
 */
export function safeName(name: string, extension?: string): string {
  const plain = bareName(name)
    .normalize("NFC")
    .trim()
    .replace(/\s+/gu, "_")
    .replace(/[^\p{L}\p{M}\p{N}_.-]/gu, "");
  const bare = trimEnd(trimStart(plain, ".-"), ".");
  const stem = stemOf(bare);
  const ending = extension ?? bare.slice(stem.length);
  const full = `${shorten(trimEnd(stem, ".") || "file", BYTES_MAX - Buffer.byteLength(ending))}${ending}`;
  return DEVICE.test(full) || RESERVED.test(full) ? `file${full.startsWith("_") ? "" : "_"}${full}` : full;
}

/** Cut at a whole character. @param room in bytes of UTF-8 */
function shorten(text: string, room: number): string {
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > room) return kept;
    kept += character;
  }
  return kept;
}

/** `photo.jpg` -> `photo_7dk2c9a.jpg` (contract.md 12.3). @param mark 7 letters or digits */
export function markedName(name: string, mark: string): string {
  const stem = stemOf(name);
  return `${stem}_${mark}${name.slice(stem.length)}`;
}

/** The path without the last extension: where its renditions are kept, and what its thumbnail is called after. */
export const stemOf = (file: string): string => file.slice(0, file.length - extensionOf(file).length);

/** The folder on disk for a title: its slug, or one in its own script where the ASCII one is empty. */
export function folderName(title: string): string {
  const slug = asciiSlugify(title) || slugify(title) || "folder";
  return DEVICE.test(slug) ? `${slug}-folder` : shorten(slug, 100);
}

/** The folder a path stands in; "" for the library itself. */
export const folderOf = (file: string): string => file.slice(0, Math.max(0, file.lastIndexOf("/")));

export const joinPath = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
