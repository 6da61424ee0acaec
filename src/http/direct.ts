/**
 * Answers reads without h3, which converts each request and response to web objects and back: that costs more than most
 * reads do.
 *
 * Public reads that need not wait for anything are answered at once: most are sent whole before the next request is
 * read, and their connections need not be watched. A cached answer of the public router is also sent without the request
 * guard and the app, if they have admitted a request with the same host and target before: nothing else in such a
 * request can change what they decide.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { SiteContext } from "../library/context.ts";
import { msOf } from "../model/instant.ts";
import { accepts } from "./accept.ts";
import { openAnswers, type Answer, type AppOptions } from "./app.ts";
import { checkRequest, HEADERS_MAX } from "./request-guard.ts";
import { hasBody, hasRepeatedHeader, plainRead, type AppRequest } from "./request.ts";
import { cacheControl, maxAge, routerCacheOf, type CachedAnswer } from "./router-cache.ts";

export interface DirectReads {
  /** Sends the cached answer to a request before the guard. @returns false when there is none; then nothing is sent */
  sendCached(request: IncomingMessage, response: ServerResponse): boolean;
  /** Sends the answer to a request that need not wait. @returns false for all others; then nothing is sent */
  sendNow(request: IncomingMessage, response: ServerResponse): boolean;
  /** @param read the admitted request, in the form the app needs */
  send(read: AppRequest, request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** An answer in the form that Node needs. */
interface Prepared {
  /** All but `cache-control`. */
  readonly headers: readonly string[];
  /** One character per byte: Node writes head and body together only if both are text. */
  readonly body: string;
  /** Of the last answer that was sent. It changes once a second, and Node checks each new text again. */
  maxAge: number;
  headersWithAge: string[];
}

export function directReads(ctx: SiteContext, options?: AppOptions): DirectReads {
  const answers = openAnswers(ctx, options);
  const prepared = new WeakMap<CachedAnswer, Prepared>();
  const hasProxies = ctx.config.TRUSTED_PROXIES.length > 0;
  const cache = routerCacheOf(ctx);
  /** Lets `sendCached` find an answer that is in the cache. */
  const keep = (request: IncomingMessage, answer: Answer): void => {
    const { cached } = answer;
    if (cache.isOff || !cached || !isDecidedByTarget(request, hasProxies)) return;
    const isKept = cache.rememberTarget(targetOf(request), cached);
    if (isKept && !prepared.has(cached)) prepared.set(cached, prepare(answer, cached));
  };
  return {
    sendCached(request, response) {
      if (cache.isOff) return false;
      const nowMs = msOf(ctx.env.now());
      const cached = cache.findByTarget(ctx.store.current, targetOf(request), nowMs);
      const ready = cached && prepared.get(cached);
      if (!ready || !isDecidedByTarget(request, hasProxies)) return false;
      response.writeHead(200, headersAt(ready, cached, nowMs));
      response.end(request.method === "HEAD" ? undefined : ready.body, "latin1");
      options?.metrics?.countRouterAnswer(true);
      return true;
    },
    sendNow(request, response) {
      const read = publicRead(request);
      const answer = read && answers.answerNow(read);
      if (!answer || answer.body instanceof ReadableStream) return false;
      keep(request, answer);
      sendText(response, answer, answer.body);
      return true;
    },
    async send(read, request, response) {
      const answer = await answers.answer(read);
      keep(request, answer);
      await sendAnswer(response, answer);
    },
  };
}

/** Host and address of a request. The guard replaces those it admits only by a form that it leaves unchanged. */
const targetOf = ({ url, headers }: IncomingMessage): string => `${headers.host} ${url}`;

/** Whether nothing but the target decides if the request is admitted and what the public router answers. */
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

/** A request without credentials that the guard admits unchanged, in the form the app needs; undefined for others. */
function publicRead(request: IncomingMessage): AppRequest | undefined {
  const { headers, rawHeaders, httpVersion, method = "", url: target = "" } = request;
  if (headers.authorization !== undefined || headers.cookie !== undefined) return undefined;
  const read = plainRead(request);
  // Without the header Host the guard needs this end of the connection, and takes its time.
  const checked = read && checkRequest({ method, target, rawHeaders, httpVersion, local: "" });
  if (!checked || "status" in checked) return undefined;
  return checked.host === headers.host && checked.target === target ? read : undefined;
}

function prepare({ headers }: Answer, { body }: CachedAnswer): Prepared {
  const bytes = Buffer.from(body);
  const lasting = headers.filter((_, at) => !VARYING.has(headers[at - (at % 2)] ?? ""));
  return {
    headers: [...lasting, "content-length", String(bytes.length)],
    body: bytes.toString("latin1"),
    maxAge: Number.NaN,
    headersWithAge: [],
  };
}

function headersAt(prepared: Prepared, cached: CachedAnswer, nowMs: number): string[] {
  const age = maxAge(cached, nowMs);
  if (age !== prepared.maxAge) {
    prepared.maxAge = age;
    prepared.headersWithAge = [...prepared.headers, "cache-control", cacheControl(age)];
  }
  return prepared.headersWithAge;
}

/** `content-length` is already set in answers to HEAD. */
const VARYING = new Set(["cache-control", "content-length"]);

/** Sends an answer as h3 would. Resolves when the body is passed on, or the client has disconnected. */
async function sendAnswer(response: ServerResponse, answer: Answer): Promise<void> {
  const { status, headers, body } = answer;
  if (body instanceof ReadableStream) {
    // A closed response emits no more events, so the file of the stream would stay open.
    if (response.destroyed) return body.cancel();
    response.writeHead(status, [...headers]);
    const stream = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
    return pipeline(stream, response).catch(() => undefined);
  }
  sendText(response, answer, body);
}

function sendText(
  response: ServerResponse,
  { status, headers }: Answer,
  body: Exclude<Answer["body"], ReadableStream>,
): void {
  const isHead = response.req.method === "HEAD";
  const length = body === null ? 0 : Buffer.byteLength(body);
  const needsLength = body !== null && !isHead && !headers.includes("content-length");
  response.writeHead(status, needsLength ? [...headers, "content-length", String(length)] : [...headers]);
  // ASCII text is the same in both encodings, and Node writes latin1 without computing its length again.
  response.end(isHead ? undefined : body, body?.length === length ? "latin1" : "utf8");
}
