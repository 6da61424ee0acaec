/** Menus of an export. Each entry of one is stored as a post, and the menu is a term of it. */
import type { JsonObject } from "../../model/input/json.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import { MENU_KEY_MAX } from "../../model/records/menu.ts";
import type { ImportedMenu, ImportedNode, Remark } from "../imported-site.ts";
import { decodeEntities } from "../../model/text/html-tokens.ts";
import { readPhpValue } from "./php-value.ts";
import type { Posts } from "./posts.ts";
import type { TagAddresses } from "./tags.ts";
import type { TextLinks } from "./text-links.ts";
import { metaOf, type WordPressItem, type WordPressTerm, wholeNumber } from "./wxr.ts";

/** Levels, as those of menus here. */
const DEPTH_MAX = 20;

interface Reading {
  readonly terms: readonly WordPressTerm[];
  readonly posts: Posts;
  readonly links: TextLinks;
  readonly addresses: TagAddresses;
  readonly locales: Locales;
  readonly remarks: Remark[];
}

interface NodeReading extends Reading {
  /** Of terms, by id. */
  readonly names: ReadonlyMap<number, string>;
}

/** @param reading of the export, with the terms of all taxonomies */
export function menusIn(reading: Reading): readonly ImportedMenu[] {
  const { terms, posts } = reading;
  const lines = new Map(
    terms.flatMap(({ taxonomy, slug, file, line }) => (taxonomy === "nav_menu" ? [[slug, { file, line }]] : [])),
  );
  const names = new Map(terms.map(({ id, name }) => [id, name]));
  const menus = new Map<string, WordPressItem[]>();
  for (const item of posts.menuItems) {
    const slug = item.terms.find(({ taxonomy }) => taxonomy === "nav_menu")?.slug ?? "";
    if (slug === "" || item.status !== "publish") continue;
    const known = menus.get(slug);
    if (known) known.push(item);
    else menus.set(slug, [item]);
  }
  return [...menus].map(([slug, items]) => {
    const lang = langOf(items, reading);
    return {
      source: `wordpress:nav_menu:${slug}`,
      place: lines.get(slug) ?? { file: items[0]!.file, line: items[0]!.line },
      key: [...slug].slice(0, MENU_KEY_MAX).join(""),
      nodes: { [lang]: nodesOf(items, lang, { ...reading, names }) },
    };
  });
}

/** The language of most of its pages. */
function langOf(items: readonly WordPressItem[], { posts, locales }: Reading): Lang {
  const counts = new Map<Lang, number>();
  for (const item of items) {
    const lang = posts.byId(numberIn(item, "_menu_item_object_id"))?.lang;
    if (lang !== undefined && kindOf(item) === "post_type") counts.set(lang, (counts.get(lang) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most && locales.codes.includes(most[0]) ? most[0] : locales.default;
}

function nodesOf(items: readonly WordPressItem[], lang: Lang, reading: NodeReading): readonly ImportedNode[] {
  const ids = new Set(items.map(({ id }) => id));
  const below = new Map<number, WordPressItem[]>();
  for (const item of [...items].sort((a, b) => a.order - b.order)) {
    const named = numberIn(item, "_menu_item_menu_item_parent");
    const above = ids.has(named) && named !== item.id ? named : 0;
    const known = below.get(above);
    if (known) known.push(item);
    else below.set(above, [item]);
  }
  const level = (above: number, depth: number): readonly ImportedNode[] =>
    (below.get(above) ?? []).flatMap((item) => {
      const node = nodeOf(item, lang, reading);
      const inner = depth < DEPTH_MAX ? level(item.id, depth + 1) : [];
      return node ? [inner.length > 0 ? { ...node, nodes: inner } : node] : inner;
    });
  return level(0, 1);
}

/** undefined for an entry that leads to nothing that is imported: those below it take its place. */
function nodeOf(item: WordPressItem, lang: Lang, reading: NodeReading): ImportedNode | undefined {
  const { posts, links, addresses, locales, remarks } = reading;
  const id = numberIn(item, "_menu_item_object_id");
  const meta = metaOfNode(item);
  const named = decodeEntities(item.title);
  const leave = (what: string): undefined => {
    remarks.push({ file: item.file, line: item.line, message: `The menu entry "${named}" is left out: ${what}` });
    return undefined;
  };
  switch (kindOf(item)) {
    case "post_type": {
      const found = posts.byId(id);
      if (!found) return leave(`the post ${id} is not in the export.`);
      const { post } = found;
      const title = named || decodeEntities((post.versions.get(found.lang) ?? post.main).title);
      return { title, link: { entry: post.source }, ...meta };
    }
    case "taxonomy": {
      const title = named || decodeEntities(reading.names.get(id) ?? "");
      const prefix = lang === locales.default ? "" : `/${lang}`;
      return { title, link: { address: prefix + addresses.posts }, ...meta };
    }
    case "custom": {
      const address = decodeEntities(metaOf(item, "_menu_item_url")?.trim() ?? "");
      const target = links.target(address, lang);
      if (target === "missing") return leave(`${address} is not in the export.`);
      if (target && "entry" in target && target.tail === "")
        return { title: named, link: { entry: target.entry }, ...meta };
      const rewritten = links.rewrite(address, lang);
      return { title: named, link: { address: rewritten ?? address }, ...meta };
    }
    default:
      return leave("it is of a kind that is not known here.");
  }
}

const kindOf = (item: WordPressItem): string => metaOf(item, "_menu_item_type") ?? "";

const numberIn = (item: WordPressItem, key: string): number => wholeNumber(metaOf(item, key));

/** How the link opens, and the classes for its style. */
function metaOfNode(item: WordPressItem): { readonly meta?: JsonObject } {
  const target = metaOf(item, "_menu_item_target")?.trim() ?? "";
  const stored = readPhpValue(metaOf(item, "_menu_item_classes") ?? "");
  const classes = Array.isArray(stored) ? stored.filter((each) => typeof each === "string" && each !== "") : [];
  const meta = { ...(target !== "" && { target }), ...(classes.length > 0 && { classes }) };
  return Object.keys(meta).length > 0 ? { meta } : {};
}
