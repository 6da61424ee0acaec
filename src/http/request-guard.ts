/**
 * Whether a request can be answered at all, judged from its first line and headers before anything is built from them.
 *
 * What passes here is stable: `new URL` accepts the host and the target, and reads them back unchanged. So nothing
 * behind the guard can be made to throw, or to see another address than the one that was judged.
 */
import { isAuthority } from "./authority.ts";

export interface RequestHead {
  readonly method: string;
  /** As it was sent, one character a byte. */
  readonly target: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
  /** Host and port of this end of the connection. */
  readonly local: string;
}

export interface Judged {
  /** Of the header, or this end of the connection where HTTP/1.0 names none. */
  readonly host: string;
  /** Path and query, with every character encoded that has to be. */
  readonly target: string;
}

/** An answer that is given without the app. */
export interface Verdict {
  readonly status: 204 | 400 | 405 | 414 | 431;
  /** Why it is refused. */
  readonly detail?: string;
  readonly allow?: string;
}

export const METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
/** Below the size Node gives the whole head, so that a long address is told from long headers. */
export const TARGET_MAX = 12 * 1024;
/** Of the head as a whole, in bytes; the parser counts them. */
export const HEAD_MAX = 16 * 1024;
const HEADERS_MAX = 100;

/** What RFC 3986 lets a path and a query consist of. */
const UNSAFE = /[^A-Za-z0-9\-._~%!$&'()*+,;=:@/?[\]]/g;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?=\/|$)/i;

const refuse = (status: Verdict["status"], detail: string): Verdict => ({ status, detail });

export function judge({ method, target, rawHeaders, httpVersion, local }: RequestHead): Judged | Verdict {
  if (!METHODS.includes(method))
    return { status: 405, detail: `Method "${method}" not allowed.`, allow: METHODS.join(", ") };
  if (rawHeaders.length / 2 > HEADERS_MAX) return refuse(431, `A request has at most ${HEADERS_MAX} headers.`);
  if (target.length > TARGET_MAX) return refuse(414, `An address has at most ${TARGET_MAX} bytes.`);
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === "host");
  if (hosts.length > 1) return refuse(400, "The header Host is there more than once.");
  if (hosts.length === 0 && httpVersion !== "1.0") return refuse(400, "The header Host is missing.");
  const named = hosts[0] ?? local;
  if (!isAuthority(named)) return refuse(400, "The header Host is not a valid host.");
  if (target === "*")
    return method === "OPTIONS" ? { status: 204, allow: METHODS.join(", ") } : refuse(400, NO_ADDRESS);
  if (target.startsWith("/")) return judgePath(named, target);
  const [start, authority = ""] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  if (start === undefined || !isAuthority(authority)) return refuse(400, NO_ADDRESS);
  // Clients send the same host in both (RFC 9112, 3.2). Of two, a cache in front may go by the other one.
  if (authority.toLowerCase() !== named.toLowerCase())
    return refuse(400, "The address names another host than the header Host.");
  const rest = target.slice(start.length);
  return judgePath(authority, rest.startsWith("/") ? rest : `/${rest}`);
}

const NO_ADDRESS = "The address is not valid.";

function judgePath(host: string, target: string): Judged | Verdict {
  // URL parsers take a backslash for a slash and cut a fragment off; the rest cannot be part of any address.
  // oxlint-disable-next-line no-control-regex
  if (/[\\#\0-\x20\x7f]/.test(target)) return refuse(400, "The address holds characters that it must not.");
  const queryAt = target.indexOf("?");
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  // Clients resolve `..` themselves (RFC 3986, 5.2.4). One that arrives here would pass by the rules of a proxy in front.
  if (DOT_SEGMENT.test(path)) return refuse(400, "The address holds `.` or `..` as a segment.");
  const query = queryAt < 0 ? "" : target.slice(queryAt).replace(UNSAFE, encodeByte).replaceAll("'", "%27");
  return { host, target: path.replace(UNSAFE, encodeByte) + query };
}

const encodeByte = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
