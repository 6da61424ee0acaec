/** Errors of the disk and the operating system as messages that a person can act on. */
import { CmsError, messageOf, unavailable } from "../../errors.ts";
import { codeOf } from "./fs.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full",
  EDQUOT: "The disk quota is used up",
  EFBIG: "The file is larger than the file system allows",
  EROFS: "The disk is read-only",
  EIO: "The disk reports an error",
  ENODEV: "The disk is not there",
  ENXIO: "The disk is not there",
  ESTALE: "The network drive has lost the file",
  EMFILE: "Too many files are open",
  ENFILE: "Too many files are open",
  ENOMEM: "The system has no memory left",
  EAGAIN: "The system has no resources left",
  EBUSY: "The file is in use",
  EACCES: "Access is denied",
  EPERM: "Access is denied",
  EXDEV: "The site and its .git folder are on different file systems",
};

/** What stands in the way of a file. Reads and checkouts expect these, so they are not among the errors of the disk. */
const OBSTACLES: Readonly<Record<string, string>> = {
  EEXIST: "Another file is in the way",
  ENOTEMPTY: "A folder in the way is not empty",
  ENOTDIR: "A file stands where a folder is expected",
  EISDIR: "A folder stands where a file is expected",
  ELOOP: "A link leads to itself",
};

/** The reason without any path; undefined for any other error. */
export const diskErrorReason = (error: unknown): string | undefined => REASONS[codeOf(error) ?? ""];

export const isDiskError = (error: unknown): boolean => diskErrorReason(error) !== undefined;

/** As `diskErrorReason`, also of what stands in the way of a file. */
export const systemErrorReason = (error: unknown): string | undefined =>
  diskErrorReason(error) ?? OBSTACLES[codeOf(error) ?? ""];

/** Converts a disk error to a CmsError `unavailable`; returns any other error as it is. */
export function toUnavailable(error: unknown): unknown {
  const reason = diskErrorReason(error);
  if (!reason) return error;
  const message = `${reason}, so nothing was written (${messageOf(error)}).`;
  return unavailable(message, "disk", error);
}

/** An error may be the cause of that of a template, which is the cause of that of a page. */
const CAUSES_MAX = 5;

/**
 * The answer to an error of the system, wherever it was met: `unavailable`, or `invalid` for a name that no file can have.
 * undefined for a failure that is explained already, and for a defect.
 */
export function systemFailure(error: unknown): CmsError | undefined {
  let at = error;
  for (let depth = 0; depth < CAUSES_MAX && at instanceof Error; depth++) {
    if (at instanceof CmsError && (at.code !== "broken" || at.plugin !== undefined)) return undefined;
    if (codeOf(at) === "ENAMETOOLONG")
      return new CmsError("invalid", "A name is longer than the file system allows.", { cause: at });
    const reason = systemErrorReason(at);
    if (reason) return unavailable(`${reason} (${codeOf(at)}).`, "disk", at);
    at = at.cause;
  }
  return undefined;
}
