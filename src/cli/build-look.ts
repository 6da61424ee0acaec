/** A thread that looks at the tree and into the output of an earlier build, while the program starts and then together with it. */
import { parentPort, workerData } from "node:worker_threads";
import { lookInto } from "../build/look.ts";
import { OWN } from "../build/output.ts";
import { readState } from "../build/state-file.ts";
import { lookAhead, type Share } from "../store/git/ahead.ts";
import type { Turns } from "../store/git/turns.ts";
import { CONTENT } from "../store/kind.ts";

export interface LookOrder {
  readonly root: string;
  readonly out: string;
  /** For the look into the output. */
  readonly turns: Turns;
  /** For the look at the tree; undefined where nobody wants that. */
  readonly turnsAhead: Turns | undefined;
}

/** The first that is said; then the look into the output. */
export interface SeenAhead {
  readonly ahead: Share | undefined;
}

const { root, out, turns, turnsAhead } = workerData as LookOrder;
parentPort!.postMessage({ ahead: turnsAhead && lookAhead(root, CONTENT, turnsAhead) } satisfies SeenAhead);
const look = lookInto(out, OWN, readState(out), turns);
parentPort!.postMessage(look, [look.sizes, look.intact, look.alone].map(({ buffer }) => buffer as ArrayBuffer));
