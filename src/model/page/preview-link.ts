/**
 * Links that show the site as it was, will be or would be to people without an account, until a moment.
 */
import { invalid, refuseInvalid, type ErrorNode, type FieldErrors } from "../../errors.ts";
import { readValue } from "../input/field.ts";
import type { Id } from "../input/id.ts";
import { NOT_A_STRING, REQUIRED, requireObject } from "../input/input-errors.ts";
import { instantOf, msOf, parseInstant, type Instant } from "../time/instant.ts";
import { own, type JsonObject } from "../input/json.ts";
import { mergeErrors, named, record, refusedKeys, type UnknownFields } from "../input/known-keys.ts";
import type { Lang } from "../language/locale.ts";

/** The parameters that name other content; a link has one of them. */
export const LINK_CONTEXTS = ["at", "as_of", "release"] as const;
export type LinkContext = (typeof LINK_CONTEXTS)[number];

export interface PreviewLink {
  /** Random; the part of the link that is listed and logged. */
  readonly id: string;
  readonly page: Id;
  readonly language: Lang;
  /** The path of the page when the link was made, percent-encoded. */
  readonly path: string;
  readonly context: LinkContext;
  /** Of `release` the id of the release, since its name may change. */
  readonly value: string;
  readonly created_at: Instant;
  readonly expires_at: Instant;
  /** The account that made it, and its token version then: the link ends with the rights of that account. */
  readonly account: Id;
  readonly token_version: number;
}

/** In days. */
export const LINK_LIFE_MAX = 90;

const AT_MAX = 250;

export interface NewPreviewLink {
  readonly page: Id;
  readonly context: LinkContext;
  /** As the parameter has it: of `release` the name. */
  readonly value: string;
  readonly expires_at: Instant;
}

const KEYS = record(named("page", "expires_at", ...LINK_CONTEXTS));

/** @throws CmsError `invalid` with every offending field */
export function readPreviewLink(body: unknown, now: Instant, unknownFields: UnknownFields): NewPreviewLink {
  requireObject(body);
  const errors: Record<string, ErrorNode> = {};
  const page = readValue({ name: "page", type: "reference" }, own(body, "page") ?? null);
  if ("error" in page || typeof page.value !== "number")
    errors.page = [own(body, "page") === undefined ? REQUIRED : "error" in page ? page.error : REQUIRED];
  const expires = readExpiry(body, now, errors);
  const sent = LINK_CONTEXTS.filter((name) => own(body, name) !== undefined);
  const [context] = sent;
  if (context === undefined || sent.length > 1)
    errors.non_field_errors = [`One of ${LINK_CONTEXTS.join(", ")} is required.`];
  const value = context === undefined ? undefined : own(body, context);
  if (context !== undefined && (typeof value !== "string" || value === "" || value.length > AT_MAX))
    errors[context] = [NOT_A_STRING];
  refuseInvalid(mergeErrors(errors, refusedKeys(unknownFields, KEYS, body)) as FieldErrors);
  if (context === undefined || expires === undefined || !("value" in page)) throw invalid({});
  return { page: page.value as Id, context, value: value as string, expires_at: expires };
}

function readExpiry(body: JsonObject, now: Instant, errors: Record<string, ErrorNode>): Instant | undefined {
  const sent = own(body, "expires_at");
  const at = parseInstant(sent);
  const latest = instantOf(msOf(now) + LINK_LIFE_MAX * 86_400_000);
  if (sent === undefined) errors.expires_at = [REQUIRED];
  else if (!at) errors.expires_at = ["Invalid datetime."];
  else if (at <= now || at > latest) errors.expires_at = [`Expected a moment within the next ${LINK_LIFE_MAX} days.`];
  return at;
}
