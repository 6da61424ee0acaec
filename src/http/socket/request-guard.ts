/**
 * Checks the request line and the headers before the app sees a request.
 *
 * Invariant: `new URL` accepts the host and target of an admitted request, and returns them unchanged. So no later code
 * can throw on them, or see another address than the one that was checked.
 */
import { isAuthority } from "./authority.ts";

export interface RequestHead {
  readonly method: string;
  /** As sent, one character per byte. */
  readonly target: string;
  /** Names and values, alternating. */
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
  /** Host and port of this end of the connection. */
  readonly local: string;
}

export interface CheckedRequest {
  /** From the header; for HTTP/1.0 without one, this end of the connection. */
  readonly host: string;
  /** Path and query, percent-encoded where needed. */
  readonly target: string;
}

/** An answer given without the app. */
export interface Refusal {
  readonly status: 204 | 400 | 405 | 414 | 431;
  /** The reason; absent for `OPTIONS *`, which is answered rather than refused. */
  readonly detail?: string;
  readonly allow?: string;
}

export const METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
/** In bytes. Less than `HEAD_MAX`, so that a long address gets another answer than long headers. */
export const TARGET_MAX = 12 * 1024;
/** Of request line and headers, in bytes; enforced by the parser of Node. */
export const HEAD_MAX = 16 * 1024;
export const HEADERS_MAX = 100;

/** Characters that RFC 3986 does not allow in a path or query. */
const UNSAFE = /[^A-Za-z0-9\-._~%!$&'()*+,;=:@/?[\]]/g;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?=\/|$)/i;

const refuse = (status: Refusal["status"], detail: string): Refusal => ({ status, detail });

export function checkRequest({
  method,
  target,
  rawHeaders,
  httpVersion,
  local,
}: RequestHead): CheckedRequest | Refusal {
  if (!METHODS.includes(method))
    return { status: 405, detail: `Method "${method}" not allowed.`, allow: METHODS.join(", ") };
  if (rawHeaders.length / 2 > HEADERS_MAX) return refuse(431, `A request has at most ${HEADERS_MAX} headers.`);
  if (target.length > TARGET_MAX) return refuse(414, `An address has at most ${TARGET_MAX} bytes.`);
  let host: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length !== 4 || name.toLowerCase() !== "host") continue;
    if (host !== undefined) return refuse(400, "Several Host headers.");
    host = rawHeaders[at + 1]!;
  }
  if (host === undefined && httpVersion !== "1.0") return refuse(400, "The header Host is missing.");
  const named = host ?? local;
  if (!isAuthority(named)) return refuse(400, "The header Host is not a valid host.");
  if (target === "*")
    return method === "OPTIONS" ? { status: 204, allow: METHODS.join(", ") } : refuse(400, NO_ADDRESS);
  if (target.startsWith("/")) return checkTarget(named, target);
  const [start, authority = ""] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  if (start === undefined || !isAuthority(authority)) return refuse(400, NO_ADDRESS);
  // They must be the same (RFC 9112, 3.2): a cache in front of the server may use the other one.
  if (authority.toLowerCase() !== named.toLowerCase())
    return refuse(400, "The address names another host than the header Host.");
  const rest = target.slice(start.length);
  return checkTarget(authority, rest.startsWith("/") ? rest : `/${rest}`);
}

const NO_ADDRESS = "The address is not valid.";

/** Addresses without any character that `checkTarget` refuses or replaces, and without dots and queries: most of them. */
const PLAIN_TARGET = /^\/[\w~!$&()*+,;=:@/-]*$/;

function checkTarget(host: string, target: string): CheckedRequest | Refusal {
  if (PLAIN_TARGET.test(target)) return { host, target };
  // URL parsers read a backslash as a slash and remove a fragment; the other characters are invalid in an address.
  // oxlint-disable-next-line no-control-regex
  if (/[\\#\0-\x20\x7f]/.test(target)) return refuse(400, "The address contains invalid characters.");
  const queryAt = target.indexOf("?");
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  // Clients resolve `..` (RFC 3986, 5.2.4). A path with one would evade the rules of a proxy in front of the server.
  if (DOT_SEGMENT.test(path)) return refuse(400, "The address has a segment `.` or `..`.");
  const query = queryAt < 0 ? "" : target.slice(queryAt).replace(UNSAFE, encodeByte).replaceAll("'", "%27");
  return { host, target: path.replace(UNSAFE, encodeByte) + query };
}

const encodeByte = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
