/**
 * The ids of the records that a list finds, and their groups. They are kept until a record that was read for them changes, or until
 * the next moment at which a page appears or disappears. Without this, each request of a page of the list, also of one that the list
 * does not have, would filter all records.
 */
import { CmsError } from "../../errors.ts";
import { derived, keptBy } from "../../memo.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import { inOrder, openTest, readQuery, type ListQuery, type Queryable } from "../../model/lists/query.ts";
import type { Id, Page } from "../../model/page/page.ts";
import type { Paginate } from "../../model/page/paginate.ts";
import type { Instant } from "../../model/time/instant.ts";
import { momentAfter } from "../../store/content/indexes/page-index.ts";
import { PAGE_KINDS } from "../../store/content/indexes/pages-by-model.ts";
import type { Entity, Reader } from "../../store/records/record-type.ts";
import {
  areUnchanged,
  noteAgain,
  versionsReader,
  type ReadVersion,
  type TableReader,
} from "../manifest/dependencies.ts";
import { META_INSTANCE_LIST } from "../meta/meta.ts";
import { PAGE_LIST } from "../page/page-list.ts";
import type { Surface, View } from "../view.ts";
import { listGroups, type ListGroup } from "./list-groups.ts";

/** What a list finds, in which order. */
export interface ListSpec extends Pick<Paginate, "of" | "model" | "type" | "where" | "sort"> {
  /** Only a list of pages or articles is divided. */
  readonly each?: Paginate["each"];
  /** The path of the page that all pages found are below. */
  readonly below?: string;
}

/** What a list finds, in its order. */
export interface FoundItems {
  readonly ids: readonly Id[];
  readonly groups: readonly ListGroup[];
}

interface Found {
  /** Weak, so that a list that is not asked for any more keeps no old content in memory. */
  readonly content: WeakRef<TableReader>;
  readonly from: Instant;
  /** undefined: until the content changes. */
  readonly until: Instant | undefined;
  readonly items: FoundItems;
  readonly reads: readonly ReadVersion[];
}

interface Compiled {
  readonly query?: ListQuery<never, View>;
  /** By parameter of lists. */
  readonly errors?: { readonly [parameter: string]: unknown };
  readonly found: Map<`${Lang} ${Surface}`, Found>;
}

/** Above it, the one that was compiled first is dropped. */
const COMPILED_MAX = 256;

const compiledOf = derived((_locales: Locales) => new Map<string, Compiled>());

/** A list in compiled form. Specifications are compared as texts, since a page may be parsed anew for each request. */
function compile(locales: Locales, { of, model, type, where, sort, each, below }: ListSpec): Compiled {
  const all = compiledOf(locales);
  return keptBy(all, JSON.stringify([of, model, type, where, sort, each, below]), () => {
    if (all.size >= COMPILED_MAX) all.delete(all.keys().next().value!);
    const order = sort ?? (of === "articles" ? "-published_at" : "");
    const params = new URLSearchParams({ ...(where !== null && { fltr: where }), sort: order });
    const list = (of === "instances" ? META_INSTANCE_LIST : PAGE_LIST) as Queryable<never, View>;
    try {
      return { query: readQuery(params, list, locales), found: new Map() };
    } catch (error) {
      if (!(error instanceof CmsError && error.code === "invalid")) throw error;
      return { errors: error.fields, found: new Map() };
    }
  });
}

/** What is wrong with filter or order, by parameter of lists; undefined where both can be used. */
export const queryErrors = (locales: Locales, spec: ListSpec): Compiled["errors"] => compile(locales, spec).errors;

/**
 * What a list finds; undefined where its filter or order cannot be used.
 *
 * @param candidates returns the records that are filtered, and reads from the given view alone
 */
export function findItems<T extends Entity>(
  view: View,
  spec: ListSpec,
  candidates: (seen: View) => readonly T[],
): FoundItems | undefined {
  const { query, found } = compile(view.locales, spec) as Compiled & { readonly query?: ListQuery<T, View> };
  if (!query) return undefined;
  const make = (seen: View): FoundItems => {
    const records: readonly Entity[] = inOrder(candidates(seen).filter(openTest(query, seen)), query, seen);
    return {
      ids: records.map(({ id }) => id),
      groups: spec.each ? listGroups(seen, spec.each, records as readonly Page[]) : [],
    };
  };
  const content = view.content.noted ?? view.content;
  // Accounts decide what references lead to, and only staff has them.
  if (!hasTables(content) || view.accounts) return make(view);
  const { lang, surface, now } = view;
  let known = found.get(`${lang} ${surface}`);
  if (!known || !isOf(known, content, now)) {
    const { reader, reads } = versionsReader(content);
    known = {
      content: new WeakRef(content),
      from: now,
      until: momentIn(content, now),
      items: make({ ...view, content: reader }),
      reads,
    };
  } else if (known.content.deref() !== content)
    known = { ...known, content: new WeakRef(content), until: momentIn(content, known.from) };
  found.set(`${lang} ${surface}`, known);
  if (content !== view.content) noteAgain(known.reads, view.content as TableReader);
  return known.items;
}

const hasTables = (content: Reader): content is TableReader => content.table !== undefined;

const isOf = (found: Found, content: TableReader, now: Instant): boolean =>
  found.from <= now &&
  (found.until === undefined || now < found.until) &&
  (found.content.deref() === content || areUnchanged(found.reads, content));

const momentIn = (content: TableReader, after: Instant): Instant | undefined =>
  PAGE_KINDS.flatMap((kind) => momentAfter(content.table(kind).byId, after) ?? []).sort()[0];
