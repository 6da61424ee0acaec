/** Serves the app on a port. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setup } from "../../errors.ts";
import { systemEnv } from "../../env.ts";
import { limitConnections } from "./connections.ts";
import type { DirectReads } from "./direct.ts";
import { errorReply, type FailureLog } from "../request/errors.ts";
import { isInNetworks } from "../request/origin.ts";
import type { Metrics } from "../routes/metrics.ts";
import { loggedPath, logResponses, type LoggedResponse } from "../request/request-log.ts";
import { json } from "../request/reply.ts";
import { pipelining, type Pipelining } from "./pipelining.ts";
import { HEAD_MAX, METHODS } from "./request-guard.ts";
import { CLOSING, closeWith, ignoreErrors, isSecure, parseRefusal, refusalOf, refusalReply, send } from "./socket.ts";

export interface Serving {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Stops accepting connections; resolves when all open responses are sent, or after `CLOSE_TIMEOUT`. */
  close(): Promise<void>;
}

/** Opens a server that listens; requests are answered by what is attached to it before the next turn of the event loop. */
export type ListenOn = (port: number, host: string) => Promise<Server>;

interface ServeOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Without them, every request goes through h3. */
  readonly direct?: DirectReads;
  /** Logs requests that fail because of a defect of the program. */
  readonly env?: FailureLog;
  /** Addresses and networks that are exempt from the limit of connections per client. */
  readonly trustedProxies?: readonly string[];
  /** Called after each response; also sets `X-Request-Id` on all of them. */
  readonly log?: (response: LoggedResponse) => void;
  /** Counts the connections and responses of the server. */
  readonly metrics?: Metrics;
  /** In milliseconds: how long a client may stop reading its response before the connection is closed. */
  readonly takeTimeout?: number;
  /** In milliseconds; see `limitConnections`. */
  readonly slowAfter?: number;
  /** Instead of a server of Node's own. */
  readonly listenOn?: ListenOn;
}

/** In milliseconds. Clients that take longer to send a request are answered 408 at the next check. */
const HEADERS_TIMEOUT = 30_000;
const REQUEST_TIMEOUT = 60_000;
const TAKE_TIMEOUT = 60_000;
const CHECK_INTERVAL = 2_000;
/** In milliseconds: how long `close` waits for clients that do not read their responses. */
const CLOSE_TIMEOUT = 10_000;
const SLOW_AFTER = 5_000;
/** Connections that the system keeps until they are accepted: many more than usual come when a build asks for all pages. */
const BACKLOG = 4096;

export type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Called for requests that are not sent directly, until it has given the app. A failure is that of its request only. */
export type OpenApp = () => Handle | Promise<Handle>;

/** @throws CmsError `setup` when the port is in use or the host is not an address of this machine */
export async function serveApp(
  openApp: OpenApp,
  {
    host,
    port,
    direct,
    env = systemEnv(),
    trustedProxies = [],
    log,
    metrics,
    takeTimeout = TAKE_TIMEOUT,
    slowAfter = SLOW_AFTER,
    listenOn,
  }: ServeOptions,
): Promise<Serving> {
  const server = listenOn ? await listenOn(port, host) : openServer();
  limitRequests(server);
  const pipeline = pipelining(server);
  const limits = limitConnections(server, {
    slowAfter,
    isExempt: (address) => isInNetworks(trustedProxies, address),
    waitingInput: pipeline.waitingInput,
    refuse: (socket) => refuseInput(pipeline, socket, [408, SLOW]),
  });
  // A response that has not started may still be computed, such as the renditions of a large image.
  server.on("timeout", (socket: Socket) => {
    const open = pipeline.openResponse(socket);
    if (!open || open.headersSent) socket.destroy();
  });
  /** Tracks and limits a response that is not sent at once. */
  const track: Handle = (request, response) => {
    limits.begin(request, response);
    ignoreErrors(request, response, request.socket);
    request.socket.setTimeout(takeTimeout);
    if (metrics) response.once("finish", () => metrics.countResponse(response.statusCode));
  };
  const pass: Handle = (request, response) => {
    limits.pass(request);
    metrics?.countResponse(response.statusCode);
  };
  acceptRequests(server, { ...requestHandlers(openApp, direct, env), track, pass, pipeline });
  metrics?.observe(server, limits.figures);
  if (log) logResponses(server, log, (address) => isInNetworks(trustedProxies, address));
  if (!server.listening) await listen(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  const authority = `${host.includes(":") ? `[${host}]` : host}:${bound}`;
  const scheme = isSecure(server) ? "https" : "http";
  return { url: `${scheme}://${authority}/`, host, port: bound, close: () => stop(server) };
}

/** A server with limits of size that can be set only here. */
function openServer(): Server {
  return createServer({
    maxHeaderSize: HEAD_MAX,
    connectionsCheckingInterval: CHECK_INTERVAL,
    requireHostHeader: false, // the request guard checks it, and answers with a reason
  });
}

function limitRequests(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.maxHeadersCount = 0; // with a limit, Node would drop further headers silently
}

interface Acceptance {
  /** Called for every response that is not sent at once. */
  readonly track: Handle;
  /** Called for the others. */
  readonly pass: Handle;
  /** Answers what needs no h3. @returns false for all else */
  readonly read: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Has the app answer. */
  readonly handle: Handle;
  readonly pipeline: Pipelining;
}

function acceptRequests(server: Server, { track, pass, read, handle, pipeline }: Acceptance): void {
  server.on("request", (request, response) =>
    pipeline.take(request, response, () => {
      const refusal = refusalOf(request);
      const isTaken = !refusal && read(request, response);
      // Until the connection is closed, input that follows its last request must not be answered.
      if (isTaken && response.writableEnded && response.writableLength === 0 && response.shouldKeepAlive) {
        pass(request, response);
        return true;
      }
      track(request, response);
      if (refusal) send(response, refusalReply(refusal));
      else if (!isTaken) handle(request, response);
      return false;
    }),
  );
  /** A request with the header `Expect`. */
  const onExpectation = (answer: Handle) => (request: IncomingMessage, response: ServerResponse) =>
    pipeline.take(request, response, () => {
      track(request, response);
      const refusal = refusalOf(request);
      if (refusal) send(response, refusalReply(refusal));
      else answer(request, response);
      return false;
    });
  server.on(
    "checkContinue",
    onExpectation((request, response) => {
      response.writeContinue();
      if (!read(request, response)) handle(request, response);
    }),
  );
  server.on(
    "checkExpectation",
    onExpectation((_request, response) =>
      send(response, json({ detail: "The only expectation met is 100-continue." }, 417, CLOSING)),
    ),
  );
  server.on("connect", (_request, socket) => {
    ignoreErrors(socket);
    pipeline.stop(socket, () => closeWith(socket, 405, 'Method "CONNECT" not allowed.', { allow: METHODS.join(", ") }));
  });
  server.on("clientError", (error, socket) => refuseInput(pipeline, socket, parseRefusal(error)));
}

const SLOW = "The request took too long to arrive.";

/** Connections whose further input is ignored. */
const REFUSED = new WeakSet<Duplex>();

/**
 * Answers input that is no request, and closes the connection.
 *
 * Complete requests before it are answered first; otherwise the client would take this answer for one of theirs.
 */
function refuseInput(pipeline: Pipelining, socket: Duplex, [status, detail]: ReturnType<typeof parseRefusal>): void {
  if (REFUSED.has(socket)) return;
  REFUSED.add(socket);
  ignoreErrors(socket);
  pipeline.stop(socket, () => {
    if (pipeline.openResponse(socket)?.headersSent) socket.destroy();
    else closeWith(socket, status, detail);
  });
}

/** Pass admitted requests on. An error ends its own request, never the process. */
function requestHandlers(
  openApp: OpenApp,
  direct: DirectReads | undefined,
  env: FailureLog,
): Pick<Acceptance, "read" | "handle"> {
  let app: Handle | undefined;
  const appHandle: Handle = (request, response) => {
    const opened = app ?? openApp();
    if (!(opened instanceof Promise)) return (app = opened)(request, response);
    return opened.then((loaded) => (app = loaded)(request, response));
  };
  /** @returns what `work` does, and undefined for one that failed */
  const guarded = <T>(request: IncomingMessage, response: ServerResponse, work: () => T): T | undefined => {
    const fail = (error: unknown): undefined => {
      const reply = errorReply(error, env, { method: request.method ?? "", path: loggedPath(request.url ?? "") });
      if (response.headersSent) response.destroy();
      else send(response, { ...reply, headers: { ...reply.headers, ...CLOSING } });
    };
    try {
      const result = work();
      if (result instanceof Promise) result.catch(fail);
      return result;
    } catch (error) {
      return fail(error);
    }
  };
  return {
    read: (request, response) =>
      direct !== undefined &&
      (direct.sendCached(request, response) ||
        guarded(request, response, () => direct.send(request, response)) !== false),
    handle: (request, response) => void guarded(request, response, () => appHandle(request, response)),
  };
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  // A keep-alive connection becomes idle only after its response is sent.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const timeout = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
  await closed;
  clearInterval(idle);
  clearTimeout(timeout);
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen({ port, host, backlog: BACKLOG });
    await once(server, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw setup(`Port ${port} is taken: stop what uses it, or choose another with --port.`);
    if (code === "EACCES")
      throw setup(`Port ${port} needs more rights than this process has: choose one above 1023 with --port.`, error);
    throw setup(`${host} cannot be listened on (${code}): choose an address of this machine with --host.`, error);
  }
}
