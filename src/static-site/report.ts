/** The result of a build, and its failures. */
import { CmsError, messageOf } from "../errors.ts";
import type { ShownChange } from "./next-change.ts";
import { placeOfFailure } from "../render/template-failure.ts";

/** A page or file that was not built. */
export interface Failure {
  readonly path: string;
  readonly language: string | null;
  readonly template: string | null;
  readonly line: number | null;
  readonly message: string;
}

export interface Report {
  /** Pages by language. */
  readonly pages: number;
  readonly rendered: number;
  readonly kept: number;
  readonly removed: number;
  /** Files that changed. */
  readonly written: number;
  readonly media: number;
  /** When the next build changes something with nothing edited; null when never. */
  readonly next_change: ShownChange | null;
  /** Files in the output folder that no build made; they are left alone. */
  readonly unknown: readonly string[];
  readonly failures: readonly Failure[];
  readonly warnings: readonly string[];
  /** In milliseconds. */
  readonly took: number;
}

/** @throws the error itself when it is neither the content's nor the disk's */
export function failureOf(
  error: unknown,
  path: string,
  language: string | null,
  template: string | null = null,
): Failure {
  if (!(error instanceof CmsError) && !isOfSystem(error)) throw error;
  const message = messageOf(error);
  const place = placeOfFailure(error instanceof CmsError ? error.cause : undefined);
  return { path, language, template: place?.template ?? template, line: place?.line ?? null, message };
}

/** An error of the file system, which other files may not have; a full disk is one for all. */
const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && "code" in error && error.code !== "ENOSPC";
