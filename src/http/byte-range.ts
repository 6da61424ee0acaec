/** The part of a file that a request asks for. */

export interface ByteRange {
  readonly start: number;
  /** The last byte, itself included. */
  readonly end: number;
}

/**
 * The one range asked for; undefined for the whole file, also where several are asked for or the question makes no
 * sense, as HTTP has it. A range of a version that is no longer there (`If-Range`) means the whole file too.
 */
export function byteRange(
  headers: Headers,
  size: number,
  etag: string,
  lastModified: string,
): ByteRange | "unsatisfiable" | undefined {
  // No two neighbours of the pattern match the same character, so that its time is linear in the header's length.
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
