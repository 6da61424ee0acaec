/** A thread that looks at the tree and into the output of an earlier build, while the program starts. */
import { parentPort, workerData } from "node:worker_threads";
import { lookInto, type Turns } from "../build/look.ts";
import { OWN } from "../build/output.ts";
import { readState } from "../build/state-file.ts";
import { CONTENT } from "../store/kind.ts";
import { lookAhead } from "../store/git/ahead.ts";

export interface LookOrder {
  readonly root: string;
  readonly out: string;
  readonly turns: Turns;
  /** Whether the tree is to be looked at. */
  readonly wantsAhead: boolean;
}

/** The first that is said; then the look into the output. */
export interface SeenAhead {
  readonly ahead: string | undefined;
}

const { root, out, turns, wantsAhead } = workerData as LookOrder;
parentPort!.postMessage({ ahead: wantsAhead ? lookAhead(root, CONTENT) : undefined } satisfies SeenAhead);
const look = lookInto(out, OWN, readState(out), turns);
parentPort!.postMessage(look, [look.sizes.buffer as ArrayBuffer, look.intact.buffer as ArrayBuffer]);
