/** What the file system says of a file, as text. */
import type { BigIntStats } from "node:fs";

/** Size, times and inode in one line: another one for another file, and only read to be compared. */
export const statKeyOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string =>
  `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
