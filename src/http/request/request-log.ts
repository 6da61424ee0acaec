/**
 * A line for each response, and its id as `X-Request-Id`. An id that a proxy sends is used, so that one request has one id in
 * all logs.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";

export type LogFormat = "human" | "json";

/** A response that was sent, or given up because the client left. */
export interface LoggedResponse {
  readonly time: string;
  readonly id: string;
  readonly method: string;
  /** Without the query, which may hold private data. */
  readonly path: string;
  /** 499 (as nginx has it) when the client left before the response began. */
  readonly status: number;
  /** In milliseconds, from the request's head to the end of the response. */
  readonly ms: number;
}

/** Ids of proxies: no longer and of no other characters, so that they cannot forge a line. */
const REQUEST_ID = /^[\w.:/+=-]{1,128}$/;
/** In characters, so that one request cannot fill the log. */
const PATH_SHOWN = 500;
const CLIENT_LEFT = 499;

/** Logs the responses of a server from now on. @param isTrusted whether an address is that of a proxy of ours */
export function logResponses(
  server: Server,
  write: (response: LoggedResponse) => void,
  isTrusted: (address: string) => boolean,
): void {
  // Before the listener that answers: headers cannot be set after it.
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const began = performance.now();
    const sent = request.headers["x-request-id"];
    const isKept = typeof sent === "string" && REQUEST_ID.test(sent) && isTrusted(request.socket.remoteAddress ?? "");
    response.setHeader("x-request-id", isKept ? sent : randomUUID());
    response.once("close", () =>
      write({
        time: new Date().toISOString(),
        // That of an error in the answer, which the log has the reason for.
        id: String(response.getHeader("x-request-id")),
        method: request.method ?? "",
        path: loggedPath(request.url ?? "").slice(0, PATH_SHOWN),
        status: response.headersSent ? response.statusCode : CLIENT_LEFT,
        ms: Math.round((performance.now() - began) * 10) / 10,
      }),
    );
  });
}

/**
 * The part of a request target that may be logged: without the query, and without the credentials of a whole address
 * (`GET http://user:password@host/`), also of one that is malformed.
 */
export const loggedPath = (target: string): string =>
  target.split(/[?#]/, 1)[0]!.replace(/^([^/]*:)?[/\\]{2,}[^/\\]*@/, "$1//");

/** One line, without its end. */
export function showResponse(response: LoggedResponse, format: LogFormat): string {
  if (format === "json") return JSON.stringify({ level: "info", ...response });
  const { time, method, path, status, ms } = response;
  const duration = ms < 10 ? ms.toFixed(1) : String(Math.round(ms));
  // Control characters in a path would reach the terminal.
  const shown = JSON.stringify(path).slice(1, -1);
  return `${time.slice(11, 19)} ${String(status)} ${method.padEnd(5)} ${shown} ${duration} ms`;
}
