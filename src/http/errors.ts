/** What each failure looks like from outside: the one table from codes to statuses and bodies (contract.md 1.4). */
import { CmsError, type ErrorCode, type FieldErrors } from "../errors.ts";
import type { Log } from "../env.ts";
import { json, PRIVATE, type Reply } from "./reply.ts";

const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  stale: 412,
  too_large: 413,
  unsupported_media: 415,
  throttled: 429,
  disabled: 501,
  unavailable: 503,
  broken: 500,
  setup: 503,
};

/** Scheme named in a 401: no browser pops up a password box for it. */
const CHALLENGE = { "www-authenticate": "Session" };

/** @param allow methods for a 405, as the header lists them */
export function errorReply(error: unknown, log: Log, allow = ""): Reply {
  if (!(error instanceof CmsError)) {
    log.error("A request failed for a reason that is a defect of the program", error);
    return json({ detail: "Internal server error." }, 500, PRIVATE);
  }
  if (error.code === "broken") {
    log.error(error.message);
    return json({ detail: "Internal server error." }, STATUS.broken, PRIVATE);
  }
  const headers = {
    ...PRIVATE,
    ...(error.code === "unauthenticated" && CHALLENGE),
    ...(error.code === "method_not_allowed" && { allow }),
    ...(error.retryAfter !== undefined && { "retry-after": String(error.retryAfter) }),
  };
  return json(bodyOf(error), STATUS[error.code], headers);
}

/** Field errors stand alone in a 400; anything else tells its reason as `detail`, with what belongs to it beside. */
function bodyOf(error: CmsError): FieldErrors {
  const hasFields = Object.keys(error.fields).length > 0;
  if (error.code === "invalid" && hasFields) return error.fields;
  return { detail: error.message, ...error.fields };
}
