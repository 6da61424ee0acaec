/** The program of a thread (`thread.ts`). What a task needs is loaded with the first one. */
import { parentPort, type Transferable } from "node:worker_threads";
import { toClonedError } from "./codec/cloned-error.ts";
import type { TaskArgs, TaskName } from "./codec/tasks.ts";
import type { ScanRequest } from "./git/worktree/scan-columns.ts";
import type { ThreadReply, ThreadRequest } from "./thread.ts";

parentPort?.on("message", (request: ThreadRequest) => void answer(request));

async function answer(request: ThreadRequest): Promise<void> {
  const { id } = request;
  const reply = (message: ThreadReply, transfer: Transferable[] = []): void =>
    parentPort?.postMessage(message, transfer);
  try {
    reply({ id, result: await run(request, (progress, transfer) => reply({ id, progress }, transfer)) });
  } catch (error) {
    reply({ id, error: toClonedError(error) });
  }
}

async function run(
  { task, args }: ThreadRequest,
  onProgress: (value: unknown, transfer?: Transferable[]) => void,
): Promise<unknown> {
  if (task !== "scan") return (await import("./codec/tasks.ts")).runTask(task as TaskName, args as TaskArgs[TaskName]);
  const { scan } = await import("./git/worktree/scan-task.ts");
  return scan(args[0] as ScanRequest, onProgress);
}
