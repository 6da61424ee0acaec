/** What is done to content files, here or in another thread, and how its failures travel between threads. */
import { CmsError, type ErrorCode, type FieldErrors } from "../../errors.ts";
import { decodeFile, locate, type FileContent } from "./codec.ts";
import { FileError, type Position } from "./file-error.ts";
import { rewriteFile, type Rewrite, type Rewritten } from "./rewrite.ts";

type Steps = readonly (string | number)[];

export interface WorkArgs {
  decode: [path: string, bytes: Uint8Array];
  rewrite: [job: Rewrite];
  places: [bytes: Uint8Array, paths: readonly Steps[]];
}

export interface WorkResult {
  decode: FileContent;
  rewrite: Rewritten;
  /** By path; undefined for one without a place. */
  places: readonly (Position | undefined)[];
}

export type Work = keyof WorkArgs;

/** Each a function of its arguments alone; these and the results can be cloned. */
const WORK: { readonly [K in Work]: (...args: WorkArgs[K]) => WorkResult[K] } = {
  decode: decodeFile,
  rewrite: rewriteFile,
  places(bytes, paths) {
    const text = new TextDecoder().decode(bytes);
    return paths.map((path) => locate(text, path));
  },
};

export const perform = <K extends Work>(name: K, args: WorkArgs[K]): WorkResult[K] => WORK[name](...args);

/** An error as it can be cloned: a clone keeps no class but that of plain errors, and no fields. */
export type Carried =
  | { readonly of: "file"; readonly path: string; readonly reason: string; readonly at: Position | undefined }
  | {
      readonly of: "cms";
      readonly code: ErrorCode;
      readonly message: string;
      readonly fields: FieldErrors;
      readonly cause: Carried | undefined;
    }
  | { readonly of: "other"; readonly error: unknown };

export function carried(error: unknown): Carried {
  if (error instanceof FileError) {
    const { path, reason, line, column } = error;
    return { of: "file", path, reason, at: line === undefined || column === undefined ? undefined : { line, column } };
  }
  if (error instanceof CmsError) {
    const { code, message, fields, cause } = error;
    return { of: "cms", code, message, fields, cause: cause === undefined ? undefined : carried(cause) };
  }
  return { of: "other", error };
}

export function uncarried(carried: Carried): unknown {
  if (carried.of === "file") return new FileError(carried.path, carried.reason, carried.at);
  if (carried.of === "other") return carried.error;
  const { code, message, fields, cause } = carried;
  return new CmsError(code, message, { fields, ...(cause && { cause: uncarried(cause) }) });
}
