/** A menu as a tree, whose entries move by keyboard, buttons or dragging; and the form of the chosen entry. */
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { DataForm } from "../fields/data-form.tsx";
import { FieldMessages } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import { isRecord, type Json } from "../json.ts";
import { MOVE_KEYS, type Direction } from "../pages/list/tree-rows.ts";
import { knownRecord, LINK_TARGET } from "../records/known-records.ts";
import type { TextKey } from "../texts/en.ts";
import { offerUndo } from "../ui/notices.tsx";
import { VerbButton } from "../ui/verb-button.tsx";
import { dropped, endOf, inserted, moved, placesOf, without, type Row } from "./outline.ts";

interface MenuTreeProps {
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
}

const MOVES: readonly (readonly [Direction, TextKey, sign: string])[] = [
  ["up", "entryUp", "↑"],
  ["down", "entryDown", "↓"],
  ["out", "entryOut", "←"],
  ["in", "entryIn", "→"],
];

export function MenuTree({ rows, onChange }: MenuTreeProps) {
  const [chosen, setChosen] = useState(rows[0]?.key);
  const [dragged, setDragged] = useState<number | undefined>(undefined);
  const tree = useRef<HTMLUListElement>(null);
  const focuses = useRef(false);
  const latest = useRef(rows);
  latest.current = rows;
  const withdraw = useRef<() => void>(undefined);
  useEffect(() => () => withdraw.current?.(), []);
  const at = rows.findIndex(({ key }) => key === chosen);
  useLayoutEffect(() => {
    if (focuses.current) tree.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    focuses.current = false;
  });
  const paths = placesOf(rows).map((place) => `nodes.${place}`);
  const errors = useContext(FieldMessages);
  // Before the focus goes to the field that is refused, its entry is shown.
  useLayoutEffect(() => {
    const [refused = ""] = Object.keys(errors);
    const index = paths.findLastIndex((each) => refused.startsWith(`${each}.`));
    if (index >= 0) setChosen(rows[index]!.key);
  }, [errors]);
  const choose = (index: number): void => {
    const row = rows[index];
    if (!row) return;
    focuses.current = true;
    setChosen(row.key);
  };
  const onKey = (event: KeyboardEvent): void => {
    const move = MOVE_KEYS[event.key];
    if (event.altKey && move) {
      focuses.current = true;
      onChange(moved(rows, at, move));
    } else if (event.key === "ArrowDown") choose(at + 1);
    else if (event.key === "ArrowUp") choose(at - 1);
    else if (event.key === "Home") choose(0);
    else if (event.key === "End") choose(rows.length - 1);
    else return;
    event.preventDefault();
  };
  const add = (): void => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
    const row = { key, depth: rows[at]?.depth ?? 0, node: { title: "", link: { link_type: "ST", static: "/" } } };
    const end = at < 0 ? rows.length : endOf(rows, at);
    onChange([...rows.slice(0, end), row, ...rows.slice(end)]);
    setChosen(key);
  };
  return (
    <div class="split">
      <div>
        {rows.length === 0 ? (
          <p class="hint">{text("emptyMenu")}</p>
        ) : (
          <ul class="tree" role="tree" aria-label={text("entries")} ref={tree} onKeyDown={onKey}>
            {rows.map((row, index) => (
              <li
                key={row.key}
                class={
                  dragged === index ? `level-${Math.min(row.depth, 5)} dragged` : `level-${Math.min(row.depth, 5)}`
                }
                role="treeitem"
                aria-level={row.depth + 1}
                aria-selected={index === at}
                tabIndex={index === Math.max(at, 0) ? 0 : -1}
                draggable
                onClick={() => setChosen(row.key)}
                onDragStart={(event) => {
                  event.dataTransfer?.setData("text/plain", "");
                  setDragged(index);
                }}
                onDragEnd={() => setDragged(undefined)}
                onDragOver={(event) => dragged !== undefined && event.preventDefault()}
                onDrop={(event) => {
                  event.preventDefault();
                  if (dragged !== undefined) onChange(dropped(rows, dragged, index));
                }}
              >
                {titleOf(row)}
              </li>
            ))}
          </ul>
        )}
        <div class="actions">
          <button onClick={add}>{text("addEntry")}</button>
          {at >= 0 &&
            MOVES.map(([move, key, sign]) => (
              <VerbButton
                key={move}
                label={text(key)}
                isOff={moved(rows, at, move) === rows}
                onPress={() => onChange(moved(rows, at, move))}
              >
                {sign}
              </VerbButton>
            ))}
        </div>
        <p class="hint">{text("treeHint")}</p>
      </div>
      {at >= 0 && (
        <Entry
          key={chosen}
          path={paths[at]!}
          row={rows[at]!}
          onChange={(row) => onChange(rows.map((each, index) => (index === at ? row : each)))}
          onRemove={() => {
            const end = endOf(rows, at);
            setChosen(rows[end]?.key ?? rows[at - 1]?.key);
            onChange(without(rows, at, end));
            withdraw.current?.();
            withdraw.current = offerUndo(text("entryRemoved", { name: titleOf(rows[at]!) }), () => {
              onChange(inserted(latest.current, Math.min(at, latest.current.length), rows.slice(at, end)));
              setChosen(rows[at]!.key);
            });
          }}
        />
      )}
    </div>
  );
}

/** The title of the page that a link leads to, which an entry without a title of its own has. */
function linkedTitle(link: Json | undefined): string | undefined {
  if (!isRecord(link)) return undefined;
  if (typeof link.url_node === "number") return knownRecord(LINK_TARGET, link.url_node)?.name;
  return typeof link.static === "string" && link.static !== "" ? link.static : undefined;
}

const titleOf = ({ node: { title, link } }: Row): string => String(title || linkedTitle(link) || text("noTitle"));

interface EntryProps {
  readonly path: string;
  readonly row: Row;
  readonly onChange: (row: Row) => void;
  readonly onRemove: () => void;
}

function Entry({ path, row, onChange, onRemove }: EntryProps) {
  const { title, link } = row.node;
  const hint = title ? undefined : text("entryTitleHint");
  return (
    <section aria-label={text("entry")}>
      <DataForm
        definitions={[
          { ...{ name: "title", label: text("title"), hint, placeholder: linkedTitle(link) }, isNeverNull: true },
          { name: "link", label: text("link"), kind: "permalink", required: true, isNeverNull: true },
        ]}
        path={path}
        data={row.node}
        onChange={(node) => onChange({ ...row, node })}
      />
      <button class="danger" onClick={onRemove}>
        {text("removeEntry")}
      </button>
    </section>
  );
}
