/** The app on a port, until told to stop. */
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createProbe } from "node:net";
import { toNodeHandler, type H3 } from "h3";
import { listen } from "listhen";
import { setup } from "../errors.ts";

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
  /** Whether to show the site in the user's browser. */
  readonly open?: boolean;
}

/** Milliseconds: a client that takes longer to send its headers or body is cut off. */
const HEADERS_TIMEOUT = 15_000;
const REQUEST_TIMEOUT = 60_000;
/** Node looks for slow ones every 30 s; so many may be open until then, silent or not. */
const CONNECTIONS_MAX = 2000;
/** Milliseconds that answers in hand have at the end; a client that will not listen does not keep the server up. */
const LAST_ANSWERS = 10_000;

/** @throws CmsError `setup` when the port is taken or the host is none of this machine's */
export async function serveApp(app: H3, { host, port, open = false }: ServeOptions): Promise<Serving> {
  await probe(host, port);
  const listener = await listen(toNodeHandler(app) as Parameters<typeof listen>[0], {
    hostname: host,
    port,
    showURL: false,
    qr: false,
    clipboard: false,
    autoClose: false,
    open,
  });
  const taken = (listener.server.address() as { port: number }).port;
  // listhen looks for another port when one is taken; a site must be where it was asked to be.
  if (port !== 0 && taken !== port) {
    await listener.close();
    throw portTaken(port);
  }
  const server = listener.server as Server;
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.maxConnections = CONNECTIONS_MAX;
  keepSockets(server);
  const shown = host.includes(":") ? `[${host}]` : host;
  return { url: `http://${shown}:${taken}/`, host, port: taken, close: () => stop(server) };
}

/**
 * listhen has a look at a request's socket when the answer is out. A request whose body was not read to the end has none
 * by then, and what that look throws nobody catches: it would end the process.
 */
function keepSockets(server: Server): void {
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    response.on("finish", () => {
      if ((request.socket as unknown) === null) request.socket = socket;
    });
  });
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

async function probe(host: string, port: number): Promise<void> {
  const server = createProbe();
  try {
    server.listen(port, host);
    await once(server, "listening");
    server.close();
    await once(server, "close");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw portTaken(port);
    if (code === "EACCES") throw setup(`Port ${port} needs more rights than this process has: choose one above 1023 with --port.`, error);
    throw setup(`${host} cannot be listened on (${code}): choose an address of this machine with --host.`, error);
  }
}

const portTaken = (port: number) => setup(`Port ${port} is taken: stop what uses it, or choose another with --port.`);
