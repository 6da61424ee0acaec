/** Public answers that are made anew for each request, named by their bytes so that nobody is sent what he has. */
import { createHash } from "node:crypto";
import { etag, etagsOf, type Headers as ReplyHeaders, type Reply } from "./reply.ts";

/**
 * The answer with an ETag, or 304 for one the client has (decisions.md 17).
 *
 * What has a version already, may not be kept, or is a stream stays as it is.
 */
export function conditional(method: string, headers: Headers, answered: Reply): Reply {
  const { status, body, headers: sent } = answered;
  if (status !== 200 || typeof body !== "string" || sent.etag !== undefined || (method !== "GET" && method !== "HEAD"))
    return answered;
  if (sent["cache-control"]?.includes("no-store")) return answered;
  const version = createHash("sha1").update(body).digest("hex");
  const named: ReplyHeaders = { ...sent, etag: etag(version) };
  const known = headers.get("if-none-match");
  if (known === null || !etagsOf(known).some((tag) => tag === version || tag === "*"))
    return { ...answered, headers: named };
  const { "content-type": _, ...rest } = named;
  return { ...answered, status: 304, headers: rest, body: null };
}
