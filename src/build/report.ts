/** What a build did, and what it could not do. */
import { CmsError, messageOf } from "../errors.ts";
import { placeOfFailure } from "../render/template-failure.ts";

/** Something that was not built; everything else was. */
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
  /** Files that are other ones now than before. */
  readonly written: number;
  readonly media: number;
  /** Files in the output folder that no build has made; they are left alone. */
  readonly unknown: readonly string[];
  readonly failures: readonly Failure[];
  readonly warnings: readonly string[];
  /** In milliseconds. */
  readonly took: number;
}

/** @throws the error itself when it is neither the content's fault nor the disk's */
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

/** The disk refused; of one file, since another may be fine. */
const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && "code" in error && error.code !== "ENOSPC";
