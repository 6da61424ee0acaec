/**
 * The child process that runs image jobs, received as messages.
 *
 * A separate process with a lower priority, because an encoder cannot be interrupted, and would take the cores and
 * threads that requests need.
 */
import { setPriority } from "node:os";
import { ImageError, type ImageJob, type ImageResult } from "../model/media/image-results.ts";
import { makeImages } from "./make-images.ts";

interface JobMessage {
  readonly job: ImageJob;
}

export type AnswerMessage =
  | { readonly result: ImageResult }
  | { readonly refused: string }
  | { readonly failed: string };

/** Nice value: requests go first, but encoding continues. */
const PRIORITY = 10;

try {
  setPriority(PRIORITY);
} catch {
  // Not permitted here: encode at the normal priority.
}

process.on("message", ({ job }: JobMessage) => {
  void makeImages(job).then(
    (result) => answer({ result }),
    (error: unknown) =>
      answer(
        error instanceof ImageError ? { refused: error.message } : { failed: String((error as Error).stack ?? error) },
      ),
  );
});
process.on("disconnect", () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent shuts down and ends this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});

function answer(message: AnswerMessage): void {
  if (process.connected) process.send?.(message);
}
