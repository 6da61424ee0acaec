/** What the machine refuses, in words a person can act on. */
import { CmsError, messageOf } from "../../errors.ts";
import { codeOf } from "./fs.ts";

const DISK: Readonly<Record<string, string>> = {
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

/** What the machine refuses, without any path; undefined for an error that is none of the disk's. */
export const reasonOf = (error: unknown): string | undefined => DISK[codeOf(error) ?? ""];

export const isDiskError = (error: unknown): boolean => reasonOf(error) !== undefined;

/** A CmsError `unavailable` for an error of the disk's; anything else stays what it is. */
export function refusal(error: unknown): unknown {
  const reason = reasonOf(error);
  if (!reason) return error;
  const message = `${reason}, so nothing was written (${messageOf(error)}).`;
  return new CmsError("unavailable", message, { cause: error, retryAfter: 10 });
}
