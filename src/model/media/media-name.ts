/**
 * Names of files and folders in the library: safe on every file system and in every URL, and still readable.
 *
 * Letters of all scripts are kept. Slashes, leading dots, control characters and names reserved by a file system are
 * not.
 */
import { isDeviceName } from "../address/possible-names.ts";
import { extensionOf } from "./media-type.ts";
import { asciiSlugify, cutText, slugify } from "../address/slug.ts";
import { trimEnd, trimStart } from "../text/trim.ts";

/** In characters; longer names are rejected with the message of `nameTooLong`. */
const NAME_MAX = 100;
/** File systems allow 255 bytes; the names of record and thumbnail are longer than that of the file. */
const BYTES_MAX = 200;

/** The record of such a file would have the path of the folder's record. */
const RESERVED = /^_folder$/i;

/** The file name without the directories that a client may send with it. */
const bareName = (name: string): string => name.replaceAll("\\", "/").split("/").at(-1) ?? "";

/** The message for a name that is too long; undefined when it is not. */
export function nameTooLong(name: string): string | undefined {
  const { length } = [...bareName(name)];
  return length > NAME_MAX ? `Ensure this filename has at most ${NAME_MAX} characters (it has ${length}).` : undefined;
}

/**
 * The name a file is stored under: without directories, spaces as `_`, all but letters, digits and
 * `_-.` removed.
 *
 * @param extension with its dot, replaces the extension of the name, as when the bytes are of another type
 */
export function safeName(name: string, extension?: string): string {
  const plain = bareName(name)
    .normalize("NFC")
    .trim()
    .replace(/\s+/gu, "_")
    .replace(/[^\p{L}\p{M}\p{N}_.-]/gu, "");
  // A dot before the only letters left is that of the extension: the rest of the name was of other characters.
  const isAllExtension = /^[_.-]*\.[^.]+$/.test(plain) && !bareName(name).trim().startsWith(".");
  const bare = isAllExtension ? `file${plain.slice(plain.lastIndexOf("."))}` : trimEnd(trimStart(plain, ".-"), ".");
  const stem = mediaStemOf(bare);
  const ending = extension ?? bare.slice(stem.length);
  const full = `${cutText(trimEnd(stem, ".") || "file", BYTES_MAX - Buffer.byteLength(ending))}${ending}`;
  return isDeviceName(full) || RESERVED.test(full) ? `file${full.startsWith("_") ? "" : "_"}${full}` : full;
}

/** `photo.jpg` -> `photo_7dk2c9a.jpg`. @param mark 7 letters or digits */
export function markedName(name: string, mark: string): string {
  const stem = mediaStemOf(name);
  return `${stem}_${mark}${name.slice(stem.length)}`;
}

/** The path without the last extension: the base of the paths of renditions and thumbnail. */
export const mediaStemOf = (file: string): string => file.slice(0, file.length - extensionOf(file).length);

/** The directory name for a folder title: its ASCII slug, or the Unicode slug where that is empty. */
export function folderName(title: string): string {
  const slug = asciiSlugify(title) || slugify(title) || "folder";
  return isDeviceName(slug) ? `${slug}-folder` : cutText(slug, 100);
}

/** The directory of a path; "" for the library itself. */
export const folderOf = (file: string): string => file.slice(0, Math.max(0, file.lastIndexOf("/")));

/** The last segment of a path. */
export const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export const joinPath = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
