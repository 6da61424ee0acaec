/** What a handler answers with. The only makers of responses; one place turns them into bytes on the wire. */

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

export type Headers = Readonly<Record<string, string>>;

export const JSON_TYPE = "application/json; charset=utf-8";

export const json = (value: unknown, status = 200, headers: Headers = {}): Reply => ({
  status,
  headers: { "content-type": JSON_TYPE, ...headers },
  body: JSON.stringify(value),
});

/** JSON that is text already, as from a cache. */
export const jsonText = (body: string, headers: Headers = {}): Reply => ({
  status: 200,
  headers: { "content-type": JSON_TYPE, ...headers },
  body,
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

/** Nothing on the way may keep such an answer. */
export const PRIVATE: Headers = { "cache-control": "no-store, private" };

/** Whether an `If-None-Match` or `If-Match` list names a version, or `*`. Weak tags count: a proxy may have weakened ours. */
export function etagsOf(header: string): readonly string[] {
  return [...header.matchAll(/(?:W\/)?"([^"]*)"|(\*)/g)].map((match) => match[1] ?? match[2]!);
}

export const etag = (version: string): string => `"${version}"`;
