/**
 * Reads answered on Node's own response. h3 makes web objects of every request and response, and converts them back: more
 * work than most reads need altogether.
 */
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Answer } from "./app.ts";

/** Sends an answer as h3 would. The promise is settled when the body was handed on, or the client is gone. */
export async function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  const isHead = response.req.method === "HEAD";
  if (body instanceof ReadableStream) {
    if (isHead) await body.cancel();
    response.writeHead(status, headers);
    if (isHead) response.end();
    else
      await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response).catch(() => undefined);
    return;
  }
  if (body !== null && !isHead) headers.push("content-length", String(Buffer.byteLength(body)));
  response.writeHead(status, headers);
  // Head and body are written together.
  response.end(isHead ? undefined : body);
}
