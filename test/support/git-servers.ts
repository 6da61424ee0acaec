/** Servers of git repositories on loopback, at free ports: `git daemon`, and `git http-backend` behind an HTTP server. */
import { spawn } from "node:child_process";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { onTestFinished } from "vitest";
import { GIT_ENV } from "../store/git-site.ts";

/** The folder's repositories at `git://`, open to pushes. @returns the address of the folder */
export async function gitDaemon(folder: string): Promise<string> {
  const args = ["daemon", "--inetd", "--export-all", "--enable=receive-pack", `--base-path=${folder}`];
  const server = createServer((socket) => {
    const child = spawn("git", args, { env: GIT_ENV, stdio: ["pipe", "pipe", "ignore"] });
    socket.on("error", () => child.kill());
    child.stdin.on("error", () => undefined);
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
  });
  return `git://127.0.0.1:${await portOf(server)}`;
}

export interface HttpRemote {
  /** The address of the folder. */
  readonly url: string;
  /** Cuts connections off after this many bytes of an answer; null: never. */
  cutAfter(bytes: number | null): void;
}

/** The folder's repositories at `http://`, open to pushes. */
export async function gitHttp(folder: string): Promise<HttpRemote> {
  let limit: number | null = null;
  const server = createHttpServer((request, response) => void answer(folder, request, response, () => limit));
  const url = `http://127.0.0.1:${await portOf(server)}`;
  return { url, cutAfter: (bytes) => void (limit = bytes) };
}

/** The Common Gateway Interface (RFC 3875), as `git http-backend` uses it. */
function answer(folder: string, request: IncomingMessage, response: ServerResponse, limit: () => number | null): void {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const { headers } = request;
  const child = spawn("git", ["-c", "http.receivepack=true", "http-backend"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: {
      ...GIT_ENV,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: headers["content-type"] ?? "",
      CONTENT_LENGTH: headers["content-length"] ?? "",
      HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
      HTTP_GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
      REMOTE_ADDR: "127.0.0.1",
    },
  });
  child.stdin.on("error", () => undefined); // it need not read the whole body
  request.on("error", () => child.kill());
  request.pipe(child.stdin);
  let head = "";
  let sent = 0;
  const send = (bytes: Buffer): void => {
    const left = (limit() ?? Number.POSITIVE_INFINITY) - sent;
    sent += bytes.length;
    if (bytes.length <= left) return void response.write(bytes);
    response.write(bytes.subarray(0, left), () => request.socket.destroy());
    child.kill();
  };
  child.stdout.on("data", (chunk: Buffer) => {
    if (response.headersSent) return send(chunk);
    head += chunk.toString("latin1");
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    const fields = head
      .slice(0, end)
      .split("\r\n")
      .map((line) => line.split(/: ?(.*)/s) as [string, string]);
    const status = fields.find(([name]) => name.toLowerCase() === "status")?.[1] ?? "200";
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(fields.filter(([name]) => name !== "Status")));
    send(Buffer.from(head.slice(end + 4), "latin1"));
  });
  child.on("close", () => response.end());
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => new Promise<void>((closed) => void server.close(() => closed())));
  return (server.address() as AddressInfo).port;
}
