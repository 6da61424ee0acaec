/** The menus of the site: the tree of one of them in one language, and creating one. */
import { useEffect, useState } from "preact/hooks";
import { get, request } from "../api.ts";
import { storedLink } from "../fields/stored-form.ts";
import { text } from "../i18n.ts";
import { isRecord, isSame, type Json, type Values } from "../json.ts";
import { RecordFrame } from "../records/record-frame.tsx";
import { openRecord, type RecordPlace, type RecordState } from "../records/record-state.ts";
import { go, route } from "../router.ts";
import { may } from "../session.ts";
import { contentLanguage } from "../site.ts";
import { InlineForm } from "../ui/inline-form.tsx";
import { LanguageTabs } from "../ui/language-tabs.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { MenuTree } from "./menu-tree.tsx";
import { nodesOf, rowsOf, type Row } from "./outline.ts";
import { useLoaded } from "../ui/loaded.ts";

export function MenuScreen({ name }: { name: string | undefined }) {
  const [names, setNames] = useState<readonly string[] | undefined>(undefined);
  useEffect(() => {
    get<readonly { key: string }[]>("menus/").then((all) => setNames(all.map(({ key }) => key)), notifyFailure);
  }, []);
  if (!names) return null;
  const create = async (key: string): Promise<void> => {
    await request("POST", "menus/", { body: { key } });
    setNames([...names, key]);
    show(key);
  };
  const shown = name ?? names[0];
  return (
    <>
      <div class="heading">
        <ScreenTitle name={text("menus")} />
        <div class="tabs" role="group" aria-label={text("menus")}>
          {names.map((key) => (
            <button key={key} aria-pressed={key === shown} onClick={() => show(key)}>
              {key}
            </button>
          ))}
        </div>
        {may("add_menu") && <InlineForm label={text("newMenuName")} verb={text("newMenu")} onSubmit={create} />}
        <LanguageTabs />
      </div>
      {shown === undefined ? (
        <p>{text("noMenus")}</p>
      ) : (
        <MenuEditor key={`${shown} ${contentLanguage.value}`} name={shown} lang={contentLanguage.value} />
      )}
    </>
  );
}

const show = (key: string): void => go(`menus/${encodeURIComponent(key)}?${route.value.query}`);

const placeOf = (name: string, lang: string): RecordPlace => ({
  path: "menus",
  id: name,
  idOf: ({ key }) => String(key),
  query: `language=${lang}`,
  isOneLanguage: true,
  blank: { nodes: [] },
  values: ({ nodes }) => ({ nodes: nodesOf(rowsOf(nodes).map((row) => ({ ...row, node: storedNode(row.node) }))) }),
});

function MenuEditor({ name, lang }: { name: string; lang: string }) {
  const menu = useLoaded(() => openRecord(placeOf(name, lang)));
  return menu ? <OpenMenu name={name} menu={menu} /> : null;
}

function OpenMenu({ name, menu }: { name: string; menu: RecordState }) {
  const { nodes = [] } = menu.values.value;
  // The rows have keys of their own, which stay while the menu is changed here.
  const [shown, setRows] = useState<readonly Row[]>(() => rowsOf(nodes));
  const rows = isSame(nodesOf(shown), nodes) ? shown : rowsOf(nodes);
  useEffect(() => setRows(rows), [rows]);
  const save = async (): Promise<void> => {
    if (await menu.save()) notify(text("saved"));
  };
  return (
    <RecordFrame
      record={menu}
      name={name}
      mayChange={may("change_menu")}
      verb={text("saveMenu")}
      onSave={save}
      isWide
      labelOf={() => text("entries")}
      textOf={outlineText}
    >
      <MenuTree
        rows={rows}
        onChange={(next) => {
          setRows(next);
          menu.set("nodes", nodesOf(next));
        }}
      />
    </RecordFrame>
  );
}

/** The titles of the entries as an indented list, to be compared word by word. */
const outlineText = (nodes: Json): string =>
  rowsOf(nodes)
    .map(({ depth, node: { title } }) => `${"  ".repeat(depth)}${String(title || text("noTitle"))}`)
    .join("\n");

const storedNode = (node: Values): Values => ({ ...node, ...(isRecord(node.link) && { link: storedLink(node.link) }) });
