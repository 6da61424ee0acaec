/** Requests in the form the app needs, from events of h3, or directly from Node's server for reads. */
import type { IncomingMessage } from "node:http";
import type { H3Event } from "h3";

export type RequestHeaders = Pick<Headers, "get" | "has">;
export type RequestUrl = Pick<URL, "href" | "protocol" | "host" | "pathname" | "search" | "searchParams">;

export interface AppRequest {
  readonly method: string;
  readonly url: RequestUrl;
  readonly headers: RequestHeaders;
  /** Address of the other end of the connection; "" if unknown. */
  readonly peer: string;
  /** For bodies, and for code of plugins. */
  readonly web: Request;
}

export const requestOfEvent = ({ req, url }: H3Event): AppRequest => ({
  method: req.method,
  url,
  headers: req.headers,
  peer: req.ip ?? "",
  web: req,
});

/** h3 decodes escapes of ASCII characters in a path. */
const ESCAPED_ASCII = /^[^?]*%[0-7]/;

/**
 * A GET or HEAD request without h3, for a fraction of the cost; undefined when h3 is needed, because the request has a
 * body, a repeated header, or an address to be normalised.
 *
 * @param request admitted by the request guard
 */
export function plainRead(request: IncomingMessage): AppRequest | undefined {
  const { method, url = "" } = request;
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (hasBody(request) || hasRepeatedHeader(request) || (url.includes("%") && ESCAPED_ASCII.test(url)))
    return undefined;
  return new PlainRead(request, method, url);
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Whether a header is repeated: Node joins its values or keeps the first, depending on the name. */
export const hasRepeatedHeader = ({ headers, rawHeaders }: IncomingMessage): boolean =>
  Object.keys(headers).length * 2 !== rawHeaders.length;

class PlainRead implements AppRequest, RequestHeaders {
  readonly method: string;
  readonly url: RequestUrl;
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage, method: string, target: string) {
    this.#request = request;
    this.method = method;
    this.url = new PlainUrl("encrypted" in request.socket ? "https:" : "http:", request.headers.host ?? "", target);
  }

  get headers(): RequestHeaders {
    return this;
  }

  get(name: string): string | null {
    const value = this.#request.headers[name];
    return value === undefined ? null : typeof value === "string" ? value : value.join(", ");
  }

  has(name: string): boolean {
    return this.#request.headers[name] !== undefined;
  }

  get peer(): string {
    return this.#request.socket.remoteAddress ?? "";
  }

  get web(): Request {
    const headers = Object.entries(this.#request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    return new Request(this.url.href, { method: this.method, headers });
  }
}

/** A URL that the request guard has checked: `new URL` would have the same parts. */
class PlainUrl implements RequestUrl {
  readonly protocol: string;
  readonly host: string;
  readonly pathname: string;
  readonly search: string;
  #searchParams: URLSearchParams | undefined;

  constructor(protocol: string, host: string, target: string) {
    const queryAt = target.indexOf("?");
    this.protocol = protocol;
    this.host = host;
    this.pathname = queryAt < 0 ? target : target.slice(0, queryAt);
    this.search = queryAt < 0 ? "" : target.slice(queryAt);
  }

  get searchParams(): URLSearchParams {
    return (this.#searchParams ??= new URLSearchParams(this.search));
  }

  get href(): string {
    return `${this.protocol}//${this.host}${this.pathname}${this.search}`;
  }
}
