/**
 * Limits what the connections of one client address, and all together, may hold: slow clients of one address cannot use
 * up all connections, and clients that do not read cannot use up the memory.
 *
 * A request that has arrived whole is never refused here, however many there are. Above a limit the oldest or the
 * largest connection is closed, rather than a new one refused: a client that sends its request at once is served,
 * whoever shares its address.
 */
import { readFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../../actions/accounts/attempts.ts";
import { onConnection } from "./socket.ts";

interface ConnectionLimits {
  /** In milliseconds: clients that need longer to read the next part of an answer, or four times as long to send a request, are slow. */
  readonly slowAfter: number;
  /** Whether an address serves many clients, such as a proxy. */
  isExempt(address: string): boolean;
  /** In bytes, of a connection; see `Pipelining`. */
  waitingInput(socket: Socket): number;
  /** Closes a connection that has waited too long for a request. */
  refuse(socket: Socket): void;
}

interface LimitedConnections {
  /** Counts a request until its response is closed. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Counts a request whose whole response is already in the buffers of the system. */
  pass(request: IncomingMessage): void;
  figures(): ConnectionFigures;
}

/** Why a connection was closed: its client did not send, or did not read; its bytes, or all connections, were too many. */
type ClosingReason = "slow_request" | "slow_reader" | "unread_bytes" | "connections";

export interface ConnectionFigures {
  /** Requests whose answers have not left yet. */
  readonly requests: number;
  /** Of answers, and of input that waits for the answers before it. */
  readonly unreadBytes: number;
  readonly closed: ReadonlyMap<ClosingReason, number>;
}

/** Slow connections of an IPv4 address or IPv6 network of 64 bits; of senders and of readers. */
const SLOW_MAX = 200;
/** In bytes, of an address and of all together. */
const UNREAD_OF_ADDRESS_MAX = 32 * 1024 * 1024;
const UNREAD_MAX = 128 * 1024 * 1024;
const CONNECTIONS_MAX = 16_000;
/** A quarter of the descriptors remains for files. */
const CONNECTIONS_PART = 0.75;
/** Checks within `slowAfter`. */
const CHECKS = 5;
/** A process that asks for thousands of pages at once opens all its connections before it sends the first request. */
const CHECKS_OF_SENDERS = 4 * CHECKS;

interface Connection {
  readonly socket: Socket;
  /** undefined for an address that is exempt. */
  readonly network: string | undefined;
  /** The one in progress. */
  request: IncomingMessage | undefined;
  /** Its place in the order in which connections began to wait, and the check before that. */
  order: number;
  since: number;
  /** In bytes, at the last check. */
  unread: number;
  sent: number;
  /** The last check at which the client had read something, or had nothing to read. */
  readAt: number;
}

export function limitConnections(server: Server, limits: ConnectionLimits): LimitedConnections {
  const max = Math.min(CONNECTIONS_MAX, Math.floor(descriptorsMax() * CONNECTIONS_PART));
  const connections = new Map<Socket, Connection>();
  const closed = new Map<ClosingReason, number>(
    (["slow_request", "slow_reader", "unread_bytes", "connections"] as const).map((reason) => [reason, 0]),
  );
  let order = 0;
  // Time is counted in checks: while the process is busy it reads nothing, and no client is to blame.
  let checks = 0;

  const close = ({ socket }: Connection, reason: ClosingReason): void => {
    connections.delete(socket);
    closed.set(reason, closed.get(reason)! + 1);
    if (reason === "slow_request") limits.refuse(socket);
    else socket.destroy();
  };
  const wait = (connection: Connection): void => {
    connection.request = undefined;
    connection.order = ++order;
    connection.since = checks;
  };
  const look = (connection: Connection): void => {
    const { socket } = connection;
    const sent = socket.bytesWritten - socket.writableLength;
    if (sent !== connection.sent || !socket.writableNeedDrain) connection.readAt = checks;
    connection.sent = sent;
    connection.unread = socket.writableLength + limits.waitingInput(socket);
  };
  const closeLargest = (all: readonly Connection[], most: number): void => {
    let sum = unreadOf(all);
    if (sum <= most) return;
    for (const each of [...all].sort((a, b) => b.unread - a.unread)) {
      if (sum <= most) break;
      sum -= each.unread;
      close(each, "unread_bytes");
    }
  };
  const check = (): void => {
    checks++;
    const all = [...connections.values()];
    all.forEach(look);
    for (const each of byNetwork(all).values()) {
      const senders = each.filter((one) => isWaiting(one) && checks - one.since > CHECKS_OF_SENDERS);
      for (const one of excess(senders, (a, b) => a.order - b.order)) close(one, "slow_request");
      const readers = each.filter((one) => checks - one.readAt > CHECKS);
      for (const one of excess(readers, (a, b) => a.readAt - b.readAt)) close(one, "slow_reader");
      closeLargest(each, UNREAD_OF_ADDRESS_MAX);
    }
    closeLargest([...connections.values()], UNREAD_MAX);
  };
  // A server that cannot listen is never closed, and must not keep the process running.
  const timer = setInterval(check, limits.slowAfter / CHECKS).unref();
  server.once("close", () => clearInterval(timer));

  onConnection(server, (socket) => {
    const address = socket.remoteAddress ?? "";
    const network = limits.isExempt(address) ? undefined : networkOf(address);
    const connection = { socket, network, request: undefined, order: ++order, since: checks, unread: 0, sent: 0 };
    connections.set(socket, { ...connection, readAt: checks });
    socket.once("close", () => connections.delete(socket));
    if (connections.size > max) close(oldestOfLargest(connections) ?? connections.get(socket)!, "connections");
  });
  return {
    begin(request, response) {
      const connection = connections.get(request.socket);
      if (!connection) return;
      connection.request = request;
      response.once("close", () => wait(connection));
    },
    pass({ socket }) {
      const connection = connections.get(socket);
      if (connection && !connection.request) wait(connection);
    },
    figures() {
      const all = [...connections.values()];
      all.forEach(look);
      return { requests: all.filter((each) => each.request).length, unreadBytes: unreadOf(all), closed };
    },
  };
}

const unreadOf = (all: readonly Connection[]): number => all.reduce((sum, { unread }) => sum + unread, 0);

/** Whether the client has to send. Where the connection is paused, the body is not read yet. */
const isWaiting = ({ request, socket }: Connection): boolean =>
  request === undefined || (!request.complete && !socket.isPaused());

/** Those above `SLOW_MAX`, the first ones. */
const excess = (slow: Connection[], compare: (a: Connection, b: Connection) => number): readonly Connection[] =>
  slow.length <= SLOW_MAX ? [] : slow.sort(compare).slice(0, slow.length - SLOW_MAX);

function byNetwork(all: Iterable<Connection>): ReadonlyMap<string, Connection[]> {
  const groups = new Map<string, Connection[]>();
  for (const each of all) {
    if (each.network === undefined) continue;
    const group = groups.get(each.network);
    if (group) group.push(each);
    else groups.set(each.network, [each]);
  }
  return groups;
}

/** The connection that has waited for longest, among those of the address with the most that wait for a request. */
function oldestOfLargest(connections: ReadonlyMap<Socket, Connection>): Connection | undefined {
  const groups = byNetwork([...connections.values()].filter(isWaiting));
  const largest = [...groups.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  return largest.reduce<Connection | undefined>((a, b) => (a && a.order < b.order ? a : b), undefined);
}

/** How many descriptors the system allows this process; Infinity where it does not say. Node raises it to the most it may be. */
function descriptorsMax(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return Number(soft ?? Infinity);
  } catch {
    return Infinity; // not Linux
  }
}
