/** Answers of handlers. `http/app.ts` turns them into responses. */
import type { CachedAnswer } from "./router-cache.ts";

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

/** In characters. Longer JSON is sent in pieces: joining and encoding it at once would block the event loop. */
const JOINED_MAX = 2 ** 20;

/** JSON in pieces, each short enough to be encoded at once. */
export function jsonPieces(pieces: readonly string[], headers: Headers = {}): Reply {
  if (pieces.reduce((sum, { length }) => sum + length, 0) <= JOINED_MAX) return jsonText(pieces.join(""), headers);
  return { status: 200, headers: { "content-type": JSON_TYPE, ...headers }, body: streamOf(pieces) };
}

function streamOf(pieces: readonly string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < pieces.length) controller.enqueue(encoder.encode(pieces[at++]));
      else controller.close();
    },
  });
}

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
