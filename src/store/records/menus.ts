/** Menus on disk: `content/menus/<key>.yaml`, the nodes of each language under `translations.<lang>.nodes`. */
import { own, type JsonObject } from "../../model/input/json.ts";
import { readStoredNodes, visitNodes, type Menu, type MenuNode } from "../../model/records/menu.ts";
import { fileSlug } from "../../model/address/slug.ts";
import { freeBase } from "./record-type.ts";
import { oneFileKind, readId, readTranslations, writeTranslations, type FileErrors } from "./fields.ts";

const DIR = "content/menus";
const NODE_ORDER = ["id", "title", "link", "meta", "nodes"];

export const MENUS = oneFileKind<Menu>({
  name: "Menu",
  dir: DIR,
  order: () => [["id", "key", "enabled", "translations"], [], ["nodes"], [], NODE_ORDER],
  read(data, { base, errors, locales }) {
    const nodes = readTranslations(data, errors, locales, (texts, found): readonly MenuNode[] | undefined => {
      const rows = own(texts, "nodes") ?? undefined;
      const read = rows === undefined ? undefined : readStoredNodes(rows);
      if (!read || "nodes" in read) return read?.nodes;
      found.nodes =
        typeof read.errors === "string" ? [read.errors] : (Object.assign({}, read.errors) as unknown as FileErrors);
      return undefined;
    });
    const key = own(data, "key") ?? base.slice(base.lastIndexOf("/") + 1);
    if (typeof key !== "string" || key === "") errors.key = ["A text is expected."];
    return {
      id: readId(data, base, errors),
      key: String(key),
      enabled: own(data, "enabled") !== false,
      nodes,
    };
  },
  write: ({ id, key, enabled, nodes }, locales) => ({
    ...{ id, key, enabled, translations: {} },
    ...writeTranslations(locales, (lang) => nodes[lang] && { nodes: nodes[lang].map(writeNode) }),
  }),
  visitReferences(menu, visit) {
    const nodes = Object.entries(menu.nodes).map(([lang, own]) => [lang, visitNodes(own, visit)] as const);
    return nodes.every(([lang, visited]) => visited === menu.nodes[lang])
      ? menu
      : { ...menu, nodes: Object.fromEntries(nodes) };
  },
  namesOf: ({ key }) => [key],
  newBase: (menu, used) => freeBase(DIR, fileSlug(menu.key, 80) || `menu-${menu.id}`, used),
});

const writeNode = (node: MenuNode): JsonObject => ({
  ...(node.id !== undefined && { id: node.id }),
  ...(node.title !== undefined && { title: node.title }),
  link: { ...node.link },
  ...(node.meta && { meta: node.meta }),
  ...(node.nodes && { nodes: node.nodes.map(writeNode) }),
});
