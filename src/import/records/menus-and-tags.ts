/** Tags and menus of an import. */
import { isEmpty, objectOf } from "../../model/input/json.ts";
import type { Lang } from "../../model/language/locale.ts";
import { isSafeAddress, type Link } from "../../model/address/link.ts";
import { MENU_KEY_MAX, type Menu, type MenuNode } from "../../model/records/menu.ts";
import { freeNumber } from "../../model/address/free-number.ts";
import type { DeclaredRecord } from "../../model/records/record.ts";
import type { Id } from "../../model/input/id.ts";
import { MENUS } from "../../store/records/menus.ts";
import { compare, noteWritten, resolverFor, type ImportRun } from "../import-run.ts";
import type { ImportedMenu, ImportedNode, ImportedTag } from "../imported-site.ts";
import { TAGS } from "../record-fingerprint.ts";
import { resolveLinks } from "../texts/source-links.ts";

/** In characters. */
const NAME_MAX = 200;

/** Stores the tags; two of the same name in one language are one, as is one that the site has already. */
export function writeTags(run: ImportRun, tags: readonly ImportedTag[]): void {
  const { tx, ctx } = run.library;
  const keyOf = (lang: Lang, name: unknown): string => `${lang}\n${String(name)}`;
  const byName = new Map<string, Id>();
  const note = (tag: DeclaredRecord): void => {
    for (const [lang, { name }] of Object.entries(tag.translations)) byName.set(keyOf(lang, name), tag.id);
  };
  for (const tag of tx.all(TAGS)) note(tag);
  for (const tag of tags) {
    const names = Object.entries(tag.names)
      .filter(([lang, name]) => ctx.locales.codes.includes(lang) && name.trim() !== "")
      .map(([lang, name]) => [lang, [...name.trim()].slice(0, NAME_MAX).join("")] as const);
    const report = { source: tag.source, kind: TAGS.name, title: names[0]?.[1] ?? tag.source };
    const { outcome, row, from, isKept } = compare(run, report, tag.names);
    if (isKept) continue;
    const before = outcome === "updated" && row ? tx.find(TAGS, row.id) : undefined;
    const same = names.map(([lang, name]) => byName.get(keyOf(lang, name))).find((id) => id !== undefined);
    if (names.length === 0) {
      run.report.remark({ ...tag.place, message: `The tag ${tag.source} has no name in a language of the site.` });
      continue;
    }
    if (same !== undefined && same !== before?.id) {
      noteWritten(run, tag.source, TAGS.name, same, from);
      run.report.add({ ...report, id: same, outcome: "unchanged" });
      continue;
    }
    const record: DeclaredRecord = {
      id: before?.id ?? tx.newId(),
      values: before?.values ?? {},
      translations: { ...before?.translations, ...objectOf(names.map(([lang, name]) => [lang, { name }] as const)) },
    };
    note(tx.put(TAGS, record));
    noteWritten(run, tag.source, TAGS.name, record.id, from);
    run.report.add({ ...report, id: record.id, outcome });
  }
}

/** Stores a menu. One of the site with its key is replaced with `force` only; without it, the key gets a number. */
export function writeMenu(run: ImportRun, menu: ImportedMenu): void {
  const { tx } = run.library;
  const report = { source: menu.source, kind: MENUS.name, title: menu.key };
  const imported = { key: menu.key, nodes: menu.nodes, enabled: menu.enabled };
  const { outcome, row, from, isKept } = compare(run, report, imported);
  if (isKept) return;
  const others = tx.all(MENUS);
  const named = others.find(({ key }) => key === menu.key);
  const before = (outcome === "updated" && row && tx.find(MENUS, row.id)) || (run.force ? named : undefined);
  const key = before?.key ?? freeKey(menu.key, (each) => others.some((other) => other.key === each));
  if (key !== menu.key && !before)
    run.report.remark({
      ...menu.place,
      message: `The site has a menu ${menu.key}: this one is ${key}. With --force it is replaced.`,
    });
  const nodes = Object.entries(menu.nodes).map(
    ([lang, own]) => [lang, own.flatMap((node) => nodeFor(run, menu, lang, node))] as const,
  );
  const record: Menu = {
    id: before?.id ?? tx.newId(),
    key,
    enabled: menu.enabled ?? before?.enabled ?? true,
    nodes: { ...before?.nodes, ...objectOf(nodes) },
  };
  tx.put(MENUS, record);
  noteWritten(run, menu.source, MENUS.name, record.id, from);
  run.report.add({ ...report, id: record.id, outcome: before ? "updated" : "created" });
}

function freeKey(key: string, isTaken: (key: string) => boolean): string {
  const bare = [...key].slice(0, MENU_KEY_MAX - 5).join("");
  return isTaken(bare) ? `${bare}-${freeNumber((number) => isTaken(`${bare}-${number}`))}` : bare;
}

/** A node without its target is left out, unless there are nodes below it. */
function nodeFor(run: ImportRun, menu: ImportedMenu, lang: Lang, node: ImportedNode): MenuNode[] {
  const nodes = (node.nodes ?? []).flatMap((each) => nodeFor(run, menu, lang, each));
  const link = linkFor(run, lang, node);
  if (!link) run.report.remark({ ...menu.place, message: `Menu ${menu.key}: "${node.title}" leads to nothing.` });
  if (!link && nodes.length === 0) return [];
  return [
    {
      title: node.title,
      link: link ?? { link_type: "ST", static: null },
      ...(node.meta && !isEmpty(node.meta) && { meta: node.meta }),
      ...(nodes.length > 0 && { nodes }),
    },
  ];
}

function linkFor(run: ImportRun, lang: Lang, { link }: ImportedNode): Link | undefined {
  if (link === "none") return { link_type: "ST", static: null };
  if ("entry" in link) {
    const id = run.ids.get(link.entry);
    return id === undefined ? undefined : { link_type: "RE", url_node: id };
  }
  const address = resolveLinks(link.address, resolverFor(run)(lang));
  return isSafeAddress(address) ? { link_type: "ST", static: address } : undefined;
}
