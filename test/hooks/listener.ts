/** A listener of hooks: a real HTTP server on a free port. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface Listener {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves when there have been this many requests. */
  after(count: number): Promise<readonly Received[]>;
}

/** @param respond by default 200 */
export async function listener(
  respond: (response: ServerResponse, received: Received, count: number) => void = (response) => response.end("ok"),
): Promise<Listener> {
  const received: Received[] = [];
  let notice = (): void => undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const each = { headers: request.headers, text, body: JSON.parse(text) };
      received.push(each);
      respond(response, each, received.length);
      notice();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=1`,
    received,
    async after(count) {
      while (received.length < count) await new Promise<void>((resolve) => (notice = resolve));
      return received;
    },
  };
}
