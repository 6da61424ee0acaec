/**
 * Reads answered on Node's own response. h3 makes web objects of every request and response, and converts them back: more
 * work than most reads need altogether.
 *
 * A cached answer of the public router is sent without the guard and the app too, when the same target was asked of the
 * same host before: both have judged it then, and nothing else in such a request decides what they do.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { msOf } from "../model/instant.ts";
import { accepts } from "./accept.ts";
import { openAnswers, type Answer } from "./app.ts";
import type { Metrics } from "./metrics.ts";
import { HEADERS_MAX } from "./request-guard.ts";
import { hasBody, hasRepeatedHeader, type AppRequest } from "./request.ts";
import type { ServerContext } from "./route.ts";
import { answerAt, maxAge, rememberTarget, type CachedAnswer } from "./router-cache.ts";

export interface DirectReads {
  /** Sends the cached answer to a request that the guard has not seen. @returns false when there is none, nothing being sent */
  sendCached(request: IncomingMessage, response: ServerResponse): boolean;
  /** @param read the admitted request, as the app reads it */
  send(read: AppRequest, request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** An answer as Node takes it. */
interface Prepared {
  readonly headers: readonly string[];
  /** One character per byte: Node writes head and body together only if both are text. */
  readonly body: string;
}

/** @param metrics see `openAnswers` */
export function directReads(ctx: ServerContext, metrics?: Metrics): DirectReads {
  const answers = openAnswers(ctx, metrics);
  const prepared = new WeakMap<CachedAnswer, Prepared>();
  const hasProxies = ctx.config.TRUSTED_PROXIES.length > 0;
  return {
    sendCached(request, response) {
      const nowMs = msOf(ctx.env.now());
      const cached = answerAt(ctx.store.current, targetOf(request), nowMs);
      const ready = cached && prepared.get(cached);
      if (!ready || !isDecidedByTarget(request, hasProxies)) return false;
      response.writeHead(200, [...ready.headers, "cache-control", maxAge(cached, nowMs)]);
      response.end(request.method === "HEAD" ? undefined : ready.body, "latin1");
      return true;
    },
    async send(read, request, response) {
      const answer = await answers(read);
      const { cached } = answer;
      if (cached && isDecidedByTarget(request, hasProxies)) {
        const isKept = rememberTarget(ctx.store.current, targetOf(request), cached);
        if (isKept && !prepared.has(cached)) prepared.set(cached, prepare(answer, cached));
      }
      await sendAnswer(response, answer);
    },
  };
}

/** Address and host of a request. The guard leaves those it admits as they are, or makes them what it admits next time. */
const targetOf = ({ url, headers }: IncomingMessage): string => `${headers.host} ${url}`;

/** Whether the target decides whether the request is admitted, and what the public router answers. */
function isDecidedByTarget(request: IncomingMessage, hasProxies: boolean): boolean {
  const { method, headers, rawHeaders } = request;
  return (
    (method === "GET" || method === "HEAD") &&
    headers.authorization === undefined &&
    headers.origin === undefined &&
    headers["if-none-match"] === undefined &&
    (headers.accept === undefined || headers.accept === "*/*" || accepts(headers.accept, "application/json")) &&
    !(hasProxies && (headers["x-forwarded-host"] !== undefined || headers["x-forwarded-proto"] !== undefined)) &&
    rawHeaders.length <= 2 * HEADERS_MAX &&
    !hasBody(request) &&
    !hasRepeatedHeader(request)
  );
}

/** All headers but `cache-control`, which tells the time left. */
function prepare({ headers }: Answer, { body }: CachedAnswer): Prepared {
  const bytes = Buffer.from(body);
  const lasting = headers.filter((_, at) => !VARYING.has(headers[at - (at % 2)] ?? ""));
  return { headers: [...lasting, "content-length", String(bytes.length)], body: bytes.toString("latin1") };
}

/** Of a HEAD request, the answer has its length already. */
const VARYING = new Set(["cache-control", "content-length"]);

/** Sends an answer as h3 would. The promise is settled when the body was handed on, or the client is gone. */
async function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  const isHead = response.req.method === "HEAD";
  if (body instanceof ReadableStream) {
    // A closed response emits nothing more, so the file behind the stream would stay open.
    if (response.destroyed) return body.cancel();
    response.writeHead(status, [...headers]);
    const stream = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
    return pipeline(stream, response).catch(() => undefined);
  }
  const length = body === null ? 0 : Buffer.byteLength(body);
  const needsLength = body !== null && !isHead && !headers.includes("content-length");
  response.writeHead(status, needsLength ? [...headers, "content-length", String(length)] : [...headers]);
  // Text of ASCII alone is the same in both encodings, and Node writes latin1 without measuring it again.
  response.end(isHead ? undefined : body, body?.length === length ? "latin1" : "utf8");
}
