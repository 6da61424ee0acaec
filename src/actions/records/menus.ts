/** Writes to menus. */
import { notFound, refuseInvalid, type ErrorNode, type FieldErrors } from "../../errors.ts";
import type { FieldRow } from "../../model/input/field.ts";
import type { Json } from "../../model/input/json.ts";
import { readSent, readSentTexts, type Saving, type TextReaders } from "../../model/input/sent-fields.ts";
import { parseId } from "../../model/input/id.ts";
import { mergeErrors, named, refusedKeys, translated, type Keys } from "../../model/input/known-keys.ts";
import { langSuffix, type Lang, type Locales } from "../../model/language/locale.ts";
import { MENU_KEY_MAX, menuTargets, NODE_KEYS, readNodes, type Menu, type MenuNode } from "../../model/records/menu.ts";
import type { Id } from "../../model/page/page.ts";
import { requireObject, noSuchTarget } from "../../model/input/input-errors.ts";
import type { Reader } from "../../store/records/record-type.ts";
import { MENUS } from "../../store/records/menus.ts";
import { findPageSummary } from "../../store/content/indexes/pages-by-model.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";

const NODES: TextReaders<readonly MenuNode[]> = new Map([
  [
    "nodes",
    (value: Json) => {
      const read = readNodes(value);
      // An error of the whole list is a text, those of nodes are by index.
      return "nodes" in read ? { value: read.nodes } : { error: read.errors as ErrorNode };
    },
  ],
]);
const FIELDS: readonly FieldRow[] = [
  { name: "key", type: "text", max: MENU_KEY_MAX, blank: false },
  { name: "enabled", type: "boolean" },
];

interface MenuChange {
  readonly key?: string;
  readonly enabled?: boolean;
  readonly nodes: { readonly [lang: Lang]: readonly MenuNode[] };
}

/** The menu with a key, or else with an id. @throws CmsError `not_found` */
export function findMenu(reader: Reader, keyOrId: string): Menu {
  const byKey = reader.all(MENUS).find((menu) => menu.key === keyOrId);
  const id = parseId(keyOrId);
  const found = byKey ?? (id === undefined ? undefined : reader.find(MENUS, id));
  if (!found) throw notFound("Menu");
  return found;
}

/** Creates a menu; the default key is a UUID. @throws CmsError `invalid` */
export function createMenu(ctx: Context, by: Author, body: unknown, lang: Lang): Promise<Written<Menu>> {
  const change = readMenuChange(ctx, body, lang);
  return ctx.store.transact(by, (tx) => {
    const menu: Menu = {
      id: tx.newId(),
      key: change.key ?? tx.uuid(),
      enabled: change.enabled ?? true,
      nodes: change.nodes,
    };
    tx.describe(`Create menu "${menu.key}"`, { "Cms-Action": "create-menu", "Cms-Menu": menu.id });
    return validateAndPut(ctx, tx, menu);
  });
}

/** Changes the sent values; the nodes of a language are replaced as a whole. @throws CmsError `invalid` */
export function updateMenu(
  ctx: Context,
  by: Author,
  id: Id,
  body: unknown,
  { lang }: Pick<Saving, "lang">,
): Promise<Written<Menu>> {
  const { nodes, ...change } = readMenuChange(ctx, body, lang);
  return ctx.store.transact(by, (tx) => {
    const before = tx.get(MENUS, id);
    const menu: Menu = { ...before, ...change, nodes: { ...before.nodes, ...nodes } };
    tx.describe(`Change menu "${menu.key}"`, { "Cms-Action": "update-menu", "Cms-Menu": id });
    return validateAndPut(ctx, tx, menu);
  });
}

export function deleteMenu(ctx: Context, by: Author, id: Id): Promise<Written<void>> {
  return ctx.store.transact(by, (tx) => {
    tx.describe(`Delete menu "${tx.get(MENUS, id).key}"`, { "Cms-Action": "delete-menu", "Cms-Menu": id });
    tx.remove(MENUS, id);
  });
}

function validateAndPut(ctx: Context, tx: Tx, sent: Menu): Menu {
  // A language with an empty list is stored like one that was never written.
  const menu = {
    ...sent,
    nodes: Object.fromEntries(Object.entries(sent.nodes).filter(([, nodes]) => nodes.length > 0)),
  };
  const errors: Record<string, FieldErrors[string]> = {};
  if (tx.all(MENUS).some((other) => other.id !== menu.id && other.key === menu.key))
    errors.key = ["menu with this key already exists."];
  for (const lang of ctx.locales.codes) {
    const gone = menuTargets({ ...menu, nodes: { [lang]: menu.nodes[lang] ?? [] } }).find(
      (id) => !findPageSummary(tx, id),
    );
    // A stored link to a deleted page is allowed: otherwise the rest of the menu could not be saved.
    const known = menuTargets({ ...menu, nodes: { [lang]: tx.find(MENUS, menu.id)?.nodes[lang] ?? [] } });
    if (gone !== undefined && !known.includes(gone))
      errors[`nodes_${langSuffix(lang)}`] = [`link: ${noSuchTarget(gone)}`];
  }
  refuseInvalid(errors);
  return tx.put(MENUS, menu);
}

const menuKeys = (locales: Locales): Keys =>
  translated(locales, { nodes: NODE_KEYS }, named("key", "enabled"), ["id", "available_classes"]);

function readMenuChange({ locales, unknownFields }: Context, body: unknown, lang: Lang): MenuChange {
  requireObject(body);
  const errors: Record<string, FieldErrors[string]> = {};
  const texts = readSentTexts(body, locales, lang, NODES, errors);
  const nodes = Object.fromEntries(Object.entries(texts).map(([code, sent]) => [code, sent.nodes ?? []] as const));
  const change = readSent(body, FIELDS, errors) as Pick<MenuChange, "key" | "enabled">;
  refuseInvalid(mergeErrors(errors, refusedKeys(unknownFields, menuKeys(locales), body)) as FieldErrors);
  return { ...change, nodes };
}
