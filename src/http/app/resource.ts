/**
 * Resources of stored records: their routes, lists with queries, single records with a version as ETag, and writes that
 * may name the version they were made on with `If-Match`.
 */
import type { Context } from "../../actions/context.ts";
import { refuseInvalid } from "../../errors.ts";
import type { RecordSpec, WritableSpec } from "../../library/records.ts";
import type { Account } from "../../model/account/account.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { SaveMode } from "../../model/input/sent-fields.ts";
import { isObject, own, type Json } from "../../model/input/json.ts";
import { named, record, refusedKeys } from "../../model/input/known-keys.ts";
import { readQuery, type ListQuery, type Queryable } from "../../model/lists/query.ts";
import { pace } from "../../time-slices.ts";
import type { AnyKind, Entity } from "../../store/records/record-type.ts";
import type { Author, Written } from "../../store/write/store.ts";
import { selectFields } from "../../views/lists/field-selection.ts";
import { list as listRecords, listingText, type RecordListing } from "../../views/lists/listing.ts";
import { listKind, listSelected } from "../../views/lists/table-list.ts";
import type { Payload } from "../../views/page/page.ts";
import type { View } from "../../views/view.ts";
import { ID, listOf } from "../../schema/json-schema.ts";
import { idList } from "../body/body.ts";
import { etagsOf, notModified } from "../request/conditional.ts";
import type { Operation } from "../openapi/operation.ts";
import { etag, json, jsonText, noContent, PRIVATE, type Reply } from "../request/reply.ts";
import { del, get, patch, post, put, type Access, type Call, type Route } from "./route.ts";

type FindRecords<T> = (query: ListQuery<T, View>) => Promise<RecordListing<T>>;

/**
 * A list, filtered, sorted and paged by the query of the request.
 *
 * Works in slices, so that other requests are answered meanwhile.
 *
 * @param show called only for records on the requested page
 */
export async function listReply<T>(
  call: Call,
  records: readonly T[] | FindRecords<T>,
  queryable: Queryable<T, View>,
  show: (record: T) => Payload,
): Promise<Reply> {
  const { locales } = call.ctx;
  const query = readQuery(call.url.searchParams, queryable, locales);
  const listing = await (typeof records === "function"
    ? records(query)
    : listRecords(records, query, call.view("editor")));
  return jsonText(await listingText(listing, (record) => selectFields(show(record), query.fields, queryable, locales)));
}

/** How records of one kind are served; without `queryable`, all fields are. */
export type Resource<T extends Entity> = Pick<RecordSpec<T>, "kind" | "show" | "prepare"> &
  Partial<Pick<RecordSpec<T>, "queryable">>;

interface ResourceOptions<T extends Entity> extends Omit<WritableSpec<T>, "create" | "removeMany"> {
  /** Below the API root. */
  readonly path: string;
  /** The last segment of the path of one record; `:id` by default. */
  readonly param?: string;
  readonly access: { readonly [verb in "read" | "add" | "change" | "delete"]: Access };
  readonly schemas: ResourceSchemas;
  /** The payload in lists; `show` by default. */
  listed?(view: View, record: T): Payload;
  /** The id in the path; `call.id()` by default. @throws CmsError `not_found` */
  idOf?(call: Call): number;
  /** Which records of the kind the path has; all by default. */
  includes?(call: Call): (record: T) => boolean;
  create(ctx: Context, by: Author, body: unknown, lang: Lang, call: Call): Promise<Written<Pick<T, "id">>>;
  /** Adds `bulk_delete`, which ignores unknown ids. */
  removeMany?(ctx: Context, by: Author, ids: readonly number[], call: Call): Promise<unknown>;
}

/** The names of the schemas of a resource. */
export interface ResourceSchemas {
  /** What one record is called in sentences, and several of them. */
  readonly one: string;
  readonly many: string;
  readonly payload: string;
  /** In lists; `payload` by default. */
  readonly listed?: string;
  /** The body of a new record, that of a change (PATCH), and that of PUT; by default all are the same. */
  readonly input: string;
  readonly change?: string;
  readonly replacement?: string;
  /** Statuses of a deletion that is refused. */
  readonly kept?: Operation["refusals"];
}

/** The routes of a resource: list, create, bulk delete, read, replace, change, delete. */
export function resource<T extends Entity>(options: ResourceOptions<T>): readonly Route[] {
  const { path, kind, access, schemas, removeMany, listed = options.show, idOf = (call) => call.id() } = options;
  const one = `${path}/${options.param ?? ":id"}`;
  const accountsOf = async (call: Call): Promise<Pick<AnswerOptions, "accounts">> =>
    options.showsAccounts ? { accounts: await call.ctx.accounts.store.list() } : {};
  const list = async (call: Call): Promise<Reply> => {
    const accounts = await accountsOf(call);
    // Read after waiting, so that records and view are of the same content.
    const view = { ...call.view("editor"), ...accounts };
    const included = options.includes?.(call);
    const find: FindRecords<T> = (query) =>
      included ? listSelected(kind, (all) => all.filter(included), query, view) : listKind(kind, query, view);
    return listReply(call, find, options.queryable, (each) => listed(view, each));
  };
  const read = async (call: Call): Promise<Reply> => {
    const id = idOf(call);
    return readReply(call, options, id, await accountsOf(call));
  };
  const create = async (call: Call): Promise<Reply> => {
    const accounts = await accountsOf(call);
    const made = await options.create(call.ctx, call.author(), await call.body(), call.lang, call);
    return writtenReply(call, options, made, { status: 201, ...accounts });
  };
  const update =
    (mode: SaveMode) =>
    async (call: Call): Promise<Reply> => {
      const id = idOf(call);
      const accounts = await accountsOf(call);
      const body = await call.body();
      const changed = await options.update(call.ctx, authorOf(call, kind, id), id, body, { lang: call.lang, mode });
      return writtenReply(call, options, changed, accounts);
    };
  const remove = async (call: Call): Promise<Reply> => {
    const { id } = call.ctx.store.current.get(kind, idOf(call));
    await options.remove(call.ctx, authorOf(call, kind, id), id);
    return noContent();
  };
  const bulkDelete = async (call: Call): Promise<Reply> => {
    await removeMany?.(call.ctx, call.author(), idList(await call.body()), call);
    return json({ detail: "Eliminazione multipla andata a buon fine" });
  };
  const told = operationsOf(schemas);
  const bulk: Route = post(`${path}/bulk_delete`, access.add, bulkDelete, told.removeMany);
  return [
    get(path, access.read, list, told.list),
    post(path, access.add, create, told.create),
    ...(removeMany ? [bulk] : []),
    get(one, access.read, read, told.read),
    put(one, access.change, update("replace"), told.replace),
    patch(one, access.change, update("merge"), told.change),
    del(one, access.delete, remove, told.remove),
  ];
}

function operationsOf(schemas: ResourceSchemas) {
  const { one, many, payload, listed = payload, input, change = input, replacement = change, kept = [] } = schemas;
  const single = { answer: payload, isLocalized: true, isVersioned: true } as const;
  return {
    list: { summary: `List ${many}`, answer: listed, isList: true, isLocalized: true },
    create: { ...single, summary: `Create ${one}`, status: 201, body: input },
    removeMany: { ...REMOVE_MANY, summary: `Delete several ${many}` },
    read: { ...single, summary: `Read ${one}` },
    replace: {
      ...single,
      summary: `Replace ${one}`,
      description: "Keys that are not sent keep their values; objects are replaced as a whole.",
      body: replacement,
    },
    change: {
      ...single,
      summary: `Change ${one}`,
      description: "Keys that are not sent keep their values; objects are merged.",
      body: change,
    },
    remove: { summary: `Delete ${one}`, isVersioned: true, refusals: kept },
  } satisfies Record<string, Operation>;
}

/** How several records are deleted by their ids. */
export const REMOVE_MANY = {
  description: "Ids without a record are ignored.",
  body: listOf(ID),
  answer: "Detail",
} satisfies Partial<Operation>;

/** Any account may read; writing needs the permission on the model, such as `cms.add_tag`. */
export const permitted = (model: string): ResourceOptions<Entity>["access"] => {
  const may = (verb: string): Access => ({ any: [`cms.${verb}_${model}`] });
  return { read: "user", add: may("add"), change: may("change"), delete: may("delete") };
};

export interface AnswerOptions {
  /** 200 by default; 201 for a new record. */
  readonly status?: number;
  /** The accounts that references may show. */
  readonly accounts?: readonly Account[];
}

/**
 * One record of the newest content with its version as ETag, reduced to the requested `fields`.
 *
 * @throws CmsError `not_found`
 */
export async function readReply<T extends Entity>(
  call: Call,
  resource: Resource<T>,
  id: number,
  { accounts }: Pick<AnswerOptions, "accounts"> = {},
): Promise<Reply> {
  const snapshot = call.ctx.store.current;
  const record = snapshot.get(resource.kind, id);
  const headers = { etag: etag(snapshot.version(resource.kind, id)), ...PRIVATE };
  const known = notModified(call.headers, headers);
  if (known) return known;
  const view: View = { ...call.view("editor", { content: snapshot }), ...(accounts && { accounts }) };
  const { queryable } = resource;
  await resource.prepare?.(view);
  const payload = resource.show(view, record);
  await pace();
  const shown = queryable ? selectFields(payload, namedFields(call, queryable), queryable, call.ctx.locales) : payload;
  return json(shown, 200, headers);
}

/**
 * The record as a write left it, with its version as ETag: both from the snapshot of that write, regardless of later
 * writes.
 */
export async function writtenReply<T extends Entity>(
  call: Call,
  { kind, show, prepare }: Resource<T>,
  { value, snapshot }: Written<Pick<T, "id">>,
  { status = 200, accounts }: AnswerOptions = {},
): Promise<Reply> {
  // The write may have set a time later than that of the request.
  const now = call.ctx.env.now();
  const view: View = { ...call.view("editor", { content: snapshot }), now, ...(accounts && { accounts }) };
  const headers = { etag: etag(snapshot.version(kind, value.id)), ...PRIVATE };
  await prepare?.(view);
  const payload = show(view, snapshot.get(kind, value.id));
  await pace();
  return json(payload, status, headers);
}

/** The names in `fields`, of which the last occurrence counts. */
export const namedFields = <T>(call: Call, queryable: Queryable<T, View>): readonly string[] =>
  readQuery(
    new URLSearchParams({ fields: call.url.searchParams.getAll("fields").at(-1) ?? "" }),
    queryable,
    call.ctx.locales,
  ).fields;

/**
 * Refuses unknown keys in the body of an action.
 *
 * @throws CmsError `invalid`, unless unknown keys are ignored
 */
export function refuseUnknown(call: Call, body: unknown, ...names: readonly string[]): void {
  refuseInvalid(refusedKeys(call.ctx.unknownFields, record(named(...names)), body));
}

/**
 * The values in the body of an action, by the only names that it may have. A body that is no object has none.
 *
 * @throws CmsError `invalid` as `refuseUnknown`
 */
export async function actionBody(
  call: Call,
  ...names: readonly string[]
): Promise<{ readonly [name: string]: Json | undefined }> {
  const body = await call.body();
  refuseUnknown(call, body, ...names);
  return isObject(body) ? Object.fromEntries(names.map((name) => [name, own(body, name)])) : {};
}

/** The account as the author of a write, with the versions that `If-Match` names. */
export function authorOf(call: Call, kind: AnyKind, id: number): Author {
  const versions = ifMatchOf(call);
  return versions ? call.author({ kind, id, versions }) : call.author();
}

/** The versions that `If-Match` names; undefined without the header and for `*`. */
export function ifMatchOf(call: Call): readonly string[] | undefined {
  const header = call.headers.get("if-match");
  return header === null || header.trim() === "*" ? undefined : etagsOf(header);
}
