/** The menus of the site: the tree of one of them in one language. */
import { useEffect, useState } from "preact/hooks";
import { get, request } from "../api.ts";
import { storedLink } from "../fields/stored-form.ts";
import { text } from "../i18n.ts";
import { isRecord, type Values } from "../json.ts";
import { go, guardLeaving, route } from "../router.ts";
import { may } from "../session.ts";
import { contentLanguage } from "../site.ts";
import { LanguageTabs } from "../ui/language-tabs.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { MenuTree } from "./menu-tree.tsx";
import { nodesOf, rowsOf, type Row } from "./outline.ts";

export function MenuScreen({ name }: { name: string | undefined }) {
  const [names, setNames] = useState<readonly string[] | undefined>(undefined);
  useEffect(() => {
    get<readonly { key: string }[]>("menus/").then((all) => setNames(all.map(({ key }) => key)), notifyFailure);
  }, []);
  if (!names) return null;
  const shown = name ?? names[0];
  return (
    <>
      <div class="heading">
        <ScreenTitle name={text("menus")} />
        <div class="tabs" role="group" aria-label={text("menus")}>
          {names.map((key) => (
            <button
              key={key}
              aria-pressed={key === shown}
              onClick={() => go(`menus/${encodeURIComponent(key)}?${route.value.query}`)}
            >
              {key}
            </button>
          ))}
        </div>
        <LanguageTabs />
      </div>
      {shown === undefined ? (
        <p>{text("noMenus")}</p>
      ) : (
        contentLanguage.value !== "" && (
          <MenuEditor key={`${shown} ${contentLanguage.value}`} name={shown} lang={contentLanguage.value} />
        )
      )}
    </>
  );
}

function MenuEditor({ name, lang }: { name: string; lang: string }) {
  const path = `menus/${encodeURIComponent(name)}/?language=${lang}`;
  const [rows, setRows] = useState<readonly Row[] | undefined>(undefined);
  const [version, setVersion] = useState<string | null>(null);
  const [isChanged, setChanged] = useState(false);
  const load = async (): Promise<void> => {
    const answer = await request<Values>("GET", path);
    setRows(rowsOf(answer.value.nodes).map((row) => ({ ...row, node: storedNode(row.node) })));
    setVersion(answer.version);
    setChanged(false);
  };
  useEffect(() => void load().catch(notifyFailure), []);
  useEffect(() => {
    guardLeaving(() => !isChanged || confirm(text("leaveUnsaved")));
    return () => guardLeaving(() => true);
  }, [isChanged]);
  if (!rows) return null;
  const save = async (): Promise<void> => {
    try {
      const answer = await request<Values>("PATCH", path, { body: { nodes: nodesOf(rows) }, version });
      setVersion(answer.version);
      setChanged(false);
      notify(text("saved"));
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <>
      <fieldset class="form" disabled={!may("change_menu")} aria-label={name}>
        <MenuTree
          rows={rows}
          onChange={(next) => {
            setRows(next);
            setChanged(true);
          }}
        />
      </fieldset>
      {may("change_menu") && (
        <div class="actions bottom">
          <button class="primary" disabled={!isChanged} onClick={() => void save()}>
            {text("saveMenu")}
          </button>
          <button disabled={!isChanged} onClick={() => void load().catch(notifyFailure)}>
            {text("discardChanges")}
          </button>
          <span class="state" role="status">
            {isChanged && text("unsaved")}
          </span>
        </div>
      )}
    </>
  );
}

const storedNode = (node: Values): Values => ({ ...node, ...(isRecord(node.link) && { link: storedLink(node.link) }) });
