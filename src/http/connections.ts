/**
 * Connections that wait for a request, bounded for each address, so that slow clients of one address cannot hold them all.
 *
 * Beyond the bound the connection that has waited longest is closed, not the new one refused: a client that sends its
 * request at once is answered however many slow ones share its address. The same holds for clients that do not take
 * their answers.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../actions/attempts.ts";

export interface WaitingOptions {
  /** For each IPv4 address or IPv6 network of 64 bits. */
  readonly most: number;
  /** Addresses that speak for many clients, such as proxies. */
  isExempt(address: string): boolean;
  /** Closes a connection that has waited too long for a request. One whose client takes no answer is just destroyed. */
  close(socket: Socket): void;
}

/** Waiting is every connection without a complete request that is being answered. */
export function boundWaiting(server: Server, { most, isExempt, close }: WaitingOptions): void {
  // Each set has the longest waiting first.
  const waiting = new Map<string, Set<Socket>>();
  const inHand = new WeakMap<Socket, number>();
  // Each set has the longest answered first.
  const answered = new Map<string, Set<Socket>>();

  function wait(socket: Socket, network: string): void {
    if (socket.destroyed) return;
    const sockets = waiting.get(network) ?? new Set<Socket>();
    waiting.set(network, sockets.add(socket));
    if (sockets.size <= most) return;
    const [longest] = sockets;
    leave(longest!, network);
    close(longest!);
  }

  /** An answer that takes long to make is left alone: nothing of it waits to be taken. */
  function answer(socket: Socket, network: string): void {
    const sockets = answered.get(network) ?? new Set<Socket>();
    answered.set(network, sockets.add(socket));
    if (sockets.size <= most) return;
    for (const each of sockets) if (each.writableNeedDrain) return void each.destroy();
  }

  function leave(socket: Socket, network: string, all = waiting): void {
    const sockets = all.get(network);
    sockets?.delete(socket);
    if (sockets?.size === 0) all.delete(network);
  }

  const networks = new WeakMap<Socket, string>();
  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    if (isExempt(address)) return;
    const network = networkOf(address);
    networks.set(socket, network);
    socket.once("close", () => {
      leave(socket, network);
      leave(socket, network, answered);
    });
    wait(socket, network);
  });

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const network = networks.get(socket);
    if (network === undefined) return;
    let isInHand = false;
    const begin = (): void => {
      if (isInHand || response.closed) return;
      isInHand = true;
      inHand.set(socket, (inHand.get(socket) ?? 0) + 1);
      leave(socket, network);
      answer(socket, network);
    };
    if (hasBody(request)) request.once("end", begin);
    else begin();
    response.once("close", () => {
      if (!isInHand) return;
      const left = inHand.get(socket)! - 1;
      inHand.set(socket, left);
      if (left > 0) return;
      leave(socket, network, answered);
      wait(socket, network);
    });
  };
  server.prependListener("request", onRequest);
  server.prependListener("checkContinue", onRequest);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
