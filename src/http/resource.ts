/**
 * What all resources made of stored records answer alike: lists with their queries, one record with its version, and
 * writes that name the version they were made on (decisions.md 17).
 */
import { refuseInvalid } from "../errors.ts";
import type { Account } from "../model/account.ts";
import { named, record, refusedKeys } from "../model/known-keys.ts";
import { readQuery, type Queryable } from "../model/query.ts";
import { openPace } from "../store/git/time-slices.ts";
import type { AnyKind, Entity, Kind } from "../store/content/record-type.ts";
import type { Author, Written } from "../store/write/store.ts";
import { list, listingText, selectFields } from "../views/listing.ts";
import type { Payload } from "../views/page.ts";
import type { View } from "../views/view.ts";
import { etagsOf, notModified } from "./conditional.ts";
import { etag, json, jsonText, PRIVATE, type Reply } from "./reply.ts";
import type { Call } from "./route.ts";

/**
 * A list as its query asks for it (contract.md 5).
 *
 * Other requests are answered in between, however large the records are.
 *
 * @param show makes the payload of a record; only those on the page asked for are made
 */
export async function listReply<T>(
  call: Call,
  records: readonly T[],
  queryable: Queryable<T, View>,
  show: (record: T) => Payload,
): Promise<Reply> {
  const { locales } = call.ctx;
  const query = readQuery(call.url.searchParams, queryable, locales);
  const pace = openPace();
  const listing = await list(records, query, call.view("editor"), pace);
  return jsonText(
    await listingText(listing, (record) => selectFields(show(record), query.fields, queryable, locales), pace),
  );
}

/** Records of one kind as the API answers with them. */
export interface Resource<T extends Entity> {
  readonly kind: Kind<T>;
  /** What can be asked of them, and left out. */
  readonly queryable?: Queryable<T, View>;
  /** The payload of a record. All it tells of other records comes from the view, so that an answer is of one moment. */
  show(view: View, record: T): Payload;
}

export interface AnswerOptions {
  /** 201 for one just made. */
  readonly status?: number;
  /** Whom references may name. */
  readonly accounts?: readonly Account[];
}

/**
 * One record of the newest content with its version as ETag, cut down to the `fields` asked for.
 *
 * @throws CmsError `not_found`
 */
export function readReply<T extends Entity>(
  call: Call,
  resource: Resource<T>,
  id: number,
  { accounts }: Pick<AnswerOptions, "accounts"> = {},
): Reply {
  const snapshot = call.ctx.store.current;
  const record = snapshot.get(resource.kind, id);
  const headers = { etag: etag(snapshot.version(resource.kind, id)), ...PRIVATE };
  const known = notModified(call.headers, headers);
  if (known) return known;
  const view: View = { ...call.view("editor", { content: snapshot }), ...(accounts && { accounts }) };
  const payload = resource.show(view, record);
  const { queryable } = resource;
  if (!queryable) return json(payload, 200, headers);
  return json(selectFields(payload, namedFields(call, queryable), queryable, call.ctx.locales), 200, headers);
}

/**
 * The record a write left, with its version as ETag: both of the content that this very write made, whatever others
 * have written since (decisions.md 60).
 */
export function writtenReply<T extends Entity>(
  call: Call,
  { kind, show }: Resource<T>,
  { value, snapshot }: Written<Pick<T, "id">>,
  { status = 200, accounts }: AnswerOptions = {},
): Reply {
  // The write may have stamped a moment after the request's own.
  const now = call.ctx.env.now();
  const view: View = { ...call.view("editor", { content: snapshot }), now, ...(accounts && { accounts }) };
  const headers = { etag: etag(snapshot.version(kind, value.id)), ...PRIVATE };
  return json(show(view, snapshot.get(kind, value.id)), status, headers);
}

/** The names in `fields`, of which the last occurrence counts (contract.md 5.2). */
export const namedFields = <T>(call: Call, queryable: Queryable<T, View>): readonly string[] =>
  readQuery(
    new URLSearchParams({ fields: call.url.searchParams.getAll("fields").at(-1) ?? "" }),
    queryable,
    call.ctx.locales,
  ).fields;

/**
 * Holds the body of an action to the keys it has.
 *
 * @throws CmsError `invalid` for one that means nothing, where such are refused (decisions.md 47)
 */
export function refuseUnknown(call: Call, body: unknown, ...names: readonly string[]): void {
  refuseInvalid(refusedKeys(call.ctx.unknownFields, record(named(...names)), body));
}

/** The account, with the versions its `If-Match` names where it names any. */
export function authorOf(call: Call, kind: AnyKind, id: number): Author {
  const versions = versionsOf(call);
  return versions ? call.author({ kind, id, versions }) : call.author();
}

/** The versions a write may be made on; undefined when it says nothing of them. */
export function versionsOf(call: Call): readonly string[] | undefined {
  const header = call.headers.get("if-match");
  return header === null || header.trim() === "*" ? undefined : etagsOf(header);
}
