/** The thread of `tree-scan.ts`: lists the files below some folders, looks at each, and ends. */
import { parentPort, workerData } from "node:worker_threads";
import type { Path } from "../../repo.ts";
import { diskFs } from "../fs.ts";
import { listFolders } from "./directory-listing.ts";
import { encodeListing, lookAtEach } from "./scan-columns.ts";

export interface ScanRequest {
  readonly root: string;
  readonly folders: readonly Path[];
  /** Folders that are not listed. */
  readonly except: readonly Path[];
}

void scan(workerData as ScanRequest);

async function scan({ root, folders, except }: ScanRequest): Promise<void> {
  const listing = await listFolders(diskFs, root, folders, except);
  const columns = encodeListing(listing);
  parentPort?.postMessage(columns, [columns.paths.buffer]);
  await lookAtEach(
    listing.files,
    columns.numbers,
    (path) => diskFs.lstat(`${root}/${path}`),
    (count) => parentPort?.postMessage(count),
  );
}
