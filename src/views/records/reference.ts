/**
 * Records nested in data of other records: flat, with their `model`.
 *
 * References of a nested record stay ids. On the public surface a hidden record is served like one that does not exist.
 */
import type { Account } from "../../model/account/account.ts";
import { contentIn, type Content } from "../../model/records/content.ts";
import type { Resolver } from "../../model/fields/definition.ts";
import { statusFields } from "../../model/page/lifecycle.ts";
import type { Media, MediaFolder } from "../../model/media/media.ts";
import type { Menu } from "../../model/records/menu.ts";
import type { MetaInstance, MetaType } from "../../model/records/meta.ts";
import { findBuiltIn, type BuiltInModel } from "../../model/records/model-names.ts";
import { textOf, type Page } from "../../model/page/page.ts";
import type { DeclaredRecord } from "../../model/records/record.ts";
import { modelOf, RECORDS, type DeclaredModel } from "../../model/records/records.ts";
import type { Entity } from "../../store/records/record-type.ts";
import { modelOfPage } from "../../store/content/indexes/references.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import { urlNode } from "./link.ts";
import { nestedMedia } from "../media/media.ts";
import { folderPayload } from "../media/media-folder.ts";
import { instanceFields, localisedInstance, typePayload } from "../meta/meta-fields.ts";
import { fillFlatFields } from "../page/page-fields.ts";
import { nestedRecord } from "./record.ts";
import { nestedResolver, visibleTarget } from "./resolver.ts";
import { mayShow, routerlink, type Payload, type View } from "../view.ts";

/** In characters of JSON; limits the memory for a list of many references to one large page. */
const SHOWN_MAX = 4 * 1024 * 1024;

/**
 * Resolves references to objects and links to URLs, for the data of one record that is served in full. Beyond
 * `SHOWN_MAX` in total, references stay ids like those of nested records.
 */
export function resolverOf(view: View): Resolver {
  const nested = nestedResolver(view);
  const known = new Map<string, { readonly payload: Payload | null; readonly length: number }>();
  let left = SHOWN_MAX;
  return {
    ...nested,
    reference(model, id) {
      if (left <= 0) return nested.reference(model, id);
      const key = `${model} ${id}`;
      let shown = known.get(key);
      if (!shown) {
        const payload = referencePayload(view, model, id);
        known.set(key, (shown = { payload, length: JSON.stringify(payload).length }));
      }
      left -= shown.length;
      return left < 0 ? nested.reference(model, id) : shown.payload;
    },
  };
}

/**
 * The record a reference names as a flat object with its `model`; null when it does not exist or is hidden from this
 * reader.
 */
function referencePayload(view: View, model: string, id: number): Payload | null {
  const target = visibleTarget(view, { model, id });
  if (!target) return null;
  const builtIn = findBuiltIn(model);
  const shown = builtIn && SHOW.get(builtIn);
  if (shown === undefined || shown === showPage)
    return { model: modelOfPage(target as Page), ...showPage(view, target) };
  return { model: builtIn, ...shown(view, target) };
}

// The cast is safe: the record was found in the table of its model.
const show =
  <T extends Entity>(fields: (view: View, record: T) => object | null): ((view: View, record: Entity) => Payload) =>
  (view, record) => ({ ...fields(view, record as T) });

const showPage = show<Page>((view, page) =>
  Object.assign(fillFlatFields({}, view, page), {
    permalink: textOf(page, view.lang).permalink,
    routerlink: routerlink(view, page),
    ...statusFields(page, view.lang, view.now),
    url_node: urlNode(view, page),
    parent_page: parentId(view, page),
  }),
);

/** The fields of a nested record by model. Accounts show neither permissions nor e-mail address. */
const BUILT_IN: Readonly<Record<Exclude<BuiltInModel, DeclaredModel>, (view: View, record: Entity) => Payload>> = {
  "cms.Page": showPage,
  "cms.Article": showPage,
  "cms.Media": show<Media>((view, media) => nestedMedia(view, media.id)),
  "cms.MediaFolder": show<MediaFolder>(folderPayload),
  "cms.Menu": show<Menu>((_view, { id, key, enabled }) => ({ id, key, enabled })),
  "cms.Content": show<Content>((view, block) => ({
    id: block.id,
    identifier: block.identifier,
    content: contentIn(block, view.lang, view.locales.default),
    object_id: block.page,
  })),
  "cms.MetaType": show<MetaType>((_view, type) => typePayload(type)),
  "cms.MetaInstance": show<MetaInstance>((view, instance) =>
    (view.surface === "editor" ? instanceFields : localisedInstance)(view, instance, nestedResolver(view)),
  ),
  "auth.User": show<Account>((_view, { id, username, first_name, last_name }) => ({
    id,
    username,
    first_name,
    last_name,
  })),
};

const SHOW: ReadonlyMap<string, (view: View, record: Entity) => Payload> = new Map([
  ...Object.entries(BUILT_IN),
  ...RECORDS.map(
    (of) => [modelOf(of), show<DeclaredRecord>((view, record) => nestedRecord(view, of, record))] as const,
  ),
]);

function parentId(view: View, page: Page): number | null {
  const parent = page.parent_page === null ? undefined : findPage(view.content, page.parent_page);
  return parent && mayShow(view, parent) ? parent.id : null;
}
