/** A thread that reads and writes large content files, so that the program answers others meanwhile. */
import { parentPort } from "node:worker_threads";
import { carried, perform, type Carried, type Work, type WorkArgs } from "./work.ts";

export interface WorkOrder {
  readonly id: number;
  readonly name: Work;
  readonly args: WorkArgs[Work];
}

export type WorkAnswer = { readonly id: number } & ({ readonly result: unknown } | { readonly thrown: Carried });

parentPort!.on("message", ({ id, name, args }: WorkOrder) => {
  parentPort!.postMessage(answerTo(id, name, args));
});

function answerTo(id: number, name: Work, args: WorkOrder["args"]): WorkAnswer {
  try {
    return { id, result: perform(name, args) };
  } catch (error) {
    return { id, thrown: carried(error) };
  }
}
