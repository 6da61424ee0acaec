/** The operations on records of one kind, from a specification that the HTTP API follows, too. */
import type { Context } from "../actions/context.ts";
import type { Account } from "../model/account/account.ts";
import type { Lang } from "../model/language/locale.ts";
import type { Id } from "../model/page/page.ts";
import { readQuery, type Paginator, type Queryable } from "../model/lists/query.ts";
import type { Saving } from "../model/input/sent-fields.ts";
import type { Entity, Kind } from "../store/records/record-type.ts";
import type { Author, Written } from "../store/write/store.ts";
import { listKind, listSelected } from "../views/lists/table-list.ts";
import type { Payload, View } from "../views/view.ts";
import type { SiteContext } from "./context.ts";
import {
  authorOf,
  langOf,
  listParams,
  viewOf,
  type ListOptions,
  type PagingOptions,
  type ReadOptions,
  type WriteOptions,
} from "./options.ts";

/** One page of a list. */
export interface ListPage<P> {
  readonly items: readonly P[];
  readonly paginator: Paginator;
}

/** The reads that every kind of record has. @typeParam O the options of lists @typeParam Key what finds a record */
export interface Readers<P, O extends ListOptions = ListOptions, Key = Id> {
  /** @throws CmsError `not_found` */
  get(id: Key, options?: ReadOptions): Promise<P>;
  /** undefined when there is no such record. */
  find(id: Key, options?: ReadOptions): Promise<P | undefined>;
  /** All records that match. @throws CmsError `invalid` for a filter or a field that is not understood */
  list(options?: O): Promise<readonly P[]>;
  /** One page of the records that match; 30 by default. @throws CmsError as `list` */
  listPage(options?: O & PagingOptions): Promise<ListPage<P>>;
  /** The version of a record, for `WriteOptions.version`: its ETag without quotes. @throws CmsError `not_found` */
  version(id: Key): string;
}

/** How records of one kind are found and shown: by the library and by the HTTP API. */
export interface RecordSpec<T extends Entity, O extends ListOptions = ListOptions> {
  readonly kind: Kind<T>;
  /** The fields that lists can be queried by, and payloads reduced to. */
  readonly queryable: Queryable<T, View>;
  /** The payload of a record. Other records come from the view, so that an answer is of one moment. */
  show(view: View, record: T): Payload;
  /** Loads, in slices, what `show` takes from the records of the whole site. */
  prepare?(view: View): Promise<void>;
  /** Selects records by options that this kind alone has; undefined where they select all. */
  select?(options: O, view: View): ((all: readonly T[]) => readonly T[]) | undefined;
  /** Whether payloads and filters name accounts. */
  readonly showsAccounts?: true;
}

/** How records of one kind are written, too. */
export interface WritableSpec<T extends Entity> extends RecordSpec<T> {
  create(ctx: Context, by: Author, values: unknown, lang: Lang): Promise<Written<Pick<T, "id">>>;
  update(ctx: Context, by: Author, id: Id, values: unknown, saving: Saving): Promise<Written<Pick<T, "id">>>;
  remove(ctx: Context, by: Author, id: Id): Promise<Written<void>>;
  /** Ignores unknown ids. */
  removeMany?(ctx: Context, by: Author, ids: readonly Id[]): Promise<Written<void>>;
}

/**
 * Reads and writes of one kind of record; each write is one commit.
 *
 * Every method with an id throws CmsError `not_found`, every write `invalid` with messages by field, `stale` for an old
 * `options.version`, and `unavailable` while the repository cannot be written.
 */
export interface Records<Input, P, Key = Id> extends Readers<P, ListOptions, Key> {
  create(values: Input, options: WriteOptions): Promise<P>;
  /** Changes the values that are given. */
  update(id: Key, values: Input, options: WriteOptions): Promise<P>;
  delete(id: Key, options: WriteOptions): Promise<void>;
}

/** @typeParam P the payload; `spec.show` must return it */
export function openRecords<Input, P extends Payload, T extends Entity>(
  ctx: SiteContext,
  spec: WritableSpec<T>,
): Records<Input, P> {
  const { kind } = spec;
  return {
    ...readers<T, P>(ctx, spec),
    async create(values, options) {
      const made = await spec.create(ctx, options.by, values, langOf(ctx, options.lang));
      return writtenPayload(ctx, spec, made, options);
    },
    async update(id, values, options) {
      const by = authorOf(options, kind, id);
      const changed = await spec.update(ctx, by, id, values, { lang: langOf(ctx, options.lang), mode: "merge" });
      return writtenPayload(ctx, spec, changed, options);
    },
    async delete(id, options) {
      ctx.store.current.get(kind, id);
      await spec.remove(ctx, authorOf(options, kind, id), id);
    },
  };
}

/** @typeParam P the payload; `spec.show` must return it */
export function readers<T extends Entity, P extends Payload, O extends ListOptions = ListOptions>(
  ctx: SiteContext,
  spec: RecordSpec<T, O>,
): Readers<P, O> {
  const show = (view: View, record: T): P => spec.show(view, record) as P;
  const matching = async (options: O | undefined, params: URLSearchParams) => {
    const view = await prepared(ctx, spec, viewOf(ctx, "editor", options));
    const query = readQuery(params, spec.queryable, ctx.locales);
    const selected = options && spec.select?.(options, view);
    const listing = selected
      ? await listSelected(spec.kind, selected, query, view)
      : await listKind(spec.kind, query, view);
    return { listing, show: (record: T) => show(view, record) };
  };
  return {
    async get(id, options = {}) {
      const view = await prepared(ctx, spec, viewOf(ctx, "editor", options));
      return show(view, view.content.get(spec.kind, id));
    },
    async find(id, options = {}) {
      const view = await prepared(ctx, spec, viewOf(ctx, "editor", options));
      const record = view.content.find(spec.kind, id);
      return record && show(view, record);
    },
    async list(options) {
      const { listing, show: shown } = await matching(options, listParams(options));
      return ("items" in listing ? listing.items : listing).map(shown);
    },
    async listPage(options) {
      const { listing, show: shown } = await matching(options, pagedParams(options));
      if (!("items" in listing)) throw new Error("A list with a page size has pages");
      return { items: listing.items.map(shown), paginator: listing.paginator };
    },
    version: (id) => ctx.store.current.version(spec.kind, id),
  };
}

/** An empty `items` asks for pages of the default size. */
function pagedParams(options: ListOptions & PagingOptions = {}): URLSearchParams {
  const params = listParams(options);
  if (!params.has("items")) params.set("items", "");
  return params;
}

/** The payload of the record that a write stored, of the content that this very write left. */
export async function writtenPayload<T extends Entity, P extends Payload>(
  ctx: SiteContext,
  spec: Pick<RecordSpec<T>, "kind" | "show" | "showsAccounts" | "prepare">,
  { value, snapshot }: Written<Pick<T, "id">>,
  options: ReadOptions,
): Promise<P> {
  const view = await prepared(ctx, spec, viewOf(ctx, "editor", options, snapshot));
  return spec.show(view, snapshot.get(spec.kind, value.id)) as P;
}

/** The view with all that `spec.show` takes from it. */
async function prepared<V extends View, T extends Entity>(
  { accounts }: SiteContext,
  { showsAccounts, prepare }: Pick<RecordSpec<T>, "showsAccounts" | "prepare">,
  view: V,
): Promise<V & { readonly accounts?: readonly Account[] }> {
  await prepare?.(view);
  return showsAccounts ? { ...view, accounts: await accounts.store.list() } : view;
}
