/**
 * Errors that a caller can handle.
 *
 * Anything thrown that is not a `CmsError` is a bug: it is logged and served as a 500 without details.
 * HTTP statuses are only in the table of `http/request/errors.ts`.
 */

export type ErrorCode =
  | "invalid" // invalid input: `fields` has the errors
  | "not_found"
  | "conflict" // the stored state does not allow it
  | "stale" // the caller's version is not the current one
  | "unavailable" // cannot write just now (merge in progress, lock held, read-only, disk full)
  | "unauthenticated"
  | "forbidden"
  | "unconfirmed" // a session must prove again who it is
  | "method_not_allowed"
  | "unsupported_media"
  | "not_acceptable"
  | "too_large"
  | "throttled" // too many attempts: `retryAfter` is set
  | "disabled" // disabled by a setting
  | "broken" // a template, module or plugin of the site fails: the log has the reason, the response at most the plugin
  | "setup"; // the program cannot run with this repository, configuration or machine

/** Messages by field, nested as the data is: `{ title_en: ["..."], data: { items: { 0: { label: ["..."] } } } }`. */
export interface FieldErrors {
  readonly [field: string]: ErrorNode;
}

/** A message or a count; messages by field; or by position in a list, where `{}` is an item without errors. */
export type ErrorNode = string | number | FieldErrors | readonly ErrorNode[];

export interface CmsErrorOptions extends ErrorOptions {
  readonly fields?: FieldErrors;
  /** Seconds until the request can be repeated. */
  readonly retryAfter?: number;
  /** Of `broken`: the name of the plugin that failed. */
  readonly plugin?: string;
}

export class CmsError extends Error {
  override readonly name = "CmsError";
  readonly code: ErrorCode;
  readonly fields: FieldErrors;
  readonly retryAfter: number | undefined;
  readonly plugin: string | undefined;

  constructor(code: ErrorCode, message: string, options: CmsErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.fields = options.fields ?? {};
    this.retryAfter = options.retryAfter;
    this.plugin = options.plugin;
  }
}

/** An error of input with messages by field. Collect all messages, then throw once. */
export const invalid = (fields: FieldErrors, message = "Invalid data."): CmsError =>
  new CmsError("invalid", message, { fields });

/** @throws CmsError `invalid` when there are errors */
export function refuseInvalid(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** @param what the kind of record, as the API names it: `Page`, `MetaType` */
export const notFound = (what: string): CmsError => new CmsError("not_found", `No ${what} matches the given query.`);

/** Seconds until a request that was refused for now is worth repeating, by what it waits for. */
const RETRY_AFTER = {
  /** Another write at the same time. */
  write: 1,
  /** Sign-ins that are being checked. */
  signIns: 2,
  /** A restart, or a git command that a person runs. */
  restart: 5,
  /** The disk. */
  disk: 10,
  /** A person, or another machine. */
  repair: 30,
} as const;

/** Nothing can be written now. */
export const unavailable = (message: string, waitsFor: keyof typeof RETRY_AFTER, cause?: unknown): CmsError =>
  new CmsError("unavailable", message, { cause, retryAfter: RETRY_AFTER[waitsFor] });

/** The program cannot run on this site. @param message must name the file or key and say what to do */
export const setup = (message: string, cause?: unknown): CmsError => new CmsError("setup", message, { cause });

/** The message of any thrown value, for a log line or another message. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Field errors one by one, each with its path. A key that is a number in text counts as an index. */
export function flattenErrors(
  errors: FieldErrors,
  above: readonly (string | number)[] = [],
): { path: (string | number)[]; message: string }[] {
  return Object.entries(errors).flatMap(([key, value]) => {
    const path = [...above, /^\d+$/.test(key) ? Number(key) : key];
    if (typeof value === "string" || typeof value === "number") return [{ path, message: String(value) }];
    if (!Array.isArray(value)) return flattenErrors(value as FieldErrors, path);
    const isMessages = value.every((item) => typeof item === "string");
    return isMessages
      ? value.map((message: string) => ({ path, message }))
      : flattenErrors(Object.fromEntries(value.entries()), path);
  });
}

/** All errors in one line, each after its path: `permalink_en: Taken. items.0.label: This field is required.` */
export const sentencesOf = (errors: FieldErrors): string =>
  flattenErrors(errors)
    .map(({ path, message }) => `${path.join(".")}: ${message}`)
    .join(" ");

/** Why a change was refused, in one line: the errors of its fields, else the message. */
export const reasonOf = ({ fields, message }: CmsError): string => sentencesOf(fields) || message;
