/** Conditional requests: `If-None-Match` and `304 Not Modified` (RFC 9110, 13.1.2). */
import { textHash } from "../../views/manifest/json-digest.ts";
import { etag, type Headers as ReplyHeaders, type Reply } from "./reply.ts";
import type { RequestHeaders } from "./request.ts";

/**
 * The versions in an `If-None-Match` or `If-Match` header; `*` stands for any. Weak tags count like strong ones, since
 * a proxy may have weakened ours.
 */
export const etagsOf = (header: string): readonly string[] =>
  [...header.matchAll(/(?:W\/)?"([^"]*)"|\*/g)].map((match) => match[1] ?? "*");

/** A 304 with these headers when the client has the version of their `etag`; undefined when it needs the body. */
export function notModified(
  request: RequestHeaders,
  headers: ReplyHeaders & { readonly etag: string },
): Reply | undefined {
  const condition = request.get("if-none-match");
  if (condition === null) return undefined;
  const [version] = etagsOf(headers.etag);
  const isKnown = etagsOf(condition).some((known) => known === version || known === "*");
  return isKnown ? { status: 304, headers, body: null } : undefined;
}

/**
 * Adds an ETag made from the body to an answer that has none, or answers 304 if the client has it. Answers that may not
 * be stored, streams, and answers to other methods than GET and HEAD are returned unchanged.
 */
export function conditional(method: string, request: RequestHeaders, reply: Reply): Reply {
  const { status, body, headers } = reply;
  const isRead = method === "GET" || method === "HEAD";
  if (!isRead || status !== 200 || typeof body !== "string" || headers.etag !== undefined) return reply;
  if (headers["cache-control"]?.includes("no-store")) return reply;
  const version = { etag: etag(textHash(body)) };
  // Not added to a spread object, which takes longer than all else here but the hash.
  const tagged: ReplyHeaders & { readonly etag: string } = Object.assign({}, headers, version);
  if (!request.has("if-none-match")) return { ...reply, headers: tagged };
  const { "content-type": _, ...withoutType } = tagged;
  return notModified(request, withoutType) ?? { ...reply, headers: tagged };
}
