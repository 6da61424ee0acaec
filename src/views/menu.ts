/** Menus as templates see them: nodes with their URLs computed for one language. */
import { objectOf } from "../model/json.ts";
import type { Link } from "../model/link.ts";
import type { Menu, MenuNode } from "../model/menu.ts";
import { MENUS } from "../store/kinds/menus.ts";
import { PAGES } from "../store/kinds/pages.ts";
import type { Payload } from "./page.ts";
import { urlNode } from "./page.ts";
import { mayShow, routerlink, type View } from "./view.ts";

/** Every menu by its key. An empty language falls back to the default one's nodes (contract.md 11.4). */
export const menusByKey = (view: View): { readonly [key: string]: Payload } =>
  objectOf(view.content.all(MENUS).map((menu) => [menu.key, { id: menu.id, key: menu.key, enabled: menu.enabled, nodes: nodesOf(view, menu) }] as const));

function nodesOf(view: View, menu: Menu): Payload[] {
  const own = menu.nodes[view.lang] ?? [];
  return (own.length > 0 ? own : (menu.nodes[view.locales.default] ?? [])).map((node) => nodePayload(view, node));
}

const nodePayload = (view: View, node: MenuNode): Payload => ({
  title: node.title,
  meta: node.meta,
  link: linkPayload(view, node.link),
  nodes: node.nodes.map((inner) => nodePayload(view, inner)),
});

/** The link with its `url`: null when the target is gone, or hidden from this reader. */
function linkPayload(view: View, link: Link): Payload {
  if (link.link_type === "ST") return { link_type: "ST", static: link.static, url: link.static };
  const page = link.url_node === null ? undefined : view.content.find(PAGES, link.url_node);
  if (!page || !mayShow(view, page)) return { link_type: "RE", url_node: null, url: null };
  return { link_type: "RE", url_node: urlNode(view, page), url: routerlink(view, page) };
}
