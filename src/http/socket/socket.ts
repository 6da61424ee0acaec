/**
 * Requests and responses at the socket, before and without the app: the guard, and answers to requests that are refused
 * or cannot be parsed.
 */
import type { EventEmitter } from "node:events";
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Server as TlsServer } from "node:tls";
import { JSON_HEADERS } from "../request/headers.ts";
import { json, JSON_TYPE, PRIVATE, type Headers, type Reply } from "../request/reply.ts";
import { checkRequest, HEAD_MAX, type CheckedRequest, type Refusal } from "./request-guard.ts";

/** Headers of answers after which the connection is closed. */
export const CLOSING: Headers = { ...PRIVATE, ...JSON_HEADERS, connection: "close" };

export const isSecure = (server: object): boolean => server instanceof TlsServer;

/** Calls a listener with each connection that can carry requests, after Node's own listener. */
export function onConnection(server: Server, listener: (socket: Socket) => void): void {
  server.on(isSecure(server) ? "secureConnection" : "connection", listener);
}

/** Checks a request, before anything else looks at it. @returns why it is refused */
export function refusalOf(request: IncomingMessage): Refusal | undefined {
  const { socket, method = "", url: target = "", rawHeaders, httpVersion, headers } = request;
  const local = headers.host === undefined ? localAuthority(socket) : "";
  const checked = checkRequest({ method, target, rawHeaders, httpVersion, local });
  if ("status" in checked) return checked;
  if (checked.host !== headers.host || checked.target !== target) replaceAddress(request, checked);
  return undefined;
}

/** An error event without a listener would end the process. */
export function ignoreErrors(...streams: readonly EventEmitter[]): void {
  for (const stream of streams) if (stream.listenerCount("error", ignore) === 0) stream.on("error", ignore);
}

const ignore = (): void => {};

export function refusalReply({ status, detail, allow }: Refusal): Reply {
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

/** The status and the reason for input that is not HTTP, too long or too slow. */
export const parseRefusal = ({ code = "" }: NodeJS.ErrnoException): readonly [status: number, detail: string] =>
  PARSE_ERRORS[code] ?? [400, "The request is not valid HTTP."];

const PARSE_ERRORS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `Address and headers together have at most ${HEAD_MAX} bytes.`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The extensions of a chunk are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive."],
};

/** Writes an answer to a connection without a request to answer, and closes it. */
export function closeWith(socket: Duplex, status: number, detail: string, headers: Headers = {}): void {
  ignoreErrors(socket);
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify({ detail });
  const length = { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...CLOSING, "content-type": JSON_TYPE, ...headers, ...length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`, () => socket.destroy());
}
