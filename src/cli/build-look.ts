/** A thread that looks at the tree and into the output of an earlier build, while the program starts. */
import { parentPort, workerData } from "node:worker_threads";
import { lookInto } from "../build/look.ts";
import { OWN } from "../build/output.ts";
import { readState } from "../build/state.ts";
import { lookAhead } from "../store/git/ahead.ts";

export interface LookOrder {
  readonly root: string;
  readonly out: string;
}

const { root, out } = workerData as LookOrder;
parentPort!.postMessage(lookAhead(root, "content"));
const look = lookInto(out, OWN, await readState(out));
parentPort!.postMessage(look, [look.sizes.buffer as ArrayBuffer, look.intact.buffer as ArrayBuffer]);
