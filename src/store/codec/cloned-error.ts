/** Errors in a form that survives cloning between threads. */
import { CmsError, type ErrorCode, type FieldErrors } from "../../errors.ts";
import { FileError, type Position } from "./file-error.ts";

/** Cloning an error loses its class and its own fields, so these are sent as data. */
export type ClonedError =
  | { readonly type: "file"; readonly path: string; readonly reason: string; readonly at: Position | undefined }
  | {
      readonly type: "cms";
      readonly code: ErrorCode;
      readonly message: string;
      readonly fields: FieldErrors;
      readonly cause: ClonedError | undefined;
    }
  | { readonly type: "other"; readonly error: unknown };

export function toClonedError(error: unknown): ClonedError {
  if (error instanceof FileError) {
    const { path, reason, line, column } = error;
    const at = line === undefined || column === undefined ? undefined : { line, column };
    return { type: "file", path, reason, at };
  }
  if (error instanceof CmsError) {
    const { code, message, fields, cause } = error;
    return { type: "cms", code, message, fields, cause: cause === undefined ? undefined : toClonedError(cause) };
  }
  return { type: "other", error };
}

export function fromClonedError(cloned: ClonedError): unknown {
  if (cloned.type === "file") return new FileError(cloned.path, cloned.reason, cloned.at);
  if (cloned.type === "other") return cloned.error;
  const { code, message, fields, cause } = cloned;
  return new CmsError(code, message, { fields, ...(cause && { cause: fromClonedError(cause) }) });
}
