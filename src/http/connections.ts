/**
 * Limits the connections of each client address that wait for a request, or whose responses are not read, so that slow
 * clients of one address cannot use up all connections.
 *
 * Above the limit the oldest connection is closed, rather than a new one refused: a client that sends its request at
 * once is served, however many slow clients share its address.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../actions/attempts.ts";

export interface ConnectionLimits {
  /** For each IPv4 address or IPv6 network of 64 bits. */
  readonly max: number;
  /** Whether an address serves many clients, such as a proxy. */
  isExempt(address: string): boolean;
  /** Closes a connection that has waited too long for a request. */
  close(socket: Socket): void;
}

export function limitConnections(server: Server, { max, isExempt, close }: ConnectionLimits): void {
  const waiting = connectionSets();
  const responding = connectionSets();
  /** Only connections that are not exempt. */
  const networks = new WeakMap<Socket, string>();
  const openRequests = new WeakMap<Socket, number>();

  function wait(socket: Socket, network: string): void {
    if (socket.destroyed) return;
    const sockets = waiting.add(network, socket);
    const [oldest] = sockets;
    if (sockets.size <= max || !oldest) return;
    waiting.delete(network, oldest);
    close(oldest);
  }

  function respond(socket: Socket, network: string): void {
    const sockets = responding.add(network, socket);
    if (sockets.size <= max) return;
    // A response in the making is not closed: nothing of it is waiting to be read.
    for (const each of sockets) if (each.writableNeedDrain) return void each.destroy();
  }

  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    if (isExempt(address)) return;
    const network = networkOf(address);
    networks.set(socket, network);
    socket.once("close", () => {
      waiting.delete(network, socket);
      responding.delete(network, socket);
    });
    wait(socket, network);
  });

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const network = networks.get(socket);
    if (network === undefined) return;
    const end = (): void => {
      const open = (openRequests.get(socket) ?? 1) - 1;
      openRequests.set(socket, open);
      if (open > 0) return;
      responding.delete(network, socket);
      wait(socket, network);
    };
    const begin = (): void => {
      if (response.closed) return;
      openRequests.set(socket, (openRequests.get(socket) ?? 0) + 1);
      waiting.delete(network, socket);
      respond(socket, network);
      response.once("close", end);
    };
    if (hasBody(request)) request.once("end", begin);
    else begin();
  };
  server.prependListener("request", onRequest);
  server.prependListener("checkContinue", onRequest);
}

/** Connections by network, in each set the oldest first. */
function connectionSets(): {
  add(network: string, socket: Socket): ReadonlySet<Socket>;
  delete(network: string, socket: Socket): void;
} {
  const sets = new Map<string, Set<Socket>>();
  return {
    add(network, socket) {
      const sockets = (sets.get(network) ?? new Set<Socket>()).add(socket);
      sets.set(network, sockets);
      return sockets;
    },
    delete(network, socket) {
      const sockets = sets.get(network);
      sockets?.delete(socket);
      if (sockets?.size === 0) sets.delete(network);
    },
  };
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
