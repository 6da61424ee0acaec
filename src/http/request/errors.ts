/** HTTP statuses and bodies of all failures. */
import { CmsError, messageOf, type ErrorCode, type FieldErrors } from "../../errors.ts";
import type { Env } from "../../env.ts";
import { systemErrorReason, systemFailure } from "../../store/git/disk-error.ts";
import { json, PRIVATE, type Reply } from "./reply.ts";

const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  unconfirmed: 403,
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

/** With this scheme in a 401, browsers open no password dialog. */
const CHALLENGE = { "www-authenticate": "Session" };

/** The request that failed, for the log. */
interface FailedRequest {
  readonly method: string;
  /** Without the query, which may hold private data. */
  readonly path: string;
  /** Value of the header `Allow` for a 405. */
  readonly allow?: string;
}

/** Where defects are logged, and the source of request ids. */
export type FailureLog = Pick<Env, "log" | "uuid">;

export function errorReply(thrown: unknown, env: FailureLog, failed: FailedRequest): Reply {
  const error = systemFailure(thrown) ?? thrown;
  if (!(error instanceof CmsError) || error.code === "broken") return defectReply(error, env, failed);
  const { code, retryAfter } = error;
  // The message names folders of the server, so the client gets another one.
  if (code === "setup") env.log.error(`${failed.method} ${failed.path}: ${error.message}`);
  if (code === "unavailable" && systemErrorReason(error.cause))
    env.log.error(`${failed.method} ${failed.path.slice(0, PATH_SHOWN)}: ${messageOf(error.cause)}`);
  const headers = {
    ...PRIVATE,
    ...(code === "unauthenticated" && CHALLENGE),
    ...(code === "method_not_allowed" && { allow: failed.allow ?? "" }),
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
  };
  const status = STATUS[code];
  return json(
    status < 500 ? bodyOf(error) : { detail: code === "setup" ? SETUP_DETAIL : withoutFolders(error.message) },
    status,
    headers,
  );
}

/** A defect of the program or of the site's code. The answer has only an id, under which the log has the reason. */
export function defectReply(error: unknown, { log, uuid }: FailureLog, { method, path }: FailedRequest): Reply {
  const id = uuid();
  const where = `${method} ${path.slice(0, PATH_SHOWN)} (request ${id})`;
  if (error instanceof CmsError) log.error(`${where}: ${error.message}`);
  else log.error(`${where} failed for a reason that is a defect of the program`, error);
  const plugin = error instanceof CmsError ? error.plugin : undefined;
  const detail = plugin === undefined ? "Internal server error." : `The plugin "${plugin}" failed.`;
  return json({ detail }, 500, { ...PRIVATE, "x-request-id": id });
}

/** In characters, so that failing requests do not fill the log. */
const PATH_SHOWN = 200;

const SETUP_DETAIL = "The service is not set up to answer this: its log says why.";

/** A 400 has the field errors only; other statuses have `detail`, and field errors beside it. */
function bodyOf(error: CmsError): FieldErrors {
  const hasFields = Object.keys(error.fields).length > 0;
  if (error.code === "invalid" && hasFields) return error.fields;
  return { detail: error.message, ...(error.code === "unconfirmed" && { code: error.code }), ...error.fields };
}

/** Shortens absolute paths in a message to their last segment, so that no folders of the server are disclosed. */
export const withoutFolders = (message: string): string =>
  message.replace(
    /(^|[\s"'`(=:])(?:[A-Za-z]:)?(?:[\\/]+[^\s"'`()\\/:,;]+){2,}/g,
    (found, before: string) => before + lastName(found),
  );

const lastName = (path: string): string => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
