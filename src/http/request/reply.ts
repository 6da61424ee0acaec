/** Answers of handlers. `http/app/app.ts` turns them into responses. */
import type { CachedAnswer } from "../public/router-cache.ts";
import { inTurn } from "../socket/turns.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
  /** Set when the body is that of an answer in the router cache. */
  readonly cached?: CachedAnswer;
  /** Of answers that can be cached: whether it was there before this request. */
  readonly isFromCache?: boolean;
}

export type Headers = Readonly<Record<string, string>>;

export const JSON_TYPE = "application/json; charset=utf-8";

export const json = (value: unknown, status = 200, headers: Headers = {}): Reply => ({
  status,
  headers: { "content-type": JSON_TYPE, ...headers },
  body: JSON.stringify(value),
});

/** JSON that is already text, such as a cached answer. */
export const jsonText = (body: string, headers: Headers = {}): Reply => ({
  status: 200,
  headers: { "content-type": JSON_TYPE, ...headers },
  body,
});

/** In characters. Longer texts are sent in pieces: joining and encoding them at once would block the event loop. */
const JOINED_MAX = 256 * 1024;
/** In characters or bytes. */
const PIECE = 64 * 1024;

/** JSON in pieces, each short enough to be encoded at once. */
export function jsonPieces(pieces: readonly string[], headers: Headers = {}): Reply {
  if (pieces.reduce((sum, { length }) => sum + length, 0) <= JOINED_MAX) return jsonText(pieces.join(""), headers);
  return { status: 200, headers: { "content-type": JSON_TYPE, ...headers }, body: streamOf(pieces) };
}

/** A stream of a text, or of bytes that other answers share; undefined for what is short enough to be sent at once. */
export function longBody(body: string | Uint8Array): ReadableStream<Uint8Array> | undefined {
  if (typeof body === "string") return body.length > JOINED_MAX ? streamOf(textPieces(body)) : undefined;
  return body.length > PIECE ? streamOf(bytePieces(body)) : undefined;
}

export function* textPieces(text: string): Iterable<string> {
  for (let from = 0, to; from < text.length; from = to) {
    to = from + PIECE;
    const last = text.charCodeAt(to - 1);
    if (last >= 0xd800 && last < 0xdc00) to--; // the first half of a character
    yield text.slice(from, to);
  }
}

function* bytePieces(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let from = 0; from < bytes.length; from += PIECE) yield bytes.subarray(from, from + PIECE);
}

/** Each piece is made when the client has read those before it. */
function streamOf(pieces: Iterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const rest = pieces[Symbol.iterator]();
  let isCancelled = false;
  const next = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const { done, value } = rest.next();
    if (done) controller.close();
    else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
  };
  return new ReadableStream(
    {
      pull: (controller) =>
        new Promise((resolve, reject) =>
          inTurn(() => {
            try {
              if (!isCancelled) next(controller);
              resolve();
            } catch (error) {
              reject(error);
            }
          }),
        ),
      cancel: () => void (isCancelled = true),
    },
    { highWaterMark: 0 },
  );
}

/** A text in pieces; none without a body. */
export const textReply = (pieces: Iterable<string> | undefined, headers: Headers): Reply => ({
  status: 200,
  headers,
  body: pieces ? streamOf(pieces) : null,
});

export const noContent = (headers: Headers = {}): Reply => ({ status: 204, headers, body: null });

export const html = (body: string, status = 200, headers: Headers = {}): Reply => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8", ...headers },
  body,
});

export const redirect = (location: string, status: 301 | 302, headers: Headers = {}): Reply => ({
  status,
  headers: { location, ...headers },
  body: null,
});

/** For answers that no cache may store. */
export const PRIVATE: Headers = { "cache-control": "no-store, private" };

export const etag = (version: string): string => `"${version}"`;
