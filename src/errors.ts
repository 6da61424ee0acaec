/**
 * The failures a caller can do something about.
 *
 * Anything thrown that is not a `CmsError` is a bug: it is logged and served as a bare 500.
 * No other module mentions HTTP statuses; `http/errors.ts` has the table.
 */

export type ErrorCode =
  | "invalid" // what was sent does not fit: `fields` says where
  | "not_found"
  | "conflict" // what is stored stands in the way
  | "stale" // the version the caller had in mind is no longer the current one
  | "unavailable" // cannot write just now (merge in progress, lock held, read-only, disk full)
  | "unauthenticated"
  | "forbidden"
  | "method_not_allowed"
  | "unsupported_media"
  | "not_acceptable"
  | "too_large"
  | "throttled" // too many attempts: `retryAfter` says when to come back
  | "disabled" // switched off by a setting
  | "broken" // a template or module of the site fails: the log names it, the answer does not
  | "setup"; // the repository, configuration or machine is not fit to run on

/** Messages by field, nested as the data is: `{ title_en: ["..."], data: { items: { 0: { label: ["..."] } } } }`. */
export interface FieldErrors {
  readonly [field: string]: ErrorNode;
}

/** Messages, messages by field, or by position in a list, where `{}` stands for an item without any; a number counts. */
export type ErrorNode = string | number | FieldErrors | readonly ErrorNode[];

export interface CmsErrorOptions extends ErrorOptions {
  readonly fields?: FieldErrors;
  /** Seconds after which trying again is sensible. */
  readonly retryAfter?: number;
}

export class CmsError extends Error {
  override readonly name = "CmsError";
  readonly code: ErrorCode;
  readonly fields: FieldErrors;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: CmsErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.fields = options.fields ?? {};
    this.retryAfter = options.retryAfter;
  }
}

/** A refusal with its reasons by field. Gather all of them, then throw once. */
export const invalid = (fields: FieldErrors, message = "Invalid data."): CmsError =>
  new CmsError("invalid", message, { fields });

/** @throws CmsError `invalid` when a field has something against it; no field, no refusal */
export function refuseInvalid(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** @param what the record's kind as the API names it: `Page`, `MetaType` (contract.md 1.4) */
export const notFound = (what: string): CmsError => new CmsError("not_found", `No ${what} matches the given query.`);

/** The program cannot run on this site: the message names the file or key and says what to do. */
export const setup = (message: string, cause?: unknown): CmsError => new CmsError("setup", message, { cause });

/** The text of anything thrown, for a log line or a wrapping message. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
