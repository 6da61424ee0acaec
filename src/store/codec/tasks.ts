/** The tasks of the file codec, run in any thread. */
import { decodeFile, locate, type FileContent, type KeyPath } from "./codec.ts";
import type { Position } from "./file-error.ts";
import { rewriteFile, type Rewrite, type Rewritten } from "./yaml/rewrite.ts";

export interface TaskArgs {
  decode: [path: string, bytes: Uint8Array];
  rewrite: [job: Rewrite];
  locate: [bytes: Uint8Array, paths: readonly KeyPath[]];
}

export interface TaskResult {
  decode: FileContent;
  rewrite: Rewritten;
  /** One per path; undefined where the text has no such place. */
  locate: readonly (Position | undefined)[];
}

export type TaskName = keyof TaskArgs;

/** Pure functions; arguments and results can be cloned. */
const TASKS: { readonly [K in TaskName]: (...args: TaskArgs[K]) => TaskResult[K] } = {
  decode: decodeFile,
  rewrite: rewriteFile,
  locate(bytes, paths) {
    const text = new TextDecoder().decode(bytes);
    return paths.map((path) => locate(text, path));
  },
};

export const runTask = <K extends TaskName>(name: K, args: TaskArgs[K]): TaskResult[K] => TASKS[name](...args);
