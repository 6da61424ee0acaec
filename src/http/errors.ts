/** What each failure looks like from outside: the one table from codes to statuses and bodies (contract.md 1.4). */
import { CmsError, type ErrorCode, type FieldErrors } from "../errors.ts";
import type { Env } from "../env.ts";
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

/** Which request failed, for the log. */
export interface Failed {
  readonly method: string;
  /** Without its query, which may hold what is private. */
  readonly path: string;
  /** Methods for a 405, as the header lists them. */
  readonly allow?: string;
}

type Told = Pick<Env, "log" | "uuid">;

export function errorReply(error: unknown, env: Told, failed: Failed): Reply {
  if (!(error instanceof CmsError) || error.code === "broken") return defectReply(error, env, failed);
  const { code, retryAfter } = error;
  // What is wrong with the machine is its owner's to know: the message names folders of it.
  if (code === "setup") env.log.error(`${failed.method} ${failed.path}: ${error.message}`);
  const headers = {
    ...PRIVATE,
    ...(code === "unauthenticated" && CHALLENGE),
    ...(code === "method_not_allowed" && { allow: failed.allow ?? "" }),
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
  };
  const status = STATUS[code];
  return json(
    status < 500 ? bodyOf(error) : { detail: code === "setup" ? NOT_FIT : withoutFolders(error.message) },
    status,
    headers,
  );
}

/** A failure of the program or of the site's own code: the log has the reason, under the id that the answer bears. */
export function defectReply(error: unknown, { log, uuid }: Told, { method, path }: Failed): Reply {
  const id = uuid();
  const where = `${method} ${path.slice(0, PATH_SHOWN)} (request ${id})`;
  if (error instanceof CmsError) log.error(`${where}: ${error.message}`);
  else log.error(`${where} failed for a reason that is a defect of the program`, error);
  return json({ detail: "Internal server error." }, 500, { ...PRIVATE, "x-request-id": id });
}

/** In characters: requests for pages that fail must not fill the log. */
const PATH_SHOWN = 200;

const NOT_FIT = "The service is not set up to answer this: its log says why.";

/** Field errors stand alone in a 400; anything else tells its reason as `detail`, with what belongs to it beside. */
function bodyOf(error: CmsError): FieldErrors {
  const hasFields = Object.keys(error.fields).length > 0;
  if (error.code === "invalid" && hasFields) return error.fields;
  return { detail: error.message, ...error.fields };
}

/** A message whose absolute paths are cut to the last name in them: where a site lies is nothing to tell over HTTP. */
export const withoutFolders = (message: string): string =>
  message.replace(
    /(^|[\s"'`(=:])(?:[A-Za-z]:)?(?:[\\/]+[^\s"'`()\\/:,;]+){2,}/g,
    (found, before: string) => before + lastName(found),
  );

const lastName = (path: string): string => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
