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

export function limitConnections(server: Server, { max, isExempt, close }: ConnectionLimits): LimitedConnections {
  const waiting = connectionSets(max, ([oldest]) => {
    if (!oldest) return;
    waiting.delete(oldest);
    close(oldest);
  });
  // Only a connection with unread data is closed: other responses are still being computed.
  const responding = connectionSets(max, (sockets) => sockets.find((each) => each.writableNeedDrain)?.destroy());
  /** Of the connections that are not exempt. */
  const openRequests = new WeakMap<Socket, number>();

  server.on("connection", (socket) => {
    if (isExempt(socket.remoteAddress ?? "")) return;
    openRequests.set(socket, 0);
    socket.once("close", () => {
      waiting.delete(socket);
      responding.delete(socket);
    });
    waiting.add(socket);
  });

  const begin: LimitedConnections["begin"] = (request, response) => {
    const { socket } = request;
    if (!openRequests.has(socket)) return;
    const count = (change: number): number => {
      const open = (openRequests.get(socket) ?? 0) + change;
      openRequests.set(socket, open);
      return open;
    };
    const end = (): void => {
      if (count(-1) > 0) return;
      responding.delete(socket);
      if (!socket.destroyed) waiting.add(socket);
    };
    const respond = (): void => {
      if (response.closed) return;
      count(1);
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
      if (openRequests.get(socket) !== 0) return;
      waiting.delete(socket);
      waiting.add(socket);
    },
  };
}

interface ConnectionSets {
  add(socket: Socket): void;
  delete(socket: Socket): void;
}

/** Sets of connections by network. @param onExcess called with a set of more than `max`, its oldest connection first */
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
