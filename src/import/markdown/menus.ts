/** Menus of a source: of Hugo's configuration, of front matter, and of data files. */
import { isList, isObject, own, type Json } from "../../model/input/json.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { ImportedMenu, ImportedNode, SourceId, SourcePlace } from "../imported-site.ts";
import { readDataFile, settingAt } from "./config-files.ts";
import type { Dialect, DialectContext } from "./generators/dialect.ts";
import type { Document } from "./documents.ts";
import { listOf, fieldText } from "./field-values.ts";
import { stemOf, type SourcePath } from "./source-tree.ts";

/** An item of a menu, before items are put below each other. */
interface Item {
  readonly title: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly weight: number;
  readonly link: ImportedNode["link"];
  readonly nodes?: readonly ImportedNode[];
}

/** The link for an address of the source, or for a path of one of its files. */
export type LinkTo = (address: string, lang: Lang, isPath: boolean) => ImportedNode["link"];

export interface MenuSources {
  readonly dialect: Dialect;
  readonly context: DialectContext;
  readonly entries: readonly { readonly source: SourceId; readonly document: Document }[];
  readonly linkTo: LinkTo;
}

const DATA_MENU = /^(?:src\/|content\/)?_?data\/(?:nav|navigation|menus?|header|main)\.(?:ya?ml|json|toml)$/;

export async function readMenus({ dialect, context, entries, linkTo }: MenuSources): Promise<ImportedMenu[]> {
  const { config } = dialect;
  const items = new Map<string, Map<Lang, Item[]>>();
  const places = new Map<string, SourcePlace>();
  const add = (menu: string, lang: Lang, item: Item, place: SourcePlace): void => {
    const byLang = items.get(menu) ?? new Map<Lang, Item[]>();
    byLang.set(lang, [...(byLang.get(lang) ?? []), item]);
    items.set(menu, byLang);
    if (!places.has(menu)) places.set(menu, place);
  };
  if (dialect.name === "hugo") {
    for (const lang of config.langs) {
      const own = settingAt(config.data, "languages", lang);
      const of = lang === config.defaultLang ? [config.data, own] : [own];
      for (const data of of)
        for (const menus of [settingAt(data ?? null, "menus"), settingAt(data ?? null, "menu")])
          for (const [name, rows] of Object.entries(isObject(menus) ? menus : {}))
            for (const row of isList(rows) ? rows : []) {
              const item = itemOf(row, lang, linkTo);
              if (item) add(name, lang, item, { file: config.file });
            }
    }
  }
  for (const { source, document } of entries)
    for (const [menu, item] of frontMatterItems(document, source))
      add(menu, document.lang, item, { file: document.path, line: 1 });
  for (const path of context.tree.paths.filter((each) => DATA_MENU.test(each))) {
    const data = await readDataFile(context, path);
    for (const [menu, rows] of menusInData(data, path))
      for (const row of rows) {
        const item = itemOf(row, config.defaultLang, linkTo);
        if (item) add(menu, config.defaultLang, item, { file: path });
      }
  }
  return [...items].map(([key, byLang]) => ({
    source: `markdown:menu/${key}`,
    place: places.get(key)!,
    key,
    nodes: Object.fromEntries([...byLang].map(([lang, own]) => [lang, treeOf(own, undefined, new Set())])),
  }));
}

/** A data file is one menu, or has several by name. */
function menusInData(data: Json | undefined, path: SourcePath): (readonly [string, readonly Json[]])[] {
  const name = /^(?:nav|navigation|menus?|header)$/.test(stemOf(path)) ? "main" : stemOf(path);
  if (isList(data)) return [[name, data]];
  return Object.entries(isObject(data) ? data : {}).flatMap(([key, rows]) =>
    isList(rows) ? [[key === "items" || key === "links" ? name : key, rows] as const] : [],
  );
}

function itemOf(row: Json, lang: Lang, linkTo: LinkTo): Item | undefined {
  if (!isObject(row)) return undefined;
  const text = (...names: readonly string[]): string | undefined =>
    names.map((name) => fieldText(own(row, name))).find((each) => each !== undefined);
  const title = text("name", "title", "label", "text", "identifier");
  const path = text("pageRef");
  const address = text("url", "link", "href", "path", "page");
  const below = [row.children, row.sublinks, row.items, row.links, row.nodes].find(isList) ?? [];
  if (title === undefined) return undefined;
  const nodes = below.flatMap((each) => {
    const item = itemOf(each, lang, linkTo);
    return item ? [nodeOf(item)] : [];
  });
  return {
    title,
    id: text("identifier") ?? title,
    parent: text("parent"),
    weight: Number(own(row, "weight") ?? own(row, "order") ?? 0) || 0,
    link: path === undefined ? linkTo(address ?? "", lang, false) : linkTo(path, lang, true),
    ...(nodes.length > 0 && { nodes }),
  };
}

const nodeOf = ({ title, link, nodes }: Item): ImportedNode => ({ title, link, ...(nodes && { nodes }) });

/** `menu: main`, `menu: [main]`, `menus: { main: { weight: 1 } }`, and `eleventyNavigation`. */
function frontMatterItems({ data, title }: Document, source: SourceId): (readonly [string, Item])[] {
  const item = (options: Json): Item => ({
    title:
      fieldText(settingAt(options, "name")) ??
      fieldText(settingAt(options, "title")) ??
      fieldText(settingAt(options, "key")) ??
      title,
    id: fieldText(settingAt(options, "identifier")) ?? fieldText(settingAt(options, "key")) ?? title,
    parent: fieldText(settingAt(options, "parent")),
    weight: Number(settingAt(options, "weight") ?? settingAt(options, "order") ?? 0) || 0,
    link: { entry: source },
  });
  const stated = own(data, "menus") ?? own(data, "menu");
  const navigation = own(data, "eleventyNavigation");
  return [
    ...(isObject(stated)
      ? Object.entries(stated).map(([menu, options]) => [menu, item(options)] as const)
      : listOf(stated).map((menu) => [menu, item(null)] as const)),
    ...(isObject(navigation) ? [["main", item(navigation)] as const] : []),
  ];
}

/** Items below their parents, by weight, then in the order they were met. Hugo puts items without a weight last. */
function treeOf(items: readonly Item[], parent: string | undefined, above: ReadonlySet<string>): ImportedNode[] {
  const isHere = (item: Item): boolean =>
    parent === undefined
      ? item.parent === undefined || !items.some(({ id }) => id === item.parent)
      : item.parent === parent;
  const rank = ({ weight }: Item): number => (weight === 0 ? Infinity : weight);
  return items
    .filter((item) => isHere(item) && !above.has(item.id))
    .sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)))
    .map((item) => {
      const below = treeOf(items, item.id, new Set([...above, item.id]));
      const nodes = [...(item.nodes ?? []), ...below];
      return { ...nodeOf(item), ...(nodes.length > 0 && { nodes }) };
    });
}
