/** CORS: scripts of `TRUSTED_ORIGINS` may use the API with credentials, those of other origins may not. */
import type { Config } from "../../config.ts";
import { noContent, type Headers as ReplyHeaders, type Reply } from "./reply.ts";
import type { RequestHeaders } from "./request.ts";

const ALLOWED_HEADERS = "authorization, content-type, accept-language, if-match, if-none-match, x-csrftoken";
const EXPOSED_HEADERS = "etag, content-language, retry-after, warning, allow";
/** In seconds: how long a browser may reuse the answer to a preflight. */
const MAX_AGE = "600";

/** Adds CORS headers to an answer. `Vary` is sent to all origins, or caches would reuse the answer for another one. */
export function withCors(config: Config, headers: RequestHeaders, answered: Reply): Reply {
  if (config.TRUSTED_ORIGINS.length === 0) return answered;
  const origin = trustedOrigin(config, headers);
  const vary = answered.headers.vary === undefined ? "Origin" : `${answered.headers.vary}, Origin`;
  return { ...answered, headers: { ...answered.headers, vary, ...(origin !== undefined && permission(origin)) } };
}

const permission = (origin: string): ReplyHeaders => ({
  "access-control-allow-origin": origin,
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": EXPOSED_HEADERS,
});

/** The answer to a preflight of a trusted origin; undefined for other requests. */
export function preflightReply(
  config: Config,
  method: string,
  headers: RequestHeaders,
  allow: string,
): Reply | undefined {
  if (
    method !== "OPTIONS" ||
    !headers.has("access-control-request-method") ||
    trustedOrigin(config, headers) === undefined
  )
    return undefined;
  return noContent({
    allow,
    "access-control-allow-methods": allow,
    "access-control-allow-headers": ALLOWED_HEADERS,
    "access-control-max-age": MAX_AGE,
  });
}

function trustedOrigin(config: Config, headers: RequestHeaders): string | undefined {
  const origin = headers.get("origin");
  return origin !== null && config.TRUSTED_ORIGINS.includes(origin) ? origin : undefined;
}
