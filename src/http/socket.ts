/**
 * Requests and responses at the socket, before and without the app: the guard, and answers to requests that are refused
 * or cannot be parsed.
 */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { JSON_HEADERS } from "./headers.ts";
import { json, JSON_TYPE, PRIVATE, type Headers, type Reply } from "./reply.ts";
import { checkRequest, HEAD_MAX, type CheckedRequest, type Refusal } from "./request-guard.ts";

/** Headers of answers after which the connection is closed. */
export const CLOSING: Headers = { ...PRIVATE, ...JSON_HEADERS, connection: "close" };

/** Responses that are not sent yet, by connection. */
const OPEN = new WeakMap<Duplex, Set<ServerResponse>>();

export const openResponses = (socket: Duplex): readonly ServerResponse[] => [...(OPEN.get(socket) ?? [])];

/** Checks a request. @returns false when it is refused, and answered */
export function admit(request: IncomingMessage, response: ServerResponse): boolean {
  const { socket } = request;
  // An error event without a listener would end the process.
  for (const stream of [request, response, socket])
    if (stream.listenerCount("error", ignore) === 0) stream.on("error", ignore);
  const { method = "", url: target = "", rawHeaders, httpVersion } = request;
  const checked = checkRequest({ method, target, rawHeaders, httpVersion, local: localAuthority(socket) });
  if ("status" in checked) {
    send(response, refusalReply(checked));
    return false;
  }
  replaceAddress(request, checked);
  return true;
}

/** Adds a response to the open ones of its connection. */
export function trackResponse(socket: Socket, response: ServerResponse): void {
  const open = OPEN.get(socket) ?? new Set<ServerResponse>();
  if (!OPEN.has(socket)) {
    OPEN.set(socket, open);
    // Of pipelined responses, Node notifies only the first that the connection has closed. The others would keep their
    // files open until they are garbage collected.
    socket.once("close", () => {
      for (const each of [...open]) {
        if (each.socket) continue;
        each.destroy();
        each.emit("close");
      }
    });
  }
  open.add(response);
  response.once("close", () => open.delete(response));
}

const ignore = (): void => {};

function refusalReply({ status, detail, allow }: Refusal): Reply {
  const headers: Headers = allow === undefined ? {} : { allow };
  return detail === undefined
    ? { status, headers: { ...PRIVATE, ...JSON_HEADERS, ...headers }, body: null }
    : json({ detail }, status, { ...CLOSING, ...headers });
}

/** h3 reads the address from both forms of the headers. */
function replaceAddress(request: IncomingMessage, { host, target }: CheckedRequest): void {
  request.url = target;
  request.headers.host = host;
  const at = request.rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (at < 0) request.rawHeaders.push("Host", host);
  else request.rawHeaders[at + 1] = host;
}

/** Host and port of this end of a connection, for HTTP/1.0 requests without a Host header. */
const localAuthority = ({ localAddress = "127.0.0.1", localPort = 80 }: Socket): string =>
  `${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`;

export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  const text = typeof body === "string" ? body : undefined;
  response.writeHead(status, {
    ...headers,
    ...(text !== undefined && { "content-length": Buffer.byteLength(text) }),
  });
  response.end(response.req.method === "HEAD" ? undefined : text);
}

/** Connections whose further input is ignored. */
const REJECTED = new WeakSet<Duplex>();

/**
 * Answers input that is not HTTP, too long or too slow, and closes the connection.
 *
 * Complete requests before it are answered first; otherwise the client would take this answer for one of theirs.
 */
export function rejectMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (REJECTED.has(socket)) return;
  REJECTED.add(socket);
  const [status, detail] = PARSE_ERRORS[error.code ?? ""] ?? [400, "The request is not valid HTTP."];
  const open = openResponses(socket);
  const complete = open.filter((response) => response.req.complete);
  const close = (): void => {
    if (open.some((response) => !response.req.complete && response.headersSent)) socket.destroy();
    else closeWith(socket, status, detail);
  };
  let pending = complete.length;
  if (pending === 0) close();
  for (const response of complete) response.once("close", () => --pending === 0 && close());
}

const PARSE_ERRORS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `Address and headers together have at most ${HEAD_MAX} bytes.`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The extensions of a chunk are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive."],
};

/** Writes an answer to a connection without a request to answer, and closes it. */
export function closeWith(socket: Duplex, status: number, detail: string, headers: Headers = {}): void {
  socket.on("error", ignore);
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify({ detail });
  const length = { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...CLOSING, "content-type": JSON_TYPE, ...headers, ...length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`, () => socket.destroy());
}
