/** A thread that looks into the output of an earlier build. */
import { parentPort, workerData } from "node:worker_threads";
import { lookInto } from "../build/look.ts";
import { OWN } from "../build/output.ts";

const look = lookInto(workerData as string, OWN);
parentPort!.postMessage(look, [look.sizes.buffer as ArrayBuffer]);
