/**
 * The process that encodes, one job after another, told what to do by messages.
 *
 * A process of its own, at a lower priority, because encoders cannot be stopped in the middle and would otherwise take
 * the cores and threads that answers need.
 */
import { setPriority } from "node:os";
import type { ImageJob, ImageResult } from "../model/image.ts";
import { ImageError, makeImages } from "./encode.ts";

export interface JobMessage {
  readonly job: ImageJob;
}

export type AnswerMessage = { readonly result: ImageResult } | { readonly refused: string } | { readonly failed: string };

/** Of 20: answers go first, but the work goes on. */
const PRIORITY = 10;

try {
  setPriority(PRIORITY);
} catch {
  // Not allowed here: then it works at the same priority.
}

process.on("message", ({ job }: JobMessage) => {
  void makeImages(job).then(
    (result) => answer({ result }),
    (error: unknown) => answer(error instanceof ImageError ? { refused: error.message } : { failed: String((error as Error).stack ?? error) }),
  );
});
process.on("disconnect", () => process.exit(0));
// The one who waits is told to stop, and stops us.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});

function answer(message: AnswerMessage): void {
  if (process.connected) process.send!(message);
}
