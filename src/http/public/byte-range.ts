/** The `Range` of a request (RFC 9110, 14.2). */
import type { RequestHeaders } from "../request/request.ts";

interface ByteRange {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/**
 * The requested range; undefined for the whole file. The whole file is also sent for several ranges, for an invalid
 * header, and when `If-Range` names another version.
 */
export function byteRange(
  headers: RequestHeaders,
  size: number,
  etag: string,
  lastModified: string | undefined,
): ByteRange | "unsatisfiable" | undefined {
  // No two adjacent parts of the pattern match the same character, so its time is linear.
  const [, first = "", last = ""] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(headers.get("range") ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const condition = headers.get("if-range");
  if (condition !== null && condition !== etag && condition !== lastModified) return undefined;
  if (first === "")
    return Number(last) === 0 || size === 0
      ? "unsatisfiable"
      : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size ? "unsatisfiable" : { start, end };
}
