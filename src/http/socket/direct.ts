/**
 * Answers reads without h3, which converts each request and response to web objects and back: that costs more than most
 * reads do.
 *
 * Reads that need not wait for anything are answered at once: most are sent whole before the next request is
 * read, and their connections need not be watched. A cached answer of the public router is also sent without the app, if
 * it has answered a request with the same host and target before: nothing else in such a request can change what it
 * decides. All requests have passed the request guard.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { whenReady } from "../../library/at-once.ts";
import type { SiteContext } from "../../library/context.ts";
import { msOf } from "../../model/time/instant.ts";
import { accepts } from "../request/accept.ts";
import { openAnswers, type Answer, type AppOptions } from "../app/app.ts";
import { hasBody, hasRepeatedHeader, plainRead } from "../request/request.ts";
import { cacheControl, maxAge, routerCacheOf, type CachedAnswer } from "../public/router-cache.ts";

export interface DirectReads {
  /** Sends the cached answer to a request. @returns false when there is none; then nothing is sent */
  sendCached(request: IncomingMessage, response: ServerResponse): boolean;
  /**
   * Answers a read, at once unless something has to be waited for.
   *
   * @returns false for a request that needs h3; then nothing is sent
   */
  send(request: IncomingMessage, response: ServerResponse): boolean | Promise<void>;
}

/** An answer in the form that Node needs. */
interface Prepared {
  /** All but `cache-control`. */
  readonly headers: readonly string[];
  /** One character per byte: Node writes head and body together only if both are text. */
  readonly body: string;
  /** The age in the last answer that was sent. It changes once a second, and Node checks each new text again. */
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
    if (cache.isOff || !cached || answer.body instanceof ReadableStream || !isDecidedByTarget(request, hasProxies))
      return;
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
    send(request, response) {
      const read = plainRead(request);
      if (!read) return false;
      const sent = whenReady(answers.answer(read), (answer) => {
        keep(request, answer);
        return sendAnswer(response, answer);
      });
      return sent instanceof Promise ? sent : true;
    },
  };
}

/** Host and address of a request, as the guard leaves them. */
const targetOf = ({ url, headers }: IncomingMessage): string => `${headers.host} ${url}`;

/** Whether nothing but the target decides what the public router answers. */
function isDecidedByTarget(request: IncomingMessage, hasProxies: boolean): boolean {
  const { method, headers } = request;
  return (
    (method === "GET" || method === "HEAD") &&
    headers.authorization === undefined &&
    headers.origin === undefined &&
    headers["if-none-match"] === undefined &&
    (headers.accept === undefined || headers.accept === "*/*" || accepts(headers.accept, "application/json")) &&
    !(hasProxies && (headers["x-forwarded-host"] !== undefined || headers["x-forwarded-proto"] !== undefined)) &&
    !hasBody(request) &&
    !hasRepeatedHeader(request)
  );
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

/** Sends an answer as h3 would: a text at once, a stream until it is passed on or the client has disconnected. */
function sendAnswer(response: ServerResponse, answer: Answer): void | Promise<void> {
  const { status, headers, body } = answer;
  if (!(body instanceof ReadableStream)) return sendText(response, answer, body);
  // A closed response emits no more events, so the file of the stream would stay open.
  if (response.destroyed) return body.cancel();
  response.writeHead(status, [...headers]);
  if (response.req.method !== "HEAD") return sendStream(response, body);
  response.end();
  return body.cancel();
}

/** Asks for the next piece when the client has read those before it. */
async function sendStream(response: ServerResponse, stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  let proceed = (): void => undefined;
  const cancel = (): void => {
    reader.cancel().catch(() => undefined);
    proceed();
  };
  response.once("close", cancel);
  response.on("drain", () => proceed());
  try {
    for (let next = await reader.read(); !next.done && !response.destroyed; next = await reader.read())
      if (!response.write(next.value)) await new Promise<void>((resolve) => (proceed = resolve));
    response.off("close", cancel);
    response.end();
  } catch {
    response.destroy();
  }
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
