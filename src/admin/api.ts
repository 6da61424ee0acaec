/** Requests to the API, with the session of the browser. */

import { heard, isReachable, whenReachable } from "./connection.ts";
import { uiLanguage } from "./i18n.ts";
import { missedKey, toldMessage } from "./texts/server-messages.ts";

/** The path below which the site is; "" for the root of its host. */
const SITE = document.querySelector("base")?.dataset.site ?? "";

export const API = `${SITE}/api/cms/`;

/** Where an address of the site, which begins with a slash, is on its host; others are left as they are. */
export const onHost = (address: string): string => (/^\/(?!\/)/.test(address) ? SITE + address : address);

/** The address of a page or file of the site without its host and what is above it, which change. */
export function onSite(address: string): string {
  const root = `${location.origin}${SITE}/`;
  return address.startsWith(root) ? address.slice(root.length - 1) : address;
}

/** Messages by field; the keys of nested fields are joined by dots. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** A record that uses another one. */
export interface RecordLink {
  readonly model: string;
  readonly name: string;
  readonly id: number;
  /** Where in it, as names and indexes joined by dots, if that is told. */
  readonly path?: string;
}

/** An answer with an error status; status 0 when there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly fields: FieldErrors;
  /** What a 412 says of the record as it is. */
  readonly current: unknown;
  /** The records that a 409 names, because they use what was to be removed. */
  readonly links: readonly RecordLink[];
  /** Whether the session must prove first who is there. */
  readonly isUnconfirmed: boolean;

  constructor(
    status: number,
    message: string,
    fields: FieldErrors = {},
    { current, links, code }: { readonly current?: unknown; readonly links?: unknown; readonly code?: unknown } = {},
  ) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.current = current;
    this.links = Array.isArray(links) ? (links as readonly RecordLink[]) : [];
    this.isUnconfirmed = status === 403 && code === "unconfirmed";
  }
}

export interface Answer<T> {
  readonly value: T;
  /** The version of a single record, for `If-Match`; null for other answers. */
  readonly version: string | null;
}

export interface RequestOptions {
  readonly body?: unknown;
  /** A file or form is sent as it is. */
  readonly form?: FormData;
  /** The version that the write is based on: another one is refused with 412. */
  readonly version?: string | null;
  readonly signal?: AbortSignal;
  /** A read that fails at once where the server does not answer; others wait until it does. */
  readonly isOnce?: boolean;
  /** Whether the browser sends it to its end when the page is closed meanwhile; a long body is not. */
  readonly outlivesPage?: boolean;
}

/** In characters of at most three bytes: browsers let 64 KiB of bodies outlive a page. */
const KEEPALIVE_MAX = 20_000;

/** Asks who is at the browser, before what is sensitive; set by `profile/confirm-dialog.tsx`. @returns false: not told */
let confirmed: () => Promise<boolean> = () => Promise.resolve(false);
export const whenUnconfirmed = (ask: () => Promise<boolean>): void => void (confirmed = ask);

/** Called when the session has ended; set by `session.ts`. */
let onSignedOut: () => void = () => {};
export const whenSignedOut = (listener: () => void): void => void (onSignedOut = listener);

/**
 * @param path below the API root, with its query
 * @throws ApiError for every answer that is no success, and when there is none
 */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  const { body, form, version, signal, isOnce = method !== "GET", outlivesPage = false } = options;
  const headers: Record<string, string> = { accept: "application/json, text/html;q=0.5" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (version) headers["if-match"] = version;
  if (method !== "GET") headers["x-csrftoken"] = csrfToken();
  let response: Response;
  try {
    const sent = form ?? (body === undefined ? undefined : JSON.stringify(body));
    const keepalive = outlivesPage && (typeof sent !== "string" || sent.length < KEEPALIVE_MAX);
    response = await fetch(API + path, {
      method,
      headers,
      ...(sent !== undefined && { body: sent }),
      signal,
      keepalive,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    heard(0);
    if (isOnce) throw new ApiError(0, "");
    await whenReachable();
    return request(method, path, options);
  }
  heard(response.status);
  if (!isReachable.value && !isOnce) {
    await whenReachable();
    return request(method, path, options);
  }
  if (!response.ok) {
    const error = await errorOf(response, path);
    if (error.isUnconfirmed && (await confirmed())) return request(method, path, options);
    throw error;
  }
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const value = (isJson ? await response.json() : await response.text()) as T;
  return { value, version: response.headers.get("etag") };
}

export const get = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await request<T>("GET", path, { signal })).value;

async function errorOf(response: Response, path: string): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const isSigningIn = path.startsWith("auth/");
  if (response.status === 401 && !isSigningIn) onSignedOut();
  return refusal(response, body);
}

/** What the API says of a refused request, in words. @param body as JSON, whatever it is */
export function refusal({ status, statusText }: Pick<Response, "status" | "statusText">, body: unknown): ApiError {
  if (typeof body !== "object" || body === null) return new ApiError(status, statusText);
  const { detail, current, uses, links = uses, ...rest } = body as Record<string, unknown>;
  const fields = fieldErrors(rest);
  const message = typeof detail === "string" ? inWords(detail) : (Object.values(fields)[0]?.[0] ?? statusText);
  return new ApiError(status, message, fields, { current, links, code: rest.code });
}

/** A message of the API in the language of the editor. */
export const inWords = (message: string): string => toldMessage(message, uiLanguage.value);

/** @param value nested as in an answer */
export function fieldErrors(value: unknown, path = ""): FieldErrors {
  if (typeof value === "string") return fieldErrors([value], path);
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    const key = value.length === 1 ? missedKey(value[0]!) : undefined;
    return { [key === undefined ? path : `${path}.${key}`]: value.map(inWords) };
  }
  if (typeof value !== "object" || value === null) return {};
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, item]) => fieldErrors(item, path === "" ? key : `${path}.${key}`)),
  ) as FieldErrors;
}

/** The server compares it with the session's, so that no other site can write with it. */
export const csrfToken = (): string => /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "";
