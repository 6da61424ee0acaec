/** The task of `tree-scan.ts`: lists the files below some folders, and looks at each. */
import type { Transferable } from "node:worker_threads";
import { diskFs } from "../fs.ts";
import { listFolders } from "./directory-listing.ts";
import { encodeListing, lookAtEach, type ScanRequest } from "./scan-columns.ts";

/** @param onProgress gets the columns of all files, then how many files were looked at */
export async function scan(
  { root, folders, except }: ScanRequest,
  onProgress: (value: unknown, transfer?: Transferable[]) => void,
): Promise<void> {
  const listing = await listFolders(diskFs, root, folders, except);
  const columns = encodeListing(listing);
  onProgress(columns, [columns.paths.buffer]);
  await lookAtEach(listing.files, columns.numbers, (path) => diskFs.lstat(`${root}/${path}`), onProgress);
}
