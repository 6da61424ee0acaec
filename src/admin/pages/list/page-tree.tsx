/** The pages of the site as a tree: opened level by level, put in order and moved by dragging or by keyboard. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { request } from "../../api.ts";
import { text } from "../../i18n.ts";
import { may } from "../../session.ts";
import { attempt, notify, notifyFailure } from "../../ui/notices.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { MoveDialog, type Move } from "./move-dialog.tsx";
import { nameOfRow, readLevel, type TreePage } from "./page-row.ts";
import { PageGrid } from "./page-grid.tsx";
import { placeAt, placeTaken, placeTowards, treeRows, type Levels, type Place, type TreeRow } from "./tree-rows.ts";

/** Stays while other screens are open, so that coming back shows the same branches. */
const opened = new Set<number>();

export function PageTree({ lang }: { lang: string }) {
  const [levels, setLevels] = useState<Levels<TreePage>>(new Map());
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set(opened));
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [move, setMove] = useState<Move | undefined>(undefined);
  const load = async (...parents: (number | null)[]): Promise<Levels<TreePage>> => {
    const read = await Promise.all(
      parents.map(async (parent) => [parent, await readLevel(parent, lang).catch(() => [])] as const),
    );
    const next: Levels<TreePage> = new Map([...(parents.includes(null) ? [] : levels), ...read]);
    setLevels(next);
    return next;
  };
  const reload = (): Promise<Levels<TreePage>> => load(null, ...open);
  useEffect(() => void reload().catch(notifyFailure), [lang]);
  const rows = useMemo(() => treeRows(levels, open), [levels, open]);
  const toggle = ({ page: { id } }: TreeRow<TreePage>): void => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    opened.clear();
    for (const each of next) opened.add(each);
    setOpen(next);
    if (next.has(id) && !levels.has(id)) void load(id).catch(notifyFailure);
  };
  /** Puts a page beside a sibling, which it already has. */
  const arrange = (page: TreePage, place: Place): Promise<void> =>
    attempt(async () => {
      const siblings = (await readLevel(place.parent, lang)).map(({ id }) => id);
      const taken = place.beside && placeTaken(siblings, page.id, place.beside);
      if (taken !== undefined)
        await request("POST", "pages/update_order/", { body: { startId: page.id, endId: taken, siblings: true } });
      if (place.parent !== null) setOpen(new Set([...open, place.parent]));
      await load(null, ...open, ...(place.parent === null ? [] : [place.parent]));
      notify(text("moved", { name: nameOfRow(page) }));
    });
  const start = ({ page, parent }: TreeRow<TreePage>, place: Place | undefined): void => {
    if (!place || !may("change_page")) return;
    if (place.parent === parent) void arrange(page, place);
    else setMove({ pages: [page], parent: place.parent, onMoved: () => void arrange(page, place) });
  };
  return (
    <>
      <BulkActions selected={selected} onSelect={setSelected} onDone={() => void reload()} />
      {levels.size > 0 && rows.length === 0 && <p class="foot">{text("noPages")}</p>}
      <PageGrid
        count={rows.length}
        rowAt={(at) => rows[at]?.page}
        selected={selected}
        onSelect={setSelected}
        branchAt={(at) => {
          const { page, depth } = rows[at]!;
          return { depth, hasChildren: page.children > 0, isOpen: open.has(page.id) };
        }}
        onToggle={(at) => toggle(rows[at]!)}
        onMove={(at, direction) => rows[at] && start(rows[at], placeTowards(rows, at, direction))}
        onDrop={(from, to, zone) => start(rows[from]!, placeAt(rows, rows[from]!.page.id, rows[to]!, zone))}
      />
      {may("change_page") && rows.length > 0 && <p class="hint">{text("pageTreeHint")}</p>}
      {move && <MoveDialog {...move} onClose={() => setMove(undefined)} />}
    </>
  );
}
