/** Servers of git repositories on loopback, at free ports: `git daemon`, and `git http-backend` behind an HTTP server. */
import { spawn } from "node:child_process";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { onTestFinished } from "vitest";
// @ts-expect-error: a script, which has no types
import { answerGit } from "../bench/git-http.mjs";
import { GIT_ENV } from "../store/git/git-site.ts";

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
  const site = { folder, env: GIT_ENV, limit: () => limit };
  const server = createHttpServer((request, response) => answerGit(site, request, response));
  const url = `http://127.0.0.1:${await portOf(server)}`;
  return { url, cutAfter: (bytes) => void (limit = bytes) };
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => new Promise<void>((closed) => void server.close(() => closed())));
  return (server.address() as AddressInfo).port;
}
