/** Payloads of menus: nodes with their URLs in one language. */
import { withFallback } from "../../model/language/fallback.ts";
import { objectOf } from "../../model/input/json.ts";
import { isUnsafe } from "../../model/address/link.ts";
import type { Menu, MenuNode } from "../../model/records/menu.ts";
import { textOf } from "../../model/page/page.ts";
import type { Queryable } from "../../model/lists/query.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import { MENUS } from "../../store/records/menus.ts";
import { linkPayload } from "./link.ts";
import { ownFields } from "../lists/list-field.ts";
import { mayShow, type Payload, type View } from "../view.ts";

/** All menus by key, for templates. */
export const menusByKey = (view: View): { readonly [key: string]: Payload } =>
  objectOf(
    view.content
      .all(MENUS)
      .map(
        (menu) =>
          [menu.key, { id: menu.id, key: menu.key, enabled: menu.enabled, nodes: nodesOf(view, menu) }] as const,
      ),
  );

/**
 * A disabled menu is served like any other.
 *
 * @param flat whether to add the nodes of the active language
 */
export function menuPayload(view: View, menu: Menu, flat = true): Payload {
  const translations = view.locales.codes.map(
    (lang) => [lang, payloadsOf({ ...view, lang }, menu.nodes[lang])] as const,
  );
  return {
    id: menu.id,
    key: menu.key,
    available_classes: {},
    enabled: menu.enabled,
    ...(flat && { nodes: nodesOf(view, menu) }),
    translations: objectOf(translations.map(([lang, nodes]) => [lang, { nodes }] as const)),
  };
}

/** The nodes of a language, falling back to the default language if there are none. */
function nodesOf(view: View, menu: Menu): Payload[] {
  return payloadsOf(
    view,
    withFallback((lang) => menu.nodes[lang] ?? [], view.lang, view.locales.default, false),
  );
}

const payloadsOf = (view: View, nodes: readonly MenuNode[] = []): Payload[] =>
  nodes.map((node) => nodePayload(view, node));

function nodePayload(view: View, node: MenuNode): Payload {
  // Assigned, not spread: adding keys to a spread object takes V8 a hundred times as long, for each node of each page.
  const payload: { [key: string]: unknown } = {};
  if (node.id !== undefined) payload.id = node.id;
  const title = titleOf(view, node);
  if (title !== undefined) payload.title = title;
  payload.link = linkPayload(view, node.link);
  if (node.meta) payload.meta = node.meta;
  if (node.nodes) payload.nodes = payloadsOf(view, node.nodes);
  return payload;
}

/**
 * Visitors see an entry without a title by that of its page, else by its address: a link without any text can be neither seen nor
 * read out. Editors get what is stored, to write it back.
 */
function titleOf(view: View, { title, link }: MenuNode): string | null | undefined {
  if (title || view.surface === "editor") return title;
  if (link.link_type === "ST") return isUnsafe(link) ? title : link.static || title;
  const page = link.url_node === null ? undefined : findPage(view.content, link.url_node);
  if (!page || !mayShow(view, page)) return title;
  return withFallback((lang) => textOf(page, lang).title, view.lang, view.locales.default) ?? title;
}

/** Menus are found by their key. */
export const MENU_LIST: Queryable<Menu, View> = {
  fields: ownFields<Menu>({ id: "integer", key: "text", enabled: "boolean" }),
  search: ["key"],
  order: ["-id"],
};
