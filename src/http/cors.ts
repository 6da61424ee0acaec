/** Which other origins' scripts may use the API: those of `TRUSTED_ORIGINS`, with credentials; nobody else. */
import type { Config } from "../config.ts";
import { noContent, type Headers as ReplyHeaders, type Reply } from "./reply.ts";

const SENT = "authorization, content-type, accept-language, if-match, if-none-match, x-csrftoken";
const READ = "etag, content-language, retry-after, warning, allow";
/** Seconds a browser may remember the answer to a preflight. */
const REMEMBER = "600";

/** An API answer with what it says to the page that asked. `Vary` stands there whoever asks, or a cache would mix answers up. */
export function withCors(config: Config, headers: Headers, answered: Reply): Reply {
  if (config.TRUSTED_ORIGINS.length === 0) return answered;
  const origin = trustedOrigin(config, headers);
  const vary = answered.headers.vary === undefined ? "Origin" : `${answered.headers.vary}, Origin`;
  return { ...answered, headers: { ...answered.headers, vary, ...(origin !== undefined && permission(origin)) } };
}

const permission = (origin: string): ReplyHeaders => ({
  "access-control-allow-origin": origin,
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": READ,
});

/** The answer to a preflight of a trusted origin, which bears no credentials; undefined when it is none (decisions.md 29). */
export function preflightReply(config: Config, method: string, headers: Headers, allow: string): Reply | undefined {
  if (
    method !== "OPTIONS" ||
    !headers.has("access-control-request-method") ||
    trustedOrigin(config, headers) === undefined
  )
    return undefined;
  return noContent({
    allow,
    "access-control-allow-methods": allow,
    "access-control-allow-headers": SENT,
    "access-control-max-age": REMEMBER,
  });
}

function trustedOrigin(config: Config, headers: Headers): string | undefined {
  const origin = headers.get("origin");
  return origin !== null && config.TRUSTED_ORIGINS.includes(origin) ? origin : undefined;
}
