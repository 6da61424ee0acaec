/** A site on a real port, and requests written byte by byte. */
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Cms } from "../../../src/cms.ts";
import { nodeApp } from "../../../src/http/app/h3-app.ts";
import { directReads, type DirectReads } from "../../../src/http/socket/direct.ts";
import { serveApp } from "../../../src/http/socket/serve.ts";

export interface Line {
  readonly port: number;
  /** Writes the text and reads until the connection ends. */
  say(text: string): Promise<string>;
  /** One GET with the address sent unchanged. */
  get(target: string, headers?: readonly string[]): Promise<string>;
}

/** @param direct null: every request goes through h3 */
export async function served(
  cms: Cms,
  direct: DirectReads | null = directReads(cms),
  options: { readonly slowAfter?: number } = {},
): Promise<Line> {
  const { port, close } = await serveApp(() => nodeApp(cms), {
    ...{ host: "127.0.0.1", port: 0, ...options },
    ...(direct && { direct }),
  });
  const sockets = new Set<Socket>();
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await close();
  });
  const say = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1");
      sockets.add(socket);
      let heard = "";
      socket.setEncoding("utf8");
      socket.on("data", (chunk) => (heard += chunk));
      socket.on("close", () => resolve(heard));
      socket.on("error", () => resolve(heard));
      socket.write(text, "latin1");
    });
  const get: Line["get"] = (target, headers = ["Host: test.local"]) =>
    say(`GET ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\nConnection: close\r\n\r\n`);
  return { port, say, get };
}
