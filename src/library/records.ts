/** Reading records of one kind, and the payload of a record after a write. */
import type { Account } from "../model/account.ts";
import type { Id } from "../model/page.ts";
import { readQuery, type Queryable } from "../model/query.ts";
import type { Entity, Kind } from "../store/content/record-type.ts";
import type { Written } from "../store/write/store.ts";
import { list, type Paginator } from "../views/listing.ts";
import type { Payload, View } from "../views/view.ts";
import type { SiteContext } from "./context.ts";
import { listParams, viewOf, type ListOptions, type PagingOptions, type ReadOptions } from "./options.ts";

/** One page of a list. */
export interface ListPage<P> {
  readonly items: readonly P[];
  readonly paginator: Paginator;
}

/** The reads that every kind of record has. @typeParam O what a list can be asked for */
export interface Readers<P, O extends ListOptions = ListOptions> {
  /** @throws CmsError `not_found` */
  get(id: Id, options?: ReadOptions): Promise<P>;
  /** undefined when there is no such record. */
  find(id: Id, options?: ReadOptions): Promise<P | undefined>;
  /** All records that match. @throws CmsError `invalid` for a filter or a field that is not understood */
  list(options?: O): Promise<readonly P[]>;
  /** One page of the records that match; 30 by default. @throws CmsError as `list` */
  listPage(options?: O & PagingOptions): Promise<ListPage<P>>;
  /** The version of a record, for `WriteOptions.version`: its ETag without quotes. @throws CmsError `not_found` */
  version(id: Id): string;
}

export interface RecordSpec<T extends Entity, O extends ListOptions = ListOptions> {
  readonly kind: Kind<T>;
  readonly queryable: Queryable<T, View>;
  show(view: View, record: T): Payload;
  /** The records that options of this kind alone select; default: all. */
  select?(records: readonly T[], options: O, view: View): readonly T[];
  /** Whether payloads and filters name accounts. */
  readonly withAccounts?: true;
}

/** @typeParam P the payload; `spec.show` must return it */
export function readers<T extends Entity, P extends Payload, O extends ListOptions = ListOptions>(
  ctx: SiteContext,
  spec: RecordSpec<T, O>,
): Readers<P, O> {
  const show = (view: View, record: T): P => spec.show(view, record) as P;
  const matching = async (options: O | undefined, params: URLSearchParams) => {
    const view = await withAccounts(ctx, spec, viewOf(ctx, "editor", options));
    const all = view.content.all(spec.kind);
    const records = options && spec.select ? spec.select(all, options, view) : all;
    const listing = await list(records, readQuery(params, spec.queryable, ctx.locales), view);
    return { listing, show: (record: T) => show(view, record) };
  };
  return {
    async get(id, options = {}) {
      const view = await withAccounts(ctx, spec, viewOf(ctx, "editor", options));
      return show(view, view.content.get(spec.kind, id));
    },
    async find(id, options = {}) {
      const view = await withAccounts(ctx, spec, viewOf(ctx, "editor", options));
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

/** The payload of the record that a write stored, of the content that this very write left (decisions.md 60). */
export async function writtenPayload<T extends Entity, P extends Payload>(
  ctx: SiteContext,
  spec: Pick<RecordSpec<T>, "kind" | "show" | "withAccounts">,
  { value, snapshot }: Written<Pick<T, "id">>,
  options: ReadOptions,
): Promise<P> {
  const view = await withAccounts(ctx, spec, viewOf(ctx, "editor", options, snapshot));
  return spec.show(view, snapshot.get(spec.kind, value.id)) as P;
}

async function withAccounts<V extends View, T extends Entity>(
  { accounts }: SiteContext,
  { withAccounts: isNeeded }: Pick<RecordSpec<T>, "withAccounts">,
  view: V,
): Promise<V & { readonly accounts?: readonly Account[] }> {
  return isNeeded ? { ...view, accounts: await accounts.store.list() } : view;
}
