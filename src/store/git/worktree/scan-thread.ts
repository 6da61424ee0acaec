/** The thread of `tree-scan.ts`: lists the files below some folders, looks at each, and ends. */
import { parentPort, workerData } from "node:worker_threads";
import type { Path } from "../../repo.ts";
import { diskFs } from "../fs.ts";
import { listFolders } from "./directory-listing.ts";
import { encodeScan } from "./scan-columns.ts";

export interface ScanRequest {
  readonly root: string;
  readonly folders: readonly Path[];
  /** Folders that are not listed. */
  readonly except: readonly Path[];
}

void scan(workerData as ScanRequest);

async function scan({ root, folders, except }: ScanRequest): Promise<void> {
  const listing = await listFolders(diskFs, root, folders, except);
  const columns = await encodeScan(listing, (path) => diskFs.lstat(`${root}/${path}`));
  parentPort?.postMessage(columns, [columns.paths.buffer, columns.numbers.buffer]);
}
