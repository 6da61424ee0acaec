import { isRecord, type Json, type Values } from "../json.ts";

/** In pixels, of the pictures in a grid on a screen of high resolution. */
const WIDTH_MIN = 300;

/** A document shows what it has of an address: after a file was replaced here, all pictures have other ones. */
let replaced = 0;
export const noteReplaced = (): void => void replaced++;

/**
 * The address of a small picture of a file: its smallest rendition that looks sharp, else its thumbnail or itself.
 *
 * A file can be replaced at its address: the query makes the browser ask for it again after each load of the editor.
 *
 * @param record a file of the library, in full or in a list
 * @returns empty for a file that is no picture, or is in the trash, where it has no address
 */
export function smallPicture(record: Values): string {
  if (record.deleted_at) return "";
  const renditions = isRecord(record.renditions) ? Object.values(record.renditions).filter(isRecord) : [];
  const widthOf = ({ width }: Values): number => Number(width);
  const [best] = renditions
    .filter((each) => widthOf(each) >= WIDTH_MIN && each.format !== "avif")
    .sort((a, b) => widthOf(a) - widthOf(b));
  const isPicture = text(record.mime_type).startsWith("image/");
  const address = best ? text(best.url) : text(record.thumbnail) || (isPicture ? text(record.file) : "");
  return address && `${address}?fresh=${Number(record.size)}-${replaced}`;
}

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
