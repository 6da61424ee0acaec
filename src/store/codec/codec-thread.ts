/** The worker thread of the file codec. */
import { parentPort } from "node:worker_threads";
import { runTask, toClonedError, type ClonedError, type TaskArgs, type TaskName } from "./tasks.ts";

export interface TaskRequest {
  readonly id: number;
  readonly name: TaskName;
  readonly args: TaskArgs[TaskName];
}

export type TaskResponse = { readonly id: number } & ({ readonly result: unknown } | { readonly error: ClonedError });

parentPort?.on("message", (request: TaskRequest) => parentPort?.postMessage(respond(request)));

function respond({ id, name, args }: TaskRequest): TaskResponse {
  try {
    return { id, result: runTask(name, args) };
  } catch (error) {
    return { id, error: toClonedError(error) };
  }
}
