/** The stat fields that change with a file's content (as esbuild's ModKey). */
import type { BigIntStats } from "node:fs";

/** Size, times and inode as text. Equal keys mean an unchanged file, except for a change within the clock's resolution. */
export const statKeyOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string =>
  `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
