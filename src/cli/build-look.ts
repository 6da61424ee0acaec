/** A thread that looks into the output of an earlier build. */
import { parentPort, workerData } from "node:worker_threads";
import { lookInto } from "../build/look.ts";
import { OWN } from "../build/output.ts";
import { readState } from "../build/state.ts";

const out = workerData as string;
const look = lookInto(out, OWN, await readState(out));
parentPort!.postMessage(look, [look.sizes.buffer as ArrayBuffer, look.intact.buffer as ArrayBuffer]);
