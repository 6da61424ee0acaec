/** Errors of the disk and the operating system as messages that a person can act on. */
import { messageOf, unavailable } from "../../errors.ts";
import { codeOf } from "./fs.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full",
  EDQUOT: "The disk quota is used up",
  EROFS: "The disk is read-only",
  EIO: "The disk reports an error",
  EMFILE: "Too many files are open",
  ENFILE: "Too many files are open",
  EACCES: "Access is denied",
  EPERM: "Access is denied",
  EXDEV: "The site and its .git folder are on different file systems",
};

/** The reason without any path; undefined for any other error. */
export const diskErrorReason = (error: unknown): string | undefined => REASONS[codeOf(error) ?? ""];

export const isDiskError = (error: unknown): boolean => diskErrorReason(error) !== undefined;

/** Converts a disk error to a CmsError `unavailable`; returns any other error as it is. */
export function toUnavailable(error: unknown): unknown {
  const reason = diskErrorReason(error);
  if (!reason) return error;
  const message = `${reason}, so nothing was written (${messageOf(error)}).`;
  return unavailable(message, "disk", error);
}
