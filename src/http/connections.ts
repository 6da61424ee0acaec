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
import { hasBody } from "./request.ts";

interface ConnectionLimits {
  /** For each IPv4 address or IPv6 network of 64 bits. */
  readonly max: number;
  /** Whether an address serves many clients, such as a proxy. */
  isExempt(address: string): boolean;
  /** Closes a connection that has waited too long for a request. */
  close(socket: Socket): void;
}

interface LimitedConnections {
  /** Counts a request until its response is closed. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Counts a request whose whole response is already in the buffers of the system. */
  pass(request: IncomingMessage): void;
}

/** Of a connection that is not exempt. */
interface Connection {
  /** How many of its requests have no whole response yet. */
  openRequests: number;
  /** Its place in the order in which connections began to wait. */
  waitsSince: number;
}

export function limitConnections(server: Server, { max, isExempt, close }: ConnectionLimits): LimitedConnections {
  const connections = new WeakMap<Socket, Connection>();
  let waits = 0;
  const waitsSince = (socket: Socket): number => connections.get(socket)?.waitsSince ?? 0;
  const waiting = connectionSets(max, (sockets) => {
    const oldest = sockets.reduce((a, b) => (waitsSince(b) < waitsSince(a) ? b : a));
    waiting.delete(oldest);
    close(oldest);
  });
  // Only a connection with unread data is closed: other responses are still being computed.
  const responding = connectionSets(max, (sockets) => sockets.find((each) => each.writableNeedDrain)?.destroy());

  server.on("connection", (socket) => {
    if (isExempt(socket.remoteAddress ?? "")) return;
    connections.set(socket, { openRequests: 0, waitsSince: ++waits });
    socket.once("close", () => {
      waiting.delete(socket);
      responding.delete(socket);
    });
    waiting.add(socket);
  });

  const begin: LimitedConnections["begin"] = (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (!connection) return;
    const end = (): void => {
      if (--connection.openRequests > 0) return;
      responding.delete(socket);
      if (socket.destroyed) return;
      connection.waitsSince = ++waits;
      waiting.add(socket);
    };
    const respond = (): void => {
      if (response.closed) return;
      connection.openRequests++;
      waiting.delete(socket);
      responding.add(socket);
      response.once("close", end);
    };
    if (hasBody(request)) request.once("end", respond);
    else respond();
  };
  return {
    begin,
    pass({ socket }) {
      const connection = connections.get(socket);
      if (connection?.openRequests === 0) connection.waitsSince = ++waits;
    },
  };
}

interface ConnectionSets {
  add(socket: Socket): void;
  delete(socket: Socket): void;
}

/** Sets of connections by network. @param onExcess called with a set of more than `max` */
function connectionSets(max: number, onExcess: (sockets: readonly Socket[]) => void): ConnectionSets {
  const sets = new Map<string, Set<Socket>>();
  const networks = new WeakMap<Socket, string>(); // a closed socket has no address
  return {
    add(socket) {
      const network = networks.get(socket) ?? networkOf(socket.remoteAddress ?? "");
      networks.set(socket, network);
      const sockets = (sets.get(network) ?? new Set<Socket>()).add(socket);
      sets.set(network, sockets);
      if (sockets.size > max) onExcess([...sockets]);
    },
    delete(socket) {
      const network = networks.get(socket);
      const sockets = network === undefined ? undefined : sets.get(network);
      if (sockets?.delete(socket) && sockets.size === 0 && network !== undefined) sets.delete(network);
    },
  };
}
