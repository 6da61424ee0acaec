/**
 * What all resources made of stored records answer alike: lists with their queries, one record with its version, and
 * writes that name the version they were made on (decisions.md 17).
 */
import { readQuery, type Queryable } from "../model/query.ts";
import type { AnyKind, Entity, Kind } from "../store/kind.ts";
import type { Author } from "../store/store.ts";
import { list, mapListing, selectFields } from "../views/listing.ts";
import type { Payload } from "../views/page.ts";
import type { View } from "../views/view.ts";
import { etag, etagsOf, json, PRIVATE, type Reply } from "./reply.ts";
import type { Call } from "./route.ts";

/**
 * A list as its query asks for it (contract.md 5).
 *
 * @param show makes the payload of a record; only those on the page asked for are made
 */
export function listReply<T>(call: Call, records: readonly T[], queryable: Queryable<T, View>, show: (record: T) => Payload): Reply {
  const { locales } = call.ctx;
  const query = readQuery(call.url.searchParams, queryable, locales);
  const listing = list(records, query, call.view("editor"));
  return json(mapListing(listing, (record) => selectFields(show(record), query.fields, queryable, locales)));
}

/**
 * One record with its version as ETag, cut down to `fields` on a read.
 *
 * @param status 201 for one just made
 * @throws CmsError `not_found`
 */
export function single<T extends Entity>(call: Call, kind: Kind<T>, id: number, show: (record: T) => Payload, queryable?: Queryable<T, View>, status = 200): Reply {
  const snapshot = call.ctx.store.current;
  const record = snapshot.get(kind, id);
  const headers = { etag: etag(snapshot.version(kind, id)), ...PRIVATE };
  const isRead = call.method === "GET" || call.method === "HEAD";
  if (isRead && isKnown(call, headers.etag)) return { status: 304, headers, body: null };
  const fields = isRead && queryable ? namedFields(call, queryable) : [];
  return json(queryable ? selectFields(show(record), fields, queryable, call.ctx.locales) : show(record), status, headers);
}

/** Whether the client has this version already. */
export const isKnown = (call: Call, tag: string): boolean =>
  etagsOf(call.headers.get("if-none-match") ?? "").some((known) => known === "*" || etag(known) === tag);

/** The names in `fields`, of which the last occurrence counts (contract.md 5.2). */
export const namedFields = <T>(call: Call, queryable: Queryable<T, View>): readonly string[] =>
  readQuery(new URLSearchParams({ fields: call.url.searchParams.getAll("fields").at(-1) ?? "" }), queryable, call.ctx.locales).fields;

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
