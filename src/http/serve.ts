/** The app on a port, until told to stop. */
import { once } from "node:events";
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { toNodeHandler, type H3 } from "h3";
import { setup } from "../errors.ts";
import { systemEnv, type Env } from "../env.ts";
import { boundWaiting } from "./connections.ts";
import { defectReply } from "./errors.ts";
import { DATA } from "./headers.ts";
import { isInNetworks } from "./origin.ts";
import { json, PRIVATE, type Reply } from "./reply.ts";
import { HEAD_MAX, judge, METHODS, type Judged, type Verdict } from "./request-guard.ts";

export interface Serving {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Takes no more connections; resolves when the answers in hand are out. */
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Hears of requests that end in a defect of the program, and numbers them. */
  readonly env?: Pick<Env, "log" | "uuid">;
  /** Addresses and networks whose connections are not counted for one client. */
  readonly trustedProxies?: readonly string[];
  /** Milliseconds in which a client has to take a piece of its answer. */
  readonly takeTimeout?: number;
}

/** Milliseconds: a client that takes longer to send its headers or body is cut off, at the next look. */
const HEADERS_TIMEOUT = 15_000;
const REQUEST_TIMEOUT = 60_000;
const TAKE_TIMEOUT = 60_000;
const LOOK_INTERVAL = 2_000;
const CONNECTIONS_MAX = 2000;
/** For each client address, of those without a complete request, and of those whose answers are not taken. */
const WAITING_MAX = 200;
/** Milliseconds that answers in hand have at the end; a client that will not listen does not keep the server up. */
const LAST_ANSWERS = 10_000;

/** @throws CmsError `setup` when the port is taken or the host is none of this machine's */
export async function serveApp(
  app: H3,
  { host, port, env = systemEnv(), trustedProxies = [], takeTimeout = TAKE_TIMEOUT }: ServeOptions,
): Promise<Serving> {
  const server = createServer({
    maxHeaderSize: HEAD_MAX,
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    connectionsCheckingInterval: LOOK_INTERVAL,
    requireHostHeader: false, // the guard judges it, with a reason in its answer
  });
  server.maxHeadersCount = 0; // beyond a number Node would leave headers out without a word
  server.maxConnections = CONNECTIONS_MAX;
  // An answer that is still being made may take its time, such as the renditions of a large picture.
  server.setTimeout(takeTimeout, (socket) => {
    const open = [...(OPEN.get(socket) ?? [])];
    if (open.length === 0 || open.some((response) => response.headersSent)) socket.destroy();
  });
  boundWaiting(server, {
    most: WAITING_MAX,
    isExempt: (address) => isInNetworks(trustedProxies, address),
    close: (socket) => endSocket(socket, 408, "The request took too long to arrive."),
  });
  const answer = answerWith(app, env);
  server.on("request", answer);
  server.on("checkContinue", (request, response) => {
    const judged = guarded(request, response);
    if (!judged) return;
    response.writeContinue();
    answer(request, response);
  });
  server.on("checkExpectation", (request, response) => {
    if (guarded(request, response))
      send(response, json({ detail: "The only expectation met is 100-continue." }, 417, CLOSING));
  });
  server.on("connect", (_request, socket) =>
    endSocket(socket, 405, 'Method "CONNECT" not allowed.', `Allow: ${METHODS.join(", ")}\r\n`),
  );
  server.on("clientError", refuseBroken);
  await listen(server, host, port);
  const taken = (server.address() as AddressInfo).port;
  const shown = host.includes(":") ? `[${host}]` : host;
  return { url: `http://${shown}:${taken}/`, host, port: taken, close: () => stop(server) };
}

/** What the guard refuses, and a request whose failure left no answer, ends the connection. */
const CLOSING = { ...PRIVATE, ...DATA, connection: "close" };

/** Answers that are not out yet, by connection. */
const OPEN = new WeakMap<Duplex, Set<ServerResponse>>();

/**
 * Hands a request on to the app, and answers for it whatever the app does: what goes wrong here ends this request alone.
 */
function answerWith(
  app: H3,
  env: Pick<Env, "log" | "uuid">,
): (request: IncomingMessage, response: ServerResponse) => void {
  const handle = toNodeHandler(app);
  return (request, response) => {
    if (!guarded(request, response)) return;
    const fail = (error: unknown): void => {
      const reply = defectReply(error, env, { method: request.method ?? "", path: request.url ?? "" });
      if (response.headersSent) response.destroy();
      else send(response, { ...reply, headers: { ...reply.headers, ...CLOSING } });
    };
    try {
      Promise.resolve(handle(request, response)).catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

/** Judged once: the second listener of a request with `Expect` finds it done. */
const PASSED = new WeakSet<IncomingMessage>();

/** Whether a request may go on, with its head as it was judged. If not, it is answered. */
function guarded(request: IncomingMessage, response: ServerResponse): boolean {
  if (PASSED.has(request)) return true;
  const { socket } = request;
  const open = OPEN.get(socket) ?? opened(socket);
  open.add(response);
  response.once("close", () => open.delete(response));
  // A stream without a listener for its errors would end the process. Whoever reads it hears of them as well.
  for (const stream of [request, response, socket])
    if (stream.listenerCount("error", ignore) === 0) stream.on("error", ignore);
  const { method = "", url: target = "", rawHeaders, httpVersion } = request;
  const judged = judge({ method, target, rawHeaders, httpVersion, local: localHost(socket) });
  if ("status" in judged) {
    send(response, refusal(judged));
    return false;
  }
  passOn(request, judged);
  PASSED.add(request);
  return true;
}

/**
 * The set of a connection's open answers, which ends them with it. Node tells only the first of pipelined answers that
 * its connection is gone: the others would hold their files open until they are collected as garbage.
 */
function opened(socket: Socket): Set<ServerResponse> {
  const open = new Set<ServerResponse>();
  OPEN.set(socket, open);
  socket.once("close", () => {
    for (const response of [...open]) {
      if (response.socket) continue;
      response.destroy();
      response.emit("close");
    }
  });
  return open;
}

const ignore = (): void => {};

function refusal({ status, detail, allow }: Verdict): Reply {
  const told: Record<string, string> = allow === undefined ? {} : { allow };
  return detail === undefined
    ? { status, headers: { ...PRIVATE, ...DATA, ...told }, body: null }
    : json({ detail }, status, { ...CLOSING, ...told });
}

/** The request object that is built below h3 reads the address from here, and some of the headers from each of the two. */
function passOn(request: IncomingMessage, { host, target }: Judged): void {
  request.url = target;
  request.headers.host = host;
  const at = request.rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (at < 0) request.rawHeaders.push("Host", host);
  else request.rawHeaders[at + 1] = host;
}

/** This end of a connection, for HTTP/1.0 requests that name no host. */
function localHost({ localAddress = "127.0.0.1", localPort = 80 }: Socket): string {
  return `${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`;
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, {
    ...headers,
    ...(typeof body === "string" && { "content-length": Buffer.byteLength(body) }),
  });
  response.end(response.req.method === "HEAD" || typeof body !== "string" ? undefined : body);
}

/** Connections whose input is not read any more. */
const REFUSED = new WeakSet<Duplex>();

/**
 * What is no HTTP, too long or too slow is told so, and the connection closed.
 *
 * Answers to the complete requests before it go first, or the client would take this one for one of them.
 */
function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (REFUSED.has(socket)) return;
  REFUSED.add(socket);
  const [status, detail] = BROKEN[error.code ?? ""] ?? [400, "The request is not valid HTTP."];
  const open = [...(OPEN.get(socket) ?? [])];
  const first = open.filter((response) => response.req.complete);
  const end = (): void => {
    if (open.some((response) => !response.req.complete && response.headersSent)) socket.destroy();
    else endSocket(socket, status, detail);
  };
  let left = first.length;
  if (left === 0) end();
  for (const response of first) response.once("close", () => --left === 0 && end());
}

const BROKEN: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, `Address and headers together have at most ${HEAD_MAX} bytes.`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The extensions of a chunk are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive."],
};

/** Writes an answer to a connection that has no request to answer, and closes it. @param head further header lines */
function endSocket(socket: Duplex, status: number, detail: string, head = ""): void {
  socket.on("error", ignore);
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify({ detail });
  const lines = Object.entries({ ...CLOSING, "content-type": "application/json; charset=utf-8" }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  // A connection kept alive counts as idle only once its answer is out.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const patience = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS);
  await closed;
  clearInterval(idle);
  clearTimeout(patience);
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw setup(`Port ${port} is taken: stop what uses it, or choose another with --port.`);
    if (code === "EACCES")
      throw setup(`Port ${port} needs more rights than this process has: choose one above 1023 with --port.`, error);
    throw setup(`${host} cannot be listened on (${code}): choose an address of this machine with --host.`, error);
  }
}
