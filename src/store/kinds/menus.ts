/** Menus on disk: `content/menus/<key>.yaml`, the nodes of each language under `translations.<lang>.nodes`. */
import { invalid } from "../../errors.ts";
import { isObject, own, type Json, type JsonObject } from "../../model/json.ts";
import { readLink } from "../../model/link.ts";
import { findLang, type Lang } from "../../model/locale.ts";
import type { Menu, MenuNode } from "../../model/menu.ts";
import { slugify } from "../../model/permalink.ts";
import { freeBase, splitSingle, type Kind } from "../kind.ts";
import { readId, readMapping, type FileErrors } from "./fields.ts";

const DIR = "content/menus";

export const MENUS: Kind<Menu> = {
  name: "Menu",
  dir: DIR,
  order: () => [["id", "key", "enabled", "translations"]],
  split: (path) => splitSingle(DIR, path),
  fromFiles(base, files, locales) {
    const { data } = [...files.values()][0]!;
    const errors: FileErrors = {};
    const nodes: Record<Lang, readonly MenuNode[]> = {};
    for (const [key, value] of Object.entries(readMapping(data, "translations", errors))) {
      const lang = findLang(locales, key);
      if (lang && isObject(value)) nodes[lang] = readNodes(own(value, "nodes"), (message) => (errors.translations = { [key]: { nodes: [message] } }));
    }
    const key = own(data, "key") ?? base.slice(DIR.length + 1);
    if (typeof key !== "string" || key === "") errors.key = ["A text is expected."];
    const menu: Menu = { id: readId(data, base, errors), key: String(key), enabled: own(data, "enabled") !== false, nodes };
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return menu;
  },
  toFiles(menu, main, locales) {
    const translations = locales.codes.flatMap((lang): [string, Json][] => {
      const nodes = menu.nodes[lang];
      return nodes ? [[lang, { nodes: nodes.map(writeNode) }]] : [];
    });
    const data: JsonObject = { id: menu.id, key: menu.key, enabled: menu.enabled, translations: Object.fromEntries(translations) };
    return new Map([[main, { data }]]);
  },
  newBase: (menu, shelf) => freeBase(DIR, slugify(menu.key) || `menu-${menu.id}`, shelf),
};

function readNodes(value: Json | undefined, complain: (message: string) => void): MenuNode[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    complain("A list of nodes is expected, each with title and link.");
    return [];
  }
  return value.flatMap((node: Json): MenuNode[] => {
    const link = isObject(node) ? readLink(own(node, "link")) : undefined;
    if (!isObject(node) || !link) {
      complain("Each node has a link: link_type RE with url_node, or ST with static.");
      return [];
    }
    const title = own(node, "title");
    const meta = own(node, "meta");
    return [{ title: typeof title === "string" ? title : null, link, meta: isObject(meta) ? meta : {}, nodes: readNodes(own(node, "nodes"), complain) }];
  });
}

const writeNode = (node: MenuNode): JsonObject => ({
  ...(node.title !== null && { title: node.title }),
  ...(Object.keys(node.meta).length > 0 && { meta: node.meta }),
  link: node.link as unknown as JsonObject,
  ...(node.nodes.length > 0 && { nodes: node.nodes.map(writeNode) }),
});
