/** Menus on disk: `content/menus/<key>.yaml`, the nodes of each language under `translations.<lang>.nodes`. */
import type { FieldErrors } from "../../errors.ts";
import { isObject, own, type Json, type JsonObject } from "../../model/input/json.ts";
import { findLang, type Lang } from "../../model/language/locale.ts";
import { readStoredNodes, visitNodes, type Menu, type MenuNode } from "../../model/records/menu.ts";
import { fileSlug } from "../../model/address/slug.ts";
import { freeBase } from "./record-type.ts";
import { oneFileKind, readId, readMapping, type FileErrors } from "./fields.ts";

const DIR = "content/menus";
const NODE_ORDER = ["id", "title", "link", "meta", "nodes"];

export const MENUS = oneFileKind<Menu>({
  name: "Menu",
  dir: DIR,
  order: () => [["id", "key", "enabled", "translations"], [], ["nodes"], [], NODE_ORDER],
  read(data, { base, errors, locales }) {
    const nodes: Record<Lang, readonly MenuNode[]> = {};
    const wrong: Record<string, FieldErrors> = {};
    for (const [code, value] of Object.entries(readMapping(data, "translations", errors))) {
      const lang = findLang(locales, code);
      const rows = isObject(value) ? own(value, "nodes") : undefined;
      if (lang === undefined || rows === undefined || rows === null) continue;
      const read = readStoredNodes(rows);
      if ("nodes" in read) nodes[lang] = read.nodes;
      else
        wrong[code] = {
          nodes:
            typeof read.errors === "string"
              ? [read.errors]
              : (Object.assign({}, read.errors) as unknown as FieldErrors),
        };
    }
    if (Object.keys(wrong).length > 0) errors.translations = wrong as unknown as FileErrors;
    const key = own(data, "key") ?? base.slice(base.lastIndexOf("/") + 1);
    if (typeof key !== "string" || key === "") errors.key = ["A text is expected."];
    return {
      id: readId(data, base, errors),
      key: String(key),
      enabled: own(data, "enabled") !== false,
      nodes,
    };
  },
  write(menu, locales) {
    const translations = locales.codes.flatMap((lang): [string, Json][] => {
      const nodes = menu.nodes[lang];
      return nodes ? [[lang, { nodes: nodes.map(writeNode) }]] : [];
    });
    return {
      id: menu.id,
      key: menu.key,
      enabled: menu.enabled,
      translations: Object.fromEntries(translations),
    };
  },
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
